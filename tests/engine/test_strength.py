"""A ladder of measured levels says how hard to try for an Elo, and refuses what was not measured."""

import pytest

from ludus.engine.level import Level
from ludus.engine.strength import Ladder, Rung, read_ladder
from ludus.errors import BadInput

LADDER = Ladder((Rung(600, 1, 1.0), Rung(1000, 100, 0.5), Rung(1400, 10_000)), "a test")


@pytest.mark.parametrize(
    ("elo", "level"),
    [
        (600, Level(1, 1.0)),
        (800, Level(10, 0.75)),
        (1000, Level(100, 0.5)),
        (1200, Level(1000, 0.25)),
        (1400, Level(10_000)),
        (0, Level(1, 1.0)),
        (3000, Level(10_000)),
    ],
)
def test_an_elo_between_two_rungs_is_played_in_between(elo, level):
    assert LADDER.level(elo) == level


def test_a_model_without_measurements_has_no_ladder(tmp_path):
    assert read_ladder(tmp_path) is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"anchor": "x", "rungs": [{"elo": 1, "visits": 1}]}',
        '{"anchor": "x", "rungs": [{"elo": 2, "visits": 1}, {"elo": 1, "visits": 1}]}',
        '{"anchor": "x", "rungs": [{"elo": 1, "visits": 0}, {"elo": 2, "visits": 1}]}',
    ],
)
def test_a_ladder_that_does_not_rise_is_refused_with_its_file(tmp_path, text):
    (tmp_path / "strength.json").write_text(text)
    with pytest.raises(BadInput, match=r"strength\.json"):
        read_ladder(tmp_path)
