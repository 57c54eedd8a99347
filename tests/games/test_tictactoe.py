"""Tic-tac-toe against known facts."""

from functools import cache

import numpy as np
import pytest

import ludus
from ludus.games import tictactoe
from ludus.games.drawing import draw

GAME = ludus.game("tictactoe")


def after(*moves):
    position = GAME.start()
    for move in moves:
        position = position.play(move)
    return position


def test_the_board_is_drawn_with_crosses_and_noughts():
    position = after("b2", "a3", "c1")
    assert draw(position.describe()).splitlines() == [
        "3  o   .   .",
        "2  .   x   .",
        "1  .   .   x",
        "   a   b   c",
    ]
    assert position.moves == ["b2", "a3", "c1"]
    assert position.to_play == 1


@pytest.mark.parametrize("line", tictactoe.LINES)
@pytest.mark.parametrize("winner", [0, 1])
def test_every_line_wins_for_both_players(line, winner):
    others = [cell for cell in range(9) if cell not in line]
    state = GAME.start_state()
    for cell in line:
        state[cell] = 1 + winner
    state[others[0]] = 2 - winner
    assert GAME.rules.outcome(state) == ludus.FIRST_WINS + winner


def test_a_won_game_has_a_reason_and_marks_the_line():
    position = after("a1", "a2", "b1", "b2", "c1")
    assert position.outcome == ludus.Outcome(winner=0, reason="three in a line")
    assert position.outcome.value == 1.0
    assert position.actions == []
    board = position.describe()
    assert {mark.at for mark in board.marks if mark.kind == "win"} == {(2, 0), (2, 1), (2, 2)}
    assert [mark.at for mark in board.marks if mark.kind == "last"] == [(2, 2)]


def test_a_full_board_without_a_line_is_a_draw():
    position = after("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
    assert position.outcome == ludus.Outcome(winner=None, reason="board full")
    assert position.outcome.value == 0.0


def test_the_mover_is_on_plane_0():
    planes = after("a3", "c1").planes
    assert planes[0].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert planes[1].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_the_eight_symmetries_differ():
    state = GAME.start_state()
    state[0], state[1] = 1, 2
    images = set()
    for symmetry in range(8):
        out = GAME.empty_state()
        GAME.rules.symmetric_state(state, symmetry, out)
        images.add(out.tobytes())
    assert len(images) == 8


def test_the_whole_game_has_the_known_size_and_value():
    rules, actions = GAME.rules, np.zeros(9, np.int16)
    seen = set()

    @cache
    def value(cells):
        state = np.frombuffer(cells, np.uint8).copy()
        seen.add(cells)
        code = rules.outcome(state)
        if code != ludus.ONGOING:
            return {ludus.FIRST_WINS: 1, ludus.SECOND_WINS: -1, ludus.DRAW: 0}[code]
        values = []
        for action in actions[: rules.legal(state, actions)].tolist():
            child = state.copy()
            rules.play(child, action)
            values.append(value(child.tobytes()))
        return max(values) if rules.to_play(state) == 0 else min(values)

    assert value(GAME.start_state().tobytes()) == 0
    assert len(seen) == 5478  # known number of reachable positions
