"""The probe: compares a new network's output on its generation's games with the search and the results.

It shares no code with the learner's batches and losses, so it exposes faults in them.
Axes: K positions, A actions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS
from ludus.kernel import Rules, entry
from ludus.loop.directory.lines import NetworkProbe, Side
from ludus.network.evaluator import Evaluator, evaluate
from ludus.seeding import stream
from ludus.store import Samples

POSITIONS = 2048  # maximum
_BATCH = 256
UNKNOWN = 1e3  # a standard error that no figure exceeds


def probe(games: Sequence[Game], evaluator: Evaluator, samples: Samples, seed: int) -> NetworkProbe:
    """Evaluate up to `POSITIONS` positions with the network and compare the results.

    Args:
        games: the games of the run; `samples.game` is an index into them.
        evaluator: evaluates with the new network.
        samples: positions of the generation.
        seed: chooses the positions.
    """
    rng = stream(seed, "probe")
    chosen = np.sort(rng.permutation(len(samples))[:POSITIONS])
    samples, game = samples.take(chosen), games[0]
    count = len(samples)
    planes = np.zeros((count, *game.planes), np.uint8)
    legal = np.zeros((count, game.num_actions), np.bool_)  # [K, A]
    states = np.ascontiguousarray(samples.states).view(game.dtype)
    _look(game.rules, states, np.zeros(game.max_legal, np.int16), planes, legal)
    answers = [evaluate(evaluator, planes[first : first + _BATCH]) for first in range(0, count, _BATCH)]
    logits = np.where(legal, np.concatenate([policy for policy, _ in answers]), -np.inf).astype(np.float64)  # [K, A]
    outcomes = np.concatenate([outcome for _, outcome in answers])  # [K, 3]
    top = logits.max(axis=1, keepdims=True)
    log_policy = logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True))  # [K, A]
    target = np.zeros((count, game.num_actions))  # [K, A]
    rows = np.repeat(np.arange(count), np.diff(samples.policy_start))
    np.add.at(target, (rows, samples.policy_action), samples.policy_weight)
    sign = np.where(samples.mover == 0, 1.0, -1.0)  # convert the mover's view to player 0's
    value = sign * (outcomes[:, 0] - outcomes[:, 2])  # [K]
    result = np.where(samples.outcome == DRAW, 0.0, np.where(samples.outcome == FIRST_WINS, 1.0, -1.0))  # [K]
    choices = np.maximum(legal.sum(axis=1), 1)  # [K]
    full = (target.sum(axis=1) > 0) & (choices > 1)  # fully searched, with several legal actions
    sides: list[Side] = []
    for player in (0, 1):
        own = samples.mover == player
        taught = own & full
        gain = _gain(target[taught], log_policy[taught], legal[taught], samples.game_id[taught])
        of_value = _correlation(value[own], result[own], samples.game_id[own])
        of_search = _correlation(samples.root_value[own], result[own], samples.game_id[own])
        sides.append(
            Side(
                positions=int(own.sum()),
                policy_gain=gain.figure,
                value_agreement=of_value.figure,
                search_agreement=of_search.figure,
                legal_weight=float((target * legal)[taught].sum() / target[taught].sum()) if taught.any() else 1.0,
                is_taught=bool(taught.any()),
                policy_error=gain.error,
                value_error=of_value.error,
                search_error=of_search.error,
            )
        )
    most = np.log(choices[full])  # [fully searched positions]
    return NetworkProbe(
        positions=count,
        entropy=float((_entropy(np.exp(log_policy[full])) / most).mean()) if full.any() else 1.0,
        target_entropy=float((_entropy(target[full]) / most).mean()) if full.any() else 1.0,
        value_std=float(value.std()),
        outcome_std=float(result.std()),
        sides=sides,
    )


def moved(old: dict[str, NDArray[Any]], new: dict[str, NDArray[Any]]) -> dict[str, float]:
    """Return the relative change of the weights in each part of a network.

    Args:
        old: arrays of a checkpoint, by torch's names.
        new: arrays of the next checkpoint; arrays whose shape changed are ignored.
    """
    parts: dict[str, list[float]] = {}
    for name, array in new.items():
        if name in old and old[name].shape == array.shape and array.ndim > 1:
            squares = parts.setdefault(name.split(".")[0], [0.0, 0.0])
            squares[0] += float(((array - old[name]) ** 2).sum())
            squares[1] += float((old[name] ** 2).sum())
    return {name: (change / max(1e-30, size)) ** 0.5 for name, (change, size) in parts.items()}


@entry
def _look(rules: Rules, states: np.ndarray, actions: np.ndarray, planes: np.ndarray, legal: np.ndarray) -> None:
    for row in range(states.shape[0]):
        rules.encode(states[row], planes[row])
        count = int(rules.legal(states[row], actions))
        for k in range(count):
            legal[row, int(actions[k])] = True


class _Measured(NamedTuple):
    figure: float
    error: float
    """Standard error, by a jackknife over games: positions of one game are no independent samples."""


def _gain(
    target: NDArray[np.float64], log_policy: NDArray[np.float64], legal: NDArray[np.bool_], game: NDArray[np.integer]
) -> _Measured:
    """Return 1 - KL(target, policy) / KL(target, uniform) over positions [K, A]; 0 if all targets are uniform."""
    on = (target > 0) & legal
    log_target = np.log(np.where(on, target, 1.0))
    log_uniform = np.broadcast_to(-np.log(np.maximum(legal.sum(axis=1, keepdims=True), 1)), target.shape)
    weight = np.where(on, target, 0.0)
    sums = _by_game(
        game,
        (weight * (log_target - log_uniform)).sum(axis=1),
        (weight * np.where(on, log_target - log_policy, 0.0)).sum(axis=1),
    )  # [2, G]

    def gain(from_uniform: NDArray[np.float64], from_policy: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(from_uniform > 1e-9, 1.0 - from_policy / np.maximum(from_uniform, 1e-9), 0.0)

    return _jackknife(sums, gain)


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    return -(shares * np.log(np.where(shares > 0, shares, 1.0))).sum(axis=1)  # [K]


def _correlation(one: NDArray[np.floating], other: NDArray[np.floating], game: NDArray[np.integer]) -> _Measured:
    """Return the correlation of two arrays [K], 0 if one of them is constant."""
    x, y = (each - each.mean() if len(each) else each for each in (one.astype(np.float64), other.astype(np.float64)))
    sums = _by_game(game, np.ones_like(x), x, y, x * x, y * y, x * y)  # [6, G]

    def correlation(*moments: NDArray[np.float64]) -> NDArray[np.float64]:
        n, sx, sy, sxx, syy, sxy = moments
        n = np.maximum(n, 1.0)
        spreads = np.maximum(sxx - sx * sx / n, 0.0) * np.maximum(syy - sy * sy / n, 0.0)
        varies = spreads > (1e-9 * n) ** 2
        found = np.where(varies, (sxy - sx * sy / n) / np.sqrt(np.where(varies, spreads, 1.0)), 0.0)
        return np.clip(found, -1.0, 1.0)  # beyond it by rounding

    return _jackknife(sums, correlation)


def _by_game(game: NDArray[np.integer], *terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums of terms [K] over the positions of each game, as [terms, G]."""
    which = np.unique(game, return_inverse=True)[1]
    return np.array([np.bincount(which, each) for each in terms], np.float64)


def _jackknife(sums: NDArray[np.float64], figure: Callable[..., NDArray[np.float64]]) -> _Measured:
    """Return a figure of sums over games [terms, G], and its error from leaving out each game in turn.

    The error is `UNKNOWN` for fewer than two games.
    """
    whole, games = sums.sum(axis=1), sums.shape[1]
    without = figure(*(whole[:, None] - sums))  # [G]
    error = float(np.sqrt((games - 1) * without.var())) if games > 1 else UNKNOWN
    return _Measured(float(figure(*whole[:, None])[0]), error)
