"""Evaluations in words and per cent."""

import pytest

from ludus.cli.terminal.chances import chance_of, evaluation_words


@pytest.mark.parametrize(
    ("value", "side", "told"),
    [(0.3449, 0, "67 %"), (0.3449, 1, "33 %"), (0.9999, 0, "99 %"), (-1.0, 1, "100 %"), (-1.0, 0, "0 %")],
)
def test_only_a_proved_win_is_certain(value, side, told):
    assert chance_of(value, side) == told


@pytest.mark.parametrize(
    ("you", "value", "told"),
    [
        (1, -0.5, "You: 75 % win chance"),
        (0, -0.5, "Mouse: 75 % win chance"),
        (None, 1.0, "Cat wins for sure"),
        (0, 1.0, "You win for sure"),
    ],
)
def test_an_evaluation_is_told_with_its_owner(you, value, told):
    assert evaluation_words(("Cat", "Mouse"), you, value) == told
