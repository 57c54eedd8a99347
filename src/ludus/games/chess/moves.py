"""Generates the legal actions of a position without trying any, except en passant captures."""

import numpy as np

from ludus.games.chess.actions import (
    ACTION,
    CASTLE_LEFT,
    CASTLE_RIGHT,
    PAWN_LEFT,
    PAWN_ONE,
    PAWN_RIGHT,
    PAWN_TWO,
    UNDERPROMOTIONS,
)
from ludus.games.chess.layout import EN_PASSANT, bit
from ludus.games.chess.pieces import (
    BETWEEN,
    KING,
    KNIGHT,
    LEVEL,
    NINE,
    SEVEN,
    TOP,
    Sets,
    along,
    attackers,
    attacks_of_opponent,
    castlers,
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
from ludus.games.packed import ONE, read_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit

THIRD = TOP << np.uint64(5)
"""Squares that the mover's pawns reach from their first row by a single step."""
KING_TO = (23, 55)
"""The king's squares after castling to the left and right: c1 and g1."""
ROOK_TO = (31, 47)


def write_legal(state: State, actions: np.ndarray) -> int:
    """Write the legal actions, numbered as the mover sees them; return their number."""
    board = sets(state)
    mine, everything = board[0], occupied(board)
    king_set = kings(board) & mine
    king = lowest_bit(king_set)
    danger = attacks_of_opponent(board, everything & ~king_set)
    checkers = attackers(board, king, everything)
    count = write_to(king, KING[king] & ~mine & ~danger, actions, 0)
    if int(checkers & (checkers - ONE)) != 0:
        return count  # only king moves answer a double check
    if int(checkers) == 0:
        count = write_castling(board, king, danger, actions, count)
        goal = ~mine
    else:
        goal = checkers | BETWEEN[64 * king + lowest_bit(checkers)]
    pinned = np.uint64(0)
    snipers = diagonal(king, everything & ~mine) & diagonals(board)
    snipers = (snipers | straight(king, everything & ~mine) & straights(board)) & ~mine
    while True:
        movers, allowed = mine & ~pinned & ~king_set, goal
        last = int(snipers) == 0
        if not last:  # first the pinned pieces, each along its line, then all others
            line = BETWEEN[64 * king + lowest_bit(snipers)]
            movers = line & everything
            allowed = line | snipers & (~snipers + ONE)
            snipers &= snipers - ONE
            if int(movers) == 0 or int(movers & (movers - ONE)) != 0:
                continue
            pinned |= movers
            if int(checkers) != 0:
                continue
        count = write_pieces(board, movers, allowed, actions, count)
        if last:
            return write_en_passant(state, board, king, actions, count)


def write_to(here: int, targets: np.uint64, actions: np.ndarray, count: int) -> int:
    """Write the actions of the piece on `here` to each target square."""
    while int(targets) != 0:
        actions[count] = ACTION[64 * here + lowest_bit(targets)]
        count += 1
        targets &= targets - ONE
    return count


def write_pieces(board: Sets, movers: np.uint64, goal: np.uint64, actions: np.ndarray, count: int) -> int:
    """Write the actions of some pieces, not kings, that end on a square of `goal`."""
    everything = occupied(board)
    count = write_pawns(pawns(board) & movers, everything, everything & ~board[0], goal, actions, count)
    rest = knights(board) & movers
    while int(rest) != 0:
        here = lowest_bit(rest)
        count = write_to(here, KNIGHT[here] & goal, actions, count)
        rest &= rest - ONE
    rest = diagonals(board) & movers
    while int(rest) != 0:
        here = lowest_bit(rest)
        count = write_to(here, diagonal(here, everything) & goal, actions, count)
        rest &= rest - ONE
    rest = straights(board) & movers
    while int(rest) != 0:
        here = lowest_bit(rest)
        count = write_to(here, straight(here, everything) & goal, actions, count)
        rest &= rest - ONE
    return count


def write_pawns(
    movers: np.uint64, everything: np.uint64, theirs: np.uint64, goal: np.uint64, actions: np.ndarray, count: int
) -> int:
    """Write the pawns' actions except en passant; shifting drops squares beyond the sides of the board."""
    one = movers >> ONE & ~everything
    two = (one & THIRD) >> ONE & ~everything
    count = write_pawn(one & goal, 1, PAWN_ONE, 1, actions, count)
    count = write_pawn(two & goal, 2, PAWN_TWO, 1, actions, count)
    count = write_pawn(movers >> NINE & theirs & goal, 9, PAWN_LEFT, 0, actions, count)
    return write_pawn(movers << SEVEN & theirs & goal, -7, PAWN_RIGHT, 2, actions, count)


def write_pawn(targets: np.uint64, back: int, plane: int, side: int, actions: np.ndarray, count: int) -> int:
    """Write a pawn's action to each target; `back` is the step from the target to its origin."""
    while int(targets) != 0:
        there = lowest_bit(targets)
        here = there + back
        actions[count] = 64 * plane + here
        count += 1
        if there & 7 == 0:
            for kind in range(3):
                actions[count] = 64 * (UNDERPROMOTIONS + 3 * kind + side) + here
                count += 1
        targets &= targets - ONE
    return count


def write_castling(board: Sets, king: int, danger: np.uint64, actions: np.ndarray, count: int) -> int:
    """Write the castling actions; the king must not be in check."""
    rooks = castlers(board) & board[0]
    while int(rooks) != 0:
        rook = lowest_bit(rooks)
        side = 1 if rook > king else 0
        king_to, rook_to = KING_TO[side], ROOK_TO[side]
        others = occupied(board) & ~(bit(king) | bit(rook))
        king_way = BETWEEN[64 * king + king_to] | bit(king_to)
        rook_way = BETWEEN[64 * rook + rook_to] | bit(rook_to)
        if int((king_way | rook_way) & others) == 0 and int(king_way & danger) == 0:
            unveiled = along(others | bit(rook_to), LEVEL[king_to], bit(king_to)) & straights(board) & others
            if int(unveiled & ~board[0]) == 0:  # no attacker stood behind the rook
                actions[count] = 64 * (CASTLE_RIGHT if side == 1 else CASTLE_LEFT) + king
                count += 1
        rooks &= rooks - ONE
    return count


def write_en_passant(state: State, board: Sets, king: int, actions: np.ndarray, count: int) -> int:
    """Write the en passant captures."""
    file = read_field(state, EN_PASSANT) - 1
    if file >= 0:
        there = 8 * file + 2
        if passes(board, king, there + 9, there):
            actions[count] = 64 * PAWN_LEFT + there + 9
            count += 1
        if passes(board, king, there - 7, there):
            actions[count] = 64 * PAWN_RIGHT + there - 7
            count += 1
    return count


def passes(board: Sets, king: int, here: int, there: int) -> bool:
    """Return whether a pawn of the mover stands on `here` and may capture en passant."""
    if not 0 <= here < 64 or int(bit(here) & pawns(board) & board[0]) == 0:
        return False
    captured = bit(there + 1)
    blockers = (occupied(board) & ~(bit(here) | captured)) | bit(there)
    mine, d, o, s = board
    return int(attackers((mine | captured, d, o, s), king, blockers)) == 0


def can_pass(state: State, file: int) -> bool:
    """Return whether the pawn in the fourth row of a file may be captured en passant."""
    board = sets(state)
    king = lowest_bit(kings(board) & board[0])
    there = 8 * file + 2
    return passes(board, king, there + 9, there) or passes(board, king, there - 7, there)


def can_move(state: State, scratch: np.ndarray) -> bool:
    """Return whether a legal action exists; knights and pawns that share no line with the king are tried first."""
    board = sets(state)
    mine, everything = board[0], occupied(board)
    king = lowest_bit(kings(board) & mine)
    if int(attackers(board, king, everything)) == 0:
        free = mine & ~(diagonal(king, mine) | straight(king, mine))
        if int((pawns(board) & free) >> ONE & ~everything) != 0:
            return True
        movers = knights(board) & free
        while int(movers) != 0:
            if int(KNIGHT[lowest_bit(movers)] & ~mine) != 0:
                return True
            movers &= movers - ONE
    return write_legal(state, scratch) > 0
