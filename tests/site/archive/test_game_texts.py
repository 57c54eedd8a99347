"""Exported and imported texts: which moves are read, and results; in particular, an unknown result is not a draw."""

from pathlib import Path

import pytest

import ludus
from ludus.errors import BadInput
from ludus.games.annotations import GameTree
from ludus.games.records import Overtime
from ludus.site.archive.link import read_link, write_link
from ludus.site.archive.replay import _play_link
from ludus.site.archive.texts import read_text, write_text
from ludus.site.messages.archive import GameSummary, ReplayPlayer

MOVES = {"connect4": ["4", "4"], "chess": ["e4", "e5"], "go:9x9": ["E5"], "wallgame:classic:5x5": []}


def test_only_the_first_game_of_a_text_is_read():
    assert read_text("(;GM[1]SZ[9];B[ee])(;GM[1]SZ[9];B[zz])").last.moves == ["E5"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [("1. e4 e5 2. Nf3", ["e4", "e5", "Nf3"]), ("\ufeff1.d4 d5 1/2-1/2", ["d4", "d5"]),
     ('[FEN "8/8/8/8/8/1k6/1p6/3K4 w - - 0 1"]\n\n1. Kd2 *', ["Kd2"])],
)  # fmt: skip
def test_moves_of_chess_without_the_usual_tags_are_read(text, moves):
    assert read_text(text).last.moves == moves


def test_text_that_only_resembles_chess_moves_is_refused():
    for text in ("1. hello", "e44", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a1b"):
        with pytest.raises(BadInput, match="not a recorded game"):
            read_text(text)
    with pytest.raises(BadInput, match="line 1: chess: 'e5' may not be played here"):
        read_text("1... e5")


@pytest.mark.parametrize(
    ("text", "winner", "reason"),
    [
        ("1. e4 e5 *", None, "unfinished"),
        ('[Event "?"]\n[Termination "Unterminated"]\n\n1. e4 *', None, "unfinished"),
        ('[Event "?"]\n[Termination "aborted"]\n\n1. e4 *', None, "aborted"),
        ("1. e4 e5 1/2-1/2", None, ""),
        ('[Event "?"]\n[Termination "draw-agreement"]\n\n1. e4 1/2-1/2', None, "draw-agreement"),
        ('[Event "?"]\n[Termination "unfinished"]\n\n1. e4 0-1', 1, "unfinished"),
        ('[Game "connect4"]\n[Result "*"]\n\n1. 4 4 *', None, "unfinished"),
        ("(;GM[1]SZ[9];B[ee])", None, "unfinished"),
        ("(;GM[1]SZ[9]RE[?];B[ee])", None, "unfinished"),
        ("(;GM[1]SZ[9]RE[Void];B[ee])", None, "aborted"),
        ("(;GM[1]SZ[9]RE[Draw];B[ee])", None, ""),
        ("(;GM[1]SZ[9]RE[0];B[ee])", None, ""),
        ("(;GM[1]SZ[9]RE[W+R];B[ee])", 1, "resignation"),
        ("(;GM[1]SZ[9]RE[B+T];B[ee])", 0, "timeout"),
        ("(;GM[1]SZ[9]RE[B+3.5];B[ee])", 0, ""),
    ],
)
def test_a_text_without_a_result_is_not_a_draw(text, winner, reason):
    brought = read_text(text)
    assert (brought.winner, brought.reason) == (winner, reason)


BREAKTHROUGH = str(Path(__file__).parents[3] / "examples" / "breakthrough.py")


def test_a_game_file_is_exported_without_its_folder_and_imported_again():
    last = ludus.game(BREAKTHROUGH).start()
    for _ in range(5):
        last = last.play(last.actions[0])
    who = ReplayPlayer("a", "guest"), ReplayPlayer("b", "guest")
    name, why = "breakthrough", "draw-agreement"
    told = GameSummary("x", name, name, "standard", "6x6", "", who, None, why, False, None, 1.0, 2.0, 5)
    text, _ = write_text(GameTree(last), told)
    link = write_link(last, names=("a", "b"), winner=None, reason="", ended=None)
    assert BREAKTHROUGH not in text
    for files in ((), ("/elsewhere/other.py",)):
        with pytest.raises(BadInput):
            read_text(text, files)
        with pytest.raises(BadInput, match="'breakthrough', which this site does not have"):
            _play_link(link, files)
    assert read_text(text, (BREAKTHROUGH,)).last.moves == last.moves
    line = _play_link(link, (BREAKTHROUGH,))
    assert (line.last.moves, line.summary.spec) == (last.moves, "breakthrough")


@pytest.mark.parametrize("text", [f'[Game "{BREAKTHROUGH}"]\n\n1. a2-a3 *', '[Game "breakthrough"]\n\n1. a2-a3 *'])
def test_texts_with_other_games_are_refused(text):
    with pytest.raises(BadInput):
        read_text(text)
    with pytest.raises(BadInput, match="cannot name a file"):
        read_text(text.replace('breakthrough"', './breakthrough.py"'), (BREAKTHROUGH,))


DEAD = ";B[cc];W[aa];B[bb];W[];B[])"  # White's stone in the corner lives by the rules alone, and is dead


@pytest.mark.parametrize(
    ("result", "winner", "reason"),
    [
        ("B+24.5", 0, "two passes, B+24.5"),
        ("W+0.5", 1, "two passes, W+0.5"),
        ("0", None, "two passes, 0"),
    ],
)
def test_the_winner_after_two_passes_is_the_agreed_one(result, winner, reason):
    brought = read_text(f"(;GM[1]SZ[5]KM[0.5]RE[{result}]{DEAD}")
    assert brought.last.outcome
    assert brought.winner == winner
    if brought.last.outcome.winner != winner:
        assert brought.reason == reason
    link = write_link(brought.last, names=brought.header.names, winner=winner, reason=brought.reason, ended=None)
    assert _play_link(link).summary.winner == winner


def test_two_passes_without_a_result_are_scored_by_the_rules():
    brought = read_text(f"(;GM[1]SZ[5]KM[0.5]{DEAD}")
    assert (brought.winner, brought.reason) == (brought.last.outcome.winner, brought.last.outcome.reason)


@pytest.mark.parametrize("spec", MOVES)
@pytest.mark.parametrize(
    ("winner", "reason", "result"),
    [
        (None, "aborted", ("*", "RE[Void]")),
        (None, "unfinished", ("*", "RE[?]")),
        (None, "draw-agreement", ("1/2-1/2", "RE[0]")),
        (1, "resignation", ("0-1", "RE[W+R]")),
    ],
)
def test_result_and_reason_survive_export_and_import(spec, winner, reason, result):
    last = ludus.game(spec).start()
    for move in MOVES[spec]:
        last = last.play(move)
    name, players = spec.partition(":")[0], (ReplayPlayer("Ada", "guest"), ReplayPlayer("Bob", "bot"))
    summary = GameSummary(None, spec, name, "standard", "", "", players, winner, reason, False, None, None, None, 0)
    text, _ = write_text(GameTree(last), summary)
    assert result[name == "go"] in text
    brought = read_text(text)
    kept = {
        ("go", "draw-agreement"): "",
        ("wallgame", "aborted"): "unfinished",
    }  # results that the format cannot express
    assert (brought.winner, brought.reason) == (winner, kept.get((name, reason), reason))
    assert brought.last.moves == last.moves


@pytest.mark.parametrize(
    ("text", "spec", "moves"),
    [
        ('[Event "Team"]\n[Board "1"]\n[White "a"]\n\n1. e4 *', "chess", ["e4"]),
        ('[Board "1"]\n\n1. e4 e5', "chess", ["e4", "e5"]),
        ('[Site "x"]\n\n1. e4 *', "chess", ["e4"]),
        ('[Date "2020.01.01"]\n[Event "a]b"]\n\n1. e4 *', "chess", ["e4"]),
        ('[Game "12"]\n[White "a"]\n\n1. e4 *', "chess", ["e4"]),
        ('[Event "[Game "]\n[Annotator "(;"]\n\n1. e4 *', "chess", ["e4"]),
        ("e4 e5 Nf3", "chess", ["e4", "e5", "Nf3"]),
        ("1 \u2658f3", "chess", ["Nf3"]),
        ("{so} e2-e4 *", "chess", ["e4"]),
        ('Dear all,\n\n[Event "x"]\n\n1. e4 *', "chess", ["e4"]),
        ("(SZ[9];B[aa])", "go", ["A9"]),
        ('look:\n(;SZ[9]C[[Event "x"\\]];B[aa])', "go", ["A9"]),
        ('[Board "5x5"]\n[Variant "classic"]\n[Site "x"]\n[Result "*"]\n\n1. Cb4 *', "wallgame", ["Cb4"]),
        ('[Game "connect4"]\n[Event "x"]\n[Board "1"]\n\n1. 4 *', "connect4", ["4"]),
    ],
)
def test_a_format_is_recognised_by_what_only_it_has(text, spec, moves):
    brought = read_text(text)
    assert (brought.last.game.name.split(":")[0], brought.last.moves) == (spec, moves)


@pytest.mark.parametrize("spec", MOVES)
def test_the_time_control_and_the_rules_are_exported(spec):
    last = ludus.game(spec).start()
    name, players = spec.partition(":")[0], (ReplayPlayer("Ada", "guest"), ReplayPlayer("Bob", "bot"))
    summary = GameSummary(
        None, spec, name, "standard", "", "", players, 0, "", False, None, None, None, 0, clock=(300.0, 2.5)
    )
    text, _ = write_text(GameTree(last), summary)
    said = ("TM[300]", "OT[2.5 fischer]", "RU[Tromp-Taylor]", "KM[") if name == "go" else ('[TimeControl "300+2.5"]',)
    assert [each for each in said if each not in text] == []


@pytest.mark.parametrize(
    ("text", "clock", "quoted"),
    [
        ("(;GM[1]SZ[9]TM[600]OT[5x30 sudden death];B[ee])", None, "600 + 5x30 sudden death"),
        ("(;GM[1]SZ[9]TM[8 hours];B[ee])", None, "8 hours"),
        ("(;GM[1]SZ[9]TM[600]OT[None];B[ee])", (600.0, 0.0), ""),
        ("(;GM[1]SZ[9]TM[600]OT[10 fischer];B[ee])", (600.0, 10.0), ""),
        ("(;GM[1]SZ[9]TM[-];B[ee])", None, ""),
        ("(;GM[1]SZ[9];B[ee])", None, ""),
        ('[Event "?"]\n[TimeControl "40/5400+30:1800+30"]\n\n1. e4 *', None, "40/5400+30:1800+30"),
        ('[Event "?"]\n[TimeControl "180+2"]\n\n1. e4 *', (180.0, 2.0), ""),
        ('[Event "?"]\n[TimeControl "-"]\n\n1. e4 *', None, ""),
        ('[Event "?"]\n[TimeControl "?"]\n\n1. e4 *', None, ""),
        ('[Game "connect4"]\n[TimeControl "*60"]\n[Result "*"]\n\n1. 4 4 *', None, "*60"),
    ],
)
def test_a_time_control_of_another_kind_is_left_out_and_said(text, clock, quoted):
    brought = read_text(text)
    assert brought.header.clock == clock
    if quoted:
        (sentence,) = brought.left_out
        assert sentence.startswith(f"The time control {quoted!r} is left out")
    else:
        assert brought.left_out == ()


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("go:9x9", ("TM[600]", "OT[{}]")),
        ("chess", ('[TimeControl "600+{}"]',)),
        ("connect4", ('[TimeControl "600+{}"]',)),
    ],
)
@pytest.mark.parametrize(
    ("overtime", "text"), [(Overtime(30.0, 5), "5x30 byo-yomi"), (Overtime(300.0, moves=25), "25/300 canadian")]
)
def test_overtime_is_written_and_read_again(spec, written, overtime, text):
    last = ludus.game(spec).start()
    last = last.play(last.actions[0]).play(last.play(last.actions[0]).actions[1])
    players = (ReplayPlayer("Ada", "guest"), ReplayPlayer("Bob", "guest"))
    summary = GameSummary(
        None,
        spec,
        spec.partition(":")[0],
        "standard",
        "",
        "",
        players,
        0,
        "",
        False,
        None,
        None,
        None,
        2,
        (600.0, 0.0),
        overtime=overtime,
    )
    told, _ = write_text(GameTree(last), summary)
    assert [each for each in written if each.format(text) not in told] == []
    header = read_text(told).header
    assert (header.clock, header.overtime, header.other_clock) == ((600.0, 0.0), overtime, "")


@pytest.mark.parametrize(
    ("text", "clock", "overtime"),
    [
        ("(;GM[1]SZ[9]TM[1800]OT[25/600 Canadian];B[ee])", (1800.0, 0.0), Overtime(600.0, moves=25)),
        ("(;GM[1]SZ[9]OT[3x10 byo-yomi];B[ee])", (0.0, 0.0), Overtime(10.0, 3)),
        ("(;GM[1]SZ[9]TM[600]OT[5 x 30 byoyomi];B[ee])", (600.0, 0.0), Overtime(30.0, 5)),
        ("(;GM[1]SZ[9]TM[600]OT[20 moves / 300];B[ee])", (600.0, 0.0), Overtime(300.0, moves=20)),
        ('[Event "?"]\n[TimeControl "1/259200"]\n\n1. e4 *', (0.0, 0.0), Overtime(259_200.0)),
    ],
)
def test_overtime_of_other_programs_is_read(text, clock, overtime):
    header = read_text(text).header
    assert (header.clock, header.overtime) == (clock, overtime)


def test_a_link_carries_overtime():
    told = read_text("(;GM[1]SZ[9]TM[600]OT[5x30 byo-yomi];B[ee];W[dd])")
    link = write_link(
        told.last,
        names=told.header.names,
        winner=None,
        reason="",
        ended=None,
        clock=(600.0, 0.0),
        overtime=Overtime(30.0, 5),
    )
    shared, _ = read_link(link)
    assert shared.overtime == Overtime(30.0, 5)
