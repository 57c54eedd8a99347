"""The bit layout of a chess state, and the numbering of squares.

A square is `8 * file + row`: a file is one byte, and row 0 is the rank farthest from the player to move, so the mover's
pawns move from high bits to low bits.  The state is always seen by the mover; each action turns it around.

    0     the mover's pieces
    1-3   the kind of piece on each square, in three bits (below)
    4     turn, counters, en passant: the fields below
    5     the last four actions, newest in the lowest 12 bits: from | to << 6, as seen by their movers; 0 for none
    6-    all actions since the last irreversible one, five per word, oldest first

    kind      word 1 (D)   word 2 (O)   word 3 (S)
    pawn                                    x
    knight        x                         x
    bishop        x
    rook                       x
    queen         x            x
    king                       x            x
    rook          x            x            x        a rook with castling rights

Bits D without S are the diagonal sliders.  Castling rights of every Chess960 start position are part of the board.
"""

import numpy as np

from ludus.games.packed import ONE, Field, read_field
from ludus.games.rules import State

MINE, DIAGONAL, STRAIGHT, SPECIAL, INFO, RECENT, HISTORY = range(7)

TURN: Field = (0, 1, INFO)
CLOCK: Field = (1, 12, INFO)
"""Half moves since the last capture or pawn move."""
BACK: Field = (13, 8, INFO)
"""Number of actions in the history."""
REPEATS: Field = (21, 4, INFO)
"""Number of earlier occurrences of this position."""
EN_PASSANT: Field = (25, 4, INFO)
"""One more than the file where a pawn can legally be captured en passant; 0 if there is none."""
WAS_EN_PASSANT: Field = (29, 4, INFO)
"""The value of EN_PASSANT in the position where the history begins, if that is an earlier position."""
MOVE_NUMBER: Field = (33, 20, INFO)

FILES = "abcdefgh"
MOST_CLOCK, MOST_NUMBER = (1 << CLOCK[1]) - 1, (1 << MOVE_NUMBER[1]) - 1
MOVE_BITS, MOVES_A_WORD, NUM_RECENT = 12, 5, 4
ROW = np.uint64(0x0101010101010101)
"""The squares of row 0."""
EVEN = np.uint64(0x5555555555555555)
PAIRS = np.uint64(0x3333333333333333)
NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)


def bit(square: int) -> np.uint64:
    """Return the set of one square."""
    return ONE << np.uint64(square)


def turned(squares: np.uint64) -> np.uint64:
    """Return a set of squares as seen by the other player: each byte reversed."""
    squares = (squares >> ONE) & EVEN | (squares & EVEN) << ONE
    squares = (squares >> np.uint64(2)) & PAIRS | (squares & PAIRS) << np.uint64(2)
    return (squares >> np.uint64(4)) & NIBBLES | (squares & NIBBLES) << np.uint64(4)


def history_move(state: State, index: int) -> int:
    """Return an action of the history as from | to << 6."""
    return read_field(state, (MOVE_BITS * (index % MOVES_A_WORD), MOVE_BITS, HISTORY + index // MOVES_A_WORD))


def recent_move(state: State, index: int) -> int:
    """Return one of the last four actions, 0 for the last one, as from | to << 6; 0 if there is none."""
    return read_field(state, (MOVE_BITS * index, MOVE_BITS, RECENT))


def square_name(square: int) -> str:
    """Return a square's name from its number for White: `e4` for 36."""
    return f"{FILES[square >> 3]}{8 - (square & 7)}"


def square_named(name: str) -> int:
    """Return the number of a square from its name, such as `e4`, which must be valid."""
    return 8 * FILES.index(name[0]) + 8 - int(name[1])
