"""What is said of settings that change while a run goes on."""

import pytest

from ludus.loop.directory.changes import Change, turned_back


@pytest.mark.parametrize(
    ("old", "new", "done", "said"),
    [
        (37, 74, 37, "the run is at 51% of its way in place of 100%"),
        (10, 20, 3, "the run is at 16% of its way in place of 22%"),
        (10, 11, 3, ""),
        (20, 10, 3, ""),
        (10, 20, 0, ""),
        (1, 2, 1, ""),
    ],
)
def test_a_run_that_is_made_longer_says_how_far_it_turns_back(old, new, done, said):
    found = turned_back([Change("workers", 1, 2), Change("generations", old, new)], done)
    assert said in found
    assert bool(found) == bool(said)


def test_other_settings_turn_nothing_back():
    assert turned_back([Change("match.pairs", 10, 20)], 5) == ""
