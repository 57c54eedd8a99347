"""A search may be restricted to some legal actions, each named once."""

import pytest

import ludus
from ludus.players.thinking.pool import Pool
from ludus.players.thinking.seat import Limits

CONNECT4 = ludus.game("connect4")


def test_an_action_named_twice_is_refused(scripted):
    with Pool(CONNECT4, scripted(CONNECT4), slots=1, max_visits=20) as pool:
        seat = pool.seat(CONNECT4.start())
        with pytest.raises(AssertionError, match="each action may be named once"):
            seat.ask_within(Limits(10, only=(3, 3)))
        assert pool.is_idle
