"""Finds what a stone of either colour would make on every free cell: fives, fours and open threes.

The terms are those of `lines`: a *four* lacks one stone for a five, a *three* one stone for a straight four.  `lines`
examines a single cell; this code examines a whole row at once, and both colours in the two halves of a word.  The next
cells of all lines that begin in a row are in the words of the rows below or above, shifted.  So a set of cells has one
word for each row, like the stones of a state, and each colour has its own set.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.gomoku.layout import BLACK_STONE, FREESTYLE, PAD, RENJU, ROWS, RULE, SIZE, WHITE
from ludus.games.packed import read_field
from ludus.games.rules import State

FIVE, FOUR, TWO_FOURS, THREE, TWO_THREES = 0, 1, 2, 3, 4
NUM_THREATS = 5
ONWARD = ((0, 1), (1, 0), (1, 1), (-1, 1))  # the steps of a line in rows and columns: rising lines begin at the bottom
HALF = (1 << (WHITE - 1)) - 1  # the topmost bit stays free, so that words are positive
BOTH = HALF | HALF << WHITE
ACROSS = np.uint64(WHITE)
S1, S2, S3, S4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)  # shifts to the next cells of a line


class Threats(NamedTuple):
    """Where stones make fives, fours and threes; each colour has its own set of cells."""

    found: NDArray[np.int64]  # [NUM_THREATS, N] by what a stone on a free cell makes: a five; a four; two fours or a
    # straight four; a three without a four in its line; two such threes
    unblocked: NDArray[np.uint64]  # [N] the cells without a stone of the other colour
    lack_one: NDArray[np.uint64]  # [4, N] where lines of four stones and a free cell begin, by direction
    lack_two: NDArray[np.uint64]  # [4, N] where lines of three stones and two free cells begin


def make_threats(size: int) -> Threats:
    """Allocate the threats of a board."""
    words = np.zeros((9, size), np.uint64)
    return Threats(np.empty((NUM_THREATS, size), np.int64), words[0], words[1:5], words[5:9])


def of_colour(word: int, colour: int) -> int:
    """Return one colour's half of a word, column 0 at bit PAD."""
    return (word >> (WHITE * colour)) & HALF


def half_of(colour: int) -> int:
    """Return the half of a word that belongs to a colour."""
    return HALF << (WHITE * colour)


def write_unblocked(state: State, t: Threats) -> int:
    """Write the cells without a stone of the other colour; return the halves of colours that need exactly five."""
    size, rule = len(t.unblocked), read_field(state, RULE)
    cells = np.uint64((((1 << size) - 1) << PAD) * (1 + (1 << WHITE)))
    for row in range(size):
        word = np.uint64(state[ROWS + row])
        t.unblocked[row] = ~(word >> ACROSS | word << ACROSS) & cells
    return 0 if rule == FREESTYLE else half_of(BLACK_STONE) if rule == RENJU else BOTH


def find_lines(state: State, t: Threats) -> None:
    """Write where lines begin that lack one stone or two for a five; these loops have no branches, for vectors."""
    size, s, u = len(t.unblocked), state[ROWS:].view(np.uint64), t.unblocked
    for row in range(size):
        a, can = s[row], u[row]
        can &= can >> S1 & can >> S2 & can >> S3 & can >> S4
        t.lack_one[0, row], t.lack_two[0, row] = lacking(a, a >> S1, a >> S2, a >> S3, a >> S4, can)
    for row in range(size - 4):
        can = u[row] & u[row + 1] & u[row + 2] & u[row + 3] & u[row + 4]
        t.lack_one[1, row], t.lack_two[1, row] = lacking(s[row], s[row + 1], s[row + 2], s[row + 3], s[row + 4], can)
    for row in range(size - 4):
        can = u[row] & u[row + 1] >> S1 & u[row + 2] >> S2 & u[row + 3] >> S3 & u[row + 4] >> S4
        t.lack_one[2, row], t.lack_two[2, row] = lacking(
            s[row], s[row + 1] >> S1, s[row + 2] >> S2, s[row + 3] >> S3, s[row + 4] >> S4, can
        )
    for row in range(size - 4):
        can = u[row + 4] & u[row + 3] >> S1 & u[row + 2] >> S2 & u[row + 1] >> S3 & u[row] >> S4
        t.lack_one[3, row + 4], t.lack_two[3, row + 4] = lacking(
            s[row + 4], s[row + 3] >> S1, s[row + 2] >> S2, s[row + 1] >> S3, s[row] >> S4, can
        )


def lacking(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, e: np.uint64, can: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return in which places four of five bits are set, and three; other places than those in `can` do not count."""
    odd, pairs = a ^ b ^ c, (a & b) | ((a | b) & c)  # the number is odd + 2 * pairs + 2 * more
    more = (d & e) | ((d | e) & odd)
    odd ^= d ^ e
    return pairs & more & ~odd & can, odd & (pairs ^ more) & can


def find_fours(state: State, whose: int, t: Threats) -> None:
    """Write where stones make fives, and where they make fours, and of which lines.

    Args:
        state: a position.
        whose: the halves of words, `half_of` a colour or BOTH, whose fours are wanted.
        t: receives the fives, fours and lines; threes stay as they are.
    """
    exact = write_unblocked(state, t)
    find_lines(state, t)
    t.found[: TWO_FOURS + 1] = 0
    for direction in range(4):
        down, right = ONWARD[direction]
        for row in range(len(t.unblocked)):
            lack_one, lack_two = int(t.lack_one[direction, row]), int(t.lack_two[direction, row]) & whose
            t.lack_two[direction, row] = lack_two
            if lack_one | lack_two == 0:
                continue
            before, after = beside(state, row, down, right, 5)
            whole = ~(exact & (before | after))
            lack_one &= whole
            lack_two &= whole & ~(int(state[ROWS + row]) & after)  # of two lines that lack the same cells, take one
            t.lack_two[direction, row] = lack_two
            for step in range(5):
                there = row + step * down
                free = int(t.unblocked[there]) & ~int(state[ROWS + there])
                four = (lack_two << (step * right)) & free
                t.found[FIVE, there] |= (lack_one << (step * right)) & free
                t.found[TWO_FOURS, there] |= int(t.found[FOUR, there]) & four
                t.found[FOUR, there] |= four


def beside(state: State, row: int, down: int, right: int, length: int) -> tuple[int, int]:
    """Return where lines begin in a row that have a stone just before their first cell, and just after their last."""
    size, first, last = len(state) - ROWS, row - down, row + length * down
    before = int(state[ROWS + first]) << right if 0 <= first < size else 0
    after = int(state[ROWS + last]) >> (length * right) if 0 <= last < size else 0
    return before, after


def find_threes(state: State, t: Threats) -> None:
    """Write where stones make a three, and two threes, in lines without a four, after `find_fours` of BOTH."""
    size = read_field(state, SIZE)
    exact = write_unblocked(state, t)
    fours, threes = np.empty(size, np.int64), np.empty(size, np.int64)
    t.found[THREE:] = 0
    for direction in range(4):
        down, right = ONWARD[direction]
        fours[:], threes[:] = 0, 0
        for row in range(size):
            lack_two = int(t.lack_two[direction, row])
            for step in range(5 if lack_two != 0 else 0):
                fours[row + step * down] |= lack_two << (step * right)
        for row in range(max(0, -5 * down), size - max(0, 5 * down)):
            can = open_twos(state, t.unblocked, row, down, right, exact)
            for step in range(1, 5):
                threes[row + step * down] |= can << (step * right)
        for row in range(size):
            three = int(threes[row]) & ~int(fours[row]) & int(t.unblocked[row]) & ~int(state[ROWS + row])
            t.found[TWO_THREES, row] |= int(t.found[THREE, row]) & three
            t.found[THREE, row] |= three


def open_twos(state: State, unblocked: np.ndarray, row: int, down: int, right: int, exact: int) -> int:
    """Return where lines of six cells begin in a row that have free ends and two stones between them."""
    can, some, every, odd = -1, 0, -1, 0
    for step in range(6):
        there, shift = row + step * down, step * right
        stones = int(state[ROWS + there]) >> shift
        can &= int(unblocked[there]) >> shift
        if step in (0, 5):
            can &= ~stones
        else:
            some, every, odd = some | stones, every & stones, odd ^ stones
    can &= some & ~every & ~odd
    if can == 0 or exact == 0:
        return can
    before, after = beside(state, row, down, right, 6)
    return can & ~(exact & (before | after))
