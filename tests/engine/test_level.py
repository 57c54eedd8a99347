"""Levels are read from a few characters, and a slip is named."""

import pytest

from ludus.engine.level import Level, read_level, read_levels
from ludus.errors import BadInput


def test_visits_and_temperature_are_read():
    assert read_level("30,0.5") == Level(30, 0.5)
    assert read_level("200") == Level(200, 0.0)
    assert str(read_level("30,0.5")) == "30,0.5"


def test_levels_are_named_by_bot():
    assert read_levels(["a=b=4,1", "c=800"]) == {"a=b": Level(4, 1.0), "c": Level(800)}


@pytest.mark.parametrize("text", ["", "0", "-3", "many", "30,hot", "30,-1", "30,nan", "1e3", "30,0.5,1"])
def test_a_level_that_makes_no_sense_is_named(text):
    with pytest.raises(BadInput, match="VISITS"):
        read_level(text)


def test_a_level_without_a_bot_is_named():
    with pytest.raises(BadInput, match="BOT=VISITS"):
        read_levels(["200"])
