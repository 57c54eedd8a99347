"""The network's input for Connect Four: planes [C, ROWS, COLUMNS] of 0 and 1, with row 0 at the top.

C is NUM_PLANES, NUM_AHEAD with the option `ahead`, or two with the option `discs`.
"""

import numpy as np

from ludus.games.connect4.filling import NUM_FILLINGS, fillings
from ludus.games.connect4.forcing import DEEPEST, forced
from ludus.games.connect4.layout import BOARD, CELLS, COLUMNS, HEIGHT, NUM_DISCS, ROWS, completing, landing, preparing
from ludus.games.connect4.replies import LEVELS, replies
from ludus.games.rules import State
from ludus.kernel import write_bits

DISC_PLANES = ("my discs", "opponent's discs")
PLANES = (
    *(*DISC_PLANES, "would make my four", "would make a four"),
    *("the mover's rows", "my lines of two", "opponent's lines of two", "discs land"),
)
AHEAD_PLANES = (
    *PLANES,
    *("wins by force", "loses by force"),
    *(f"{end} by filling {kind}" for kind in range(NUM_FILLINGS) for end in ("wins", "loses")),
    *(f"worth {level} {whose}" for level in LEVELS for whose in ("to me", "to the opponent")),
)
NUM_PLANES, NUM_AHEAD = len(PLANES), len(AHEAD_PLANES)
SPREAD = np.array(  # [64] the six bits of a column, spread to one bit per row, from the top
    [sum((discs >> ROWS - 1 - row & 1) << row * COLUMNS for row in range(ROWS)) for discs in range(1 << ROWS)],
    np.uint64,
)
ODD_ROWS = np.uint64(sum((1 << COLUMNS) - 1 << row * COLUMNS for row in (1, 3, 5)))  # rows 1, 3, 5 from the bottom
EVEN_ROWS = np.uint64(sum((1 << COLUMNS) - 1 << row * COLUMNS for row in (0, 2, 4)))


def encode(state: State, planes: np.ndarray) -> None:
    """Write eight planes of discs, lines and rows.

    Planes 0 and 1 hold the discs of the mover and the opponent, planes 2 and 3 the cells that complete a four for each.
    Plane 4 holds the rows in which the mover gets to play if both players fill a column in turn: odd rows for the first
    player, even rows for the second.  Planes 5 and 6 hold cells of lines with two discs of the mover, or of the
    opponent, and no other disc.  Plane 7 holds the cells where a disc would land.
    """
    mover = int(state[NUM_DISCS]) & 1
    mine, theirs = np.uint64(state[mover]), np.uint64(state[1 - mover])
    free = BOARD & ~(mine | theirs)
    flat = planes.reshape(NUM_PLANES * CELLS)  # each write covers 64 bytes; the next one overwrites its tail
    write_bits(flat, 0, by_rows(mine))
    write_bits(flat, CELLS, by_rows(theirs))
    write_bits(flat, 2 * CELLS, by_rows(free & completing(mine)))
    write_bits(flat, 3 * CELLS, by_rows(free & completing(theirs)))
    write_bits(flat, 4 * CELLS, EVEN_ROWS if mover == 1 else ODD_ROWS)
    write_bits(flat, 5 * CELLS, by_rows(preparing(mine, free)))
    write_two(flat, 6 * CELLS, preparing(theirs, free), landing(mine | theirs))


def encode_discs(state: State, planes: np.ndarray) -> None:
    """Write planes 0 and 1 only, the discs of the mover and the opponent."""
    mover = int(state[NUM_DISCS]) & 1
    write_two(planes.reshape(2 * CELLS), 0, np.uint64(state[mover]), np.uint64(state[1 - mover]))


def encode_ahead(state: State, planes: np.ndarray) -> None:
    """Write planes 0 to 7 as without the option, and planes that look ahead.

    Planes 8 and 9 hold the discs that start a win by force, and those that allow one.  Then follow two planes for each
    of NUM_FILLINGS fillings: discs that win by it, and discs that lose.  Then follow two planes for each of LEVELS:
    discs worth at least that level to the mover, or to the opponent, after the best replies.
    """
    mover = int(state[NUM_DISCS]) & 1
    mine, theirs = np.uint64(state[mover]), np.uint64(state[1 - mover])
    encode(state, planes[:NUM_PLANES])
    flat = planes.reshape(NUM_AHEAD * CELLS)
    found = np.empty(((NUM_AHEAD - NUM_PLANES) // 2, 2), np.uint64)
    wins, losses = forced(mine, theirs, np.empty((DEEPEST, 3), np.uint64))
    found[0, 0], found[0, 1] = wins, losses
    fillings(mine, theirs, found[1 : 1 + NUM_FILLINGS])
    replies(mine, theirs, (wins, losses), found[1 + NUM_FILLINGS :])
    for pair in range(len(found)):
        write_two(flat, (NUM_PLANES + 2 * pair) * CELLS, found[pair, 0], found[pair, 1])


def write_two(flat: np.ndarray, start: int, first: np.uint64, second: np.uint64) -> None:
    """Write two planes of cells to `flat`, starting at index `start`, without changing the bytes after them."""
    low, high = by_rows(first), by_rows(second)
    write_bits(flat, start, low | high << np.uint64(CELLS))
    write_bits(flat, start + 2 * CELLS - 64, low >> np.uint64(2 * CELLS - 64) | high << np.uint64(64 - CELLS))


def final_maps(state: State, player: int, maps: np.ndarray) -> None:
    """Write the cells of the player's discs at the end (map 0) and of the opponent's (map 1)."""
    flat = maps.reshape(2 * CELLS)
    for side in range(2):
        discs = by_rows(np.uint64(state[player ^ side]))
        for cell in range(CELLS):
            flat[side * CELLS + cell] = int(discs >> np.uint64(cell)) & 1


def by_rows(discs: np.uint64) -> np.uint64:
    """Return a set of cells in the order of planes: row by row from the top left."""
    cells = np.uint64(0)
    for column in range(COLUMNS):
        cells |= SPREAD[int(discs >> np.uint64(column * HEIGHT)) & (1 << ROWS) - 1] << np.uint64(column)
    return cells
