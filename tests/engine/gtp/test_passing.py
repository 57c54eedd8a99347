"""A Go engine ends a game that is won once dead stones are taken off, though a search would rather play on."""

import numpy as np
import pytest

PASS = 25


def stand(desk, rules="japanese", komi="0.5"):
    """Part a board of 5x5 between two walls, with a dead stone of White's behind Black's, then let White pass."""
    for line in (f"kgs-rules {rules}", "boardsize 5", f"komi {komi}", "clear_board"):
        assert desk.ask(line) == "="
    for row in range(1, 6):
        assert desk.ask(f"play b C{row}") == "="
        assert desk.ask(f"play w D{row}") == "="
    for line in ("play w A1", "play b B2", "play w pass"):
        assert desk.ask(line) == "="


@pytest.mark.parametrize("command", ["genmove b", "reg_genmove b"])
def test_a_second_pass_wins_where_dead_stones_stand(desk, command):
    stand(desk)
    assert desk.ask("final_status_list dead") == "= A1"
    assert desk.ask(command) == "= pass"
    assert desk.asked == []


def test_a_pass_may_be_said_with_an_analysis(desk):
    stand(desk)
    assert desk.ask("kata-genmove_analyze b 10").split("\n") == ["=", "play pass"]


def test_stones_that_the_opponent_could_save_are_not_dead(desk_of):
    class FirstComeFirstServed:
        """Expects every point to be the mover's."""

        def maps(self, planes):
            maps = np.zeros((1, 2, *planes.shape[2:]), np.float32)
            maps[:, 0] = 1.0  # the mover's
            return maps

    desk = desk_of(evaluator=FirstComeFirstServed())
    stand(desk)
    assert "D5" in desk.ask("final_status_list dead"), "as long as Black is to move"
    assert desk.ask("genmove b") == "= A5"


def test_the_loser_plays_on(desk):
    stand(desk, komi="20.5")
    assert desk.ask("genmove b") == "= A5"


def test_who_was_not_passed_to_plays_on(desk):
    stand(desk)
    assert desk.ask("undo") == "="
    assert desk.ask("genmove w") == "= A5"


def test_a_search_decides_where_stones_of_ones_own_cost_nothing(desk):
    stand(desk, rules="chinese")
    assert desk.ask("genmove b") == "= A5"


def test_a_pass_that_is_to_be_avoided_is_not_made(desk):
    stand(desk)
    assert desk.ask("lz-genmove_analyze b avoid b pass 1").split("\n")[-1] == "play A5"
    assert PASS not in desk.asked[-1][0].only


def test_dead_stones_are_taken_off_where_that_is_asked_for(desk):
    stand(desk)
    assert desk.ask("kgs-genmove_cleanup b") == "= A5"
