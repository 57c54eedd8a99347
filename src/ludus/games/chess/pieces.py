"""The sets of squares that a state's words stand for, and which of them are attacked."""

import numpy as np

from ludus.games.chess.attacks import KING, KNIGHT, diagonal, knights_attack, straight
from ludus.games.chess.layout import DIAGONAL, MINE, SPECIAL, STRAIGHT
from ludus.games.rules import State
from ludus.kernel import lowest_bit

Sets = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""The words of a state: the mover's pieces, and the three bits of their kinds."""
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
    """Return the rooks of both players with which their kings may still castle."""
    _, d, o, s = board
    return s & o & d


def diagonals(board: Sets) -> np.uint64:
    """Return bishops and queens."""
    _, d, _, s = board
    return d & ~s


def straights(board: Sets) -> np.uint64:
    """Return rooks and queens."""
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
    """Return all squares with a piece."""
    _, d, o, s = board
    return d | o | s


def attacks_of_opponent(board: Sets, blockers: np.uint64) -> np.uint64:
    """Return every square that the opponent attacks, with the given blockers for its lines."""
    theirs = ~board[0]
    down = pawns(board) & theirs
    attacked = down >> SEVEN | down << NINE | knights_attack(knights(board) & theirs)
    attacked |= KING[lowest_bit(kings(board) & theirs)]
    sliders = diagonals(board) & theirs
    while int(sliders) != 0:
        attacked |= diagonal(lowest_bit(sliders), blockers)
        sliders &= sliders - np.uint64(1)
    sliders = straights(board) & theirs
    while int(sliders) != 0:
        attacked |= straight(lowest_bit(sliders), blockers)
        sliders &= sliders - np.uint64(1)
    return attacked


def attackers(board: Sets, square: int, blockers: np.uint64) -> np.uint64:
    """Return the opponent's pieces that attack a square; its king is left out."""
    here = np.uint64(1) << np.uint64(square)
    found = (here >> NINE | here << SEVEN) & pawns(board)
    found |= KNIGHT[square] & knights(board)
    found |= diagonal(square, blockers) & diagonals(board)
    found |= straight(square, blockers) & straights(board)
    return found & ~board[0]
