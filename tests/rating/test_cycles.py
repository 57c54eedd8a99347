"""Cycles are found where they are, and chance is not taken for one."""

from ludus.rating import Result, cycles

ROCK, PAPER, SCISSORS = "rock", "paper", "scissors"


def test_a_cycle_is_named_once_from_its_first_name_on():
    results = [Result(PAPER, ROCK, 18, 0, 2), Result(SCISSORS, PAPER, 15, 4, 1), Result(SCISSORS, ROCK, 3, 0, 17)]
    assert cycles(results) == [(PAPER, ROCK, SCISSORS)]
    assert cycles(reversed(results)) == [(PAPER, ROCK, SCISSORS)]


def test_an_order_has_no_cycle():
    assert cycles([Result("a", "b", 9, 0, 1), Result("b", "c", 9, 0, 1), Result("a", "c", 9, 0, 1)]) == []


def test_results_within_their_error_make_no_cycle():
    assert cycles([Result("a", "b", 6, 0, 4), Result("b", "c", 6, 0, 4), Result("c", "a", 6, 0, 4)]) == []


def test_results_of_one_pair_are_added_up():
    part = [Result("a", "b", 6, 0, 4), Result("b", "c", 6, 0, 4), Result("c", "a", 6, 0, 4)]
    assert cycles(part * 10) == [("a", "b", "c")]
