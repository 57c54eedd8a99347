"""A Go engine passes if it wins after removing dead stones, although a search would capture them first."""

import numpy as np
import pytest

PASS = 25


def stand(desk, rules="japanese", komi="0.5"):
    """Divide a 5x5 board by two walls, place a dead white stone behind Black's wall, and let White pass."""
    for line in (f"kgs-rules {rules}", "boardsize 5", f"komi {komi}", "clear_board"):
        assert desk.ask(line) == "="
    for row in range(1, 6):
        assert desk.ask(f"play b C{row}") == "="
        assert desk.ask(f"play w D{row}") == "="
    for line in ("play w A1", "play b B2", "play w pass"):
        assert desk.ask(line) == "="


@pytest.mark.parametrize("command", ["genmove b", "reg_genmove b"])
def test_a_second_pass_wins_with_dead_stones_on_the_board(desk, command):
    stand(desk)
    assert desk.ask("final_status_list dead") == "= A1"
    assert desk.ask(command) == "= pass"
    assert desk.asked == []


def test_a_move_with_analysis_may_be_this_pass(desk):
    stand(desk)
    assert desk.ask("kata-genmove_analyze b 10").split("\n") == ["=", "play pass"]


def test_stones_that_the_opponent_could_save_are_not_dead(desk_of):
    class FirstComeFirstServed:
        """Predicts that the mover owns every point."""

        def maps(self, planes):
            maps = np.zeros((1, 2, *planes.shape[2:]), np.float32)
            maps[:, 0] = 1.0  # the mover's
            return maps

    desk = desk_of(evaluator=FirstComeFirstServed())
    stand(desk)
    assert "D5" in desk.ask("final_status_list dead"), "dead while Black is to move"
    assert desk.ask("genmove b") == "= A5"


def test_the_loser_does_not_pass(desk):
    stand(desk, komi="20.5")
    assert desk.ask("genmove b") == "= A5"


def test_a_first_pass_is_left_to_the_search(desk):
    stand(desk)
    assert desk.ask("undo") == "="
    assert desk.ask("genmove w") == "= A5"


def test_the_search_decides_under_area_scoring(desk):
    stand(desk, rules="chinese")
    assert desk.ask("genmove b") == "= A5"


def test_an_avoided_pass_is_not_played(desk):
    stand(desk)
    assert desk.ask("lz-genmove_analyze b avoid b pass 1").split("\n")[-1] == "play A5"
    assert PASS not in desk.asked[-1][0].only


def test_the_cleanup_command_captures_dead_stones(desk):
    stand(desk)
    assert desk.ask("kgs-genmove_cleanup b") == "= A5"
