"""Noise stays with the search that asked for it: a plain question has the network's own priors."""

import time

import numpy as np
import pytest

import ludus
from ludus.players.thinking.pool import Pool
from ludus.search.settings import SearchSettings

PATIENCE_S = 300.0  # what a first search compiles takes a minute
GAME = ludus.game("connect4")


@pytest.fixture
def pool(scripted):
    with Pool(GAME, scripted(GAME), SearchSettings(cache_entries=0), slots=1, lanes=1, max_visits=200) as pool:
        yield pool


def priors_of(thought):
    return [candidate.prior for candidate in thought.candidates]


def is_even(thought):
    return priors_of(thought) == pytest.approx([1 / 7] * 7, abs=0.001)


def test_noise_of_an_earlier_question_is_gone_from_a_plain_one(pool):
    seat = pool.seat(GAME.start())
    noisy = seat.think(60, explores=True)
    assert np.ptp(priors_of(noisy)) > 0.01
    assert priors_of(seat.think(100, explores=True)) == priors_of(noisy), "more of the same goes on with its tree"
    plain = seat.think(60)
    assert is_even(plain)
    assert plain.visits == 60, "of a new tree"
    rows = pool.work().rows
    assert seat.think(60).visits == 60
    assert pool.work().rows == rows, "a plain tree is kept"


@pytest.mark.parametrize("ponderer", ["who asked before", "who is next in the slot"])
def test_pondering_takes_no_noise_from_an_earlier_question(pool, ponderer):
    seat = pool.seat(GAME.start())
    seat.think(60, explores=True)
    if ponderer == "who is next in the slot":
        seat = pool.seat(GAME.start())
    rows, end = pool.work().rows, time.perf_counter() + PATIENCE_S
    seat.ponder()
    while pool.work().rows <= rows + 20:
        assert time.perf_counter() < end, "nobody ponders"
        time.sleep(0.001)
    thought = seat.think(10)
    assert is_even(thought)
    assert thought.visits > 20, "it was pondered about"
