"""Root noise affects only the searches that request it; other searches have the network's own priors."""

import time

import numpy as np
import pytest

import ludus
from ludus.players.thinking.pool import Pool
from ludus.search.settings import SearchSettings

PATIENCE_S = 300.0  # compiling a first search takes a minute
GAME = ludus.game("connect4")


@pytest.fixture
def pool(scripted):
    with Pool(GAME, scripted(GAME), SearchSettings(cache_entries=0), slots=1, lanes=1, max_visits=200) as pool:
        yield pool


def priors_of(thought):
    return [candidate.prior for candidate in thought.candidates]


def is_even(thought):
    return priors_of(thought) == pytest.approx([1 / 7] * 7, abs=0.001)


def test_a_search_without_noise_starts_a_new_tree_after_one_with_noise(pool):
    seat = pool.seat(GAME.start())
    noisy = seat.think(60, explores=True)
    assert np.ptp(priors_of(noisy)) > 0.01
    assert priors_of(seat.think(100, explores=True)) == priors_of(noisy), "another search with noise keeps the tree"
    plain = seat.think(60)
    assert is_even(plain)
    assert plain.visits == 60, "the tree is new"
    rows = pool.work().rows
    assert seat.think(60).visits == 60
    assert pool.work().rows == rows, "a tree without noise is kept"


@pytest.mark.parametrize("ponderer", ["same seat", "next seat in the slot"])
def test_pondering_has_no_noise_of_an_earlier_search(pool, ponderer):
    seat = pool.seat(GAME.start())
    seat.think(60, explores=True)
    if ponderer == "next seat in the slot":
        seat = pool.seat(GAME.start())
    rows, end = pool.work().rows, time.perf_counter() + PATIENCE_S
    seat.ponder()
    while pool.work().rows <= rows + 20:
        assert time.perf_counter() < end, "the seat does not ponder"
        time.sleep(0.001)
    thought = seat.think(10)
    assert is_even(thought)
    assert thought.visits > 20, "pondering added visits"
