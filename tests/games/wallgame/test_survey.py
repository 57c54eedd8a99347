"""The survey of the Wall Game agrees with distances counted cell by cell."""

import numpy as np
import pytest

import ludus
from ludus.games.packed import field
from ludus.games.wallgame.layout import SECOND, TURN
from ludus.games.wallgame.survey import (
    ARRIVES,
    BESIDE,
    ELSEWHERE,
    HARMFUL,
    MOST,
    NEARER,
    ONLY,
    OWN_WAY,
    STEP_VALUE,
    SURE,
)
from ludus.viewpoint import turn


def survey(position):
    """Return the rank of each action, and the value."""
    actions = np.array(position.actions, np.int16)
    ranks = np.zeros(len(actions), np.int16)
    with np.errstate(over="ignore"):
        value = position.game.rules.survey(position.state, actions, len(actions), ranks)
    return {int(action): int(rank) for action, rank in zip(actions, ranks, strict=True)}, value


def ways(board):
    return [board.distances(cat).get(goal) for cat, goal in zip(board.cats, board.goals, strict=True)]


def test_the_value_follows_from_path_lengths_and_remaining_actions(any_board, walks, rng, reference):
    for position in walks(any_board, rng, 40):
        mover, lengths = position.to_play, ways(reference(any_board, position))
        left = 2 - field(np.uint64(position.state[TURN]), SECOND)
        _, value = survey(position)
        if "survival" in any_board:
            assert abs(value) <= MOST
        elif lengths[mover] <= left:
            assert value == turn(SURE, mover)
        else:
            lead = lengths[1 - mover] - lengths[mover] + left - 1
            assert turn(value, mover) == pytest.approx(np.clip(STEP_VALUE * lead, -MOST, MOST))


def test_the_value_is_the_same_without_ranks(any_board, walks, rng):
    none = np.zeros(1, np.int16)
    for position in walks(any_board, rng, 20):
        with np.errstate(over="ignore"):
            alone = position.game.rules.survey(position.state, none, 0, none)
        assert alone == survey(position)[1]


def test_walls_that_lengthen_only_the_opponents_path_have_the_highest_ranks(any_race, walks, rng, reference):
    seen = 0
    for position in walks(any_race, rng, 12, steps=0.7):
        mover, frame = position.to_play, (position.game.num_actions - 9) // 2
        lengths = ways(reference(any_race, position))
        ranks, _ = survey(position)
        for action, rank in ranks.items():
            if action >= 2 * frame:
                continue
            after = ways(reference(any_race, position.play(action)))
            hinders, hurts = after[1 - mover] > lengths[1 - mover], after[mover] > lengths[mover]
            assert (rank == ONLY) == (hinders and not hurts)
            assert not hurts or rank in (OWN_WAY, HARMFUL)
            assert not (hinders and rank < 0), "a wall that hinders the opponent has a rank below 0"
            seen += rank == ONLY
    assert seen > 0 or "5x5" not in any_race, "only large boards may lack such walls"


def test_steps_of_the_cat_rank_by_the_distance_from_its_goal(any_board, walks, rng, reference):
    for position in walks(any_board, rng, 30):
        mover, frame = position.to_play, (position.game.num_actions - 9) // 2
        lengths = ways(reference(any_board, position))
        for action, rank in survey(position)[0].items():
            if 2 * frame <= action < 2 * frame + 4:
                after = ways(reference(any_board, position.play(action)))
                assert (rank in (NEARER, ARRIVES)) == (after[mover] < lengths[mover])


def test_a_cat_that_can_arrive_ranks_its_step_first():
    pawns = {"p1": {"cat": [0, 0], "home": [1, 1]}, "p2": {"cat": [4, 1], "home": [4, 4]}}
    ranks, value = survey(ludus.game("wallgame:classic:5x5").start({"pawns": pawns, "walls": []}))
    assert value == SURE
    assert max(ranks.values()) == ARRIVES


def walled(*slots):
    """Return walls as JSON from texts of column, row, and | or -."""
    names = {"|": "vertical", "-": "horizontal"}
    return [{"cell": [int(row), int(column)], "orientation": names[kind]} for column, row, kind in slots]


HOME_AT_ONCE = {
    "pawns": {"p1": {"cat": [2, 1], "home": [2, 2]}, "p2": {"cat": [2, 2], "home": [2, 0]}},
    "walls": walled("01|", "10|", "11|", "01-", "02-", "11-", "12-", "21-", "22-"),
}
INTO_A_DEAD_END = {
    "cat": [0, 0],
    "mouse": [2, 1],
    "turnsToSurvive": 8,
    "mouseCanMove": True,
    "walls": walled("01|", "10|", "11|", "12|", "11-", "12-", "21-"),
}


@pytest.mark.parametrize(
    ("variant", "setup", "step"), [("classic", HOME_AT_ONCE, "Cc1"), ("survival", INTO_A_DEAD_END, "Cb3")]
)
def test_if_only_useless_walls_are_legal_some_get_a_rank_of_0_or_more(variant, setup, step):
    position = ludus.game(f"wallgame:{variant}:3x3").start(setup)
    (action,) = [action for action in position.actions if position.text(action) == step]
    ranks, _ = survey(position.play(action))
    assert max(ranks.values()) == 0


def test_ranks_of_a_cat_on_its_goal_do_not_depend_on_uninitialised_memory(answers_on_dirty_memory):
    ranks = answers_on_dirty_memory(survey)
    assert ranks[0] == ranks[1]


def test_in_survival_walls_far_from_the_only_cat_rank_below_0():
    game = ludus.game("wallgame:survival:6x6")
    pawns = {"cat": [5, 0], "mouse": [5, 5]}
    position = game.start({**pawns, "turnsToSurvive": 9, "mouseCanMove": True, "walls": []})
    for _ in range(3):  # the cat's two actions, then the mouse's first
        corner = [rank for action, rank in survey(position)[0].items() if action in (0, 36)]
        assert corner == [ELSEWHERE, ELSEWHERE], "walls of the top left cell"
        position = position.play(max(position.actions))
    ranks = survey(position)[0].values()
    assert BESIDE in ranks, "walls beside the cat's path rank higher"
