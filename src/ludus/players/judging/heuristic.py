"""Evaluators without a network: they evaluate states by the game's heuristic or by random playouts.

They anchor ratings and are the first teachers of self-play.
"""

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadGame
from ludus.games.game import Game
from ludus.games.rules import ONGOING
from ludus.kernel import Rules, entry, kernel
from ludus.network.evaluator import Logits, Outcomes, Planes
from ludus.search.random import uniform
from ludus.search.tree import Trees
from ludus.seeding import stream
from ludus.viewpoint import turn


class StateEvaluator(Protocol):
    """Interface of an evaluator that reads states instead of planes."""

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Evaluate unfinished states [B, W] of `game`."""
        ...


class StateLane:
    """The lane of an evaluator that reads states, which it takes from the search trees."""

    def __init__(self, game: Game, evaluator: StateEvaluator, batch: int, trees: Callable[[], Trees]) -> None:
        """Allocate rows without planes, since this evaluator does not read them."""
        self.planes: Planes = np.zeros((batch, 0, 0, 0), np.uint8)
        self._game, self._evaluator, self._trees = game, evaluator, trees
        self._count = 0

    def submit(self, count: int) -> None:
        """Set the number of rows of the batch."""
        self._count = count

    def answer(self) -> tuple[Logits, Outcomes]:
        """Evaluate the states of the batch; raise BadGame if the results are not finite."""
        t = self._trees()
        rows = t.row[: self._count]
        places = t.path[rows["path"], rows["depth"]]  # [B]
        words = t.words[rows["tree"], t.child["node"][rows["tree"], places]]  # [B, W]
        game, kind = self._game, type(self._evaluator).__name__
        # Compiled code would misread arrays of another type or memory order.
        answers = self._evaluator.evaluate_states(game, words)
        logits, outcomes = (np.ascontiguousarray(each, np.float32) for each in answers)
        if not np.isfinite(float(logits.sum()) + float(outcomes.sum())):
            raise BadGame(
                f"{game.name}: {kind} answers with numbers that are not finite; if the game has a heuristic, run "
                f"`ludus check {game.name}` to find its fault."
            )
        return logits, outcomes


# Spread of random logits that only decides the order of actions.  It is exponential, so that the priors of the first of
# hundreds of actions differ even in 16 bits; equal priors would be tried in the order of action numbers.
NEARLY_ALIKE = np.float32(0.01)


class HeuristicEvaluator:
    """Evaluates by a game's `heuristic` rule; without one, all actions are equal and the value is 0.0."""

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Evaluate states [B, W] of `game`; the logits of illegal actions are 0."""
        logits = np.zeros((len(words), game.num_actions), np.float32)
        outcomes = np.empty((len(words), 3), np.float32)
        states = np.ascontiguousarray(words).view(game.dtype)
        actions = np.zeros(game.max_legal, np.int16)
        weights = np.zeros(game.max_legal, np.float32)
        _judge(game.rules, states, actions, weights, logits, outcomes)
        return logits, outcomes


class PlayoutEvaluator:
    """Evaluates by uniformly random playouts, which makes the search plain Monte Carlo tree search.

    Actions are tried in random order, since the order of `legal` would favour one side in many games.
    """

    def __init__(self, *, playouts: int = 1, seed: int = 0) -> None:
        """Play `playouts` random games from each leaf."""
        self._playouts, self._seed = playouts, seed
        self.restart()

    def restart(self, *path: int) -> None:
        """Reset the random streams, so that results do not depend on earlier calls.

        Args:
            path: selects other streams of the same seed.
        """
        self._stream = np.random.SeedSequence(self._seed, spawn_key=path).generate_state(1, np.uint64)
        self._order = stream(self._seed, "playouts", "order", *path)

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Evaluate states [B, W] of `game`; a playout that reaches the game's length cap counts as a draw."""
        outcomes = np.zeros((len(words), 3), np.float32)
        actions = np.zeros(game.max_legal, np.int16)
        scratch = game.empty_state()
        states = np.ascontiguousarray(words).view(game.dtype)
        _roll_out(game.rules, states, scratch, actions, self._stream, self._playouts, game.max_actions, outcomes)
        return NEARLY_ALIKE * self._order.standard_exponential((len(words), game.num_actions), np.float32), outcomes


class FallbackEvaluator:
    """Evaluates by the game's heuristic if it has one, else by random playouts."""

    def __init__(self) -> None:
        """Create both evaluators."""
        self._heuristic, self._playouts = HeuristicEvaluator(), PlayoutEvaluator()

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Evaluate states [B, W] of `game`."""
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
    """Play uniformly random actions from `state` [S], in place, and return the outcome's code.

    Args:
        rules: rules of the game.
        state: start of the playout, overwritten; the game may be over.
        actions: scratch for the legal actions.  # [L]
        stream: the random stream.  # [1]
        max_actions: limit of actions; a longer playout returns ONGOING.
    """
    result, left = int(rules.outcome(state)), max_actions
    while result == ONGOING and left > 0:
        count = int(rules.legal(state, actions))
        rules.play(state, int(actions[int(uniform(stream) * count)]))
        result = int(rules.outcome(state))
        left -= 1
    return result
