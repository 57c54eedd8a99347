"""Ratings agree with values by hand and with a second method, and have the expected symmetries."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import BadInput
from ludus.rating import MatchScore, elo_of_pairs, rate
from ludus.rating.elo import step_errors


def ratings_of(results, anchor="a", **options):
    return {rating.name: rating for rating in rate(results, anchor=anchor, **options)}


def test_three_points_of_four_have_the_rating_of_the_formula():
    # with the prior's drawn game: 3.5 points of 5 -> 400 * log10(3.5 / 1.5)
    found = ratings_of([MatchScore("b", "a", wins=3, draws=0, losses=1)])
    assert found["b"].elo == pytest.approx(400 * math.log10(3.5 / 1.5))
    assert found["b"].error == pytest.approx(1.95996 * 400 / math.log(10) * math.sqrt(1 / 3.5 + 1 / 1.5), rel=1e-4)
    assert (found["b"].games, found["b"].score) == (4, 0.75)
    assert (found["a"].elo, found["a"].error) == (0.0, 0.0)


def error_of_even_games(number):
    """Return the error of the Elo difference of two players with equal scores in so many games."""
    return 1.95996 * 400 / math.log(10) * 2 / math.sqrt(number)


def test_many_games_come_close_to_the_textbook_value():
    # 76 % of the points are a difference of 200 Elo
    found = ratings_of([MatchScore("b", "a", wins=75_970, draws=0, losses=24_030)])["b"]
    assert found.elo == pytest.approx(200, abs=0.2)
    assert found.error == pytest.approx(error_of_even_games(100_000) / 2 / math.sqrt(0.7597 * 0.2403), rel=1e-3)


def test_a_draw_is_half_a_win():
    drawn = ratings_of([MatchScore("a", "b", wins=2, draws=4, losses=0)])
    decided = ratings_of([MatchScore("a", "b", wins=4, draws=0, losses=2)])
    assert drawn["b"] == decided["b"]


def test_an_undefeated_player_has_a_finite_rating():
    found = ratings_of([MatchScore("b", "a", wins=20, draws=0, losses=0)])["b"]
    assert found.elo == pytest.approx(400 * math.log10(20.5 / 0.5))
    assert 0 < found.error < 1000


def test_results_in_pieces_are_rated_like_their_sum():
    pieces = [MatchScore("a", "b", 1, 2, 3), MatchScore("b", "a", 1, 0, 2), MatchScore("b", "a", 0, 0, 0)]
    assert ratings_of(pieces) == ratings_of([MatchScore("a", "b", 3, 2, 4)])


def test_the_anchor_has_its_given_rating():
    results = [MatchScore("a", "b", 5, 1, 2), MatchScore("b", "c", 4, 4, 4)]
    low, high = ratings_of(results), ratings_of(results, anchor="c", anchor_elo=1500)
    assert high["c"].elo == 1500
    assert high["a"].elo - high["b"].elo == pytest.approx(low["a"].elo - low["b"].elo)
    assert high["c"].error == low["a"].error == 0


def test_errors_grow_along_a_chain():
    found = ratings_of([MatchScore("a", "b", 5, 5, 5), MatchScore("b", "c", 5, 5, 5), MatchScore("c", "d", 5, 5, 5)])
    assert found["b"].error < found["c"].error < found["d"].error
    assert found["d"].error == pytest.approx(math.sqrt(3) * found["b"].error)


def test_steps_of_a_chain_are_as_sure_as_the_games_of_their_own_two_players():
    results = [MatchScore("a", "b", 5, 5, 5), MatchScore("b", "c", 5, 5, 5), MatchScore("c", "d", 5, 5, 5)]
    assert step_errors(results, "bcd") == pytest.approx([ratings_of(results)["b"].error] * 2)


def test_unconnected_players_are_reported():
    results = [MatchScore("a", "b", 1, 0, 1), MatchScore("x", "y", 1, 0, 1)]
    with pytest.raises(BadInput, match="no chain of games leads from 'a' to x, y"):
        rate(results, anchor="a")


def test_an_anchor_without_games_is_reported():
    with pytest.raises(BadInput, match="'z', which played no game; choose one of: a, b"):
        rate([MatchScore("a", "b", 1, 0, 1)], anchor="z")


# ---- a second way: climb the penalised likelihood by coordinates, and bend it by finite differences ------------------


def penalised_log_likelihood(elos, results) -> float:
    """Return the log-likelihood, summed game by game, of elos = {name: elo}."""

    def log_expected(a, b):
        return -math.log1p(10 ** ((elos[b] - elos[a]) / 400))

    total = 0.0
    for result in results:
        total += (result.wins + result.draws / 2 + 0.5) * log_expected(result.a, result.b)
        total += (result.losses + result.draws / 2 + 0.5) * log_expected(result.b, result.a)
    return total


def climb(results, names):
    elos = dict.fromkeys(names, 0.0)
    step = 256.0
    while step > 1e-4:
        better = False
        for moves in itertools.product((-step, 0, step), repeat=len(names) - 1):  # the anchor `a` stays
            tried = elos | {name: elos[name] + move for name, move in zip(names[1:], moves, strict=True)}
            if penalised_log_likelihood(tried, results) > penalised_log_likelihood(elos, results):
                elos, better = tried, True
        if not better:
            step /= 2
    return elos


def test_ratings_maximise_the_likelihood_that_a_grid_finds():
    results = [MatchScore("a", "b", 7, 2, 3), MatchScore("b", "c", 1, 1, 9), MatchScore("a", "c", 4, 0, 5)]
    found = ratings_of(results)
    climbed = climb(results, ["a", "b", "c"])
    assert {name: rating.elo for name, rating in found.items()} == pytest.approx(climbed, abs=0.01)

    def at(b, c):
        return penalised_log_likelihood({"a": 0.0, "b": climbed["b"] + b, "c": climbed["c"] + c}, results)

    h = 1.0
    bb = (at(h, 0) - 2 * at(0, 0) + at(-h, 0)) / h**2
    cc = (at(0, h) - 2 * at(0, 0) + at(0, -h)) / h**2
    bc = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h**2)
    covariance = np.linalg.inv(-np.array([[bb, bc], [bc, cc]]))
    assert found["b"].error == pytest.approx(1.96 * math.sqrt(covariance[0, 0]), rel=1e-3)
    assert found["c"].error == pytest.approx(1.96 * math.sqrt(covariance[1, 1]), rel=1e-3)
    apart = np.array([1.0, -1.0])
    assert step_errors(results, "bc") == pytest.approx([1.96 * math.sqrt(apart @ covariance @ apart)], rel=1e-3)


# ---- laws ------------------------------------------------------------------------------------------------------------

COUNTS = st.integers(0, 30)
PAIRS = list(itertools.combinations("abcd", 2))


@st.composite
def leagues(draw):
    """Draw results of four players who all met each other."""
    return [MatchScore(a, b, draw(COUNTS), draw(COUNTS) + 1, draw(COUNTS)) for a, b in PAIRS]


@given(leagues(), st.integers(0, len(PAIRS) - 1), st.integers(1, 10))
def test_another_win_never_lowers_a_rating(league, index, more):
    won = league[index]
    better = [*league[:index], MatchScore(won.a, won.b, won.wins + more, won.draws, won.losses), *league[index + 1 :]]
    for anchor in set("abcd") - {won.a}:
        assert ratings_of(better, anchor)[won.a].elo >= ratings_of(league, anchor)[won.a].elo - 1e-6


@given(leagues(), st.permutations("abcd"))
def test_names_do_not_matter(league, names):
    renamed = dict(zip("abcd", names, strict=True))
    other = [MatchScore(renamed[one.b], renamed[one.a], one.losses, one.draws, one.wins) for one in league]
    before, after = ratings_of(league, "a"), ratings_of(other, renamed["a"])
    for name in "abcd":
        assert after[renamed[name]].elo == pytest.approx(before[name].elo, abs=1e-6)
        assert after[renamed[name]].error == pytest.approx(before[name].error, abs=1e-6)


@given(leagues(), st.permutations("abcd"))
def test_a_step_is_as_sure_as_the_rating_of_its_one_end_where_the_other_is_the_anchor(league, names):
    errors = [ratings_of(league, low)[high].error for low, high in itertools.pairwise(names)]
    assert step_errors(league, names) == pytest.approx(errors)


@given(leagues())
def test_ratings_come_best_first(league):
    elos = [rating.elo for rating in rate(league, anchor="b")]
    assert elos == sorted(elos, reverse=True)


@given(st.lists(st.integers(0, 40), min_size=5, max_size=5))
def test_swapped_pairs_change_the_sign_only(counts):
    elo, error = elo_of_pairs(counts)
    swapped, swapped_error = elo_of_pairs(counts[::-1])
    assert swapped == pytest.approx(-elo, abs=1e-9)
    assert swapped_error == pytest.approx(error)


def test_independent_pairs_have_the_error_of_single_games():
    # chance 1/2 of each result and independent pairs: 1 : 2 : 1
    elo, error = elo_of_pairs([250, 0, 500, 0, 250])
    assert elo == 0
    assert error == pytest.approx(error_of_even_games(2000), rel=0.01)


def test_openings_that_decide_the_game_make_pairs_more_certain():
    _, error = elo_of_pairs([0, 0, 100, 0, 0])
    assert 0 < error < error_of_even_games(200) / 5


@pytest.mark.parametrize(("share", "decided"), [(0.5, 0.0), (0.6, 0.3), (0.7, 0.6)])
def test_intervals_of_pairs_hold_the_true_difference_as_often_as_they_say(share, decided):
    rng, held, runs = np.random.default_rng(4), 0, 400
    overall = decided / 2 + (1 - decided) * share
    true = 400 * math.log10(overall / (1 - overall))
    for _ in range(runs):
        games = (rng.random((60, 2)) < share).sum(axis=1)  # of 60 pairs; 1 each if the opening decides
        points = np.where(rng.random(60) < decided, 1, games)
        elo, error = elo_of_pairs(np.bincount(2 * points, minlength=5).tolist())
        held += abs(elo - true) <= error
    assert 0.92 < held / runs < 0.99


def test_a_clean_sweep_of_pairs_is_not_called_certain():
    elo, error = elo_of_pairs([0, 0, 0, 0, 20])
    assert elo > 400
    assert error > 100


# ---- where a game more says next to nothing --------------------------------------------------------------------------


def assert_expected_points_are_those_scored(results, found, stay=()):
    """Check the maximum: the expected points of each free player equal its points, with the prior."""
    expected, scored = dict.fromkeys(found, 0.0), dict.fromkeys(found, 0.0)
    for each in results:
        for one, other, lost in ((each.a, each.b, each.losses), (each.b, each.a, each.wins)):
            # compare lost points, since 9,999,999 of 10,000,000 expected points lose all digits
            share = 1.0 / (1.0 + 10.0 ** ((found[one].elo - found[other].elo) / 400.0))
            expected[one] += (each.games + 1) * share
            scored[one] += lost + each.draws / 2 + 0.5
    for name in set(found) - set(stay):
        assert expected[name] == pytest.approx(scored[name], rel=1e-4)


def test_anchors_that_the_games_contradict_pull_from_both_sides():
    results = [MatchScore("c", "a", 5000, 0, 0), MatchScore("b", "c", 50, 0, 0)]
    found = ratings_of(results, fixed={"b": 5100.0})
    assert 400 * math.log10(10_001) < found["c"].elo < 5100 - 400 * math.log10(101)
    assert_expected_points_are_those_scored(results, found, stay="ab")


@given(st.lists(st.integers(0, 7), min_size=1, max_size=6), st.lists(st.integers(0, 7), min_size=6, max_size=6))
def test_clean_sweeps_of_millions_of_games_are_rated(neighbours, others):
    names = "abcdefg"[: len(neighbours) + 1]
    results = [MatchScore(a, b, 10**k, 0, 0) for (a, b), k in zip(itertools.pairwise(names), neighbours, strict=True)]
    results += [MatchScore(a, b, 10**k, 0, 0) for a, b, k in zip(names, names[2:], others, strict=False)]
    assert_expected_points_are_those_scored(results, ratings_of(results), stay="a")


@given(leagues(), st.dictionaries(st.sampled_from("bcd"), st.floats(-3000, 3000)))
def test_anchors_as_far_apart_as_players_are_always_give_a_rating(league, fixed):
    found = ratings_of(league, fixed=fixed)
    assert {name: found[name].elo for name in fixed} == pytest.approx(fixed)
    assert_expected_points_are_those_scored(league, found, stay={"a", *fixed})


def test_anchors_too_far_apart_for_floating_point_are_refused():
    results = [MatchScore("a", "b", 5, 1, 3), MatchScore("b", "c", 5, 1, 3)]
    with pytest.raises(BadInput, match="the anchors' ratings are too far apart"):
        rate(results, anchor="a", fixed={"b": 500_000.0})
