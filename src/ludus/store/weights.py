"""Sampling weights of positions: higher for surprising positions, lower for duplicates, zero for validation.

Axes: N positions.
"""

import numpy as np
from numpy.typing import NDArray

from ludus.store.samples import Samples


def surprise_weights(samples: Samples, share: float) -> NDArray[np.float32]:
    """Return the samples' weights [N], with a share of each game's weight redistributed in proportion to surprise.

    Only positions with a policy target take part, and each game keeps its total weight.
    Source: KataGo's "policy surprise weighting" (KataGoMethods), where the share is 0.5.

    Args:
        samples: the positions of whole games.
        share: the redistributed share of the weight: 0 changes nothing; 1 makes weights proportional to surprise.
    """
    weights = samples.weight.astype(np.float64)
    taught = np.diff(samples.policy_start) > 0  # [N]
    _, game = np.unique(samples.game_id, return_inverse=True)  # [N] 0, 1, 2 ...
    surprise = np.where(taught, samples.surprise * weights, 0.0)  # [N]
    shared = np.bincount(game, np.where(taught, weights, 0.0) * share)  # [games] weight to redistribute
    total = np.bincount(game, surprise)  # [games]
    gain = np.where(total > 0.0, shared / np.maximum(total, 1e-30), 0.0)[game] * surprise  # [N]
    kept = np.where(taught & (total > 0.0)[game], 1.0 - share, 1.0)  # [N]
    return (weights * kept + gain).astype(np.float32)


def hash_positions(samples: Samples) -> NDArray[np.uint64]:
    """Return a hash [N] of each position's state and game; equal positions have equal hashes."""
    mixed = np.zeros(len(samples), np.uint64)  # [N]
    with np.errstate(over="ignore"):
        for word in (samples.game.astype(np.uint64), *samples.states.T):  # splitmix64, a word at a time
            mixed = (mixed ^ word) + np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
    return mixed


def duplicate_weights(hashes: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Return 1 / (number of occurrences) for each position [N], so that duplicates together count as one."""
    _, kind, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    return (1.0 / counts[kind]).astype(np.float32)


def held_out(samples: Samples, share: float) -> NDArray[np.bool_]:
    """Return which positions [N] belong to validation games, which are never trained on.

    A hash of the game's id decides, so the choice is the same at every reading.
    """
    with np.errstate(over="ignore"):
        mixed = (samples.game_id.view(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return (mixed >> np.uint64(40)).astype(np.float64) / 2.0**24 < share
