"""Training batches: positions drawn from samples, turned by a random symmetry, encoded by the game's own rules.

Axes: B positions, A actions.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.kernel import Rules, entry
from ludus.store.samples import Samples
from ludus.viewpoint import turn


class Batch(NamedTuple):
    """What a training step sees."""

    planes: NDArray[np.uint8]  # [B, C, H, W]
    policy: NDArray[np.float32]  # [B, A] sums to 1, or to 0 where the search was a fast one
    outcome: NDArray[np.float32]  # [B, 3] target probabilities of win, draw and loss of the mover


def draw_batch(
    games: Sequence[Game], samples: Samples, indices: NDArray[np.int64], value_mix: float, rng: np.random.Generator
) -> Batch:
    """Build the batch of the positions `indices` [B].

    Args:
        games: the games of the run, to which `samples.game` points; their rules encode and turn the states.
        samples: the window.
        indices: which positions.
        value_mix: share of the search's value in the outcome target.
        rng: draws the symmetries.
    """
    game, count = games[0], len(indices)
    batch = Batch(
        planes=np.zeros((count, *game.planes), np.uint8),
        policy=np.zeros((count, game.num_actions), np.float32),
        outcome=np.zeros((count, 3), np.float32),
    )
    num_symmetries = np.array([each.num_symmetries for each in games])  # a board may have fewer than another
    symmetries = rng.integers(num_symmetries[samples.game[indices]])  # [B]
    _fill(
        game.rules,
        samples.states.view(game.dtype),
        game.empty_state(),
        samples.mover,
        samples.policy_start,
        samples.policy_action,
        samples.policy_weight,
        samples.outcome,
        samples.root_value,
        samples.root_draw,
        indices,
        symmetries,
        float(value_mix),
        batch.planes,
        batch.policy,
        batch.outcome,
    )
    return batch


@entry
def _fill(  # noqa: PLR0913 - compiled code takes arrays, not objects
    rules: Rules,
    states: np.ndarray,
    scratch: np.ndarray,
    mover: np.ndarray,
    policy_start: np.ndarray,
    policy_action: np.ndarray,
    policy_weight: np.ndarray,
    result: np.ndarray,
    root_value: np.ndarray,
    root_draw: np.ndarray,
    indices: np.ndarray,
    symmetries: np.ndarray,
    value_mix: float,
    planes: np.ndarray,
    policy: np.ndarray,
    outcome: np.ndarray,
) -> None:
    for row in range(indices.shape[0]):
        at, symmetry = int(indices[row]), int(symmetries[row])
        for i in range(scratch.shape[0]):
            scratch[i] = states[at, i]
        if symmetry > 0:
            rules.symmetric_state(states[at], symmetry, scratch)
        rules.encode(scratch, planes[row])
        for k in range(int(policy_start[at]), int(policy_start[at + 1])):
            action = int(policy_action[k])
            if symmetry > 0:
                action = int(rules.symmetric_action(states[at], symmetry, action))
            policy[row, action] += policy_weight[k]
        player = int(mover[at])
        value = turn(float(root_value[at]), player)
        drawn = float(root_draw[at])
        outcome[row, 0] = np.float32(value_mix * 0.5 * (1.0 - drawn + value))
        outcome[row, 1] = np.float32(value_mix * drawn)
        outcome[row, 2] = np.float32(value_mix * 0.5 * (1.0 - drawn - value))
        ended = int(result[at])
        seen = 1 if ended == 3 else (0 if ended == 1 + player else 2)
        outcome[row, seen] += np.float32(1.0 - value_mix)
