"""Bitboards of a state: the sets of pieces by kind, and the squares that they attack.

Attacks along a line are found by multiplication ("kindergarten bitboards"), which collects the line's inner squares in
six bits.  These are the index of a table for lines of eight squares.
"""

import numpy as np

from ludus.games.chess.actions import COMPASS
from ludus.games.chess.actions import KNIGHT as KNIGHT_STEPS
from ludus.games.chess.layout import DIAGONAL, MINE, ROW, SPECIAL, STRAIGHT, bit
from ludus.games.packed import ONE
from ludus.games.rules import State
from ludus.kernel import lowest_bit


def _line(square: int, files: int, rows: int) -> list[int]:
    file, row = square // 8 + files, square % 8 + rows
    found: list[int] = []
    while 0 <= file < 8 and 0 <= row < 8:
        found.append(8 * file + row)
        file, row = file + files, row + rows
    return found


def _set(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


def _inside(squares: list[int]) -> np.ndarray:
    """Return the squares attacked on a line of eight squares [8 * (occupancy of the six inner squares) + place]."""
    attacks = np.zeros(64 * 8, np.uint64)
    for inner in range(64):
        for place in range(8):
            for line in (squares[place + 1 :], squares[:place][::-1]):
                for there in line:
                    attacks[8 * inner + place] |= np.uint64(1 << there)
                    if inner << 1 >> squares.index(there) & 1:
                        break
    return attacks


def _between() -> np.ndarray:
    squares = np.zeros(64 * 64, np.uint64)
    for here in range(64):
        for files, rows in COMPASS:
            line = _line(here, files, rows)
            for length, there in enumerate(line):
                squares[64 * here + there] = _set(line[:length])
    return squares


def _around(steps: tuple[tuple[int, int], ...]) -> np.ndarray:
    near = [[_line(square, *step)[:1] for step in steps] for square in range(64)]
    return np.array([_set([there for line in lines for there in line]) for lines in near], np.uint64)


KING = _around(COMPASS)
KNIGHT = _around(KNIGHT_STEPS)
RISING = np.array([_set(_line(s, 1, 1) + _line(s, -1, -1)) for s in range(64)], np.uint64)
FALLING = np.array([_set(_line(s, 1, -1) + _line(s, -1, 1)) for s in range(64)], np.uint64)
LEVEL = np.array([_set(_line(s, 1, 0) + _line(s, -1, 0)) for s in range(64)], np.uint64)
DIAGONALS = RISING | FALLING
STRAIGHTS = LEVEL | np.array([_set(_line(s, 0, 1) + _line(s, 0, -1)) for s in range(64)], np.uint64)
BY_ROW = _inside(list(range(8))) * ROW
"""The rows attacked on a line that has one square in each row, in each of the eight files."""
BY_FILE = _inside(list(range(0, 64, 8)))
"""The files attacked on a line that has one square in each file, in row 0."""
COLLECT_ROWS = ROW << ONE
"""The factor that collects rows in the last file: rows 1 to 6 in its last six bits."""
COLLECT_FILES = np.uint64(sum(1 << 58 + file - 1 - 8 * file for file in range(1, 7)))
"""The factor that collects the files of row 0: files 1 to 6 in the last six bits."""
INNER = np.uint64(58)
FILE = np.uint64(0xFF)
"""The squares of file 0."""
BETWEEN = _between()
"""The squares between two squares on a queen's line [64 * here + there]; empty for other pairs."""

TOP, TOP_TWO = ROW, np.uint64(0x0303030303030303)
BOTTOM, BOTTOM_TWO = ROW << np.uint64(7), np.uint64(0xC0C0C0C0C0C0C0C0)


def diagonal(square: int, occupied: np.uint64) -> np.uint64:
    """Return the squares that a bishop attacks."""
    rising, falling, row = RISING[square], FALLING[square], square & 7
    up = BY_ROW[8 * int((occupied & rising) * COLLECT_ROWS >> INNER) + row] & rising
    return up | BY_ROW[8 * int((occupied & falling) * COLLECT_ROWS >> INNER) + row] & falling


def straight(square: int, occupied: np.uint64) -> np.uint64:
    """Return the squares that a rook attacks."""
    file, row = square >> 3, square & 7
    foot, side = np.uint64(8 * file), np.uint64(row)
    upright = BY_ROW[8 * (int(occupied >> foot) >> 1 & 63) + row] & FILE << foot
    return upright | BY_FILE[8 * int((occupied >> side & ROW) * COLLECT_FILES >> INNER) + file] << side


def knights_attack(knights: np.uint64) -> np.uint64:
    """Return the squares that some knights attack."""
    one = (knights & ~TOP) >> ONE | (knights & ~BOTTOM) << ONE
    two = (knights & ~TOP_TWO) >> np.uint64(2) | (knights & ~BOTTOM_TWO) << np.uint64(2)
    return one << np.uint64(16) | one >> np.uint64(16) | two << np.uint64(8) | two >> np.uint64(8)


Sets = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""Four words of a state: the mover's pieces, and the three bits of the kinds."""
NINE, SEVEN = np.uint64(9), np.uint64(7)


def sets(state: State) -> Sets:
    """Return the four words of the board."""
    return np.uint64(state[MINE]), np.uint64(state[DIAGONAL]), np.uint64(state[STRAIGHT]), np.uint64(state[SPECIAL])


def pawns(board: Sets) -> np.uint64:
    """Return the pawns of both players."""
    _, d, o, s = board
    return s & ~(d | o)


def knights(board: Sets) -> np.uint64:
    """Return the knights of both players."""
    _, d, o, s = board
    return s & d & ~o


def kings(board: Sets) -> np.uint64:
    """Return both kings."""
    _, d, o, s = board
    return s & o & ~d


def castlers(board: Sets) -> np.uint64:
    """Return the rooks of both players that still have castling rights."""
    _, d, o, s = board
    return s & o & d


def diagonals(board: Sets) -> np.uint64:
    """Return the bishops and queens of both players."""
    _, d, _, s = board
    return d & ~s


def straights(board: Sets) -> np.uint64:
    """Return the rooks and queens of both players."""
    _, d, o, s = board
    return o & (~s | d)


def by_kind(board: Sets) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the pawns, knights, bishops, rooks, queens and kings of both sides."""
    queens = diagonals(board) & straights(board)
    return (
        pawns(board),
        knights(board),
        diagonals(board) & ~queens,
        straights(board) & ~queens,
        queens,
        kings(board),
    )


def occupied(board: Sets) -> np.uint64:
    """Return all occupied squares."""
    _, d, o, s = board
    return d | o | s


def attacks_of_opponent(board: Sets, blockers: np.uint64) -> np.uint64:
    """Return all squares that the opponent attacks; `blockers` stop the sliding pieces."""
    theirs = ~board[0]
    down = pawns(board) & theirs
    attacked = down >> SEVEN | down << NINE | knights_attack(knights(board) & theirs)
    attacked |= KING[lowest_bit(kings(board) & theirs)]
    sliders = diagonals(board) & theirs
    while int(sliders) != 0:
        attacked |= diagonal(lowest_bit(sliders), blockers)
        sliders &= sliders - ONE
    sliders = straights(board) & theirs
    while int(sliders) != 0:
        attacked |= straight(lowest_bit(sliders), blockers)
        sliders &= sliders - ONE
    return attacked


def attackers(board: Sets, square: int, blockers: np.uint64) -> np.uint64:
    """Return the opponent's pieces, except the king, that attack a square."""
    found = leapers(board, square)
    lined = aligned(board, square)
    while int(lined) != 0:
        if int(BETWEEN[64 * square + lowest_bit(lined)] & blockers) == 0:
            found |= lined & (~lined + ONE)
        lined &= lined - ONE
    return found


def leapers(board: Sets, square: int) -> np.uint64:
    """Return the opponent's pawns and knights that attack a square."""
    here = bit(square)
    return ((here >> NINE | here << SEVEN) & pawns(board) | KNIGHT[square] & knights(board)) & ~board[0]


def aligned(board: Sets, square: int) -> np.uint64:
    """Return the opponent's sliding pieces that would attack a square of an empty board."""
    return (DIAGONALS[square] & diagonals(board) | STRAIGHTS[square] & straights(board)) & ~board[0]
