"""PGN: reading, writing and reporting damaged games."""

import io
import math

import chess
import chess.pgn as judge
import pytest
from chess.engine import Cp, Mate, PovScore

import ludus
from ludus.games.annotations import GameTree, RecordLine, RecordMove
from ludus.games.chess.fen import write_fen
from ludus.games.chess.pgn import PgnGame, evaluation_in, recorded, write_pgn
from ludus.games.chess.pgn_format import PGN
from ludus.games.chess.pgn_read import BrokenPgn, read_pgn
from ludus.games.chess.view import ChessView
from ludus.seeding import stream

TEXT = """[Event "A \\"quoted\\" match"]
[Site "?"]
[Date "2026.11.21"]
[Round "1"]
[White "Doe, J."]
[Black "?"]
[Result "1-0"]
[WhiteElo "2100"]

{Opening words.} 1. e4 $1 {[%clk 0:05:00] best by test} {twice} 1... e5 (1...
c5 2. Nf3 (2. Nc3 {closed}) 2... d6) 2. Qh5 $6 Nc6 3. Bc4 Nf6 $4 4. Qxf7# 1-0

"""


def decoded(raw):
    text, _ = PGN.decode(raw)
    return text


def read(text):
    return list(read_pgn(text))


def test_a_game_is_written_as_it_was_read():
    (game,) = read(TEXT)
    assert game.tags["Event"] == 'A "quoted" match'
    assert game.line.comments == ["Opening words."]
    assert [played.text for played in game.line.moves] == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    (e4,) = ludus.game("chess").start().parse("e4")
    assert game.line.moves[0] == RecordMove("e4", [e4], [1], ["[%clk 0:05:00] best by test", "twice"])
    sicilian = game.line.moves[1].variations[0]
    assert [played.text for played in sicilian.moves] == ["c5", "Nf3", "d6"]
    (closed,) = sicilian.moves[1].variations[0].moves
    assert (closed.text, closed.comments) == ("Nc3", ["closed"])
    assert write_pgn(game) == TEXT


def test_python_chess_reads_the_written_game():
    other = judge.read_game(io.StringIO(write_pgn(read(TEXT)[0])))
    assert not other.errors
    assert other.board().fen() == judge.Game().board().fen()
    assert [move.uci() for move in other.mainline_moves()] == ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    assert len(other.next().variations) == 2
    assert len(other.next().variations[1].variations) == 2


@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ("1.e4 e5 2.Nf3! Nc6?! *", ["e4", "e5", "Nf3", "Nc6"]),
        ("e2e4 e7e5 g1f3 1-0", ["e4", "e5", "Nf3"]),
        ("1. e4 ; a comment { to the end\n e5 *", ["e4", "e5"]),
        ("1. e4\n% an escape (\ne5 *", ["e4", "e5"]),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. *", ["e4", "d5", "e5", "f5", "exf6"]),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. Kf7 4. fxe7 *", ["e4", "d5", "e5", "f5", "exf6", "Kf7", "fxe7"]),
        ("1. e4 e5 (1... c5 *) (1... e6 2. d4 1-0) 2. d4 1/2-1/2", ["e4", "e5", "d4"]),
        ("1. e4 e5 2", ["e4", "e5"]),
        ("1. e4 e5 1-0 {after} ; and on", ["e4", "e5"]),
        ("1. e4 e5 (=) 2. Nf3 (=) (2. d4 (=)) Nc6 1/2-1/2", ["e4", "e5", "Nf3", "Nc6"]),
        ("1. e4 e5 1/2", ["e4", "e5"]),
        ("1. e4 e5 (1... -- 2. d4 (2. Nf3) {so} ) (1... c5 2. Z0) 2. d4 *", ["e4", "e5", "d4"]),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. o-o o-o", ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "O-O", "O-O"]),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0", ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "O-O", "O-O"]),
    ],
)
def test_common_irregular_moves_are_read(moves, wanted):
    (game,) = read(moves)
    assert [played.text for played in game.line.moves] == wanted


@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ("1.\xa0e4\u2009e5 2.\u202fNf3 *", ["e4", "e5", "Nf3"]),
        (
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O\u2013O 0\u20110 1\u20130",
            ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "O-O", "O-O"],
        ),
        ("1. ♘f3 ♞f6 2. ♙e4 \u00bd-\u00bd", ["Nf3", "Nf6", "e4"]),
        ("1. e4‼ e5⁇ 2. Nf3⁉ □ Nc6 ↑ 3. Bb5 → \u00bd", ["e4", "e5", "Nf3", "Nc6", "Bb5"]),
        ("1. e4 d5 2. Bb5† c6 3. Bxc6‡ *", ["e4", "d5", "Bb5+", "c6", "Bxc6+"]),
        ("1. e4… *", ["e4"]),
        ("1. e4 {a {b} c} e5 $ 2. Nf3 *", ["e4", "e5", "Nf3"]),
        ("1. e4 { a { b } e5 {c} *", ["e4", "e5"]),
        ("1. e4 {a {b} {c {d}} e} e5 {f} *", ["e4", "e5"]),
        ("1. e4 ; {a\n e5 {b} 2. Nf3 *", ["e4", "e5", "Nf3"]),
        ("1. e4, e5 2. Nf3 😀 Nc6 ⟳ *", ["e4", "e5", "Nf3", "Nc6"]),
        ("1. \uff2ef3 N\uff46\uff16 *", ["Nf3", "Nf6"]),
        ("1. e4 d5 2. e5 f5 3. exf6 ep Nf6 4. a3 *", ["e4", "d5", "e5", "f5", "exf6", "Nxf6", "a3"]),
        ("1. e4 e5\x1a", ["e4", "e5"]),
        ("1. e4 e5\0\n*\0", ["e4", "e5"]),
        ("e4 e5 Nf3", ["e4", "e5", "Nf3"]),
        ("1) e4 e5 (1... c5 2) 2.) Nf3 Nc6 3: Bb5 *", ["e4", "e5", "Nf3", "Nc6", "Bb5"]),
        ("1. e4 e5 2. Bc4 TN Nc6 D 3. Qh5 Nf6 4. Qxf7 mate", ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]),
        ("1. e4 d5 2. Bb5 ch Bd7 3. Bxd7 + *", ["e4", "d5", "Bb5+", "Bd7", "Bxd7+"]),
    ],
)
def test_moves_are_read_as_people_paste_them(moves, wanted):
    (game,) = read(moves)
    assert [played.text for played in game.line.moves] == wanted


def test_signs_of_other_programs_are_marks_results_and_promotions():
    (game,) = read('[Result "1\u20130"]\n\n1. e4‼ □ e5⁈ (1... c5 ↑) 1\u20130')
    assert ([played.signs for played in game.line.moves], game.result, game.tags["Result"]) == (
        [[3, 7], [6]],
        "1-0",
        "1-0",
    )
    assert game.line.moves[1].variations[0].moves[0].signs == [36]
    (promotion,) = read('[FEN "7k/4P3/8/8/8/8/8/K7 w - - 0 1"]\n\n1. e8(q)+ \u00bd')
    assert ([played.text for played in promotion.line.moves], promotion.result) == (["e8=Q+"], "1/2-1/2")


@pytest.mark.parametrize("promotion", ["e8(Q)", "e8=(Q)", "e8Q", "e8/Q", "e8=q", "e8♕", "e7-e8(Q)+", "e7e8q"])
def test_a_promotion_is_read_in_any_spelling(promotion):
    (game,) = read(f'[FEN "7k/4P3/8/8/8/8/8/K7 w - - 0 1"]\n\n1. {promotion} *')
    assert [played.text for played in game.line.moves] == ["e8=Q+"]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1 - 0", "1-0"),
        ("0 \u2013 1", "0-1"),
        ("1:0", "1-0"),
        ("0.5-0.5", "1/2-1/2"),
        ("½:½", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
    ],
)
def test_a_result_is_read_in_any_spelling(text, result):
    (game,) = read(f"1. e4 e5 (1... c5 {text}) {text}")
    assert (game.result, len(game.line.moves)) == (result, 2)


def test_comments_keep_their_signs_and_lose_inner_braces():
    (game,) = read("1. e4 {a \u2013 {b} ½ ♘} e5 ; 1\u20130 … \n *")
    assert [played.comments for played in game.line.moves] == [["a \u2013 (b) ½ ♘"], ["1\u20130 …"]]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_files_in_wide_encodings_are_read(encoding):
    (game,) = read(decoded('[White "Łódź"]\n\n1. e4 *'.encode(encoding)))
    assert (game.tags["White"], game.line.moves[0].text) == ("Łódź", "e4")


def test_a_game_of_tags_alone_leaves_the_next_one_its_own():
    fen = "6k1/8/8/8/8/8/8/K6R w - - 0 1"
    text = f'[Result "0-1"]\n[FEN "{fen}"]\n\n[Event "x"]\n\n1. e4 *\n\n[Site "a"]\n\n[Site "b"]\n\n*\n'
    assert [(game.tags, len(game.line.moves), game.result) for game in read(text)] == [
        ({"Result": "0-1", "FEN": fen}, 0, "0-1"),
        ({"Event": "x"}, 1, "*"),
        ({"Site": "a"}, 0, "*"),
        ({"Site": "b"}, 0, "*"),
    ]
    (one,) = read('[Event "x"]\n\n[White "Doe"]\n\n1. e4 *')
    assert one.tags == {"Event": "x", "White": "Doe"}


def test_what_cannot_be_played_in_a_variation_is_left_out_and_said():
    (game,) = read("1. e4 e5 (1... Ke4 2. d4 (2. Nf3)) (1... c5\n2. Nf3 (2. Qa8 d6) d6) 2. d4 *")
    assert [[played.text for played in each.moves] for each in game.line.moves[1].variations] == [["c5", "Nf3", "d6"]]
    assert [each.split(":")[0] for each in game.left_out] == ["line 1", "line 2"]
    (cut,) = read("1. e4 e5 2. -- Nc6 (2... d6 1-0) 3. Nf3 0-1")
    assert ([played.text for played in cut.line.moves], cut.result) == (["e4", "e5"], "0-1")
    assert cut.left_out == ["line 1: null moves cannot be played; the moves after it are left out."]


@pytest.mark.parametrize(
    ("fen", "variant"),
    [
        ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", True),
        ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", True),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", True),
        ("r3k3/8/8/8/8/8/8/4K2R b Kq - 3 9", False),
        ("1r2k3/8/8/8/8/8/8/4K2R b Kq - 3 9", True),
        ("7k/8/8/8/8/8/8/K6R w - - 0 1", False),
        ("", False),
    ],
)
def test_chess960_is_known_by_its_castling(fen, variant):
    assert PgnGame({"FEN": fen}, RecordLine()).is_chess960 is variant


def test_annotation_glyphs_become_numbers():
    (game,) = read("1. e4! e5?? 2. Nf3 $14 Nc6!? *")
    assert [played.signs for played in game.line.moves] == [[1], [4], [14], [5]]


@pytest.mark.parametrize(("sign", "nag"), [("=", 10), ("+-", 18), ("-/+", 17), ("±", 16), ("N", 146), ("+=", 14)])
def test_evaluation_signs_become_numbers(sign, nag):
    (game,) = read(f"{sign} 1. e4 {sign} e5 (1... c5 {sign}) *")
    e4, e5 = game.line.moves
    assert (e4.signs, e5.signs, e5.variations[0].moves[0].signs) == ([nag], [], [nag])


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ('[White "Foo "Bar" Baz"]', 'Foo "Bar" Baz'),
        ("[White 'Doe']", "Doe"),
        ("[white “Müller”]", "Müller"),
        ("[White „Doe, J.“ ]", "Doe, J."),
        ("[White Doe, J.]", "Doe, J."),
    ],
)
def test_a_tag_with_other_quotation_marks_is_read(tag, value):
    (game,) = read(f'[Event "one"]\n{tag}\n\n1. e4 *\n')
    assert game.tags == {"Event": "one", "White": value}


def test_a_start_position_without_quotation_marks_is_not_lost():
    (game,) = read("[FEN 6k1/8/8/8/8/8/8/K6R w - - 0 1]\n[Result “1\u20130”]\n\n1. Rg1+")
    assert ([played.text for played in game.line.moves], game.result) == (["Rg1+"], "1-0")


@pytest.mark.parametrize("tag", ['[White-Elo "1"]', "[Event]", "[Comment by me]"])
def test_a_tag_that_cannot_be_read_is_skipped(tag):
    first, second = read(f'[Event "one"]\n{tag}\n[Site "x"]\n\n1. e4 *\n\n{tag}\n[Event "two"]\n\n1. d4 *\n')
    assert (first.tags, second.tags) == ({"Event": "one", "Site": "x"}, {"Event": "two"})
    assert [game.line.moves[0].text for game in (first, second)] == ["e4", "d4"]


def test_a_variation_with_a_null_move_is_left_out():
    (game,) = read("1. e4 e5 (1... c5) (1... -- 2. d4 (2. Nf3 Nf6) 2... d5) 2. d4 *")
    assert [[played.text for played in each.moves] for each in game.line.moves[1].variations] == [["c5"]]


def test_unusual_tag_spellings_and_invalid_results_are_accepted():
    (game,) = read('[fen "6k1/8/8/8/8/8/8/K6R w - - 0 1"]\n[RESULT "?"]\n\n1. Rg1+')
    assert [played.text for played in game.line.moves] == ["Rg1+"]
    assert (game.result, game.tags["FEN"][:3]) == ("*", "6k1")
    assert read('[Event "one"]\n\n1. e4 1/2\n')[0].result == "1/2-1/2"


@pytest.mark.parametrize(
    ("broken", "line", "what"),
    [
        ("1. e4 e5\n2. Ke3 *", 4, "'Ke3' may not be played here"),
        ("1. e4 (1. d4 e5 *", 3, "a variation has no closing bracket"),
        ("1. e4 e5) *", 3, "a closing bracket has no opening bracket"),
        ("(1. e4) *", 3, "a variation comes before any move"),
        ("1. e4 { never closed\n2. d4", 3, "a comment has no closing brace"),
        ("1. e4 & e5 *", 3, "'&' is not part of a game"),
        ("1. $1 e4 *", 3, "$1 comes before any move"),
        ("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7 Ke7 *", 3, "the game is over (checkmate)"),
        ('[White "never closed\n1. e4 *', 3, "a tag cannot be read"),
        pytest.param("1. e4 $" + "1" * 5000, 3, "'$' is not part of a game", id="a sign of 5,000 digits"),
        ("1. e4 " + "(1. d4 " * 200 + ")" * 200, 3, "deeper than 100 levels"),
    ],
)
def test_a_damaged_game_is_reported_with_its_line_and_the_next_is_read(broken, line, what):
    first, second = read(f'[Event "one"]\n\n{broken}\n\n[Event "two"]\n\n1. d4 *\n')
    assert isinstance(first, BrokenPgn)
    assert first.line == line
    assert what in first.what
    assert str(first).startswith(f"line {line}: ")
    assert [played.text for played in second.line.moves] == ["d4"]


def test_a_wrong_start_position_is_reported():
    first, second = read('[Event "one"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n\n[Event "two"]\n\n*\n')
    assert "White has no king" in first.what
    assert second.tags == {"Event": "two"}


def test_tags_and_moves_may_share_a_line():
    first, second = read('[Event "one"] [Site "x"] 1. e4\n\n[Event "two"]\n\n*\n')
    assert first.tags == {"Event": "one", "Site": "x"}
    assert [played.text for played in first.line.moves] == ["e4"]
    assert second.tags == {"Event": "two"}


def test_games_without_tags_follow_one_another():
    assert [len(game.line.moves) for game in read("1. e4 *\n1. d4 d5 1-0 1. c4 e5 2. Nc3 *")] == [1, 2, 3]
    assert read("") == read("\n\n") == []


def test_a_byte_order_mark_and_latin_1_are_read():
    assert decoded(b'\xef\xbb\xbf[White "M\xc3\xbcller"]') == '[White "Müller"]'
    assert decoded(b'[White "M\xfcller"]') == '[White "Müller"]'
    assert read('\ufeff[Event "x"]\n\n1. e4 *')[0].tags == {"Event": "x"}


@pytest.mark.parametrize("comment", ["a } b", "", 20 * "50 % or more ", 9 * 'a [Event "x"] '])
def test_any_comment_survives_writing_and_reading(comment):
    comment = comment.strip()
    e4, e5 = recorded(GameTree(ludus.game("chess").start().play("e4").play("e5"))).line.moves
    (d4,) = recorded(GameTree(ludus.game("chess").start().play("d4"))).line.moves
    d4.comments, e4.comments = [comment, comment], [comment]
    e4.variations = [RecordLine([comment]), RecordLine([], [d4])]
    game = PgnGame({}, RecordLine([comment], [e4, e5]))
    (again,) = read(write_pgn(game))
    assert again.line == game.line


def test_a_game_may_begin_at_any_position_with_black_to_move():
    game = recorded(GameTree(ludus.game("chess").start("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30").play("Kd7").play("e4")))
    text = write_pgn(game)
    assert '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"]' in text
    assert "30... Kd7 31. e4 *" in text
    assert read(text)[0].line == game.line


def test_random_games_survive_writing_and_reading():
    rng = stream(0, "test", "pgn")
    for number in range(0, 960, 240):
        rules = ludus.game("chess:960:play-on").compile()
        position = rules.start(number)
        while position.num_actions_played < 120 and not position.outcome:
            position = position.play(int(position.actions[int(rng.integers(len(position.actions)))]))
        game = recorded(GameTree(position), {"Event": "random"})
        assert game.tags["Variant"] == "Chess960"
        text = write_pgn(game)
        assert max(map(len, text.splitlines())) < 80 or "FEN" in max(text.splitlines(), key=len)
        (again,) = read(text)
        assert again.line == game.line
        assert again.tags.items() >= game.tags.items()
        assert [move.actions for move in again.line.moves] == [[later.action] for later in position.history[1:]]
        other = judge.read_game(io.StringIO(text))
        assert not other.errors
        assert other.end().board().fen(en_passant="legal") == write_fen(ChessView.read(position.state))


@pytest.mark.parametrize(("variant", "spec"), [("Standard", "chess:play-on"), ("Fischerandom", "chess:960:play-on")])
def test_the_tag_variant_selects_the_game(variant, spec):
    (game,) = read(f'[Variant "{variant}"]\n\n1. e4 e5 *')
    assert game.game.name == spec


def test_a_game_of_another_variant_is_refused():
    (broken,) = read_pgn('[Variant "Three-check"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *')
    assert isinstance(broken, BrokenPgn)
    assert broken.what == "the game is Three-check, not chess."


@pytest.mark.parametrize(
    ("comments", "pawns"),
    [
        ([], None),
        (["good"], None),
        (["[%eval 0.31]"], 0.31),
        (["[%clk 0:01:00]", "so! [%eval -2,20] [%emt 3]"], -2.0),
        (["[%eval +.5]"], 0.5),
        (["[%eval #3]"], math.inf),
        (["[%eval #-12,30]"], -math.inf),
        (["[%eval ?]"], None),
        (["[%eval 1e5]"], None),
        (["[%eval 0.1] [%eval 0.2]"], 0.1),
    ],
)
def test_evaluations_in_comments_are_read(comments, pawns):
    assert evaluation_in(comments) == pawns


@pytest.mark.parametrize("score", [Cp(31), Cp(-204), Cp(0), Cp(1500), Mate(2), Mate(-7)])
@pytest.mark.parametrize("depth", [None, 18])
def test_evaluations_written_by_python_chess_are_read(score, depth):
    node = judge.Game()
    node.comment = "a comment"
    node.set_eval(PovScore(score, chess.WHITE), depth)
    mate = score.mate()
    wanted = score.score() / 100 if mate is None else math.copysign(math.inf, mate)
    assert evaluation_in([node.comment]) == wanted
