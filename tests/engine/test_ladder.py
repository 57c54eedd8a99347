"""A ladder of measured levels says how hard to try for an Elo, and refuses what was not measured."""

import pytest

from ludus.engine.ladder import FILE, Ladder, Rung, read_ladder, write_ladder
from ludus.engine.level import Level
from ludus.errors import BadModel

LADDER = Ladder(3, 20, [Rung("1,1", 600, 30), Rung("100,0.5", 1000, 30), Rung("10000,seconds:3", 1400, 30)])


@pytest.mark.parametrize(
    ("elo", "level"),
    [
        (600, Level(1, 1.0)),
        (800, Level(10, 0.75)),
        (1000, Level(100, 0.5)),
        (1200, Level(1000, 0.25, seconds=3.0)),
        (1400, Level(10_000, seconds=3.0)),
        (0, Level(1, 1.0)),
        (3000, Level(10_000, seconds=3.0)),
    ],
)
def test_an_elo_between_two_rungs_is_played_in_between(elo, level):
    assert LADDER.level_at(elo) == level


def test_rungs_of_one_elo_are_passed_over_at_once():
    assert Ladder(0, 1, [Rung("2", 500, 9), Rung("4", 500, 9), Rung("8", 600, 9)]).level_at(500) == Level(2)


def test_what_is_written_is_read_for_the_generation_that_was_measured(tmp_path):
    assert read_ladder(tmp_path, 3) is None, "nothing was measured"
    write_ladder(tmp_path, LADDER)
    assert read_ladder(tmp_path, 3) == LADDER
    assert read_ladder(tmp_path, 4) is None, "another network"


@pytest.mark.parametrize(
    "levels",
    [
        "[",
        "[]",
        '[{"level": "8", "elo": 2, "error": 1}, {"level": "9", "elo": 1, "error": 1}]',
        '[{"level": "often", "elo": 2, "error": 1}]',
        '[{"level": "\N{LATIN SMALL LETTER E WITH ACUTE}", "elo": 2, "error": 1}]',  # no UTF-8, as it is written below
    ],
)
def test_a_ladder_that_is_none_is_refused_with_its_file_and_the_remedy(tmp_path, levels):
    (tmp_path / FILE).write_text(f'{{"generation": 3, "pairs": 1, "levels": {levels}}}', encoding="latin-1")
    with pytest.raises(BadModel, match=r"levels\.json: cannot be read .*measure anew with `ludus levels`"):
        read_ladder(tmp_path, 3)
