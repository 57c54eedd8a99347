"""The rule `foresee` of chess: finds a mate in one among the few actions that may give check."""

import numpy as np

from ludus.games.chess.actions import CASTLE_LEFT, CASTLE_RIGHT, PAWN_LEFT, PAWN_RIGHT, TARGET
from ludus.games.chess.layout import BACK, bit
from ludus.games.chess.moves import can_move, write_legal
from ludus.games.chess.pieces import (
    KNIGHT,
    NINE,
    SEVEN,
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
from ludus.games.packed import write_field
from ludus.games.rules import FIRST_WINS, ONGOING, State
from ludus.kernel import lowest_bit


def foresee(state: State) -> int:
    """Return the mover's win if an action gives mate at once."""
    actions, scratch = np.empty(MAX_LEGAL, np.int16), np.empty(MAX_LEGAL, np.int16)
    count = keep_checks(state, actions, write_legal(state, actions))
    for index in range(count):
        after = state.copy()
        write_field(after, BACK, 0)  # a mate needs no count of repetitions
        advance(after, int(actions[index]), CLAIMABLE[0])
        if in_check(after) and not can_move(after, scratch):
            return FIRST_WINS + to_play(state)
    return ONGOING


def keep_checks(state: State, actions: np.ndarray, count: int) -> int:
    """Keep the legal actions that may give check, and perhaps some others; return their number.

    A piece gives check from the squares that the opposing king would attack if it moved like that piece.  It discovers
    a check only by leaving a line between another piece and the king.  Castling, promotion and en passant are always
    kept, since they change more than one square, or a kind.
    """
    board = sets(state)
    mine, everything = board[0], occupied(board)
    king_set = kings(board) & ~mine
    king = lowest_bit(king_set)
    by_knight, by_pawn = KNIGHT[king], king_set << NINE | king_set >> SEVEN
    by_diagonal, by_straight = diagonal(king, everything), straight(king, everything)
    shields = mine & (by_diagonal | by_straight)
    behind = diagonal(king, everything & ~shields) & diagonals(board)
    behind = mine & (behind | straight(king, everything & ~shields) & straights(board))
    if int(behind) == 0:
        shields = np.uint64(0)
    kept = 0
    for index in range(count):
        action = int(actions[index])
        here, there_square = bit(action & 63), int(TARGET[action])
        plane, there = action >> 6, bit(there_square)
        if int(pawns(board) & here) != 0:
            passes = plane in (PAWN_LEFT, PAWN_RIGHT) and int(everything & there) == 0
            checks = passes or there_square & 7 == 0 or int(by_pawn & there) != 0
        elif int(knights(board) & here) != 0:
            checks = int(by_knight & there) != 0
        elif int(kings(board) & here) != 0:
            checks = plane in (CASTLE_LEFT, CASTLE_RIGHT)
        else:
            checks = int(diagonals(board) & here) != 0 and int(by_diagonal & there) != 0
            checks = checks or (int(straights(board) & here) != 0 and int(by_straight & there) != 0)
        if checks or int(shields & here) != 0:
            actions[kept] = action
            kept += 1
    return kept
