"""Finds wins by fours (VCF): sequences of fours, each with a single reply, that end in a double five.

The idea is from L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and Threat-Space Search (1994).  The
search goes from shorter to longer sequences and stops before a length that would exceed its storage, so mirrored boards
have mirrored results.
"""

import numpy as np

from ludus.games.gomoku.forbidden import is_forbidden, point_cell
from ludus.games.gomoku.layout import BLACK_STONE, COLOUR, PAD, PLAY, PLAYER, RENJU, ROWS, RULE, SIZE, STAGE, stone_bit
from ludus.games.gomoku.lines import APART, five_points, free_windows, one_window, windows
from ludus.games.gomoku.rules import is_exact
from ludus.games.gomoku.threats import FIVE, FOUR, NUM_THREATS, find_threats
from ludus.games.packed import read_field
from ludus.games.rules import FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.kernel import lowest_bit

ANY, NONE = -1, -2  # instead of the cell where a player must answer: no answer needed; none helps
ROOM = 48  # maximum number of positions of a search


def find_wins_by_fours(
    state: State, colour: int, mine: np.ndarray, theirs: np.ndarray, room: int, won: np.ndarray
) -> None:
    """Write the fours that start a win by fours for the colour to play; none if it can make a five at once.

    Args:
        state: a position.
        colour: the colour that makes the fours.
        mine: what its stones would make, written by `find_threats`.  # [NUM_THREATS, N] int64
        theirs: the same for the other colour.  # [NUM_THREATS, N] int64
        room: maximum number of positions of the search, including this one.
        won: receives the cells, column 0 at bit PAD.  # [N] int64
    """
    won[:] = 0
    answer = only_cell(theirs[FIVE])
    if only_cell(mine[FIVE]) != ANY or only_cell(mine[FOUR]) == ANY or answer == NONE:
        return
    exact = is_exact(read_field(state, RULE), colour)
    boards = np.zeros((room, len(state)), np.int64)  # [ROOM, ROWS + N] positions with the colour to play
    begun = np.full(room, ANY, np.int64)  # [ROOM] the first four of each sequence
    answers = np.full(room, answer, np.int64)  # [ROOM] the cell where the other colour's five must be stopped
    boards[0] = state
    found = mine.copy()
    first, end = 0, 1
    while first < end <= room:
        known, filled = won.copy(), end
        for at in range(first, end):
            if answers[at] == NONE or is_among(known, int(begun[at])):
                continue
            if at > 0:
                find_threats(boards[at], colour, exact, False, found)
            filled = try_fours(colour, at, found[FOUR], boards, begun, answers, filled, won)
        first, end = end, filled


def try_fours(
    colour: int,
    at: int,
    fours: np.ndarray,
    boards: np.ndarray,
    begun: np.ndarray,
    answers: np.ndarray,
    filled: int,
    won: np.ndarray,
) -> int:
    """Make each four of a position, note the winning ones, and add the replies to the others while storage lasts.

    Args:
        colour: the colour that makes the fours.
        at: index of the position in `boards`.
        fours: the cells that make fours, column 0 at bit PAD.  # [N] int64
        boards: the positions of the search.
        begun: the first four of each position's sequence.
        answers: the cell where the colour must answer, for each position.
        filled: number of positions found so far, counting those without storage; returned increased.
        won: receives the first fours of winning sequences.
    """
    board = boards[at]
    size, rule = read_field(board, SIZE), read_field(board, RULE)
    for row in range(size):
        left = int(fours[row])
        while left != 0:
            column = lowest_bit(np.uint64(left)) - PAD
            left &= left - 1
            cell = row * size + column
            if answers[at] not in (ANY, cell):
                continue
            if rule == RENJU and colour == BLACK_STONE and is_forbidden(board, cell):
                continue
            board[ROWS + row] ^= stone_bit(column, colour)
            begin = cell if begun[at] == ANY else int(begun[at])
            stop = only_point(board, cell, colour, is_exact(rule, colour))
            if stop == NONE or (rule == RENJU and colour != BLACK_STONE and is_forbidden(board, stop)):
                won[begin // size] |= 1 << (PAD + begin % size)
            else:
                if filled < len(boards):
                    boards[filled], begun[filled] = board, begin
                    boards[filled, ROWS + stop // size] ^= stone_bit(stop % size, 1 - colour)
                    answers[filled] = only_point(boards[filled], stop, 1 - colour, is_exact(rule, 1 - colour))
                filled += 1
            board[ROWS + row] ^= stone_bit(column, colour)
    return filled


def is_among(cells: np.ndarray, cell: int) -> bool:
    """Return whether a cell is in a set of rows, column 0 at bit PAD [N]; False for ANY."""
    return cell != ANY and (int(cells[cell // len(cells)]) >> (PAD + cell % len(cells))) & 1 == 1


def only_cell(cells: np.ndarray) -> int:
    """Return the only cell of a set of rows, column 0 at bit PAD [N]; ANY if it is empty, NONE if it has several."""
    only = ANY
    for row in range(len(cells)):
        word = int(cells[row])
        if word != 0:
            if only != ANY or word & (word - 1) != 0:
                return NONE
            only = row * len(cells) + lowest_bit(np.uint64(word)) - PAD
    return only


def only_point(state: State, cell: int, colour: int, exact: bool) -> int:
    """Return the only cell that completes a five through a stone; ANY if there is none, NONE if there are several."""
    own, free = windows(state, cell, colour), free_windows(state, cell)
    only, size = ANY, read_field(state, SIZE)
    for direction in range(4):
        points = five_points(one_window(own, direction), one_window(free, direction), exact)
        if points != 0:
            if only != ANY or points & (points - 1) != 0:
                return NONE
            only = point_cell(cell, APART * direction + lowest_bit(np.uint64(points)), size)
    return only


def foresee(state: State) -> int:
    """Return the winner if a player wins by fives and fours alone; draws are not foreseen."""
    size, rule, colour, mover = (
        read_field(state, SIZE),
        read_field(state, RULE),
        read_field(state, COLOUR),
        read_field(state, PLAYER),
    )
    wins, loses = FIRST_WINS + mover, SECOND_WINS - mover
    if read_field(state, STAGE) != PLAY:
        return ONGOING
    threats = np.zeros((2, NUM_THREATS, size), np.int64)  # [2, T, N] Black's and White's
    if has_win(state, colour, threats):
        return wins
    stop = only_cell(threats[1 - colour, FIVE])
    if stop == ANY:
        return ONGOING
    if stop == NONE or (rule == RENJU and colour == BLACK_STONE and is_forbidden(state, stop)):
        return loses
    after = state.copy()
    after[ROWS + stop // size] |= stone_bit(stop % size, colour)
    return loses if has_win(after, 1 - colour, threats) else ONGOING


def has_win(state: State, colour: int, threats: np.ndarray) -> bool:
    """Return whether the colour to play makes a five or wins by fours.

    Args:
        state: a position after the opening.
        colour: the colour to play.
        threats: receives both colours' threats.  # [2, T, N] int64
    """
    rule = read_field(state, RULE)
    for each in range(2):
        find_threats(state, each, is_exact(rule, each), False, threats[each])
    mine, won = threats[colour], np.zeros(threats.shape[2], np.int64)
    if only_cell(mine[FIVE]) != ANY:
        return True
    find_wins_by_fours(state, colour, mine, threats[1 - colour], ROOM, won)
    return only_cell(won) != ANY
