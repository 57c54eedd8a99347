"""The eight symmetries of a board (`ludus.games.packed`) at the top left of its frame.

Hashes cannot be mirrored, so a state keeps the original ones and stores the symmetry applied to it.
"""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.go import layout
from ludus.games.packed import ONE, field, image, read_field, with_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit


def inverse(symmetry: int) -> int:
    """Return the inverse of a symmetry; with a transposition, the two mirrors swap."""
    if symmetry & 4 == 0:
        return symmetry
    return 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1


def both(first: int, second: int) -> int:
    """Return the composition of two symmetries."""
    mirrors = second & 3
    if first & 4:
        mirrors = (mirrors & 1) << 1 | mirrors >> 1
    return (first & 3 ^ mirrors) | (first ^ second) & 4


def original(point: int, state: State) -> int:
    """Return a point's number on the original board, which the hashes refer to."""
    turned = read_field(state, layout.TURNED)
    if turned == 0:
        return point
    rules = np.uint64(state[layout.RULES])
    return image(point, inverse(turned), field(rules, layout.SIZE), field(rules, layout.FRAME))


@cache
def symmetries(width: int) -> dict[str, Any]:
    """Build `symmetric_state` and `symmetric_action` for sets of points in `width` words."""

    def symmetric_state(state: State, symmetry: int, out: State) -> None:
        rules, game = np.uint64(state[layout.RULES]), np.uint64(state[layout.GAME])
        options = np.uint64(state[layout.OPTIONS])
        size, frame = field(rules, layout.SIZE), field(rules, layout.FRAME)
        for word in range(state.shape[0]):
            out[word] = state[word]
        num_sets = layout.NUM_SETS + 2 * layout.PAST_BOARDS * field(options, layout.SHOWS_HISTORY)
        for number in range(num_sets):
            first = layout.SETS + width * number
            for word in range(width):
                out[first + word] = np.uint64(0)
            for word in range(width):
                left = np.uint64(state[first + word])
                while left != np.uint64(0):
                    there = image(64 * word + lowest_bit(left), symmetry, size, frame)
                    at = first + (there >> 6)
                    out[at] = np.uint64(out[at]) | ONE << np.uint64(there & 63)
                    left &= left - ONE
        ko = field(game, layout.KO)
        if ko > 0:
            game = with_field(game, layout.KO, 1 + image(ko - 1, symmetry, size, frame))
        out[layout.GAME] = with_field(game, layout.TURNED, both(field(game, layout.TURNED), symmetry))
        recent = np.uint64(state[layout.RECENT])
        for back in range(layout.NUM_RECENT):
            where = (layout.ACTION_BITS * back, layout.ACTION_BITS, layout.RECENT)
            action = field(recent, where) - 1
            if 0 <= action < frame * frame:
                recent = with_field(recent, where, 1 + image(action, symmetry, size, frame))
        out[layout.RECENT] = recent

    def symmetric_action(state: State, symmetry: int, action: int) -> int:
        rules = np.uint64(state[layout.RULES])
        frame = field(rules, layout.FRAME)
        return action if action == frame * frame else image(action, symmetry, field(rules, layout.SIZE), frame)

    return {"symmetric_state": symmetric_state, "symmetric_action": symmetric_action}
