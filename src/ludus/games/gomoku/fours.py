"""Finds wins by fours (VCF): sequences of fours, each with a single reply, that end in a double five.

The idea is from L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and Threat-Space Search (1994).  The
search goes from shorter to longer sequences and stops before a length that would exceed its storage, so mirrored boards
have mirrored results.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.layout import (
    BLACK_STONE,
    COLOUR,
    MAX_SIZE,
    PAD,
    PLAY,
    PLAYER,
    RENJU,
    ROWS,
    RULE,
    SIZE,
    STAGE,
    stone_bit,
)
from ludus.games.gomoku.threats import (
    FIVE,
    FOUR,
    ONWARD,
    TWO_FOURS,
    Threats,
    find_fours,
    half_of,
    make_threats,
    of_colour,
)
from ludus.games.packed import read_field
from ludus.games.rules import FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.kernel import lowest_bit

ANY, NONE = -1, -2  # instead of the cell where a player must answer: no answer needed; none helps
ROOM = 48  # maximum number of positions of a search
FORESEEN_ROOM = 192  # the same for foresight, which visits no position twice
KEYS = np.random.default_rng(0).integers(1 << 64, size=(2, MAX_SIZE * MAX_SIZE), dtype=np.uint64)
"""A random word for each stone; positions are compared by the xor of their stones' words."""


class Sequences(NamedTuple):
    """The positions of a search after sequences of fours and their replies."""

    boards: NDArray[np.int64]  # [ROOM, ROWS + N] with the attacker to play
    begun: NDArray[np.int64]  # [ROOM] the first four of each sequence
    keys: NDArray[np.uint64]  # [ROOM] the xor of KEYS of the stones that they have in addition to the first


def find_wins_by_fours(state: State, colour: int, t: Threats, room: int, once: bool, won: np.ndarray) -> bool:
    """Write the fours that start a win by fours for the colour to play; none if it can make a five at once.

    Args:
        state: a position.
        colour: the colour that makes the fours.
        t: the position's threats, written by `find_fours`; overwritten.
        room: maximum number of positions of the search, including this one.
        once: only find out whether there is a win: stop at the first, and search no position twice.
        won: receives the cells, as of Black.  # [N] int64

    Returns:
        whether there is a win.
    """
    won[:] = 0
    if only_cell(t.found[FIVE], colour) != ANY or only_cell(t.found[FOUR], colour) == ANY:
        return False
    s = Sequences(np.empty((room, len(state)), np.int64), np.empty(room, np.int64), np.empty(room, np.uint64))
    s.boards[0], s.begun[0], s.keys[0] = state, ANY, 0
    first, end, wins = 0, 1, False
    while first < end <= room:
        known, filled = won.copy(), end
        for at in range(first, end):
            if is_among(known, int(s.begun[at]), BLACK_STONE):
                continue
            if at > 0:
                find_fours(s.boards[at], half_of(colour), t)
            new, filled = try_fours(s, colour, at, t, end if once else filled, filled, won)
            wins = wins or new
            if wins and once:
                return True
        first, end = end, filled
    return wins


def try_fours(
    s: Sequences, colour: int, at: int, t: Threats, since: int, filled: int, won: np.ndarray
) -> tuple[bool, int]:
    """Make each four of a position, note the winning ones, and add the replies to the others while storage lasts.

    Args:
        s: the positions of the search.
        colour: the colour that makes the fours.
        at: index of the position.
        t: the position's threats.
        since: index of the first position that new ones must differ from.
        filled: number of positions found so far, counting those without storage.
        won: receives the first fours of winning sequences.

    Returns:
        whether a four wins, and `filled`, increased.
    """
    answer, wins = only_cell(t.found[FIVE], 1 - colour), False
    if answer == NONE:
        return False, filled
    board, begin = s.boards[at], int(s.begun[at])
    size, renju = read_field(board, SIZE), read_field(board, RULE) == RENJU
    for direction in range(4):
        for row in range(size):
            left = of_colour(int(t.lack_two[direction, row]), colour)
            while left != 0:
                cell, stop = missing(board, colour, row, lowest_bit(np.uint64(left)) - PAD, direction)
                left &= left - 1
                for _ in range(2):
                    if answer in (ANY, cell) and not (renju and colour == BLACK_STONE and is_forbidden(board, cell)):
                        start = cell if begin == ANY else begin
                        if is_among(t.found[TWO_FOURS], cell, colour) or (
                            renju and colour != BLACK_STONE and is_stop_forbidden(board, cell, stop)
                        ):
                            won[start // size] |= 1 << (PAD + start % size)
                            wins = True
                        else:
                            filled += add(s, at, start, cell, stop, colour, since, filled)
                    cell, stop = stop, cell
    return wins, filled


def add(s: Sequences, at: int, start: int, cell: int, stop: int, colour: int, since: int, filled: int) -> int:
    """Add the position after a four and its reply, and return 1; 0 if it is among those from `since` on."""
    room, size = len(s.boards), s.boards.shape[1] - ROWS
    if filled > room:
        return 1
    key = s.keys[at] ^ KEYS[colour, cell] ^ KEYS[1 - colour, stop]
    for other in range(since, filled):
        if s.keys[other] == key:
            return 0
    if filled == room:
        return 1
    s.boards[filled], s.begun[filled], s.keys[filled] = s.boards[at], start, key
    s.boards[filled, ROWS + cell // size] |= stone_bit(cell % size, colour)
    s.boards[filled, ROWS + stop // size] |= stone_bit(stop % size, 1 - colour)
    return 1


def missing(board: State, colour: int, row: int, column: int, direction: int) -> tuple[int, int]:
    """Return the two cells without a stone of a colour in the line of five that begins at a cell."""
    size, first, second = read_field(board, SIZE), ANY, ANY
    down, right = ONWARD[direction]
    for step in range(5):
        at_row, at_column = row + step * down, column + step * right
        if int(board[ROWS + at_row]) & stone_bit(at_column, colour) == 0:
            first, second = second, at_row * size + at_column
    return first, second


def is_stop_forbidden(board: State, cell: int, stop: int) -> bool:
    """Return whether Black must not stop the four that a white stone makes."""
    size = read_field(board, SIZE)
    board[ROWS + cell // size] ^= stone_bit(cell % size, 1 - BLACK_STONE)
    forbidden = is_forbidden(board, stop)
    board[ROWS + cell // size] ^= stone_bit(cell % size, 1 - BLACK_STONE)
    return forbidden


def is_among(cells: np.ndarray, cell: int, colour: int) -> bool:
    """Return whether a cell is in a colour's set [N]; False for ANY."""
    size = len(cells)
    return cell != ANY and int(cells[cell // size]) & stone_bit(cell % size, colour) != 0


def only_cell(cells: np.ndarray, colour: int) -> int:
    """Return the only cell of a colour's set [N]; ANY if it is empty, NONE if it has several."""
    only = ANY
    for row in range(len(cells)):
        word = of_colour(int(cells[row]), colour)
        if word != 0:
            if only != ANY or word & (word - 1) != 0:
                return NONE
            only = row * len(cells) + lowest_bit(np.uint64(word)) - PAD
    return only


def foresee(state: State) -> int:
    """Return the winner if a player wins by fives and fours alone; draws are not foreseen."""
    colour, mover = read_field(state, COLOUR), read_field(state, PLAYER)
    if read_field(state, STAGE) != PLAY:
        return ONGOING
    size = read_field(state, SIZE)
    t = make_threats(size)
    find_fours(state, half_of(colour), t)
    stop = only_cell(t.found[FIVE], 1 - colour)
    if has_win(state, colour, t):
        return FIRST_WINS + mover
    if stop == ANY:
        return ONGOING
    if stop != NONE and not (read_field(state, RULE) == RENJU and colour == BLACK_STONE and is_forbidden(state, stop)):
        after = state.copy()
        after[ROWS + stop // size] |= stone_bit(stop % size, colour)
        find_fours(after, half_of(1 - colour), t)
        if not has_win(after, 1 - colour, t):
            return ONGOING
    return SECOND_WINS - mover


def has_win(state: State, colour: int, t: Threats) -> bool:
    """Return whether the colour to play makes a five or wins by fours; `t` are the position's threats."""
    if only_cell(t.found[FIVE], colour) != ANY:
        return True
    return find_wins_by_fours(state, colour, t, FORESEEN_ROOM, True, np.empty(len(t.unblocked), np.int64))
