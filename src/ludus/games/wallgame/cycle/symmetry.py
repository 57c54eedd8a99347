"""The symmetries of animal-cycle: those of the other variants, and the images of jumps."""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.packed import field
from ludus.games.rules import State
from ludus.games.wallgame import layout
from ludus.games.wallgame.symmetry import image_of_step, symmetries


@cache
def cycle_symmetries(width: int) -> dict[str, Any]:
    """Build `symmetric_state` and `symmetric_action` for boards of at most `width` words of cells."""
    common = symmetries(width)
    image_of_action = common["symmetric_action"]

    def symmetric_action(state: State, symmetry: int, action: int) -> int:
        board = np.uint64(state[layout.BOARD])
        first = 2 * field(board, layout.FRAME_ROWS) * field(board, layout.FRAME_COLUMNS) + layout.NUM_STEPS + 1
        jump = action - first
        if jump < 0:
            return image_of_action(state, symmetry, action)
        one = image_of_step(symmetry, jump & 3)
        if jump & 7 < 4:
            return first + (jump & ~7) + one
        two = image_of_step(symmetry, (jump + 1) & 3)
        corner = one if two == (one + 1) & 3 else two  # a mirror image exchanges the two directions of a corner
        return first + (jump & ~7) + 4 + corner

    return common | {"symmetric_action": symmetric_action}
