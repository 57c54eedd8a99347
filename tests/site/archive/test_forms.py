"""Every text format reads back what it has written: moves, comments, signs, variations, marks, players and times."""

import random
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadInput
from ludus.games.annotations import Annotations, CellMark, GameTree, Note, Variation
from ludus.games.plain import format_of
from ludus.games.records import RecordHeader
from ludus.site.archive.replay import _carried, link_to
from ludus.site.archive.texts import read_text, text_of, write_text
from ludus.site.messages.study import TreeNode

SPECS = ["chess", "go:5x5", "wallgame:classic:5x5", "wallgame:standard:6x5", "connect4", "gomoku:5x5", "tictactoe"]
SIGNS = [1, 2, 3, 4, 5, 6, 10, 16, 17]  # those that SGF can express
COMMENTS = ["best", "50 % or more", "1-0", "1. e4", "(so)", "a } b", "; not the end", '[Event "x"]', "a\\b]", "$1", "—"]
HEADER = RecordHeader(
    names=("Ann", "Bo, Expert"), ratings=(1500, 1620), result="0-1", reason="resignation", ended=-3_740_515_200.0,
    clock=(300.0, 2.5),
)  # fmt: skip


def random_tree(spec, seed):
    """Return a game of whole moves with variations that replace moves, comments and signs."""
    chance = random.Random(seed)
    last = ludus.game(f"{spec}:play-on" if spec == "chess" else spec).start()

    def turn(position):
        begin = position
        while position is begin or (position.to_play == begin.to_play and not position.outcome):
            actions = [
                each for each in position.actions if spec[:2] != "go" or position.num_actions_played < 2 or each != 25
            ]
            position = position.play(chance.choice(actions))
            if position.outcome:
                break
        return position

    for _ in range(chance.randrange(2, 6)):
        last = last if last.outcome else turn(last)
    ends = [0] + [at.num_actions_played for at in last.history[1:] if at.parent.to_play != at.to_play or at is last]
    variations, places, notes = [], last.num_actions_played, []
    for begin in chance.sample(ends[:-1], k=min(2, len(ends) - 1)):
        before = last.history[begin]
        replaced = [each.action for each in last.history[begin + 1 : ends[ends.index(begin) + 1] + 1]]
        after = turn(before)
        actions = [each.action for each in after.history[begin + 1 :]]
        if actions[0] != replaced[0]:
            variations.append((begin, actions))
    ends_of_variations = []
    for _, actions in sorted(variations):
        places += len(actions)
        ends_of_variations.append(places)
    for place in [*ends, *ends_of_variations]:
        comment = chance.choice([*COMMENTS, "", "", ""])
        signs = [chance.choice(SIGNS)] if place and chance.random() < 0.3 else []
        if comment or signs:
            notes.append(Note(place, comment, signs))
    return GameTree(last, Annotations(notes, [Variation(*each) for each in sorted(variations)]))


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_written_game_is_read_back(spec, seed):
    tree = random_tree(spec, seed)
    form = format_of(spec)
    header = HEADER if tree.last.outcome is None else RecordHeader(names=("A", "B"), clock=(60.0, 0.0), result="1-0")
    text = form.write(tree, header)
    brought = read_text(text)
    assert brought.last.moves == tree.last.moves
    again = GameTree(brought.last, brought.annotations)
    assert told(again) == told(tree), text
    assert brought.left_out == ()
    if tree.last.outcome is None:
        assert brought.header == header
        assert (brought.winner, brought.reason) == (1, "resignation")
    assert form.write(again, brought.header) == text


def told(tree):
    """Return the moves of all lines with what is said about them; the order of actions within a move may differ."""
    lines = [(tree.note(0).comment, [])]
    for _, places in tree.lines():
        moves = [[*group] for _, group in groupby(places, key=tree.begins.__getitem__)]
        found = [(tree.text(move[-1]), tree.note(move[-1]).comment, tree.note(move[-1]).signs) for move in moves]
        lines.append(found)
    return lines


def test_comments_in_texts_of_games_without_a_format_are_kept_and_exported():
    brought = read_text('[Game "connect4"]\n\n{First} 1. 4 $1 {the middle} (1. 1 4 {no}) 4 ; a reply\n*')
    assert [(note.place, note.comment, note.signs) for note in brought.annotations.notes] == [
        (0, "First", []), (1, "the middle", [1]), (2, "a reply", []), (4, "no", []),
    ]  # fmt: skip
    assert brought.annotations.variations == [Variation(0, [0, 3])]
    _, line = _carried(brought, ())
    text, suffix = write_text(GameTree(line.last, line.annotations), line.summary)
    assert suffix == "txt"
    assert "{First} 1. 4 $1 {the middle} (1. 1 4 {no}) 1... 4 {a reply}" in text


def test_a_variation_that_changes_the_second_half_of_a_move_begins_there():
    text = '[Variant "classic"]\n[Board "5x5"]\n[Result "*"]\n\n1. Cb5.>d4 {so} (1. Cb5.>d3 {or so} ---) --- *'
    brought = read_text(text)
    assert [variation.place for variation in brought.annotations.variations] == [1]
    assert "1. Cb5.>d4 {so} (1. Cb5.>d3 {or so} 1... ---) 1... ---" in format_of("wallgame").write(
        GameTree(brought.last, brought.annotations), brought.header
    )


def test_a_variation_that_cannot_be_played_is_said():
    brought = read_text('[Game "connect4"]\n\n1. 4 (1. 5 9 {never}) 4 *')
    assert brought.annotations.variations == [Variation(0, [4])]
    (sentence,) = brought.left_out
    assert sentence.startswith("A variation is left out from 9 on: ")
    for wrong, fault in {"1. 4 (1. 5": "no closing bracket", "(1. 4": "comes before any move"}.items():
        with pytest.raises(BadInput, match=fault):
            read_text(f'[Game "connect4"]\n\n{wrong}')


GO = (
    "(;FF[4]GM[1]SZ[9]RU[Japanese]KM[6.5]HA[2]AB[cc][gg]PL[W]TM[300]OT[2.5 fischer]DT[1851-06-21]PB[Ann]PW[Bo]BR[1500]"
    "RE[W+R];W[ee]TR[aa:bb]LB[cc:A\\:b][zz:q]SQ[dd];B[ff]CR[aa]MA[bb]C[x](;W[ef]LB[ee:1])(;W[aa]AR[aa:bb]))"
)


def test_marks_and_the_fields_of_go_survive_import_link_and_export():
    brought = read_text(GO)
    corners = [CellMark((row, column), "triangle") for row in (0, 1) for column in (0, 1)]
    assert brought.annotations.notes[0].marks == [
        *corners,
        CellMark((3, 3), "square"),
        CellMark((2, 2), "label", "A:b"),
    ]
    assert brought.left_out == ("Arrows, lines, territory and other drawings on the board are left out.",)
    _, line = _carried(brought, ())
    text, _ = write_text(GameTree(line.last, line.annotations), line.summary)
    for field in ("RU[Japanese]", "KM[6.5]", "HA[2]", "AB[cc][gg]", "TM[300]", "OT[2.5 fischer]", "DT[1851-06-21]",
                  "PB[Ann]", "PW[Bo]", "BR[1500]", "RE[W+R]", "LB[cc:A\\:b]", "LB[ee:1]", "MA[bb]"):  # fmt: skip
        assert field in text
    again = read_text(text)
    assert (again.header, again.annotations, again.left_out) == (brought.header, brought.annotations, ())
    assert again.last.game.name == brought.last.game.name == "go:9x9:japanese"
    assert link_to(line, line.summary)


@pytest.mark.parametrize("result", ["B+24.5", "B+20.5", "W+0.5", "0", "W+R"])
def test_a_result_that_players_agreed_on_after_two_passes_survives(result):
    brought = read_text(f"(;GM[1]SZ[5]KM[0.5]RE[{result}];B[cc];W[aa];B[bb];W[];B[])")
    _, line = _carried(brought, ())
    text, _ = write_text(GameTree(line.last, line.annotations), line.summary)
    assert f"RE[{result}]" in text


def test_an_analysis_tree_becomes_a_text_whose_main_line_is_the_promoted_one():
    e4, d4 = (ludus.game("chess").start().parse(move)[0] for move in ("e4", "d4"))
    (reply,) = ludus.game("chess").start().play("e4").parse("e5")
    nodes = [TreeNode(comment="start"), TreeNode(parent=0, action=d4), TreeNode(parent=0, action=e4, nags=[1])]
    text, suffix = text_of([*nodes, TreeNode(parent=2, action=reply, comment="so")], "chess", None)
    assert suffix == "pgn"
    assert "{start} 1. d4 (1. e4 $1 1... e5 {so}) *" in text or "{start} 1. d4 (1. e4 $1 e5 {so}) *" in text
    for wrong in ([TreeNode(), TreeNode(parent=1, action=e4)], [TreeNode(), TreeNode(parent=0, action=5000)]):
        with pytest.raises(BadInput):
            text_of(wrong, "chess", None)
