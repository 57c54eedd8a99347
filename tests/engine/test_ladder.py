"""A ladder of measured levels returns the level of an Elo, and invalid or outdated ladders are refused."""

import logging
from functools import partial

import msgspec
import pytest

from ludus.engine.ladder import FILE, Ladder, Rung, Yardstick, read_ladder, write_ladder
from ludus.engine.level import Level
from ludus.errors import BadModel
from ludus.network.checkpoint import weights_fingerprint

LADDER = Ladder("", 20, [Rung("1,1", 600, 30), Rung("100,0.5", 1000, 30), Rung("10000,seconds:3", 1400, 30)])


@pytest.fixture
def model(flat_model):
    return partial(flat_model, "tictactoe", weight=0.5)


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
def test_an_elo_between_two_rungs_is_interpolated(elo, level):
    assert LADDER.level_at(elo) == level


def test_two_rungs_of_one_elo_give_the_weaker_level():
    assert Ladder("", 1, [Rung("2", 500, 9), Rung("4", 500, 9), Rung("8", 600, 9)]).level_at(500) == Level(2)


def test_even_steps_take_near_measured_levels_and_interpolate_others():
    ladder = Ladder("", 1, [Rung("1,10", 0, 9), Rung("10,1", 105, 9), Rung("100", 200, 9), Rung("1000", 500, 9)])
    assert ladder.evenly(6) == [
        Level(1, 10.0),
        Level(10, 1.0),  # 105 is near 100
        Level(100),
        Level(215),  # a third of the way, by the logarithm, from 100 to 1,000 visits
        Level(464),
        Level(1000),
    ]
    assert LADDER.evenly(2) == [Level(1, 1.0), Level(10_000, seconds=3.0)]


def test_interpolated_temperatures_are_rounded_to_two_digits():
    assert Ladder("", 1, [Rung("9,1", 0, 9), Rung("9,0.5", 300, 9)]).evenly(4)[1:3] == [
        Level(9, 0.83),
        Level(9, 0.67),
    ]


def test_a_written_ladder_is_read_for_the_measured_weights(tmp_path, model):
    assert read_ladder(tmp_path, model()) is None, "no levels were measured"
    assert read_ladder(tmp_path / "levels.json", model()) is None, "the path is a file, not a folder of a model"
    measured = msgspec.structs.replace(LADDER, weights=weights_fingerprint(model()))
    write_ladder(tmp_path, measured)
    assert read_ladder(tmp_path, model()) == measured
    assert read_ladder(tmp_path, model(weight=0.25)) is None, "another network"


def test_levels_of_other_weights_are_ignored_with_a_warning(tmp_path, model, caplog):
    before, after = (weights_fingerprint(model(weight=weight)) for weight in (0.5, 0.25))
    write_ladder(tmp_path, msgspec.structs.replace(LADDER, weights=before))
    ladder = read_ladder(tmp_path, model(weight=0.5))
    assert ladder is not None
    assert ladder.weights == before
    with caplog.at_level(logging.WARNING):
        assert read_ladder(tmp_path, model(weight=0.25)) is None
    warning = f"the levels are ignored, since they belong to weights {before} and the model has weights {after}"
    assert warning in caplog.text
    assert "run `ludus levels` again" in caplog.text


def test_a_step_is_written_only_if_known(tmp_path, model):
    rungs = [Rung("2", 500, 300), Rung("8", 600, 310, 100, 40)]
    write_ladder(tmp_path, Ladder(weights_fingerprint(model()), 20, rungs))
    assert [list(rung) for rung in msgspec.json.decode((tmp_path / FILE).read_bytes())["levels"]] == [
        ["level", "elo", "error"],
        ["level", "elo", "error", "step", "step_error"],
    ]
    ladder = read_ladder(tmp_path, model())
    assert ladder is not None
    assert ladder.levels == rungs


@pytest.mark.parametrize(
    "levels",
    [
        "[",
        "[]",
        '[{"level": "8", "elo": 2, "error": 1}, {"level": "9", "elo": 1, "error": 1}]',
        '[{"level": "often", "elo": 2, "error": 1}]',
        '[{"level": "\N{LATIN SMALL LETTER E WITH ACUTE}", "elo": 2, "error": 1}]',  # written as Latin-1
    ],
)
def test_an_invalid_ladder_is_refused_with_its_file_and_the_remedy(tmp_path, model, levels):
    (tmp_path / FILE).write_text(f'{{"weights": "", "pairs": 1, "levels": {levels}}}', encoding="latin-1")
    with pytest.raises(BadModel, match=r"levels\.json: cannot be read .*run `ludus levels` again"):
        read_ladder(tmp_path, model())


def rungs(*steps):
    elo, found = 0, [Rung("10,1", 500, 300)]
    for number, (step, error) in enumerate(steps, 2):
        elo += step
        found.append(Rung(f"{10**number}", 500 + elo, 300, step, error))
    return found


def test_without_a_yardstick_a_level_is_as_strong_as_its_rung():
    assert Ladder("", 1, rungs((200, 40))).strengths() == [(500, 300), (700, 300)]


def test_a_yardstick_places_all_levels_on_its_scale_with_the_errors_of_the_steps_between():
    ladder = Ladder("", 1, rungs((200, 30), (100, 40), (300, 50)), yardstick=Yardstick("1000", 2000, 60, "matches"))
    assert [each.elo for each in ladder.strengths()] == [1700, 1900, 2000, 2300]
    # by hand: the square roots of 3600 + 1600 + 900, of 3600 + 1600, of 3600, of 3600 + 2500
    assert [each.error for each in ladder.strengths()] == [78, 72, 60, 78]


def test_a_yardstick_between_two_levels_counts_from_the_elo_between_them():
    ladder = Ladder("", 1, rungs((200, 30), (100, 40)), yardstick=Yardstick("316", 1000, 60, "matches"))  # 10^2.5
    assert [each.elo for each in ladder.strengths()] == [750, 950, 1050]


def test_a_yardstick_outside_the_ladder_is_refused():
    with pytest.raises(ValueError, match="not between"):
        Ladder("", 1, rungs((200, 30)), yardstick=Yardstick("5000", 1000, 60, "matches"))
