"""The rules as Python calls them: plain or compiled, states are left alone."""

import pytest

import ludus
from ludus.games.calls import Calls
from ludus.games.game import ONGOING


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def calls(request):
    game = ludus.game("connect4")
    return Calls(game.rules, game.max_legal, compiled=request.param)


def test_a_call_leaves_the_state_as_it_was(calls):
    state = ludus.game("connect4").start().state  # a position's own, which refuses to be changed
    before = state.tobytes()
    after = calls.play(state, 3)
    assert calls.legal(state) == list(range(7))
    assert calls.outcome(state) == ONGOING
    assert state.tobytes() == before != after.tobytes()


def test_a_compiled_game_plays_as_before():
    columns = "44444421"
    plain = ludus.game("connect4").start()
    for column in columns:
        plain = plain.play(column)
    fast = ludus.game("connect4").compile().start()
    for column in columns:
        fast = fast.play(column)
    assert fast.state.tobytes() == plain.state.tobytes()
    assert fast.actions == plain.actions == [0, 1, 2, 4, 5, 6]


def test_the_first_position_remembers_its_setup():
    start = ludus.game("wallgame:standard:5x5").start("random:3")
    assert start.setup == "random:3"
    assert start.play(0).setup is None
