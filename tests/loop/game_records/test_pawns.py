"""Fitted win-draw-loss chances match those that generated the games, and few games change the prior little."""

import numpy as np
import pytest

from ludus.games.rules import DRAW, FIRST_WINS, SECOND_WINS
from ludus.loop.game_records.pawns import MOST, USUAL, Fitted, fit


def drawn_games(true, num_games, length, seed=0):
    """Return leads, outcomes and game numbers; a game has one lead, and its result is drawn from the true chances."""
    rng = np.random.default_rng(seed)
    leads = rng.normal(0.0, 2.0, num_games)
    ends = [rng.choice([FIRST_WINS, DRAW, SECOND_WINS], p=chances) for chances in true.chances(leads)]
    lengths = rng.integers(1, length + 1, num_games)
    return (
        np.repeat(leads, lengths),
        np.repeat(np.array(ends, np.uint8), lengths),
        np.repeat(np.arange(num_games), lengths),
    )


@pytest.mark.parametrize("true", [Fitted(1.8, 1.7), Fitted(0.3, 0.4), Fitted(0.05, 1.0)])
def test_the_chances_that_generated_the_games_are_recovered(true):
    found = fit(*drawn_games(true, 20_000, 3))
    leads = np.linspace(-6.0, 6.0, 25)
    np.testing.assert_allclose(found.chances(leads), true.chances(leads), atol=0.02)


def test_chances_are_the_same_for_both_sides_and_sum_to_one():
    leads = np.array([-np.inf, -3.0, 0.0, 3.0, np.inf])
    chances = Fitted(0.7, 0.9).chances(leads)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    np.testing.assert_allclose(chances, chances[::-1, ::-1])
    np.testing.assert_allclose(chances[-1], Fitted(0.7, 0.9).chances(np.array([MOST]))[0])
    assert (np.diff(chances[:, 0]) > 0.0).all()


def test_a_long_game_counts_no_more_than_a_short_one():
    leads, outcome, game_id = drawn_games(Fitted(1.0, 1.0), 300, 1)
    longer = np.where(game_id == 0, 500, 1)
    again = fit(np.repeat(leads, longer), np.repeat(outcome, longer), np.repeat(game_id, longer))
    np.testing.assert_allclose(again, fit(leads, outcome, game_id), rtol=1e-4)


def test_one_game_changes_little_and_impossible_ends_break_nothing():
    one = fit(np.array([0.2, 0.5]), np.array([FIRST_WINS] * 2, np.uint8), np.array([7, 7]))
    np.testing.assert_allclose(one, USUAL, rtol=0.5)
    lost_from_mate = fit(np.full(50, np.inf), np.full(50, SECOND_WINS, np.uint8), np.arange(50))
    assert np.isfinite(lost_from_mate.chances(np.array([-1.0, 0.0, 1.0]))).all()


def test_where_the_better_side_always_wins_leads_decide():
    leads, _, game_id = drawn_games(Fitted(1.0, 1.0), 2_000, 1)
    sharp = fit(leads, np.where(leads > 0.0, FIRST_WINS, SECOND_WINS).astype(np.uint8), game_id)
    chances = sharp.chances(np.array([-1.0, 1.0]))
    assert chances[0, 2] > 0.97
    assert chances[1, 0] > 0.97
