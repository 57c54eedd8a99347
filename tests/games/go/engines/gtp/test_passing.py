"""After the opponent's pass, a Go engine passes if that wins with dead stones removed, and does not if it loses.

Searches score the board after two passes with all stones on it.
"""

import numpy as np
import pytest
from tests.games.go.engines.gtp.conftest import PlayoutDesk

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


def let_black_pass(desk, **rules):
    """Let Black pass instead of White, who has a dead stone."""
    stand(desk, **rules)
    for line in ("undo", "play b pass"):
        assert desk.ask(line) == "="


@pytest.mark.parametrize("command", ["genmove w", "reg_genmove w", "kata-genmove_analyze w 10", "kata-analyze w 10"])
def test_a_pass_that_loses_by_the_players_dead_stones_is_not_considered(desk, command):
    let_black_pass(desk)
    assert desk.ask("final_score") == "= B+4.5"
    assert "pass" not in desk.ask(command)
    only = desk.asked[-1][0].only
    assert PASS not in only
    assert len(only) > 5


def test_a_lost_pass_is_played_if_no_other_move_is_left_or_allowed(desk):
    let_black_pass(desk)
    assert desk.ask("lz-genmove_analyze w allow w pass 1").split("\n")[-1] == "play pass"


def test_a_pass_is_left_to_the_search_if_it_depends_on_an_uncertain_group(desk_of):
    class Unsure:
        """Predicts that nobody knows who owns A1, and that all other stones stay."""

        def maps(self, planes):
            maps = planes[:, :2].astype(np.float32)
            maps[:, :, 4, 0] = 0.5
            return maps

    for komi, is_sure in (("0.5", False), ("-20.5", True)):  # White loses by 15 points even if A1 lives
        desk = desk_of(evaluator=Unsure())
        let_black_pass(desk, komi=komi)
        assert desk.ask("genmove w") == "= A5"
        assert (PASS not in (desk.asked[-1][0].only or [PASS])) is is_sure


@pytest.mark.parametrize(
    "visits", [60, pytest.param(200, marks=pytest.mark.full), pytest.param(800, marks=pytest.mark.full)]
)
@pytest.mark.parametrize(
    ("rules", "komi", "mover", "passes"),
    [
        ("japanese", "0.5", "b", True),  # all stones count alive in a search: it would capture A1
        ("japanese", "4.5", "w", False),  # a search takes the pass for a win, since A1 spoils Black's territory
        ("japanese", "5.5", "w", True),
        ("chinese", "-8.5", "b", True),
        ("chinese", "4.5", "w", True),  # by these rules A1 is alive until it is captured
        ("chinese", "-8.5", "w", False),
    ],
)
def test_a_search_with_few_visits_passes_if_and_only_if_that_wins(visits, rules, komi, mover, passes):
    desk = PlayoutDesk(visits)
    (stand if mover == "b" else let_black_pass)(desk, rules=rules, komi=komi)
    assert (desk.ask(f"genmove {mover}") == "= pass") is passes
    desk.talker.close()


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
