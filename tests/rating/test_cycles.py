"""True cycles are found, and chance results are not reported as cycles."""

import itertools

import numpy as np
import pytest

from ludus.rating import cycles
from ludus.rating.cycles import FALSE_CYCLES, Meeting

ROCK, PAPER, SCISSORS = "rock", "paper", "scissors"


def games(a, b, wins, draws, losses):
    return Meeting(a, b, [losses, draws, wins])


def test_a_cycle_is_reported_once_from_its_first_name_on():
    results = [games(PAPER, ROCK, 18, 0, 2), games(SCISSORS, PAPER, 15, 4, 1), games(SCISSORS, ROCK, 3, 0, 17)]
    assert cycles(results) == [(PAPER, ROCK, SCISSORS)]
    assert cycles(reversed(results)) == [(PAPER, ROCK, SCISSORS)]


def test_an_order_has_no_cycle():
    assert cycles([games("a", "b", 9, 0, 1), games("b", "c", 9, 0, 1), games("a", "c", 9, 0, 1)]) == []


def test_players_who_did_not_all_meet_make_no_cycle():
    assert cycles([games("a", "b", 90, 0, 10), games("b", "c", 90, 0, 10), games("c", "d", 90, 0, 10)]) == []
    assert cycles([games("a", "b", 90, 0, 10), games("b", "c", 90, 0, 10), games("c", "a", 0, 0, 0)]) == []


def round_of(counts):
    return [Meeting("a", "b", counts), Meeting("b", "c", counts), Meeting("c", "a", counts)]


def test_results_within_their_error_make_no_cycle():
    assert cycles(round_of([4, 0, 6])) == []


def test_results_of_one_pair_are_added_up():
    assert cycles(round_of([4, 0, 6]) * 10) == [("a", "b", "c")]


def test_a_lead_significant_for_three_players_may_be_chance_for_many():
    results = round_of([43, 0, 57])
    assert cycles(results) == [("a", "b", "c")]
    others = [games(*pair, 50, 0, 50) for pair in itertools.combinations("abcdefghijkl", 2) if not {*pair} <= {*"abc"}]
    assert cycles(results + others) == [], "three players need 0.55 standard errors, twelve need 1.66"


def test_even_pairs_make_the_spread_smaller_than_that_of_single_games():
    assert cycles(round_of([46, 0, 52])) == [], "half a standard error of 98 single games"
    assert cycles(round_of([0, 0, 46, 3, 0])) == [("a", "b", "c")], "3 of 49 pairs were won, all by one player"


@pytest.mark.parametrize("players", [3, 5, 12])
@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_equal_players_hardly_ever_make_a_cycle(players, draws):
    rng, leagues = np.random.default_rng(players), 400
    names = [chr(ord("a") + k) for k in range(players)]
    chances = [(1 - draws) / 2, draws, (1 - draws) / 2]
    false = sum(
        bool(cycles(Meeting(a, b, rng.multinomial(40, chances).tolist()) for a, b in itertools.combinations(names, 2)))
        for _ in range(leagues)
    )
    assert false / leagues < FALSE_CYCLES + 2 * np.sqrt(FALSE_CYCLES * (1 - FALSE_CYCLES) / leagues)


@pytest.mark.parametrize("decisive", [0.3, 1.0])
def test_openings_that_decide_make_no_cycle_of_equal_players(decisive):
    rng, leagues = np.random.default_rng(7), 400
    chances = [decisive / 4, 0.0, 1 - decisive / 2, 0.0, decisive / 4]  # one player often wins both games of a pair
    false = sum(
        bool(cycles(Meeting(a, b, rng.multinomial(20, chances).tolist()) for a, b in itertools.combinations("abcd", 2)))
        for _ in range(leagues)
    )
    assert false / leagues < FALSE_CYCLES + 2 * np.sqrt(FALSE_CYCLES * (1 - FALSE_CYCLES) / leagues)


def test_a_true_cycle_is_found_among_many():
    rng, found = np.random.default_rng(5), 0
    names = [ROCK, PAPER, SCISSORS, *"abcdefg"]
    beats = [(ROCK, SCISSORS), (SCISSORS, PAPER), (PAPER, ROCK)]
    for _ in range(50):
        meetings = [Meeting(a, b, rng.multinomial(50, [0.09, 0.0, 0.42, 0.0, 0.49]).tolist()) for a, b in beats]
        meetings += [
            Meeting(a, b, rng.multinomial(50, [0.25, 0.0, 0.5, 0.0, 0.25]).tolist())
            for a, b in itertools.combinations(names, 2)
            if not {a, b} <= {ROCK, PAPER, SCISSORS}
        ]
        found += (PAPER, ROCK, SCISSORS) in cycles(meetings)
    assert found >= 48, "70 % of 100 games are four standard errors from even"
