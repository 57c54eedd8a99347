"""Ratings agree with the program choix, and recover the strengths of simulated players."""

import choix
import numpy as np
import pytest

from ludus.rating import ELO_PER_LOGIT, MatchScore, rate


def results_of(strengths, games, rng, *, draws=0.0):
    """Return a round robin of players of known Elo with `games` games each; `draws` sets the share of draws."""
    results = []
    for a in range(len(strengths)):
        for b in range(a):
            expected = 1.0 / (1.0 + 10.0 ** ((strengths[b] - strengths[a]) / 400.0))
            drawn = draws * 2.0 * min(expected, 1.0 - expected)  # keeps the expected score
            wins, ties, losses = rng.multinomial(games, [expected - drawn / 2, drawn, 1.0 - expected - drawn / 2])
            results.append(MatchScore(f"p{a}", f"p{b}", int(wins), int(ties), int(losses)))
    return results


@pytest.mark.parametrize("seed", range(5))
def test_ratings_agree_with_choix(seed):
    rng = np.random.default_rng(seed)
    results = results_of(rng.normal(0.0, 250.0, 7), 40, rng)
    wins = np.zeros((7, 7))
    for result in results:
        a, b = int(result.a[1]), int(result.b[1])
        wins[a, b], wins[b, a] = result.wins, result.losses
    prior = 0.5 * (1.0 - np.eye(7))  # our prior: one drawn game between any two players who met
    other = ELO_PER_LOGIT * choix.opt_pairwise(7, _games(wins + prior))
    ours = {rating.name: rating.elo for rating in rate(results, anchor="p0")}
    assert [ours[f"p{k}"] for k in range(7)] == pytest.approx(list(other - other[0]), abs=0.5)


def _games(wins):
    """Return (winner, loser) for each half game."""
    return [pair for pair in np.ndindex(wins.shape) for _ in range(round(2 * wins[pair])) if pair[0] != pair[1]]


@pytest.mark.parametrize("draws", [0.0, 0.6])
def test_intervals_contain_simulated_strengths_as_often_as_promised(draws):
    rng = np.random.default_rng(11)
    inside = total = 0
    for _ in range(60):
        strengths = rng.normal(0.0, 200.0, 6)
        for rating in rate(results_of(strengths, 60, rng, draws=draws), anchor="p0"):
            if rating.name != "p0":
                true = strengths[int(rating.name[1])] - strengths[0]
                inside += abs(rating.elo - true) <= rating.error
                total += 1
    # 95 % of 300 are 285, with standard deviation 3.8 if independent; frequent draws make errors too wide
    assert inside / total > 0.90
    assert inside / total < (0.985 if draws == 0.0 else 1.01)


def test_several_anchors_stay_where_they_are_put():
    results = [MatchScore("new", "low", 30, 0, 10), MatchScore("high", "new", 30, 0, 10)]
    found = {
        each.name: each for each in rate(results, anchor="low", anchor_elo=100.0, fixed={"high": 500.0, "away": 7.0})
    }
    assert (found["low"].elo, found["high"].elo) == pytest.approx((100.0, 500.0))
    assert found["high"].error == found["low"].error == 0.0
    assert found["new"].elo == pytest.approx(300.0), "the middle, by symmetry"
    alone = {each.name: each for each in rate(results, anchor="low")}
    assert found["new"].error < alone["new"].error
