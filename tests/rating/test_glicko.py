"""Glicko-2 compared with its paper's example, values by hand, and general laws."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.rating.glicko import Glicko, GlickoSettings, rated

FREE = GlickoSettings(least_deviation=0.0, greatest_deviation=10_000.0)
ratings = st.floats(400, 2800)
strengths = st.builds(Glicko, ratings, st.floats(30, 350), st.floats(0.03, 0.1))
scores = st.sampled_from([0.0, 0.5, 1.0])


def test_the_worked_example_of_the_paper():
    opponents = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    after = rated(Glicko(1500, 200, 0.06), opponents)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_pause_widens_the_deviation_and_nothing_else():
    before = Glicko(1700, 60, 0.06)
    after = rated(before, [], periods=4)
    assert (after.rating, after.volatility) == (pytest.approx(1700), 0.06)
    assert after.deviation == pytest.approx(math.hypot(60, 173.7178 * 0.06 * 2))


def test_a_pause_widens_the_deviation_at_most_to_that_of_a_new_player():
    assert rated(Glicko(1700, 60), [], periods=1e9).deviation == 350.0


def test_many_games_leave_a_rating_able_to_move():
    player = Glicko()
    for _ in range(300):
        player = rated(player, [(Glicko(1500, 45), 0.5)], periods=0.01)
    assert player.deviation == 45.0


def test_a_big_surprise_raises_the_volatility():
    lost = rated(Glicko(2500, 45, 0.06), [(Glicko(1000, 45), 0.0)] * 20)
    assert lost.volatility > 0.06


@settings(deadline=None)
@given(strengths, strengths)
def test_a_win_raises_and_a_loss_lowers(player, opponent):
    won, lost = rated(player, [(opponent, 1.0)]), rated(player, [(opponent, 0.0)])
    assert won.rating >= player.rating >= lost.rating
    assert won.rating - lost.rating > 0


@settings(deadline=None)
@given(strengths, st.lists(st.tuples(strengths, scores), min_size=1, max_size=8))
def test_games_reduce_the_deviation(player, games):
    assert rated(player, games, settings=FREE).deviation < rated(player, [], settings=FREE).deviation * 1.05
    after = rated(player, games)
    assert 45.0 <= after.deviation <= 350.0
    assert math.isfinite(after.rating)
    assert 0.0 < after.volatility < 1.0


@settings(deadline=None)
@given(strengths, st.lists(st.tuples(strengths, scores), min_size=1, max_size=5), st.floats(0, 3))
def test_the_order_of_games_does_not_matter(player, games, periods):
    one, other = rated(player, games, periods), rated(player, games[::-1], periods)
    assert one.rating == pytest.approx(other.rating)
    assert one.deviation == pytest.approx(other.deviation)
