"""The rules of Connect Four: discs fill columns from the bottom, four in a line win; one mirror symmetry."""

import numpy as np

from ludus.games.connect4.layout import COLUMNS, HEIGHT, NUM_DISCS, ROWS, has_four, mirrored
from ludus.games.packed import ONE
from ludus.games.rules import DRAW, ONGOING, State


def start(state: State) -> None:
    """Write an empty board."""
    state[0] = state[1] = state[NUM_DISCS] = 0


def to_play(state: State) -> int:
    """Return the player to move; the players alternate."""
    return int(state[NUM_DISCS]) & 1


def legal(state: State, actions: np.ndarray) -> int:
    """List the columns that are not full, numbered from the left."""
    discs = np.uint64(state[0]) | np.uint64(state[1])
    count = 0
    for column in range(COLUMNS):
        if int(discs >> np.uint64(column * HEIGHT + ROWS - 1)) & 1 == 0:
            actions[count] = column
            count += 1
    return count


def play(state: State, action: int) -> None:
    """Drop a disc: a bit added to the bottom of a column carries up to its first free cell."""
    discs = np.uint64(state[0]) | np.uint64(state[1])
    foot = ONE << np.uint64(action * HEIGHT)
    column = ((ONE << np.uint64(ROWS)) - ONE) << np.uint64(action * HEIGHT)
    player = int(state[NUM_DISCS]) & 1
    state[player] = np.uint64(state[player]) | (((discs & column) + foot) & ~discs)
    state[NUM_DISCS] = np.uint64(state[NUM_DISCS]) + ONE


def outcome(state: State) -> int:
    """Check for four in a line of the player who moved last, and for a full board."""
    last = 1 - (int(state[NUM_DISCS]) & 1)
    if has_four(np.uint64(state[last])):
        return 1 + last
    return DRAW if int(state[NUM_DISCS]) == ROWS * COLUMNS else ONGOING


def symmetric_state(state: State, symmetry: int, out: State) -> None:  # noqa: ARG001 - there is one besides identity
    """Write the mirror image: the columns in reverse order."""
    out[0], out[1] = mirrored(np.uint64(state[0])), mirrored(np.uint64(state[1]))
    out[NUM_DISCS] = state[NUM_DISCS]


def symmetric_action(state: State, symmetry: int, action: int) -> int:  # noqa: ARG001
    """Return the mirrored column."""
    return COLUMNS - 1 - action
