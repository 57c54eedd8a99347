"""The solver agrees with solved positions and with brute force, and returns None at its node limit."""

import gzip
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.arena.match import play_match
from ludus.games.calls import RULES
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.rules import ONGOING
from ludus.players.opponents.random import RandomPlayer
from ludus.players.opponents.solver import SolverPlayer
from ludus.search.backup import exact_value

foresee = RULES["foresee"].entry

CONNECT4 = ludus.game("connect4").compile()
LINES = gzip.decompress(Path("tests/golden/connect4-solved.jsonl.gz").read_bytes()).splitlines()
SOLVED = [each for each in map(msgspec.json.decode, LINES) if each["ply"] >= 14]


@pytest.fixture(scope="module")
def solver():
    return ConnectFourSolver(entries=1 << 20)


def after(columns):
    position = CONNECT4.start()
    for column in columns:
        position = position.play(int(column) - 1)
    return position


def test_it_agrees_with_another_solver(solver, one_in_ten):
    assert len(SOLVED) > 500
    for each in one_in_ten(SOLVED):
        position = after(each["moves"])
        expected = each["value"] if position.to_play == 0 else -each["value"]
        assert solver.value(position.state.view(np.uint64)) == expected, each["moves"]


@cache
def brute_force(moves):
    position = after(moves)
    if position.outcome:
        return {None: 0, 0: 1, 1: -1}[position.outcome.winner]
    best = max if position.to_play == 0 else min
    return best(brute_force(moves + str(action + 1)) for action in position.actions)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=80, max_size=80))
def test_endgames_agree_with_brute_force(draws):
    moves, solver = "", ConnectFourSolver(entries=1 << 10)
    for draw in draws:
        position = after(moves)
        following = [action for action in position.actions if not position.play(action).outcome]
        if not following or len(moves) == 35:
            break
        moves += str(following[draw % len(following)] + 1)
    state, expected = after(moves).state, brute_force(moves)
    assert solver.value(state.view(np.uint64)) == expected
    foreseen = foresee(CONNECT4.rules, state)  # the same search with a small table and few nodes
    assert foreseen == ONGOING or exact_value(foreseen) == expected


def test_it_returns_none_at_its_limit():
    assert ConnectFourSolver(entries=1 << 10, most_nodes=1000).value(CONNECT4.start_state().view(np.uint64)) is None


def test_its_player_keeps_every_outcome(solver):
    player = SolverPlayer(seed=3, solver=solver)
    some = SOLVED[::5]
    states = np.stack([after(each["moves"]).state.view(np.uint64) for each in some])
    chosen = player.choose(CONNECT4, states)
    assert all(int(action) in each["optimal_outcome"] for action, each in zip(chosen, some, strict=True))


def test_its_player_plays_a_central_column_without_a_proof():
    player = SolverPlayer(solver=ConnectFourSolver(entries=1 << 10, most_nodes=100))
    assert player.choose(CONNECT4, CONNECT4.start_state().view(np.uint64)[None]).tolist() == [3]
    assert (player.moves, player.unproved) == (1, 1)


def test_its_player_counts_moves_without_a_proof(solver):
    player = SolverPlayer(solver=solver)
    player.choose(CONNECT4, np.stack([after(each["moves"]).state.view(np.uint64) for each in SOLVED[:3]]))
    assert (player.moves, player.unproved) == (3, 0)
    lucky = SolverPlayer(solver=ConnectFourSolver(entries=1 << 10, most_nodes=100))
    lucky.choose(CONNECT4, after("112233").state.view(np.uint64)[None])  # a win in one move
    assert (lucky.moves, lucky.unproved) == (1, 0)


def test_random_players_do_not_beat_it(solver):
    result = play_match([CONNECT4], SolverPlayer(solver=solver), RandomPlayer(1), pairs=10, seed=2, opening_actions=14)
    assert result.pairs[0] == 0, "losing both games of a pair would be a mistake in the opening"
    assert result.wins > result.losses


class Knowing:
    """A solver that knows the values of a position and after some of its columns."""

    order = (3, 2, 4, 1, 5, 0, 6)

    def __init__(self, position, value, after):
        self._known = {position.state.tobytes(): value}
        self._known |= {position.play(column).state.tobytes(): known for column, known in after.items()}

    def value(self, state):
        return self._known.get(state.tobytes())


@pytest.mark.parametrize("discs", ["", "4"])
def test_its_player_avoids_columns_proved_to_lose(discs):
    position = after(discs)
    lost = (-1, 1)[position.to_play]

    player = SolverPlayer(solver=Knowing(position, None, {3: lost, 4: 0}))
    assert player.choose(CONNECT4, position.state.view(np.uint64)[None]).tolist() == [2]
    assert (player.moves, player.unproved) == (1, 1)


@pytest.mark.parametrize("discs", ["", "4"])
@pytest.mark.parametrize(("worth", "chosen", "unproved"), [(0, 4, 0), (-1, 3, 0), (1, 2, 1)])
def test_its_player_plays_a_column_proved_to_keep_the_value(discs, worth, chosen, unproved):
    position = after(discs)
    sign = (1, -1)[position.to_play]

    player = SolverPlayer(solver=Knowing(position, sign * worth, {3: -sign, 4: 0}))
    assert player.choose(CONNECT4, position.state.view(np.uint64)[None]).tolist() == [chosen]
    assert (player.moves, player.unproved) == (1, unproved)
