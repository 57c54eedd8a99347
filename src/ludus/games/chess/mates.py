"""The rule `foresee` of chess: finds a mate in one among the few actions that may give check."""

import numpy as np

from ludus.games.chess.actions import TARGET
from ludus.games.chess.layout import BACK, bit
from ludus.games.chess.moves import Aims, can_move, write_legal
from ludus.games.chess.pieces import (
    BETWEEN,
    DIAGONALS,
    KING,
    KNIGHT,
    NINE,
    SEVEN,
    STRAIGHTS,
    TOP,
    Sets,
    diagonal,
    diagonals,
    kings,
    knights,
    occupied,
    pawns,
    sets,
    straight,
    straights,
)
from ludus.games.chess.rules import CLAIMABLE, MAX_LEGAL, advance, in_check, to_play
from ludus.games.packed import ONE, write_field
from ludus.games.rules import FIRST_WINS, ONGOING, State
from ludus.kernel import lowest_bit


def foresee(state: State) -> int:
    """Return the mover's win if an action gives mate at once."""
    actions = np.empty(MAX_LEGAL, np.int16)
    count = write_legal(state, actions, checking_aims(state))
    if count == 0:
        return ONGOING
    board = sets(state)
    origins = np.uint64(0)
    for index in range(count):
        origins |= bit(int(actions[index]) & 63)
    once, twice = attacks_of_mover(board, origins)
    for index in range(count):
        action = int(actions[index])
        if leaves_escape(board, action, once, twice):
            continue
        after = state.copy()
        write_field(after, BACK, 0)  # a mate needs no count of repetitions
        advance(after, action, CLAIMABLE[0])
        if in_check(after) and not can_move(after):
            return FIRST_WINS + to_play(state)
    return ONGOING


def checking_aims(state: State) -> Aims:
    """Return aims for `write_legal` that keep all actions that give check, and perhaps some others.

    A piece gives check from the squares that the opposing king would attack if it moved like that piece.  It discovers
    a check only by leaving a line between another piece and the king.  Promotions are always kept, since they change
    a kind.
    """
    board = sets(state)
    mine, everything = board[0], occupied(board)
    king_set = kings(board) & ~mine
    king = lowest_bit(king_set)
    by_diagonal, by_straight = diagonal(king, everything), straight(king, everything)
    shields, behind = np.uint64(0), mine & (DIAGONALS[king] & diagonals(board) | STRAIGHTS[king] & straights(board))
    while int(behind) != 0:
        between = BETWEEN[64 * king + lowest_bit(behind)] & everything
        if int(between & (between - ONE) | between & ~mine) == 0:
            shields |= between
        behind &= behind - ONE
    return king_set << NINE | king_set >> SEVEN | TOP, KNIGHT[king], by_diagonal, by_straight, shields


def attacks_of_mover(board: Sets, gone: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the squares that the mover attacks at least once and twice, through the opposing king and `gone`."""
    mine = board[0]
    blockers = occupied(board) & ~(gone | kings(board) & ~mine)
    once, twice = (pawns(board) & mine) >> NINE, np.uint64(0)
    found = (pawns(board) & mine) << SEVEN
    once, twice = once | found, twice | once & found
    found = KING[lowest_bit(kings(board) & mine)]
    once, twice = once | found, twice | once & found
    rest = knights(board) & mine
    while int(rest) != 0:
        found = KNIGHT[lowest_bit(rest)]
        once, twice = once | found, twice | once & found
        rest &= rest - ONE
    rest = diagonals(board) & mine
    while int(rest) != 0:
        found = diagonal(lowest_bit(rest), blockers)
        once, twice = once | found, twice | once & found
        rest &= rest - ONE
    rest = straights(board) & mine
    while int(rest) != 0:
        found = straight(lowest_bit(rest), blockers)
        once, twice = once | found, twice | once & found
        rest &= rest - ONE
    return once, twice


def leaves_escape(board: Sets, action: int, once: np.uint64, twice: np.uint64) -> bool:
    """Return whether the opposing king certainly can move after an action; False says nothing.

    Args:
        board: the board before the action.
        action: a legal action, numbered as the mover sees it.
        once: the squares that the mover attacks, also through the squares that the action leaves.
        twice: the squares that two pieces attack so.
    """
    mine, everything = board[0], occupied(board)
    here, there = action & 63, int(TARGET[action])
    mover, to = bit(here), bit(there)
    if int(kings(board) & mover) != 0:
        return False
    king_set = kings(board) & ~mine
    near = KING[lowest_bit(king_set)]
    covered, guarded = once, twice
    if int(pawns(board) & mover) != 0:
        straight_on = here >> 3 == there >> 3
        if there & 7 == 0 or (not straight_on and int(everything & to) == 0):
            return False  # promotions and en passant captures change more
        covered |= to >> NINE | to << SEVEN
        guarded = once if straight_on else twice
    elif int(knights(board) & mover) != 0:
        covered |= KNIGHT[there]
    else:
        blockers = everything & ~(mover | king_set)
        if int(diagonals(board) & mover) != 0:
            covered |= diagonal(there, blockers)
        if int(straights(board) & mover) != 0:
            covered |= straight(there, blockers)
    covered = covered & ~to | guarded & to
    return int(near & (~everything | mine | to) & ~covered) != 0
