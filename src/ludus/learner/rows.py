"""Rows of training batches in compiled code: encoded planes, and targets of all heads.

Axes: B rows of a batch, N positions of a part of the window, V visited actions of all positions, K horizons,
A actions, C planes of H by W cells, M maps, S numbers of a state.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.rules import ONGOING
from ludus.kernel import Rules, entry, kernel
from ludus.store.samples import NO_ACTION
from ludus.viewpoint import turn


class Batch(NamedTuple):
    """A training batch; auxiliary targets that are not trained have no rows."""

    planes: NDArray[np.uint8]  # [B, C, H, W]
    mover: NDArray[np.uint8]  # [B]
    policy: NDArray[np.float32]  # [B, A] sums to 1, or to 0 after a fast search
    outcome: NDArray[np.float32]  # [B, 3] target chances of win, draw and loss for the mover
    reply: NDArray[np.float32]  # [B, A] policy of the opponent's next position; 0 if there is none
    short_values: NDArray[np.float32]  # [B, K, 3] chances of win, draw and loss for the mover, some actions later
    moves_left: NDArray[np.float32]  # [B] log(1 + number of remaining actions)
    maps: NDArray[np.uint8]  # [B, M, H, W] the final maps, from the mover's view
    maps_known: NDArray[np.float32]  # [B] 1, or 0 if the game was resigned


class Past(NamedTuple):
    """Arrays of `Samples`, as compiled code takes them."""

    states: NDArray[np.generic]  # [N, S] in the game's dtype
    game: NDArray[np.uint8]  # [N]
    ply: NDArray[np.int16]  # [N]
    mover: NDArray[np.uint8]  # [N]
    action: NDArray[np.int16]  # [N]
    policy_start: NDArray[np.int32]  # [N + 1]
    policy_action: NDArray[np.int16]  # [V]
    policy_weight: NDArray[np.float32]  # [V]
    outcome: NDArray[np.uint8]  # [N]
    root_value: NDArray[np.float32]  # [N]
    root_draw: NDArray[np.float32]  # [N]
    game_id: NDArray[np.int64]  # [N]
    weight: NDArray[np.float32]  # [N] 0: added after the end or resignation of the game, for its final maps


@entry
def fill_rows(  # noqa: PLR0913 - one call for all rows of a part
    rules: Rules,
    past: Past,
    batch: Batch,
    rows: np.ndarray,
    places: np.ndarray,
    chances: np.ndarray,
    num_symmetries: np.ndarray,
    horizons: np.ndarray,
    value_mix: float,
    scratch: np.ndarray,
) -> None:
    """Fill some rows of a batch.

    Args:
        rules: the game's rules.
        past: the samples.
        batch: the batch to fill; its arrays contain zeros.
        rows: numbers of the rows.  # [R]
        places: positions in `past` for these rows.  # [R]
        chances: random numbers in [0, 1) that choose the symmetries.  # [R]
        num_symmetries: number of symmetries of each game.  # [games]
        horizons: horizons of the short-term values.  # [K]
        value_mix: share of the search's value in the outcome target.
        scratch: memory for two states.  # [2, S]
    """
    for index in range(rows.shape[0]):
        row, at = int(rows[index]), int(places[index])
        symmetry = int(float(chances[index]) * float(num_symmetries[int(past.game[at])]))
        for i in range(scratch.shape[1]):
            scratch[0, i] = past.states[at, i]
        if symmetry > 0:
            rules.symmetric_state(past.states[at], symmetry, scratch[0])
        rules.encode(scratch[0], batch.planes[row])
        batch.mover[row] = past.mover[at]
        write_policy(rules, past, at, symmetry, batch.policy[row])
        player = int(past.mover[at])
        add_outcome(past, at, 1.0 - value_mix, player, batch.outcome[row])
        add_value(past, at, value_mix, player, batch.outcome[row])
        if batch.reply.shape[0] > 0:
            answer = next_turn(past, at)
            if answer >= 0:
                write_policy(rules, past, answer, symmetry, batch.reply[row])
        if batch.short_values.shape[0] > 0:
            for k in range(horizons.shape[0]):
                look_ahead(past, at, float(horizons[k]), batch.short_values[row, k])
        if batch.moves_left.shape[0] > 0:
            last = last_played(past, at)
            left = last - at + (0 if past.action[last] == NO_ACTION else 1)  # resigning is not an action
            batch.moves_left[row] = np.float32(math.log(1.0 + float(left)))
        if batch.maps.shape[0] > 0 and end_game(rules, past, at, symmetry, scratch):
            rules.final_maps(scratch[0], player, batch.maps[row])
            batch.maps_known[row] = 1.0


@kernel
def write_policy(rules: Rules, past: Past, at: int, symmetry: int, policy: np.ndarray) -> None:
    """Add the policy target of position `at` to `policy` [A], under a symmetry."""
    for k in range(int(past.policy_start[at]), int(past.policy_start[at + 1])):
        action = int(past.policy_action[k])
        if symmetry > 0:
            action = int(rules.symmetric_action(past.states[at], symmetry, action))
        policy[action] += past.policy_weight[k]


@kernel
def add_outcome(past: Past, at: int, share: float, player: int, chances: np.ndarray) -> None:
    """Add `share` of the game's result to `chances` [3] of win, draw and loss for `player`."""
    ended = int(past.outcome[at])
    seen = 1 if ended == 3 else (0 if ended == 1 + player else 2)
    chances[seen] += np.float32(share)


@kernel
def add_value(past: Past, at: int, share: float, player: int, chances: np.ndarray) -> None:
    """Add `share` of the search's value of position `at` to `chances` [3] of win, draw and loss for `player`."""
    value, drawn = turn(float(past.root_value[at]), player), float(past.root_draw[at])
    chances[0] += np.float32(share * 0.5 * (1.0 - drawn + value))
    chances[1] += np.float32(share * drawn)
    chances[2] += np.float32(share * 0.5 * (1.0 - drawn - value))


@kernel
def next_of_game(past: Past, at: int) -> int:
    """Return the index of the position after `at` in its game, or -1 if it is the last."""
    after = at + 1
    if after < past.ply.shape[0] and past.game_id[after] == past.game_id[at] and past.ply[after] == past.ply[at] + 1:
        return after
    return -1


@kernel
def last_of_game(past: Past, at: int) -> int:
    """Return the index of the last position in the game of `at`."""
    while next_of_game(past, at) >= 0:
        at += 1
    return at


@kernel
def last_played(past: Past, at: int) -> int:
    """Return the index of the last position in the game of `at`, without added endings."""
    after = next_of_game(past, at)
    while after >= 0 and float(past.weight[after]) > 0.0:
        at = after
        after = next_of_game(past, at)
    return at


@kernel
def next_turn(past: Past, at: int) -> int:
    """Return the index of the opponent's next position, or -1 if the game ends first."""
    after = at
    while after >= 0 and past.mover[after] == past.mover[at]:
        after = next_of_game(past, after)
    return after


@kernel
def look_ahead(past: Past, at: int, horizon: float, chances: np.ndarray) -> None:
    """Add the search values after position `at`, with exponentially decreasing weights, to `chances` [3].

    Each weight is 1 - 1/horizon times the one before, so the mean is `horizon` actions ahead; the game's result gets
    the rest.  Source: KataGo's short-term value targets (KataGoMethods).
    """
    player, left, after = int(past.mover[at]), 1.0, next_of_game(past, at)
    while after >= 0:
        add_value(past, after, left / horizon, player, chances)
        left *= 1.0 - 1.0 / horizon
        after = next_of_game(past, after)
    add_outcome(past, at, left, player, chances)


@kernel
def end_game(rules: Rules, past: Past, at: int, symmetry: int, scratch: np.ndarray) -> bool:
    """Write the final state of the game of `at`, under a symmetry, to `scratch[0]`; return False if it is unknown.

    It is unknown if the game was resigned or stopped at its length cap.
    """
    last = last_of_game(past, at)
    if past.action[last] == NO_ACTION:
        return False
    for i in range(scratch.shape[1]):
        scratch[0, i] = scratch[1, i] = past.states[last, i]
    rules.play(scratch[1], int(past.action[last]))
    if int(rules.outcome(scratch[1])) == ONGOING:
        return False
    if symmetry > 0:
        rules.symmetric_state(scratch[1], symmetry, scratch[0])
    else:
        for i in range(scratch.shape[1]):
            scratch[0, i] = scratch[1, i]
    return True
