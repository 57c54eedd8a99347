"""Nine Men's Morris: the laws, mills, flying, and the ways to lose."""

from pathlib import Path

import pytest

import ludus
from ludus.errors import IllegalMove
from ludus.games.check.run import check
from ludus.games.drawing import draw
from ludus.loop.preset import load_preset

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "morris.py"
GAME = ludus.game(str(SOURCE))
POINTS = ["a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"]
POINTS += ["e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"]
HAND = 24


def after(*moves):
    position = GAME.start()
    for move in moves:
        position = position.play(move)
    return position


def placed(white, black, hands=(0, 0), to_play=0, quiet=0):
    """Return the position with stones on these points."""
    state = GAME.start().state.copy()
    for stone, points in ((1, white), (2, black)):
        for point in points.split():
            state[POINTS.index(point)] = stone
    state[HAND : HAND + 5] = (*hands, 0, to_play, quiet)
    return GAME.start().instead(state)


def texts(position):
    return {position.text(action) for action in position.actions}


def sequences(position, length):
    """Count the sequences of `length` actions."""
    if length == 0:
        return 1
    return sum(sequences(position.play(position.text(action)), length - 1) for action in position.actions)


def test_the_example_keeps_every_law_in_200_lines(one_in_ten):
    assert check(GAME, games=len(one_in_ten(range(20)))).breach is None
    assert len(SOURCE.read_text().splitlines()) <= 200


def test_stones_are_put_on_any_empty_point():
    assert sequences(GAME.start(), 2) == 24 * 23
    with pytest.raises(IllegalMove):
        after("d6", "d6")


def test_a_mill_takes_a_stone_that_is_in_no_mill():
    position = after("a7", "b6", "d7", "d6", "a1", "a4", "g1", "f6")  # Black closes b6-d6-f6
    assert position.to_play == 1
    assert texts(position) == {"xa7", "xd7", "xa1", "xg1"}
    position = position.play("xd7")
    assert position.moves[-1] == "f6.xd7"
    assert position.to_play == 0
    position = position.play("d1")  # White closes a1-d1-g1; b6, d6 and f6 are in a mill
    assert texts(position) == {"xa4"}


def test_a_stone_in_a_mill_is_taken_if_all_are_in_mills():
    position = placed("a1 d1 g4 a7", "b6 d6 f6").play("g4-g1")
    assert texts(position) == {"xb6", "xd6", "xf6"}
    assert position.play("xd6").outcome.winner == 0, "Black has two stones left"


def test_a_move_within_a_line_closes_no_mill():
    position = placed("a7 d7 a4 f2", "b6 d6 c5 e3").play("f2-f4")
    assert position.to_play == 1
    closed = placed("a7 d7 g4 f2", "b6 d6 c5 e3").play("g4-g7")
    assert closed.to_play == 0


def test_stones_move_along_lines_and_three_of_them_fly():
    assert texts(placed("d6 a1 a4 g1", "b2 f2 e3 c3")) == {
        *("d6-d7", "d6-b6", "d6-f6", "d6-d5"),
        *("a1-d1", "a4-a7", "a4-b4", "g1-d1", "g1-g4"),
    }
    flying = placed("d6 a1 a4", "b2 f2 e3 c3")
    assert len(flying.actions) == 3 * (24 - 7)
    assert "a1-g7" in texts(flying)


def test_a_side_without_a_move_loses():
    position = placed("a7 d7 g7 a4", "d6 b4 a1 f4 e4", to_play=1)
    assert position.outcome is None
    assert position.play("f4-g4").outcome.winner == 1


def test_fifty_quiet_moves_are_a_draw():
    position = placed("a7 d7 a4 f2", "b6 d6 c5 e3", quiet=49)
    assert position.outcome is None
    assert position.play("f2-f4").outcome.winner is None
    assert placed("a7 d7 g4 f2", "b6 d6 c5 e3", quiet=49).play("g4-g7").outcome is None, "a mill takes a stone"


def test_stones_in_hand_are_drawn_above_and_below():
    lines = draw(after("d6", "f4").describe()).splitlines()
    assert lines[0].strip() == "o8"
    assert lines[-1].strip() == "x8"
    assert lines[3] == "6  |   .-------x-------.   |"
    assert lines[7] == "4  .---.---.       .---o---."


def test_a_stone_is_moved_by_two_clicks_and_put_or_taken_by_one():
    moves = {choice.text: choice for choice in placed("d6 a1 a4 g1", "b2 f2 e3 c3").describe().choices}
    assert (moves["d6-d7"].source, moves["d6-d7"].at) == ((1, 3), (0, 3))
    assert {choice.source for choice in after("d6").describe().choices} == {None}


def test_the_preset_trains_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    preset = load_preset("examples/morris.toml")
    assert [ludus.game(spec).num_actions for spec in preset.games] == [624]
