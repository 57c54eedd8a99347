"""Go past the length cap of training: seats, their pools, evaluation files, and a game in the terminal."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.cli.games import play as play_command
from ludus.games.behaviour import behaviour
from ludus.games.go.layout import LIMIT, PLY
from ludus.games.packed import read_field
from ludus.games.rules import FIRST_WINS
from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.judging.recall import Recall, state_key
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.thinking.group import shape_of
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.seat import Move, Seat
from ludus.seeding import stream

GO = ludus.game("go:3x3:komi=0")


def stones_alone(position, rng):
    """Return a random legal stone, or a pass if there is none; the pass is the last action."""
    some = position.actions[:-1] or position.actions
    return some[int(rng.integers(len(some)))]


class Orders:
    """A pool that records its orders."""

    max_visits = 100

    def __init__(self):
        self.orders = []

    def enqueue(self, _seat, order, later=False):
        del later
        self.orders.append(order)


def test_a_tree_is_kept_from_move_to_move_except_after_a_renewal():
    orders, rng = Orders(), stream(1, "test", "seat")
    seat, positions = Seat(orders, GO.start()), []
    while len(positions) < 40:
        seat.play(stones_alone(seat.position, rng))
        positions.append(seat.position)
    moves = [order for order in orders.orders if isinstance(order, Move)]
    assert [move.keeps for move in moves] == [not position.is_renewed for position in positions]
    assert 0 < sum(move.keeps for move in moves) < 40


def test_the_length_cap_of_training_is_no_draw_in_play():
    position = ludus.game("tictactoe").start()
    for move in ("a1", "b1", "a3", "a2"):
        position = position.play(move)
    position.num_actions_played = position.game.max_actions - 1  # as if many actions had been played
    seat = HeuristicMind("playouts", slots=1, max_visits=400).seat(position)
    assert seat.think(400).proof == FIRST_WINS
    seat.play(position.parse("c3")[0])
    assert seat.think(400).proof == FIRST_WINS, "also beyond the length cap"


def test_searches_continue_to_the_real_end_and_keep_length_caps_apart():
    script = Path(__file__).parent / "search_long_games.py"
    subprocess.run([sys.executable, script], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=True, timeout=1100)


def test_games_of_two_lengths_are_searched_in_pools_of_their_own():
    short, long = map(ludus.game, ["go:5x5:plies=4", "go:5x5:plies=60"])
    assert short.rules.key == long.rules.key
    assert shape_of(short) != shape_of(long)
    mind = HeuristicMind("heuristic", slots=1, max_visits=20)
    assert mind.seat(short.start()).pool is not mind.seat(long.start()).pool
    player = SearchPlayer("p", mind.evaluator, visits=2)
    assert player._group_for(short, 1) is not player._group_for(long, 1)


# ---- evaluation files ------------------------------------------------------------------------------------------------


@pytest.fixture
def mind():
    info = ModelInfo("plain", NetworkSettings(), Shapes.of(GO), {GO.name: behaviour(GO)})
    mind = Mind(Checkpoint(info, {}), UniformEvaluator(info.shapes))
    yield mind
    mind.close()


def test_a_file_serves_only_games_of_its_own_length_cap(mind, tmp_path):
    mind.attach(tmp_path / "go.ev", "append")
    assert isinstance(mind.evaluator_of(GO), Recall)
    assert mind.evaluator_of(ludus.game("go:3x3:komi=0:plies=40")) is mind.evaluator


def test_keys_of_states_within_the_length_cap_depend_only_on_the_rules():
    position, rng = GO.start(), stream(3, "test", "keys")
    state = position.state
    while read_field(state, LIMIT) - read_field(state, PLY) > 5:
        assert state_key(position.state.view(np.uint64)) == state_key(state.view(np.uint64))
        action = stones_alone(position, rng)
        state, position = GO.calls.play(state, action), position.play(action)
    assert position.num_actions_played == 13


# ---- in the terminal -------------------------------------------------------------------------------------------------


def test_a_game_in_the_terminal_continues_beyond_the_length_cap(monkeypatch):
    rng = stream(7, "test", "terminal")

    def answer(position, _human, _foe):
        return None if position.num_actions_played >= 40 else position.play(stones_alone(position, rng))

    class Stones:
        name = "stones"

        def choose(self, game, states):
            legal = game.calls.legal(states[0].view(game.dtype))
            return np.array([rng.choice(legal[:-1] or legal)])

    monkeypatch.setattr(play_command, "_ask", answer)
    position = play_command._play(ludus.game("go:4x4").start(), Stones(), 0)
    assert position.num_actions_played >= 40
    assert not position.outcome
