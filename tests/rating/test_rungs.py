"""The rungs of a ladder have steps that are as equal as possible."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.rating.rungs import choose_rungs


def test_even_steps_are_found_among_uneven_players():
    assert choose_rungs([0.0, 10.0, 100.0, 190.0, 205.0, 300.0], 4) == [0, 2, 4, 5]


def test_all_players_are_their_own_ladder():
    assert choose_rungs([1.0, 2.0, 9.0], 3) == [0, 1, 2]


@given(st.lists(st.integers(-1000, 1000), min_size=3, max_size=8), st.data())
def test_no_other_choice_has_more_even_steps(ratings, data):
    ratings = sorted(map(float, ratings))
    count = data.draw(st.integers(2, len(ratings)))
    cost = lambda places: sum((ratings[b] - ratings[a]) ** 2 for a, b in itertools.pairwise(places))  # noqa: E731
    chosen = choose_rungs(ratings, count)
    assert chosen[0] == 0
    assert chosen[-1] == len(ratings) - 1
    assert len(set(chosen)) == count
    between = itertools.combinations(range(1, len(ratings) - 1), count - 2)
    assert cost(chosen) == pytest.approx(min(cost([0, *each, len(ratings) - 1]) for each in between))
