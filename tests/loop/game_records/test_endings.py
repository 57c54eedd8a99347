"""Unfinished games get endings, and the added moves teach no policy."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import ludus
from ludus.games.rules import FIRST_WINS, SECOND_WINS
from ludus.learner.rows import end_game
from ludus.loop.game_records.endings import with_ends
from ludus.loop.game_records.replayed import Replayed, samples_of
from ludus.store import Window
from ludus.store.samples import NO_ACTION

GO, RACK = ludus.game("go:3x3"), ludus.game("connect4")


def played(game, moves, number):
    """Return a game that stops before its end and is recorded as a win of player 1."""
    state, states, actions = game.start_state(), [], []
    for action in moves:
        states.append(state)
        actions.append(action)
        state = game.calls.play(state, action)
    return samples_of([Replayed(0, number, states, actions, SECOND_WINS)], [game])


@pytest.fixture(params=["the record stops", "the mover resigned"])
def given_up(request):
    samples = played(GO, [4, 0, 8], 7)
    if request.param == "the mover resigned":
        samples = replace(samples, action=np.array([4, 0, NO_ACTION], np.int16))
    return samples


def test_an_unfinished_game_is_played_to_its_end(given_up):
    samples = with_ends(given_up, [GO])
    added = samples.weight == 0.0
    assert not added[:3].any()
    assert added[3:].all()
    assert len(samples) > 5
    assert samples.ply.tolist() == list(range(len(samples)))
    assert set(samples.game_id) == {7}
    assert set(samples.outcome) == {SECOND_WINS}
    state = samples.states[0].view(GO.dtype)
    for position in range(len(samples)):
        assert state.tolist() == samples.states[position].view(GO.dtype).tolist()
        assert int(GO.rules.to_play(state)) == samples.mover[position]
        assert not GO.calls.outcome(state)
        state = GO.calls.play(state, int(samples.action[position]))
    assert GO.calls.outcome(state)


def test_added_moves_teach_no_policy_and_the_rest_is_unchanged(given_up):
    samples = with_ends(given_up, [GO])
    assert np.diff(samples.policy_start).tolist() == [1, 1, 1] + [0] * (len(samples) - 3)
    assert np.array_equal(samples.policy_action, given_up.policy_action)
    assert np.array_equal(samples.states[:3], given_up.states)
    assert with_ends(samples, [GO]).action.tolist() == samples.action.tolist(), "a finished game is unchanged"


def test_added_moves_are_not_used_for_validation(given_up):
    window = Window(validation=1.0)
    window.extend(with_ends(given_up, [GO]))
    assert window.validation(10**9, np.random.default_rng(0)).tolist() == [0, 1, 2]


def test_final_maps_are_known_afterwards(given_up):
    samples, scratch = with_ends(given_up, [GO]), np.stack([GO.empty_state(), GO.empty_state()])
    names = ("action", "game_id", "ply")
    past = type("Past", (), {name: getattr(samples, name) for name in names} | {"states": samples.states})
    assert end_game(GO.rules, past, 0, 0, scratch)
    assert GO.calls.outcome(scratch[0])


def test_a_game_whose_board_contradicts_its_result_is_played_on():
    moves = [4, 9, 9]  # Black owns the whole board, so its stone must be dead if White has won
    samples = with_ends(played(GO, moves, 7), [GO])
    assert len(samples) > 3
    assert (samples.weight > 0).tolist() == [True] * 3 + [False] * (len(samples) - 3)
    assert samples.policy_action.tolist() == moves, "the played moves are still policy targets"
    for before, after in pairwise(range(len(samples))):
        played_on = GO.calls.play(samples.states[before].view(GO.dtype).copy(), int(samples.action[before]))
        assert played_on.tolist() == samples.states[after].view(GO.dtype).tolist()
    won = replace(played(GO, moves, 7), outcome=np.full(3, FIRST_WINS, np.uint8))
    assert with_ends(won, [GO]).action.tolist() == moves


class LastLegal:
    """A player that chooses the action with the highest number, and remembers how many positions it saw at once."""

    name = "last"

    def __init__(self):
        self.seen = []

    def choose(self, game, states):
        self.seen.append(len(states))
        return np.array([max(game.calls.legal(state.view(game.dtype))) for state in states], np.int16)


def test_a_player_plays_all_games_on_side_by_side():
    player, begun = LastLegal(), [played(RACK, [3, 3], 1), played(RACK, [0], 2)]
    both = with_ends(type(begun[0]).concatenate(begun), [RACK], player)
    assert player.seen[0] == 2
    for number, moves in ((1, [3, 3]), (2, [0])):
        own = both.game_id == number
        assert both.action[own].tolist()[: len(moves)] == moves
        assert set(both.action[own].tolist()[len(moves) :]) <= {3, 4, 5, 6}
        last = np.flatnonzero(own)[-1]
        assert RACK.calls.outcome(RACK.calls.play(both.states[last].view(RACK.dtype).copy(), int(both.action[last])))
        assert both.ply[own].tolist() == list(range(own.sum()))


def test_games_stay_apart_and_those_without_a_heuristic_as_they_are():
    first, second = played(GO, [4], 1), played(GO, [0], 2)
    both = with_ends(type(first).concatenate([first, second]), [GO])
    changes = np.flatnonzero(np.diff(both.game_id))
    assert len(changes) == 1
    assert (both.action[0], both.action[changes[0] + 1]) == (4, 0)
    rack = played(RACK, [3, 3], 3)
    assert with_ends(rack, [RACK]).action.tolist() == [3, 3]
