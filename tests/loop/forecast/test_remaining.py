"""The remaining time depends on the games and visits of the missing generations."""

import msgspec
import pytest

from ludus.loop.forecast.remaining import seconds_to_come
from ludus.selfplay.settings import SelfplaySettings

PARTS = {"selfplay_s": 60.0, "learner_s": 30.0, "match_s": 10.0, "seconds": 100.0}


@pytest.fixture
def growing(tiny):
    """Return a preset of five generations whose moves have 16, 32, 64, 128 and 256 visits."""
    selfplay = SelfplaySettings(games=100, first_visits=16, visits=256, fast_visits=2, full_share=1.0)
    return msgspec.structs.replace(tiny, generations=5, selfplay=selfplay)


def test_nothing_is_known_before_the_first_generation(tiny):
    assert seconds_to_come(tiny, []) == []


def test_without_growth_each_generation_takes_as_long_as_the_latest_ones(tiny, metrics):
    preset = msgspec.structs.replace(tiny, generations=9, selfplay=SelfplaySettings(games=100))
    done = [metrics(number, **PARTS | {"seconds": seconds}) for number, seconds in enumerate([9, 9, 9, 9, 1, 2, 3])]
    assert seconds_to_come(preset, done) == pytest.approx([3.0, 3.0]), "the median of the latest five"
    assert seconds_to_come(preset, [metrics(number, **PARTS) for number in range(9)]) == []


def test_self_play_time_grows_with_the_visits(growing, metrics):
    assert seconds_to_come(growing, [metrics(0, **PARTS)]) == pytest.approx(
        [40.0 + 60.0 * growth for growth in (2, 4, 8, 16)]
    )


def test_generations_with_different_visits_give_the_same_forecast(growing, metrics):
    done = [
        metrics(number, **PARTS | {"selfplay_s": 60.0 * 2**number, "seconds": 40.0 + 60.0 * 2**number})
        for number in range(3)
    ]
    assert seconds_to_come(growing, done) == pytest.approx([40.0 + 60.0 * 8, 40.0 + 60.0 * 16])


def test_fast_searches_that_do_not_grow_are_not_counted_as_growing(growing, metrics):
    selfplay = msgspec.structs.replace(growing.selfplay, fast_visits=16, full_share=0.25)
    preset = msgspec.structs.replace(growing, selfplay=selfplay)
    last = seconds_to_come(preset, [metrics(0, **PARTS)])[-1]
    assert last == pytest.approx(40.0 + 60.0 * (0.25 * 256 + 0.75 * 16) / 16)


def test_the_many_games_of_generation_0_are_not_expected_again(growing, metrics):
    selfplay = msgspec.structs.replace(growing.selfplay, first_games=400)
    preset = msgspec.structs.replace(growing, selfplay=selfplay)
    first = seconds_to_come(preset, [metrics(0, **PARTS)])[0]
    assert first == pytest.approx(10.0 + 30.0 / 4 + 60.0 * 2 / 4), "matches do not grow"


def test_concurrent_stages_take_as_long_as_the_longer_one(growing, metrics):
    preset = msgspec.structs.replace(growing, mode="pipelined", deterministic=False)
    line = metrics(0, selfplay_s=20.0, learner_s=50.0, match_s=10.0, seconds=60.0)
    assert seconds_to_come(preset, [line]) == pytest.approx([60.0, 80.0, 160.0, 320.0])


def test_a_generation_without_stage_times_counts_unscaled(growing, metrics):
    line = metrics(0, selfplay_s=0.0, learner_s=0.0, match_s=0.0, seconds=7.0)
    assert seconds_to_come(growing, [line]) == [7.0] * 4
