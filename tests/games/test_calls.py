"""Calls of plain and compiled rules from Python leave states unchanged."""

import pytest

import ludus
from ludus.games.calls import Calls
from ludus.games.rules import ONGOING


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def calls(request):
    game = ludus.game("connect4")
    return Calls(game.rules, game.max_legal, compiled=request.param)


def test_a_call_does_not_change_the_state(calls):
    state = ludus.game("connect4").start().state  # a position's read-only state
    before = state.tobytes()
    after = calls.play(state, 3)
    assert calls.legal(state) == list(range(7))
    assert calls.outcome(state) == ONGOING
    assert state.tobytes() == before != after.tobytes()


@pytest.mark.parametrize("compiled", [False, True])
def test_a_heuristic_is_called_the_same_way_plain_and_compiled(compiled):
    game = ludus.game("gomoku:5x5")
    state = game.start({"black": ["a1", "b1", "c1", "d1"], "white": ["a3", "b3", "c3"], "to_play": "white"}).state
    legal = Calls(game.rules, game.max_legal, compiled=compiled).legal(state)
    weights, value = Calls(game.rules, game.max_legal, compiled=compiled).heuristic(state, legal)
    assert weights.argmax() == legal.index(game.start().parse("e1")[0])  # which stops the five
    assert weights.shape == (len(legal),)
    assert weights.min() > 0
    assert -1 <= value <= 1


def test_a_compiled_game_plays_like_a_plain_one():
    columns = "44444421"
    plain = ludus.game("connect4").start()
    for column in columns:
        plain = plain.play(column)
    fast = ludus.game("connect4").compile().start()
    for column in columns:
        fast = fast.play(column)
    assert fast.state.tobytes() == plain.state.tobytes()
    assert fast.actions == plain.actions == [0, 1, 2, 4, 5, 6]


def test_the_first_position_stores_its_setup():
    start = ludus.game("wallgame:standard:5x5").start("random:3")
    assert start.setup == "random:3"
    assert start.play(0).setup is None
