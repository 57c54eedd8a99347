"""The eight symmetries of a board within itself (`ludus.games.square`), at the top left of its frame.

Hashes cannot be mirrored, so a state keeps them and remembers how it was turned.
"""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.go.layout import (
    ACTION_BITS,
    FRAME,
    GAME,
    KO,
    NUM_RECENT,
    NUM_SETS,
    ONE,
    OPTIONS,
    PAST_BOARDS,
    RECENT,
    RULES,
    SETS,
    SHOWS_HISTORY,
    SIZE,
    TURNED,
)
from ludus.games.packed import field, with_field
from ludus.games.rules import State
from ludus.games.square import image
from ludus.kernel import lowest_bit


def inverse(symmetry: int) -> int:
    """Return the symmetry that undoes another one: a transposition makes of a mirror the other one."""
    if symmetry & 4 == 0:
        return symmetry
    return 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1


def both(first: int, second: int) -> int:
    """Return the symmetry that does what two of them do, one after the other."""
    mirrors = second & 3
    if first & 4:
        mirrors = (mirrors & 1) << 1 | mirrors >> 1
    return (first & 3 ^ mirrors) | (first ^ second) & 4


def original(point: int, state: State) -> int:
    """Return the number that a point has in the board as it was, which hashes are made of."""
    turned = field(np.uint64(state[GAME]), TURNED)
    if turned == 0:
        return point
    rules = np.uint64(state[RULES])
    return image(point, inverse(turned), field(rules, SIZE), field(rules, FRAME))


@cache
def symmetries(width: int) -> dict[str, Any]:
    """Return `symmetric_state` and `symmetric_action` for sets of `width` words."""

    def symmetric_state(state: State, symmetry: int, out: State) -> None:
        rules, options, game = np.uint64(state[RULES]), np.uint64(state[OPTIONS]), np.uint64(state[GAME])
        size, frame = field(rules, SIZE), field(rules, FRAME)
        for word in range(state.shape[0]):
            out[word] = state[word]
        num_sets = NUM_SETS + 2 * PAST_BOARDS * field(options, SHOWS_HISTORY)
        for number in range(num_sets):
            first = SETS + width * number
            for word in range(width):
                out[first + word] = np.uint64(0)
            for word in range(width):
                left = np.uint64(state[first + word])
                while left != np.uint64(0):
                    there = image(64 * word + lowest_bit(left), symmetry, size, frame)
                    at = first + (there >> 6)
                    out[at] = np.uint64(out[at]) | ONE << np.uint64(there & 63)
                    left &= left - ONE
        ko = field(game, KO)
        if ko > 0:
            game = with_field(game, KO, 1 + image(ko - 1, symmetry, size, frame))
        out[GAME] = with_field(game, TURNED, both(field(game, TURNED), symmetry))
        recent = np.uint64(state[RECENT])
        for back in range(NUM_RECENT):
            where = (ACTION_BITS * back, ACTION_BITS)
            action = field(recent, where) - 1
            if 0 <= action < frame * frame:
                recent = with_field(recent, where, 1 + image(action, symmetry, size, frame))
        out[RECENT] = recent

    def symmetric_action(state: State, symmetry: int, action: int) -> int:
        rules = np.uint64(state[RULES])
        frame = field(rules, FRAME)
        return action if action == frame * frame else image(action, symmetry, field(rules, SIZE), frame)

    return {"symmetric_state": symmetric_state, "symmetric_action": symmetric_action}
