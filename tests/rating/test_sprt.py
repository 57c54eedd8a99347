"""The sequential test keeps its error rates, and agrees with a second computation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.rating import GateSettings, Sprt
from ludus.rating.sprt import SHARES, score_of

COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5)


def pairs_with(elo, draws, rng, number):
    """Return scores of pairs of independent games between players of a known difference."""
    share = score_of(elo)
    chances = np.array([1.0 - share - draws / 2, draws, share - draws / 2])
    games = rng.choice(3, size=(number, 2), p=chances)
    return games.sum(axis=1)  # [number] in half points


def play(test, elo, draws, rng, decided=0.0):
    """Return the verdict of a test that is checked every ten pairs, and the number of pairs.

    The share `decided` of the pairs is split by the opening.
    """
    counts = np.zeros(5, int)
    while True:
        scores = pairs_with(elo, draws, rng, 10)
        if decided:
            scores = np.where(rng.random(10) < decided, 2, scores)
        counts += np.bincount(scores, minlength=5)
        if verdict := test.verdict(counts.tolist()):
            return verdict, int(counts.sum())


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_errors_are_as_rare_as_promised(draws):
    rng, test = np.random.default_rng(5), Sprt(elo0=0.0, elo1=80.0, alpha=0.1, beta=0.05)
    runs = 400
    false_alarms = sum(play(test, 0.0, draws, rng)[0] == "better" for _ in range(runs)) / runs
    misses = sum(play(test, 80.0, draws, rng)[0] == "not better" for _ in range(runs)) / runs
    # at most 0.1 and 0.05; three standard errors of 400 runs are 0.045 and 0.033
    assert 0.01 < false_alarms < 0.1 + 0.045
    assert 0.002 < misses < 0.05 + 0.033


@pytest.mark.parametrize("decided", [0.3, 0.7])
def test_openings_that_decide_the_game_do_not_mislead_it(decided):
    rng, test = np.random.default_rng(8), Sprt(elo0=0.0, elo1=80.0)
    share = score_of(80.0)  # share of all games; undecided openings must favour the better player more
    open_share = 0.5 + (share - 0.5) / (1.0 - decided)
    runs, real = 200, 400.0 * math.log10(open_share / (1.0 - open_share))
    false_alarms = sum(play(test, 0.0, 0.0, rng, decided)[0] == "better" for _ in range(runs)) / runs
    misses = sum(play(test, real, 0.0, rng, decided)[0] == "not better" for _ in range(runs)) / runs
    assert max(false_alarms, misses) < 0.05 + 0.046, "0.05 and three standard errors of 200 runs"


def test_a_clear_difference_takes_fewer_pairs_than_a_small_one():
    rng, test = np.random.default_rng(6), Sprt(elo0=0.0, elo1=60.0)
    clear = [play(test, 250.0, 0.2, rng) for _ in range(30)]
    close = [play(test, 60.0, 0.2, rng) for _ in range(30)]
    assert all(verdict == "better" for verdict, _ in clear)
    assert 2 * np.mean([pairs for _, pairs in clear]) < np.mean([pairs for _, pairs in close])


@given(COUNTS)
def test_exchanging_the_players_exchanges_the_hypotheses(counts):
    ratio = Sprt(elo0=-5.0, elo1=15.0).ratio(counts)
    assert Sprt(elo0=-15.0, elo1=5.0).ratio(counts[::-1]) == pytest.approx(-ratio, abs=1e-6)


@given(st.lists(st.integers(10, 60), min_size=5, max_size=5))  # smaller counts are too skewed for the approximation
def test_the_ratio_is_near_that_of_a_normal_distribution(counts):
    number, at = sum(counts), np.array(SHARES)
    shares = np.array(counts) / number
    mean = float(shares @ at)
    variance = float(shares @ (at - mean) ** 2)
    low, high = score_of(-3.0), score_of(3.0)
    normal = number * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    around = number * (high - low) ** 2 / variance + 0.2 * abs(normal) + 0.02
    if abs(mean - 0.5) < 0.1:  # the approximation fails far from both hypotheses
        assert Sprt(elo0=-3.0, elo1=3.0).ratio(counts) == pytest.approx(normal, abs=around)


def test_no_pairs_say_nothing_and_the_bounds_are_walds():
    test = Sprt(elo0=0, elo1=10, alpha=0.05, beta=0.1)
    assert test.ratio([0] * 5) == 0.0
    assert test.verdict([0] * 5) is None
    assert test.bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"elo0": 5, "elo1": 5}, "elo1 = 5 must be larger than elo0 = 5"),
        ({"alpha": 0.0}, r"alpha must be above 0\.0 and below 0\.5, and is 0\.0"),
        ({"beta": 0.6}, r"beta must be above 0\.0 and below 0\.5, and is 0\.6"),
        ({"elo0": -2001.0}, r"elo0 must be between -2000\.0 and 2000\.0, and is -2001\.0"),
    ],
)
def test_hypotheses_that_do_not_differ_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Sprt(**wrong)


# ---- gate -----------------------------------------------------------------------------------------------------------


def test_a_gate_that_is_off_lets_everyone_pass():
    assert GateSettings().passes([10, 0, 0, 0, 0], is_last=False) is True


def test_a_gate_of_a_score_waits_for_the_last_pair():
    gate = GateSettings(kind="score")
    assert gate.passes([0, 0, 0, 0, 10], is_last=False) is None
    assert gate.passes([0, 0, 90, 0, 10], is_last=True) is True  # exactly 55 %
    assert gate.passes([0, 1, 89, 0, 10], is_last=True) is False
    assert gate.passes([0] * 5, is_last=True) is False


def test_a_gate_by_test_ends_when_the_test_does():
    gate = GateSettings(kind="sprt")
    assert gate.passes([0, 0, 1, 0, 0], is_last=False) is None
    assert gate.passes([0, 0, 1, 0, 0], is_last=True) is False
    assert gate.passes([0, 5, 20, 30, 45], is_last=False) is True
    assert gate.passes([45, 30, 20, 5, 0], is_last=False) is False
