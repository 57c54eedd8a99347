"""Warnings about settings that change during a run."""

import pytest

from ludus.loop.directory.changes import Change, turned_back


@pytest.mark.parametrize(
    ("old", "new", "done", "said"),
    [
        (37, 74, 37, "the run's progress falls to 51% from 100%"),
        (10, 20, 3, "the run's progress falls to 16% from 22%"),
        (10, 11, 3, ""),
        (20, 10, 3, ""),
        (10, 20, 0, ""),
        (1, 2, 1, ""),
    ],
)
def test_a_longer_run_reports_its_lower_progress(old, new, done, said):
    found = turned_back([Change("workers", 1, 2), Change("generations", old, new)], done)
    assert said in found
    assert bool(found) == bool(said)


def test_other_settings_do_not_lower_the_progress():
    assert turned_back([Change("match.pairs", 10, 20)], 5) == ""
