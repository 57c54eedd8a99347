"""What minimax is told about the Wall Game agrees with distances that are counted cell by cell."""

import numpy as np
import pytest

import ludus
from ludus.games.fields import field
from ludus.games.wallgame.layout import SECOND, TURN
from ludus.games.wallgame.survey import ARRIVES, ELSEWHERE, MOST, NEARER, ONLY, OWN_WAY, STEP_VALUE, SURE
from ludus.viewpoint import turn


def survey(position):
    """The rank of each action, and the value."""
    actions = np.array(position.actions, np.int16)
    ranks = np.zeros(len(actions), np.int16)
    with np.errstate(over="ignore"):
        value = position.game.rules.survey(position.state, actions, len(actions), ranks)
    return {int(action): int(rank) for action, rank in zip(actions, ranks, strict=True)}, value


def ways(board):
    return [board.distances(cat).get(goal) for cat, goal in zip(board.cats, board.goals, strict=True)]


def test_the_value_is_the_difference_of_the_ways_and_what_is_left_of_the_move(any_board, walks, rng, reference):
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


def test_walls_of_the_highest_rank_are_those_that_lengthen_the_enemys_way_alone(any_board, walks, rng, reference):
    if "survival" in any_board:
        return  # one cat has no way there
    seen = 0
    for position in walks(any_board, rng, 12, steps=0.7):
        mover, frame = position.to_play, (position.game.num_actions - 9) // 2
        lengths = ways(reference(any_board, position))
        ranks, _ = survey(position)
        for action, rank in ranks.items():
            if action >= 2 * frame:
                continue
            after = ways(reference(any_board, position.play(action)))
            hinders, hurts = after[1 - mover] > lengths[1 - mover], after[mover] > lengths[mover]
            assert (rank == ONLY) == (hinders and not hurts)
            assert not hurts or rank in (OWN_WAY, ELSEWHERE)
            assert not (hinders and rank == ELSEWHERE), "what minimax leaves out lengthens nobody's way but the mover's"
            seen += rank == ONLY
    assert seen > 0 or "5x5" not in any_board, "larger boards are seldom narrow"


def test_steps_of_the_cat_rank_by_whether_they_lead_nearer(any_board, walks, rng, reference):
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
