"""SGF: lossless reading and writing, agreement with another reader, and errors with line numbers."""

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as judge

import ludus
from ludus.errors import BadNotation
from ludus.games.go.describe import margin
from ludus.games.go.rulesets import FIELDS, RULE_SETS, rule_set_named
from ludus.games.go.sgf import BrokenSgf, Node, escaped, read_sgf, read_trees, text_of, write_sgf
from ludus.games.go.sgf_game import read_games, size_in, write_game
from ludus.games.go.sgf_result import result_in
from ludus.games.go.view import stones_of, vertex

GAME = (
    "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]PB[A\\]B]C[two\\\\lines:\n\\] end]AB[aa:bb][ee]PL[W]"
    ";W[cc]LB[dd:1][ee:x\\:y](;B[dd]N[main];W[])(;B[ef]TR[aa][bb](;W[gg])(;W[hh])))"
)


def test_a_tree_with_variations_markup_and_escapes_is_written_back_as_it_was():
    (root,) = read_sgf(GAME)
    written = write_sgf([root])
    assert written.replace("\n", "") == GAME.replace("\n", "")
    assert root.text("PB") == "A]B"
    assert root.text("C") == "two\\lines:\n] end"
    assert [len(child.children) for child in root.children[0].children] == [1, 2]
    theirs = judge.Sgf_game.from_string(written)
    assert theirs.get_root().get("C") == root.text("C")
    assert theirs.get_komi() == 6.5


@st.composite
def trees(draw, depth=4):
    texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=20)
    names = st.sampled_from(["C", "N", "LB", "B", "W", "XY"])
    properties = draw(st.dictionaries(names, st.lists(texts.map(escaped), min_size=1, max_size=3), max_size=3))
    children = draw(st.lists(trees(depth - 1), max_size=2)) if depth else []
    return Node(properties, children)


def shape(node):
    return node.properties, [shape(child) for child in node.children]


@settings(max_examples=60, deadline=None)
@given(roots=st.lists(trees(), min_size=1, max_size=3))
def test_any_tree_comes_back(roots):
    assert [shape(root) for root in read_sgf(write_sgf(roots))] == [shape(root) for root in roots]


@given(text=st.text())
def test_escapes_resolve_to_what_was_escaped(text):
    assert text_of(escaped(text)) == text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")


def test_deep_nesting_does_not_overflow_the_stack():
    depth = 5000
    (root,) = read_sgf("(;B[aa]" * depth + ")" * depth)
    assert sum(1 for _ in root.main_line()) == depth
    assert write_sgf([root]).replace("\n", "").count(";B[aa]") == depth


def test_text_after_the_last_tree_is_skipped():
    roots = read_sgf("see (1)\n(;B[aa])\n(c) 2004 )(;W[bb]) (end")
    assert [root.properties for root in roots] == [{"B": ["aa"]}, {"W": ["bb"]}]


def test_a_game_that_begins_inside_an_unclosed_game_is_a_separate_game():
    doubts = []
    roots = read_sgf("(;SZ[9]RE[B+R];B[aa]\n(;SZ[9]RE[W+R];B[bb])", doubts.append)
    assert [root.text("RE") for root in roots] == ["B+R", "W+R"]
    assert [[node.properties for node in root.main_line()][1:] for root in roots] == [[{"B": ["aa"]}], [{"B": ["bb"]}]]
    assert doubts == ["line 2: a game begins before the one above it is closed."]
    names = read_sgf("(;PB[x]RE[B+R];B[aa](;B[bb](;PB[y];B[cc])\n(c) 2004 (;PB[z]B[dd])")
    assert [root.text("PB") for root in names] == ["x", "y", "z"]


def test_a_variation_may_name_players_if_the_root_does_not():
    (root,) = read_sgf("(;SZ[9];B[aa](;W[bb])(;PB[x]W[cc]))")
    assert [child.properties for child in root.children[0].children] == [{"W": ["bb"]}, {"PB": ["x"], "W": ["cc"]}]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *(("b+r", "B+R"), ("B+Resign", "B+R"), ("黑中盘胜", "B+R"), ("白中押し勝ち", "W+R"), ("흑 불계승", "B+R")),
        *(("W+3.5", "W+3.5"), ("B+0,5", "B+0.5"), ("White won by 2.5 points", "W+2.5"), ("Black wins", "B+")),
        *(("B+Time", "B+T"), ("W+Forfeit", "W+F"), ("W+", "W+"), ("白胜3.75子", "W+"), ("B\uff0bR", "B+R")),
        *(("0", "0"), ("Draw", "0"), ("Jigo", "0"), ("Void", "Void"), ("Both lost", "Void")),
        *(("?", "?"), ("Black", "?"), ("unfinished", "?"), ("", "")),
    ],
)
def test_common_spellings_of_results_are_read(text, result):
    assert result_in(Node({"RE": [text]})) == result


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no game tree"),
        ("B[aa]", "there is no game tree"),
        ("(;B[aa](;W[bb]", "line 1: 2 parentheses are not closed at the end of the file"),
        ("(;B[aa]\n;W[bb", "line 2: a value has no closing ]"),
        ("(;\n\n[aa])", "line 3: a value has no property name"),
        ("(;B[aa]())", "line 1: a closing parenthesis has no opening one, or holds no node"),
        ("(;B[aa] 7)", "line 1: '7' is not expected here"),
        ("(;b[aa])", "b is not a property"),
        ("(;)\n[[\n7 ;x]\n(;b[aa])", "line 4: b is not a property"),
        ("(;)\n]\n(;(;", "line 3: 2 parentheses are not closed at the end of the file"),
    ],
)
def test_a_damaged_file_is_refused_with_the_line(text, complaint):
    with pytest.raises(BadNotation) as refusal:
        read_sgf(text)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    "noise",
    ["[", "[\\", "[(", "]", "(", "x ", "7;\n", "(;SZ[9", "(;SZ[9]&"],
    ids=["open", "escape", "tree", "close", "nest", "word", "line", "unclosed games", "damaged games"],
)
@pytest.mark.parametrize("before", ["(;)", "(;C[", "(;C", "(;"], ids=["between", "in a value", "in a node", "at first"])
def test_reading_noise_takes_linear_time(before, noise):
    begun = time.process_time()
    with contextlib.suppress(BadNotation):
        read_sgf(before + noise * 65_000)
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(;GM[2])", "GM[2] is not Go"),
        ("(;SZ[9:13])", "boards must be square"),
        ("(;SZ[25])", "boards must be square"),
        ("(;SZ[9]KM[many])", "KM[many] is not a komi"),
        ("(;SZ[9];B[aa]\n;W[aa])", "line 2, node 2: White may not play A9 here"),
        ("(;SZ[9];B[zz])", "'zz' is not a point of a board of 9x9"),
        ("(;SZ[9];B[aa]\nB[bb])", "line 1, node 1: B has several points; a node has one move"),
        ("(;SZ[9]HA[12])", "12 handicap stones on a board of 9x9"),
        pytest.param(
            f"(;SZ[9]HA[{'1' * 5000}])", "line 1: HA[1111111111] is not a handicap", id="handicap of 5,000 digits"
        ),
        pytest.param(f"(;SZ[{'9' * 5000}])", "SZ[9999999999]; boards must be square", id="board of 5,000 digits"),
    ],
)
def test_an_unplayable_game_is_refused_with_the_line(text, complaint):
    with pytest.raises(BadNotation) as refusal:
        read_games(text)
    assert complaint in str(refusal.value)
    assert str(refusal.value).count("SGF") == 1


def test_a_record_is_replayed_with_handicap_set_up_stones_and_moves_out_of_turn():
    text = "(;SZ[9]HA[2]RU[Chinese]RE[W+R];W[ee];W[ff];AE[ee]AW[aa]PL[B];B[dd];W[tt];B[])"
    (game,) = read_games(text)
    assert (game.game.name, game.result, game.winner) == ("go:9x9:chinese", "W+R", 1)
    stones = {vertex(cell, 9): owner for cell, owner in stones_of(game.positions[-1].state).items()}
    assert stones == {"G7": 0, "C3": 0, "D6": 0, "A9": 1, "F4": 1}
    assert game.positions[-1].outcome is not None


@pytest.mark.parametrize(
    ("text", "stones", "to_play"),
    [
        ("(;SZ[9]HA[2])", "C3 G7", 1),
        ("(;SZ[9]HA[2];W[ee];AB[bb]PL[W])", "C3 G7 E5 B8", 1),  # a later diagram is not a handicap
        ("(;SZ[9]HA[2];C[handicap]AB[bb][ha])", "B8 H9", 1),
        ("(;SZ[9]HA[3]PL[W];AB[bb];AB[ha][cc])", "B8 C7 H9", 1),
        ("(;SZ[9]HA[10];AB[aa:ia][ii])", "A9 B9 C9 D9 E9 F9 G9 H9 J9 J1", 1),
        ("(;SZ[9]HA[2];B[gc];B[cg])", "C3 G7", 1),
        ("(;SZ[9]HA[2];B[bb];B[ha];W[ee])", "B8 H9 E5", 0),
        ("(;SZ[5]HA[2];B[bb];B[dd];W[cc])", "B4 D2 C3", 0),  # this board has no usual points
        ("(;SZ[9]HA[3];B[aa];W[ee])", "C3 G7 C7 A9 E5", 0),  # Black plays out of turn
    ],
)
def test_handicap_stones_are_placed_once_wherever_the_record_lists_them(text, stones, to_play):
    (game,) = read_games(text)
    last = game.positions[-1]
    size = size_in(game.root)
    assert {vertex(cell, size) for cell in stones_of(last.state)} == set(stones.split())
    assert last.to_play == to_play


@pytest.mark.parametrize("stones", ["AB[bb][ha]", ";AB[bb][ha]", ";B[bb];B[ha]"])
def test_handicap_compensation_does_not_depend_on_where_the_stones_are_listed(stones):
    (game,) = read_games(f"(;SZ[9]HA[2]RU[AGA]{stones})")
    assert margin(game.positions[-1].state) == 81 - 0.5 - 1


def test_prisoners_are_kept_when_stones_are_set_up_during_a_game():
    moves = "(;SZ[5]RU[Japanese]KM[0];B[ba];W[aa];B[ab];W[ed]"
    (plain,), (edited,) = read_games(f"{moves})"), read_games(f"{moves};AW[ee]AE[ed])")
    assert margin(plain.positions[-1].state) == margin(edited.positions[-1].state) == 1


def test_a_damaged_game_costs_no_other_and_is_reported_with_its_line():
    found = read_trees("(;SZ[9]B[aa])\n(;SZ[9] &;B[bb])\n(;SZ[9])((;SZ[9](\n(;GM[1];B[dd])\n(;FF[4]C[x\n;B)")
    assert [each.line if isinstance(each, BrokenSgf) else each.properties for each in found] == [
        {"SZ": ["9"], "B": ["aa"]},
        2,
        {"SZ": ["9"]},
        4,
        {"GM": ["1"]},
        5,
    ]
    assert [str(each) for each in found if isinstance(each, BrokenSgf)] == [
        "line 2: '&' is not expected here.",
        "line 4: an opening parenthesis follows another; a node must come first.",
        "line 5: a value has no closing ].",
    ]


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("(SZ[9];B[aa];W[bb])", [{"SZ": ["9"]}, {"B": ["aa"]}, {"W": ["bb"]}]),
        ("see ( \nGM[1]SZ[9];B[aa])", [{"GM": ["1"], "SZ": ["9"]}, {"B": ["aa"]}]),
        ("(;SZ[9](B[aa];W[bb])(B[cc]))", [{"SZ": ["9"]}, {"B": ["aa"]}, {"W": ["bb"]}]),
    ],
)
def test_the_first_semicolon_of_a_tree_or_variation_may_be_missing(text, nodes):
    [root] = read_sgf(text)
    assert [node.properties for node in root.main_line()] == nodes
    [root] = read_sgf(text.replace("SZ[9]", "SZ[9]CA[Shift_JIS]PB[十]").encode("cp932"))
    assert [node.properties for node in root.main_line()][1:] == nodes[1:]


@pytest.mark.parametrize("text", ["(;SZ[9];B[aa]C[so;W[bb])", "(;SZ[9];B[aa]C[so)\n(;FF[4];B[bb])"])
def test_a_value_without_its_bracket_that_swallows_the_next_property_is_reported(text):
    doubts = []
    read_sgf(text, doubts.append)
    assert doubts == ["line 1: a value of C ends like a property; its bracket may be missing."]


def test_a_game_whose_last_parenthesis_is_missing_is_read():
    assert read_games("(;SZ[9];B[ee];W[cc]\n")[0].positions[-1].moves == ["E5", "C7"]


def test_retaking_a_ko_at_once_is_refused_with_that_reason():
    stones = "(;SZ[5]RU[Japanese]KM[0]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb]"
    with pytest.raises(BadNotation, match="White may not play B4 here: a ko may not be retaken at once"):
        read_games(stones + ";W[bb])")


@pytest.mark.parametrize(
    ("komi", "points"),
    [
        ("375", 7.5),
        ("325", 6.5),
        ("3.75", 7.5),
        ("2,75", 5.5),
        ("650", 6.5),
        ("0", 0),
        ("-3.5", -3.5),
        ("7.25", 7),
        ("100", 100),
        ("5.5 points", 5.5),
        ("3.75子", 7.5),
        ("7目", 7),
    ],
)
def test_komi_in_stones_or_hundredths_is_read_as_points(komi, points):
    (game,) = read_games(f"(;SZ[9]KM[{komi}])")
    assert margin(game.positions[-1].state) == -points


def test_another_program_reads_the_written_game(play):
    position = play("go:9x9:japanese:handicap=2:marking", "E5 C7 pass pass E5 pass pass")
    text = write_game(position, {"PB": "Shusaku", "PW": "back\\slash]", "DT": "2026-11-21"})
    theirs = judge.Sgf_game.from_string(text)
    assert (theirs.get_player_name("w"), theirs.get_handicap(), theirs.get_komi()) == ("back\\slash]", 2, 0.5)
    moves = [node.get_move() for node in theirs.get_main_sequence()[1:]]
    assert moves == [("w", (4, 4)), ("b", (6, 2)), ("w", None), ("b", None)]
    (mine,) = read_games(text)
    assert stones_of(mine.positions[-1].state) == stones_of(position.state)
    assert mine.result == position.outcome.reason.removeprefix("agreed, ")
    assert mine.game is ludus.game("go:9x9:japanese")


def there_and_back(position):
    """Write a game as SGF and read it back."""
    (game,) = read_games(write_game(position))
    return game.positions[-1]


CHANGES = ["", *(f":{field}={value}" for field, values in FIELDS.items() for value in values)]


@pytest.mark.parametrize("handicap", ["", ":handicap=2"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["", *(f":{name}" for name in RULE_SETS)])
def test_a_written_game_keeps_its_rules(play, name, change, handicap):
    moves = "D4 D6 F4 pass F6 G4 pass pass" if handicap else "D4 C3 E5 pass C4 D3 C5 pass pass"
    position = play(f"go:7x7{name}{change}{handicap}", moves)
    again = there_and_back(position)
    assert again.state.tolist() == position.state.tolist()
    assert again.outcome == position.outcome
    assert again.game.start().state.tolist() == play(f"go:7x7{name}{change}", "").state.tolist()


@pytest.mark.parametrize(
    ("spec", "rules"),
    [
        ("go:5x5", "Tromp-Taylor"),
        ("go:5x5:ko=positional:suicide=no", "tromp-taylor:suicide=no"),
        ("go:5x5:scoring=territory", "tromp-taylor:scoring=territory"),
        ("go:9x9:chinese:bonus=0:handicap=2", "chinese:bonus=0"),
        ("go:9x9:chinese:ko=positional", "chinese-ogs"),
        ("go:5x5:ko=simple:suicide=no:bonus=n", "Chinese"),
        ("go:5x5:bga", "BGA"),
        ("go:5x5:korean", "Korean"),
    ],
)
def test_rules_are_written_by_name_or_by_their_differences_from_one(play, spec, rules):
    assert f"RU[{rules}]" in write_game(play(spec, ""))


@pytest.mark.parametrize(
    "text", ["klingon", "chinese:suicide=perhaps", "chinese:speed=9", "chinese:ko=simple:ko=simple", "suicide=no", ""]
)
def test_unknown_rules_have_no_name(text):
    assert rule_set_named(text) == ""


def test_common_spellings_of_rules_are_read():
    assert rule_set_named(" New Zealand:KO=Simple ") == "new-zealand:ko=simple"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("koPOSITIONALscoreAREAtaxNONEsui1", "tromp-taylor"),
        ("koSIMPLEscoreAREAtaxNONEsui0whbN", "tromp-taylor:ko=simple:suicide=no:bonus=n"),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", "japanese"),
        ("koSITUATIONALscoreAREAtaxNONEsui0button0whbN-1", "tromp-taylor:ko=situational:suicide=no:bonus=n-1"),
        ("koSIMPLEscoreAREAtaxALLsui0", ""),
        ("koSIMPLEscoreAREAtaxNONEsui0button1", "tromp-taylor:ko=simple:suicide=no:button=yes"),
        ("日本ルール", "japanese"),
        ("Chinese rules", "chinese"),
    ],
)
def test_other_programs_spellings_of_rules_are_read(text, rules):
    assert rule_set_named(text) == rules


@pytest.mark.parametrize(
    ("spec", "setup"),
    [
        ("go:5x5:chinese", {"black": "B2 C3", "komi": 0.5}),
        ("go:5x5:chinese", {"black": "B2", "handicap": 1}),
        ("go:5x5:aga", {"black": "B2 C3", "white": "D4", "bonus": 7}),
        ("go:5x5:tromp-taylor", {"black": "B2 C3 D4", "handicap": 3, "bonus": 2}),
    ],
)
def test_handicap_points_outside_the_rules_are_added_to_the_komi(spec, setup):
    position = ludus.game(spec).start(setup).play("A5").play("pass").play("pass")
    assert margin(there_and_back(position).state) == margin(position.state)


@pytest.mark.parametrize("moves", ["", "D4", "D4 E5", "D4 E5 C7 pass pass"])
def test_free_handicap_stones_are_not_written_as_moves(play, moves):
    position = play("go:9x9:chinese:free=2", moves)
    again = there_and_back(position)
    assert stones_of(again.state) == stones_of(position.state)
    assert margin(again.state) == margin(position.state)
    assert again.to_play == position.to_play
