"""Openings: the configured share of games begins at recorded positions of the right board."""

from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.selfplay.openings import Openings
from ludus.selfplay.source import Quota
from ludus.store import Samples

CONNECT4 = ludus.game("connect4")
SETTINGS = {"parallel": 4, "random_actions": 0, "visits": 4, "fast_visits": 2}


@pytest.fixture(scope="module")
def recorded(kit):
    """Return the positions of a few recorded games."""
    return Samples.concatenate(kit.play([CONNECT4], 12, seed=5, random_actions=6)[0])


def begins(finished):
    return [(samples.states[0].tobytes(), int(samples.ply[0])) for samples in finished]


def places(recorded):
    return {(state.tobytes(), int(ply)) for state, ply in zip(recorded.states, recorded.ply, strict=True)}


def test_all_games_can_begin_at_recorded_positions(kit, recorded):
    quota = Quota(200, openings=Openings(recorded, [CONNECT4.max_actions]))
    finished, _ = kit.play([CONNECT4], 200, quota=quota, opening_share=1.0, **SETTINGS)
    for samples in finished:
        kit.check_game([CONNECT4], samples)
    assert set(begins(finished)) <= places(recorded)
    assert len(set(begins(finished))) > 50, "any position is drawn, not always the same"


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_others_begin_at_the_start_of_the_game(kit, recorded, share):
    quota = Quota(300, openings=Openings(recorded, [CONNECT4.max_actions]))
    finished, _ = kit.play([CONNECT4], 300, quota=quota, opening_share=share, **SETTINGS)
    start = CONNECT4.start_state().view(np.uint64).tobytes()
    elsewhere = sum(begin != (start, 0) for begin in begins(finished))
    assert abs(elsewhere - 300 * share) <= 4 * np.sqrt(300 * share * (1 - share)), "four standard deviations"


def test_forks_are_of_whole_games_only(kit, recorded):
    later = recorded.take(np.flatnonzero(recorded.ply > 0))  # an opening at the start would look like a whole game
    quota = Quota(200, openings=Openings(later, [CONNECT4.max_actions]))
    one_tree = SETTINGS | {"parallel": 1}
    finished, _ = kit.play([CONNECT4], 200, quota=quota, opening_share=0.4, fork_share=0.4, **one_tree)
    whole, forks = None, 0
    for samples, begin in zip(finished, begins(finished), strict=True):
        if begin[1] == 0:
            whole = samples
        elif begin not in places(recorded):
            before = whole.states[begin[1] - 1]
            after = kit.children(CONNECT4, before).values()
            assert any((samples.states[0] == state.view(np.uint64)).all() for state in after)
            forks += 1
    assert forks > 30


def test_a_game_without_recorded_positions_begins_at_its_start(kit):
    boards = [ludus.game("wallgame:classic:3x3@4x4"), ludus.game("wallgame:classic:4x4")]
    recorded = Samples.concatenate(kit.play(boards[:1], 3, seed=5)[0])
    quota = Quota(12, openings=Openings(recorded, [board.max_actions for board in boards]))
    finished, _ = kit.play(boards, 12, quota=quota, opening_share=1.0, **SETTINGS)
    start = boards[1].start_state().view(np.uint64).tobytes()
    for samples, begin in zip(finished, begins(finished), strict=True):
        if samples.game[0] == 0:
            assert begin in places(recorded)
        else:
            assert begin == (start, 0)


def test_no_game_begins_at_the_length_cap_or_behind_it(kit, recorded):
    cap = CONNECT4.max_actions
    late = replace(recorded, ply=np.where(np.arange(len(recorded)) % 2, cap + recorded.ply, cap - 1).astype(np.int16))
    quota = Quota(40, openings=Openings(late, [cap]))
    finished, _ = kit.play([CONNECT4], 40, quota=quota, opening_share=1.0, **SETTINGS)
    assert {(int(samples.ply[0]), len(samples)) for samples in finished} == {(cap - 1, 1)}
    behind = replace(recorded, ply=np.full(len(recorded), cap, np.int16))
    assert Openings(behind, [cap]).draw(0, np.random.default_rng(0)) is None
