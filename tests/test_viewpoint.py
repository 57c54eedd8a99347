"""Conversion of values between the players' views."""

import pytest

from ludus.kernel import entry
from ludus.viewpoint import turn


@entry
def turned(value, player):
    return turn(value, player)


@pytest.mark.parametrize("value", [-1.0, -0.25, 0.0, 0.5, 1.0])
def test_player_1_sees_the_opposite_of_player_0(value):
    assert turn(value, 0) == value
    assert turn(value, 1) == -value


@pytest.mark.parametrize("player", [0, 1])
def test_converting_twice_gives_the_same_value_also_in_compiled_code(player):
    assert turn(turn(0.3, player), player) == 0.3
    assert turned(0.3, player) == turn(0.3, player)
