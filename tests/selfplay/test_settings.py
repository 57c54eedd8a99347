"""Settings that no game can be played with are refused in a sentence that names them."""

import msgspec
import pytest

from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings


@pytest.mark.parametrize(
    ("kind", "key", "values"),
    [
        (SelfplaySettings, "games", [0, -1]),
        (SelfplaySettings, "first_games", [-1]),
        (SelfplaySettings, "parallel", [0]),
        (SelfplaySettings, "visits", [0, 1]),
        (SelfplaySettings, "fast_visits", [1]),
        (SelfplaySettings, "full_share", [-0.1, 1.1, float("nan")]),
        (SelfplaySettings, "temperature", [-1.0, float("nan"), float("inf")]),
        (SelfplaySettings, "final_temperature", [-1.0]),
        (SelfplaySettings, "halflife", [0.0, -3.0]),
        (SelfplaySettings, "random_actions", [-1]),
        (SearchSettings, "cpuct", [-1.0, float("nan")]),
        (SearchSettings, "fpu_reduction", [float("inf")]),
        (SearchSettings, "noise_share", [-0.1, 2.0]),
        (SearchSettings, "noise_alpha", [0.0]),
        (SearchSettings, "leaves", [0]),
        (SearchSettings, "cache_entries", [-1]),
    ],
)
def test_a_setting_that_cannot_work_is_named(kind, key, values):
    for value in values:
        with pytest.raises(msgspec.ValidationError, match=key):
            msgspec.convert({key: value}, kind)


def test_the_schedule_takes_numbers_of_one_type():
    schedule = SelfplaySettings(visits=10, fast_visits=50, full_share=1, temperature=0, halflife=3).schedule
    assert schedule == (10, 10, 1.0, 0.0, 0.2, 3.0), "a fast search is never the longer one"
    assert [type(each) for each in schedule] == [int, int, float, float, float, float]
