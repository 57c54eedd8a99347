"""The search tree of a Go engine is kept while moves are only added, and replaced otherwise."""

import pytest


def seats(desk, *lines):
    """Send lines; return the number of the seat that ran each search, by order of first use."""
    for line in lines:
        assert desk.ask(line).lstrip("\n").startswith("="), line
    who = [seat for *_, seat in desk.asked]
    return [who.index(each) for each in who]


def test_a_seat_follows_the_moves_of_both_sides(desk):
    assert seats(desk, "genmove b", "play w E5", "genmove b", "genmove w", "reg_genmove b") == [0, 0, 0, 0]
    assert desk.ask("genmove b") == "= D9"


def test_an_analysis_continues_the_tree_of_the_last_one(desk):
    assert seats(desk, "kata-analyze b 10", "lz-analyze b 10", "play b E5", "lz-analyze w 10") == [0, 0, 0]


@pytest.mark.parametrize(
    "lines",
    [
        ["undo"],
        ["komi 3.5"],
        ["clear_board"],
        ["boardsize 7"],
        ["play b E5", "play b E4"],
        ["play w pass", "play b pass", "play w E5"],
        ["undo", "play b E5", "play w E4"],
    ],
    ids=" ".join,
)
def test_another_seat_is_used_after_any_change_except_added_moves(desk, lines):
    assert seats(desk, "genmove b", "genmove w", *lines, "genmove b") == [0, 0, 2]
