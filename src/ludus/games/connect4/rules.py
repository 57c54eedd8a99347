"""The rules of Connect Four: columns are filled from below, four discs in a line win; and its mirror image."""

import numpy as np

from ludus.games.connect4.layout import COLUMNS, HEIGHT, NUM_DISCS, ONE, ROWS, has_four
from ludus.games.rules import DRAW, ONGOING, State


def start(state: State) -> None:
    """An empty board."""
    state[0] = state[1] = state[NUM_DISCS] = 0


def to_play(state: State) -> int:
    """The players take turns."""
    return int(state[NUM_DISCS]) & 1


def legal(state: State, actions: np.ndarray) -> int:
    """An action is a column, from the left; full columns are closed."""
    discs = np.uint64(state[0]) | np.uint64(state[1])
    count = 0
    for column in range(COLUMNS):
        if int(discs >> np.uint64(column * HEIGHT + ROWS - 1)) & 1 == 0:
            actions[count] = column
            count += 1
    return count


def play(state: State, action: int) -> None:
    """Adding a bit at the foot of a column carries up to the first free cell."""
    discs = np.uint64(state[0]) | np.uint64(state[1])
    foot = ONE << np.uint64(action * HEIGHT)
    column = ((ONE << np.uint64(ROWS)) - ONE) << np.uint64(action * HEIGHT)
    player = int(state[NUM_DISCS]) & 1
    state[player] = np.uint64(state[player]) | (((discs & column) + foot) & ~discs)
    state[NUM_DISCS] = np.uint64(state[NUM_DISCS]) + ONE


def outcome(state: State) -> int:
    """Only the player who moved last can have made four."""
    last = 1 - (int(state[NUM_DISCS]) & 1)
    if has_four(np.uint64(state[last])):
        return 1 + last
    return DRAW if int(state[NUM_DISCS]) == ROWS * COLUMNS else ONGOING


def symmetric_state(state: State, symmetry: int, out: State) -> None:  # noqa: ARG001 - there is one besides identity
    """The mirror image: columns in reverse."""
    mask = (ONE << np.uint64(HEIGHT)) - ONE
    for player in range(2):
        discs = np.uint64(state[player])
        mirrored = np.uint64(0)
        for column in range(COLUMNS):
            bits = (discs >> np.uint64(column * HEIGHT)) & mask
            mirrored |= bits << np.uint64((COLUMNS - 1 - column) * HEIGHT)
        out[player] = mirrored
    out[NUM_DISCS] = state[NUM_DISCS]


def symmetric_action(state: State, symmetry: int, action: int) -> int:  # noqa: ARG001
    """The mirrored column."""
    return COLUMNS - 1 - action
