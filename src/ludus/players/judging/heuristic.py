"""Evaluators without a network: the game's own heuristic, and random playouts; anchors and the first teacher."""

import math

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.games.rules import ONGOING
from ludus.kernel import Rules, entry, kernel
from ludus.network.evaluator import Logits, Outcomes
from ludus.search.random import uniform
from ludus.seeding import stream
from ludus.viewpoint import turn

# Spread of logits that decides an order and nothing else.  It is exponential: priors have 16 bits, in which the first
# of hundreds of actions are to differ, since equal ones are tried in the order of their numbers.
NEARLY_ALIKE = np.float32(0.01)


class HeuristicEvaluator:
    """Judges by a game's `heuristic` rule (all alike and 0.0 where a game has none)."""

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Judge states [B, W] of `game`; the logits of illegal actions are 0."""
        logits = np.zeros((len(words), game.num_actions), np.float32)
        outcomes = np.empty((len(words), 3), np.float32)
        states = np.ascontiguousarray(words).view(game.dtype)
        actions = np.zeros(game.max_legal, np.int16)
        weights = np.zeros(game.max_legal, np.float32)
        _judge(game.rules, states, actions, weights, logits, outcomes)
        return logits, outcomes


class PlayoutEvaluator:
    """Judges by random playouts, all actions alike: with it, the search is plain Monte Carlo tree search.

    Actions that are alike are tried in random order: the order of `legal` would favour one side of many games.
    """

    def __init__(self, *, playouts: int = 1, seed: int = 0) -> None:
        """Play `playouts` games from each leaf."""
        self._playouts, self._seed = playouts, seed
        self.restart()

    def restart(self, *path: int) -> None:
        """Begin the random streams anew: what is asked now is answered as if it were asked first.

        Args:
            path: names other streams of the same seed.
        """
        self._stream = np.random.SeedSequence(self._seed, spawn_key=path).generate_state(1, np.uint64)
        self._order = stream(self._seed, "playouts", "order", *path)

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Judge states [B, W] of `game`; a playout that does not end within the game's length cap is a draw."""
        outcomes = np.zeros((len(words), 3), np.float32)
        actions = np.zeros(game.max_legal, np.int16)
        scratch = game.empty_state()
        states = np.ascontiguousarray(words).view(game.dtype)
        _roll_out(game.rules, states, scratch, actions, self._stream, self._playouts, game.max_actions, outcomes)
        return NEARLY_ALIKE * self._order.standard_exponential((len(words), game.num_actions), np.float32), outcomes


class FallbackEvaluator:
    """Judges by the heuristic of a game that has one, else by random playouts."""

    def __init__(self) -> None:
        """Know both."""
        self._heuristic, self._playouts = HeuristicEvaluator(), PlayoutEvaluator()

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Judge states [B, W] of `game`."""
        chosen = self._heuristic if game.has_rule("heuristic") else self._playouts
        return chosen.evaluate_states(game, words)


@entry
def _judge(
    rules: Rules, states: np.ndarray, actions: np.ndarray, weights: np.ndarray, logits: np.ndarray, outcomes: np.ndarray
) -> None:
    for row in range(states.shape[0]):
        count = int(rules.legal(states[row], actions))
        value = float(rules.heuristic(states[row], actions, count, weights))
        for k in range(count):
            logits[row, int(actions[k])] = np.float32(math.log(max(float(weights[k]), 1e-6)))
        mover_value = turn(value, int(rules.to_play(states[row])))
        outcomes[row, 0] = np.float32(0.5 + 0.5 * mover_value)
        outcomes[row, 1] = np.float32(0.0)
        outcomes[row, 2] = np.float32(0.5 - 0.5 * mover_value)


@entry
def _roll_out(
    rules: Rules,
    states: np.ndarray,
    scratch: np.ndarray,
    actions: np.ndarray,
    stream: np.ndarray,
    playouts: int,
    max_actions: int,
    outcomes: np.ndarray,
) -> None:
    share = np.float32(1.0 / playouts)
    for row in range(states.shape[0]):
        mover = int(rules.to_play(states[row]))
        for _ in range(playouts):
            for i in range(scratch.shape[0]):
                scratch[i] = states[row, i]
            result = play_out(rules, scratch, actions, stream, max_actions)
            if result == 1 + mover:
                outcomes[row, 0] += share
            elif result == 2 - mover:
                outcomes[row, 2] += share
            else:
                outcomes[row, 1] += share


@kernel
def play_out(rules: Rules, state: np.ndarray, actions: np.ndarray, stream: np.ndarray, max_actions: int) -> int:
    """Play all actions alike from `state` [S], which is changed, and return the outcome's code.

    Args:
        rules: of the game.
        state: where it begins; the game may be over.
        actions: scratch for the legal actions.  # [L]
        stream: the random stream.  # [1]
        max_actions: after so many the outcome is ONGOING still, which is no win for anybody.
    """
    result, left = int(rules.outcome(state)), max_actions
    while result == ONGOING and left > 0:
        count = int(rules.legal(state, actions))
        rules.play(state, int(actions[int(uniform(stream) * count)]))
        result = int(rules.outcome(state))
        left -= 1
    return result
