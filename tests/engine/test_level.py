"""Reading and writing levels, and errors about invalid ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.engine.level import Level, read_level, read_levels
from ludus.errors import BadInput
from ludus.search.settings import MAX_VISITS

numbers = st.integers(1, 1000).map(lambda number: number / 100)
levels = st.builds(Level, st.integers(1, MAX_VISITS), numbers, st.integers(0, 99), numbers, st.booleans())


def test_visits_and_temperature_are_read():
    assert read_level("30,0.5") == Level(30, 0.5)
    assert read_level("200") == Level(200, 0.0)
    assert str(read_level("30,0.5")) == "30,0.5"


def test_the_other_fields_are_read_by_name():
    assert read_level("30,0.5,moves:10,seconds:2,noise") == Level(30, 0.5, moves=10, seconds=2.0, noise=True)
    assert read_level("seconds:2") == Level(MAX_VISITS, seconds=2.0)


@given(levels)
def test_a_level_is_read_as_it_is_written(level):
    assert read_level(str(level)) == level


def test_temperature_applies_for_the_given_number_of_moves():
    assert [Level(1, 0.5, moves=2).temperature_at(ply) for ply in range(4)] == [0.5, 0.5, 0.0, 0.0]
    assert Level(1, 0.5).temperature_at(99) == 0.5


def test_levels_are_named_by_bot():
    assert read_levels(["a=b=4,1", "c=800"]) == {"a=b": Level(4, 1.0), "c": Level(800)}


@pytest.mark.parametrize(
    "text",
    ["", "0", "-3", "many", "30,hot", "30,-1", "30,nan", "1e3", "30,0.5,1", "30,moves:x", "30,moves:-1", "moves:3",
     "30,noise:1", "30,noise,noise", "30,seconds", "30,sleep:1"],
)  # fmt: skip
def test_an_invalid_level_is_reported(text):
    with pytest.raises(BadInput, match="VISITS"):
        read_level(text)


@pytest.mark.parametrize("text", ["30,seconds:0", "30,seconds:inf", "30,seconds:nan"])
def test_seconds_must_be_positive_and_finite(text):
    with pytest.raises(BadInput, match="seconds must be a number above 0"):
        read_level(text)


def test_a_level_without_a_bot_is_reported():
    with pytest.raises(BadInput, match="BOT=VISITS"):
        read_levels(["200"])


def test_a_bot_has_one_level():
    with pytest.raises(BadInput, match="'a=2': a already has a level"):
        read_levels(["a=1", "b=1", "a=2"])
