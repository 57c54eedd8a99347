"""Positions of a network's games against itself, as planes and legal actions, to compare evaluators on them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.calls import RULES
from ludus.games.game import Game
from ludus.games.rules import ONGOING, State
from ludus.network.evaluator import Evaluator, Planes, evaluate
from ludus.seeding import stream

BOARDS = 64  # games played side by side
RANDOM_ACTIONS = 4  # a game begins with at most this many random actions
MOST_TURNS = 8  # positions evaluated for each wanted one, before a game counts as too small


class OwnPositions(NamedTuple):
    """K different positions in random order."""

    states: NDArray[np.uint64]  # [K, words]
    planes: Planes  # [K, C, H, W]
    legal: NDArray[np.bool_]  # [K, A]


def own_positions(evaluator: Evaluator, game: Game, count: int, *, seed: int = 0) -> OwnPositions:
    """Let a network play against itself without a search, and return positions with different planes.

    Each action is drawn by the network's policy, the first few of a game at random.

    Args:
        evaluator: the network.
        game: a game that it plays.
        count: number of positions wanted; there are fewer if the game has too few.
        seed: chooses setups and actions.
    """
    rng, calls = stream(seed, "own-positions", game.name), game.calls
    boards = [_new_game(game, rng) for _ in range(BOARDS)]
    found: dict[bytes, tuple[NDArray[np.uint64], Planes, NDArray[np.bool_]]] = {}
    for _ in range(-(-MOST_TURNS * count // BOARDS)):
        planes, legal = np.zeros((BOARDS, *game.planes), np.uint8), np.zeros((BOARDS, game.num_actions), np.bool_)
        for number, board in enumerate(boards):
            RULES["encode"].entry(game.rules, board.state, planes[number])
            legal[number, calls.legal(board.state)] = True
            found[planes[number].tobytes()] = board.state.view(np.uint64).copy(), planes[number], legal[number]
        logits, _ = evaluate(evaluator, planes)
        for number, board in enumerate(boards):
            action = _drawn(logits[number], legal[number], rng, is_random=board.played < board.random)
            state, played = calls.play(board.state, action), board.played + 1
            is_over = calls.outcome(state) != ONGOING or played >= game.max_actions
            boards[number] = _new_game(game, rng) if is_over else _BegunGame(state, played, board.random)
        if len(found) >= count:
            break
    chosen = [[*found.values()][index] for index in rng.permutation(len(found))[:count]]
    states, planes, legal = (np.stack(part) for part in zip(*chosen, strict=True))
    return OwnPositions(states, planes, legal)


class _BegunGame(NamedTuple):
    state: State
    played: int
    random: int
    """Number of random actions at the start."""


def _new_game(game: Game, rng: np.random.Generator) -> _BegunGame:
    return _BegunGame(game.start_state(game.draw_setup(rng)), 0, int(rng.integers(RANDOM_ACTIONS + 1)))


def _drawn(logits: NDArray[np.float32], legal: NDArray[np.bool_], rng: np.random.Generator, *, is_random: bool) -> int:
    """Return a legal action, drawn by the policy or at random."""
    actions = np.flatnonzero(legal)
    if is_random:
        return int(rng.choice(actions))
    shares = np.exp(logits[actions].astype(np.float64) - logits[actions].max())
    return int(rng.choice(actions, p=shares / shares.sum()))
