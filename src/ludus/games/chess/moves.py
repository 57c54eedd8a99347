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
    DIAGONALS,
    KING,
    KNIGHT,
    LEVEL,
    NINE,
    SEVEN,
    STRAIGHTS,
    TOP,
    Sets,
    aligned,
    attackers,
    attacks_of_opponent,
    castlers,
    diagonal,
    diagonals,
    kings,
    knights,
    leapers,
    occupied,
    pawns,
    sets,
    straight,
    straights,
)
from ludus.games.packed import ONE, read_field
from ludus.games.rules import State
from ludus.kernel import count_bits, lowest_bit

THIRD = TOP << np.uint64(5)
"""Squares that the mover's pawns reach from their first row by a single step."""
KING_TO = (23, 55)
"""The king's squares after castling to the left and right: c1 and g1."""
ROOK_TO = (31, 47)


Aims = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
"""The only squares to which pawns, knights, diagonal and straight pieces move, and the pieces that move anywhere."""
ANYWHERE = ~np.uint64(0)


def write_legal(state: State, actions: np.ndarray | None, aims: Aims | None) -> int:
    """Write the legal actions, numbered as the mover sees them; return their number.

    Args:
        state: the position.
        actions: the array to write to; None to count only.
        aims: None for all actions; otherwise, the king only castles unless it may move anywhere.
    """
    board = sets(state)
    mine, everything = board[0], occupied(board)
    king_set = kings(board) & mine
    king = lowest_bit(king_set)
    checkers, pinners, pinned = leapers(board, king), np.uint64(0), np.uint64(0)
    snipers = aligned(board, king)
    while int(snipers) != 0:
        blockers = BETWEEN[64 * king + lowest_bit(snipers)] & everything
        sniper = snipers & (~snipers + ONE)
        snipers &= snipers - ONE
        if int(blockers) == 0:
            checkers |= sniper
        elif int(blockers & (blockers - ONE) | blockers & ~mine) == 0:
            pinners, pinned = pinners | sniper, pinned | blockers
    steps, goal = KING[king] & ~mine, ~mine
    if aims is not None and int(aims[4] & king_set) == 0:
        steps = np.uint64(0)
    rooks = open_rooks(board, king) if int(checkers) == 0 else np.uint64(0)
    danger = np.uint64(0)
    if int(steps | rooks) != 0:
        danger = attacks_of_opponent(board, everything & ~king_set)
    count = write_to(king, steps & ~danger, actions, 0)
    if int(checkers) != 0:
        if int(checkers & (checkers - ONE)) != 0:
            return count  # only king moves answer a double check
        goal = checkers | BETWEEN[64 * king + lowest_bit(checkers)]
        pinners = np.uint64(0)  # a pinned piece cannot answer a check
    elif int(rooks) != 0:
        count = write_castling(board, king, rooks, danger, actions, count)
    while True:
        movers, allowed = mine & ~pinned & ~king_set, goal
        last = int(pinners) == 0
        if not last:  # first the pinned pieces, each along its line, then all others
            line = BETWEEN[64 * king + lowest_bit(pinners)]
            movers = line & everything
            allowed = line | pinners & (~pinners + ONE)
            pinners &= pinners - ONE
        count = write_pieces(board, movers, allowed, aims, actions, count)
        if last:
            return write_en_passant(state, board, king, actions, count)


def write(action: int, actions: np.ndarray | None, count: int) -> int:
    """Write one action, unless `actions` is None; return the new number of actions."""
    if actions is not None:
        actions[count] = action
    return count + 1


def write_to(here: int, targets: np.uint64, actions: np.ndarray | None, count: int) -> int:
    """Write the actions of the piece on `here` to each target square."""
    if actions is None:
        return count + count_bits(targets)
    while int(targets) != 0:
        # machine code does not test whether an unsigned index is negative
        actions[np.uint64(count)] = ACTION[64 * here + lowest_bit(targets)]
        count += 1
        targets &= targets - ONE
    return count


def write_pieces(
    board: Sets, movers: np.uint64, goal: np.uint64, aims: Aims | None, actions: np.ndarray | None, count: int
) -> int:
    """Write the actions of some pieces, not kings, that end on a square of `goal`."""
    everything = occupied(board)
    by_pawn = by_knight = by_diagonal = by_straight = ANYWHERE
    free = np.uint64(0)
    if aims is not None:
        by_pawn, by_knight, by_diagonal, by_straight, free = aims
        if int(pawns(board) & movers & free) != 0:
            by_pawn = ANYWHERE
    count = write_pawns(pawns(board) & movers, everything, everything & ~board[0], goal & by_pawn, actions, count)
    rest = knights(board) & movers
    while int(rest) != 0:
        here = lowest_bit(rest)
        aim = by_knight if int(bit(here) & free) == 0 else ANYWHERE
        count = write_to(here, KNIGHT[here] & goal & aim, actions, count)
        rest &= rest - ONE
    rest = diagonals(board) & movers
    while int(rest) != 0:
        here = lowest_bit(rest)
        aim = by_diagonal if int(bit(here) & straights(board)) == 0 else by_diagonal | by_straight
        aim = aim if int(bit(here) & free) == 0 else ANYWHERE
        count = write_to(here, diagonal(here, everything) & goal & aim, actions, count)
        rest &= rest - ONE
    rest = straights(board) & movers
    while int(rest) != 0:
        here = lowest_bit(rest)
        aim = by_straight if int(bit(here) & diagonals(board)) == 0 else by_diagonal | by_straight
        aim = aim if int(bit(here) & free) == 0 else ANYWHERE
        count = write_to(here, straight(here, everything) & goal & aim, actions, count)
        rest &= rest - ONE
    return count


def write_pawns(
    movers: np.uint64, everything: np.uint64, theirs: np.uint64, goal: np.uint64, actions: np.ndarray | None, count: int
) -> int:
    """Write the pawns' actions except en passant; shifting drops squares beyond the sides of the board."""
    one = movers >> ONE & ~everything
    two = (one & THIRD) >> ONE & ~everything
    count = write_pawn(one & goal, 1, PAWN_ONE, 1, actions, count)
    count = write_pawn(two & goal, 2, PAWN_TWO, 1, actions, count)
    count = write_pawn(movers >> NINE & theirs & goal, 9, PAWN_LEFT, 0, actions, count)
    return write_pawn(movers << SEVEN & theirs & goal, -7, PAWN_RIGHT, 2, actions, count)


def write_pawn(targets: np.uint64, back: int, plane: int, side: int, actions: np.ndarray | None, count: int) -> int:
    """Write a pawn's action to each target; `back` is the step from the target to its origin."""
    if actions is None:
        return count + count_bits(targets) + 3 * count_bits(targets & TOP)
    while int(targets) != 0:
        there = lowest_bit(targets)
        here = there + back
        actions[np.uint64(count)] = 64 * plane + here
        count += 1
        if there & 7 == 0:
            for kind in range(3):
                actions[count] = 64 * (UNDERPROMOTIONS + 3 * kind + side) + here
                count += 1
        targets &= targets - ONE
    return count


def open_rooks(board: Sets, king: int) -> np.uint64:
    """Return the mover's rooks that have castling rights and no pieces in their way and the king's."""
    rooks = castlers(board) & board[0]
    rest = rooks
    while int(rest) != 0:
        rook = lowest_bit(rest)
        side = 1 if rook > king else 0
        king_to, rook_to = KING_TO[side], ROOK_TO[side]
        way = BETWEEN[64 * king + king_to] | BETWEEN[64 * rook + rook_to] | bit(king_to) | bit(rook_to)
        if int(way & occupied(board) & ~(bit(king) | bit(rook))) != 0:
            rooks ^= bit(rook)
        rest &= rest - ONE
    return rooks


def write_castling(
    board: Sets, king: int, rooks: np.uint64, danger: np.uint64, actions: np.ndarray | None, count: int
) -> int:
    """Write the castling actions with some open rooks; the king must not be in check."""
    while int(rooks) != 0:
        rook = lowest_bit(rooks)
        side = 1 if rook > king else 0
        king_to, rook_to = KING_TO[side], ROOK_TO[side]
        if int((BETWEEN[64 * king + king_to] | bit(king_to)) & danger) == 0:
            others = occupied(board) & ~(bit(king) | bit(rook)) | bit(rook_to)
            unveiled = straight(king_to, others) & LEVEL[king_to] & straights(board) & ~board[0]
            if int(unveiled) == 0:  # no attacker stood behind the rook
                count = write(64 * (CASTLE_RIGHT if side == 1 else CASTLE_LEFT) + king, actions, count)
        rooks &= rooks - ONE
    return count


def write_en_passant(state: State, board: Sets, king: int, actions: np.ndarray | None, count: int) -> int:
    """Write the en passant captures."""
    file = read_field(state, EN_PASSANT) - 1
    if file >= 0:
        there = 8 * file + 2
        if passes(board, king, there + 9, there):
            count = write(64 * PAWN_LEFT + there + 9, actions, count)
        if passes(board, king, there - 7, there):
            count = write(64 * PAWN_RIGHT + there - 7, actions, count)
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


def can_move(state: State) -> bool:
    """Return whether a legal action exists; knights and pawns that share no line with the king are tried first."""
    board = sets(state)
    mine, everything = board[0], occupied(board)
    king = lowest_bit(kings(board) & mine)
    if int(attackers(board, king, everything)) == 0:
        free = mine & ~(DIAGONALS[king] | STRAIGHTS[king])
        if int((pawns(board) & free) >> ONE & ~everything) != 0:
            return True
        movers = knights(board) & free
        while int(movers) != 0:
            if int(KNIGHT[lowest_bit(movers)] & ~mine) != 0:
                return True
            movers &= movers - ONE
    return write_legal(state, None, None) > 0
