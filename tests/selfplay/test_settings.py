"""Invalid self-play settings are rejected with a message that names them."""

import msgspec
import numpy as np
import pytest

from ludus.selfplay.settings import SelfplaySettings


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("games", [0, -1]),
        ("first_games", [-1]),
        ("parallel", [0]),
        ("visits", [0, 1]),
        ("fast_visits", [1]),
        ("full_share", [-0.1, 1.1, float("nan")]),
        ("temperature", [-1.0, float("nan"), float("inf")]),
        ("final_temperature", [-1.0]),
        ("halflife", [0.0, -3.0]),
        ("random_actions", [-1]),
        ("fork_share", [-0.1, 1.0, 1.5]),
        ("played_out_share", [-0.1, 1.5]),
        ("resign_below", [-1.5, 2.0, float("nan")]),
        ("resign_moves", [-1]),
        ("first_visits", [1, -3]),
        ("accelerated_visits", [1, -3]),
        ("accelerated_weight", [-0.1, 1.1, float("nan")]),
        ("groups", [0, 5]),
    ],
)
def test_a_setting_that_cannot_work_is_named(key, values):
    for value in values:
        with pytest.raises(msgspec.ValidationError, match=key):
            msgspec.convert({key: value}, SelfplaySettings)


def test_forks_leave_games_that_begin_at_the_start():
    SelfplaySettings(fork_share=0.6, opening_share=0.3)
    SelfplaySettings(opening_share=1.0)
    with pytest.raises(
        ValueError, match="fork_share must leave games to fork from: with opening_share, it must be below 1"
    ):
        SelfplaySettings(fork_share=0.6, opening_share=0.4)


def test_accelerated_visits_replace_resigning():
    SelfplaySettings(accelerated_visits=10, resign_moves=3)
    with pytest.raises(ValueError, match="accelerated_visits replaces resigning: set resign_moves"):
        SelfplaySettings(accelerated_visits=10)


def test_a_fast_search_is_never_the_longer_one():
    assert SelfplaySettings(visits=10, fast_visits=50).at(1.0).fast_visits == 10


def test_visits_grow_evenly_through_a_run():
    settings = SelfplaySettings(first_visits=16, visits=400, fast_visits=30)
    visits = [settings.at(progress).visits for progress in np.linspace(0, 1, 11)]
    assert (visits[0], visits[5], visits[10]) == (16, 80, 400), "by the same factor each time"
    assert visits == sorted(visits)
    assert [settings.at(progress).fast_visits for progress in (0.0, 1.0)] == [16, 30]
    assert SelfplaySettings(visits=50).at(0.0).visits == 50, "without first_visits, nothing grows"


def test_growing_visits_make_early_moves_shorter():
    settings = SelfplaySettings(visits=100, first_visits=10, fast_visits=10, full_share=0.5)
    assert settings.mean_visits(0.0) == pytest.approx(10)
    assert settings.mean_visits(1.0) == pytest.approx(55)


def test_the_first_teacher_may_search_further():
    settings = SelfplaySettings(first_visits=16, visits=40, teacher_visits=400)
    assert [settings.of_teacher().at(progress).visits for progress in (0.0, 1.0)] == [400, 400]
    assert settings.at(0.0).visits == 16
    assert SelfplaySettings(visits=50).of_teacher() == SelfplaySettings(visits=50)
    with pytest.raises(ValueError, match="teacher_visits and accelerated_visits must be 0, or at least 2"):
        SelfplaySettings(teacher_visits=1)
