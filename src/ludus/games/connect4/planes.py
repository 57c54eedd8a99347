"""What a network sees of Connect Four: planes [C, ROWS, COLUMNS] of 0 and 1, row 0 on top.

C is NUM_PLANES, or NUM_AHEAD with the option `ahead`.
"""

import numpy as np

from ludus.games.connect4.filling import NUM_FILLINGS, fillings
from ludus.games.connect4.forcing import DEEPEST, forced
from ludus.games.connect4.layout import BOARD, CELLS, COLUMNS, HEIGHT, NUM_DISCS, ROWS, completing, landing, preparing
from ludus.games.connect4.replies import LEVELS, replies
from ludus.games.rules import State
from ludus.kernel import write_bits

PLANES = (
    *("my discs", "opponent's discs", "would make my four", "would make a four"),
    *("the mover's rows", "my lines of two", "opponent's lines of two", "discs land"),
)
AHEAD_PLANES = (
    *PLANES,
    *("wins by force", "loses by force"),
    *(f"{end} by filling {kind}" for kind in range(NUM_FILLINGS) for end in ("wins", "loses")),
    *(f"worth {level} {whose}" for level in LEVELS for whose in ("to me", "to the opponent")),
)
NUM_PLANES, NUM_AHEAD = len(PLANES), len(AHEAD_PLANES)
SPREAD = np.array(  # [64] the six bits of a column, as the first cells of the six rows from the top
    [sum((discs >> ROWS - 1 - row & 1) << row * COLUMNS for row in range(ROWS)) for discs in range(1 << ROWS)],
    np.uint64,
)
ODD_ROWS = np.uint64(sum((1 << COLUMNS) - 1 << row * COLUMNS for row in (1, 3, 5)))  # counted from below; row by row
EVEN_ROWS = np.uint64(sum((1 << COLUMNS) - 1 << row * COLUMNS for row in (0, 2, 4)))


def encode(state: State, planes: np.ndarray) -> None:
    """Planes 0 and 1: discs of the mover and of the opponent; 2 and 3: cells that would give each of them four.

    Plane 4: every other row, the first player's in whose turn it is: who fills a column from below alternates, so the
    first player gets the odd rows, and the second the even ones, of columns that nobody wants to begin.  Planes 5 and
    6: cells of lines in which the mover, or the opponent, has two discs and nobody has another.  Plane 7: where a disc
    would come to lie.
    """
    mover = int(state[NUM_DISCS]) & 1
    mine, theirs = np.uint64(state[mover]), np.uint64(state[1 - mover])
    free = BOARD & ~(mine | theirs)
    flat = planes.reshape(NUM_PLANES * CELLS)  # each word is 64 bytes, whose end the next one writes over
    write_bits(flat, 0, by_rows(mine))
    write_bits(flat, CELLS, by_rows(theirs))
    write_bits(flat, 2 * CELLS, by_rows(free & completing(mine)))
    write_bits(flat, 3 * CELLS, by_rows(free & completing(theirs)))
    write_bits(flat, 4 * CELLS, EVEN_ROWS if mover == 1 else ODD_ROWS)
    write_bits(flat, 5 * CELLS, by_rows(preparing(mine, free)))
    write_two(flat, 6 * CELLS, preparing(theirs, free), landing(mine | theirs))


def encode_ahead(state: State, planes: np.ndarray) -> None:
    """Planes 0 to 7 as without the option; 8 and 9: where a disc begins a win by force, and where it allows one.

    Then, for each of the NUM_FILLINGS fillings, two planes: where a disc wins by it, and where a disc loses.  Then, for
    each of LEVELS, two: where a disc is worth as much to the mover, or to the opponent, after the best replies.
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
    """Write two planes of cells from `start` on, and nothing behind them."""
    low, high = by_rows(first), by_rows(second)
    write_bits(flat, start, low | high << np.uint64(CELLS))
    write_bits(flat, start + 2 * CELLS - 64, low >> np.uint64(2 * CELLS - 64) | high << np.uint64(64 - CELLS))


def final_maps(state: State, player: int, maps: np.ndarray) -> None:
    """Map 0: where the player's discs lie at the end; map 1: the opponent's."""
    flat = maps.reshape(2 * CELLS)
    for side in range(2):
        discs = by_rows(np.uint64(state[player ^ side]))
        for cell in range(CELLS):
            flat[side * CELLS + cell] = int(discs >> np.uint64(cell)) & 1


def by_rows(discs: np.uint64) -> np.uint64:
    """Return a player's cells in the order of planes: row by row from the top left."""
    cells = np.uint64(0)
    for column in range(COLUMNS):
        cells |= SPREAD[int(discs >> np.uint64(column * HEIGHT)) & (1 << ROWS) - 1] << np.uint64(column)
    return cells
