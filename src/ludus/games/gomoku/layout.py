"""The state of Gomoku: which bits of its 64-bit words hold what, and which action has which number.

    word 0        the fields below: size, rule, stage, whose turn, the colour of the next stone, the result
    word 1 + row  the stones of a row, row 0 on top: bit PAD + column is a black stone, WHITE bits further a white one

PAD free bits before and behind a row keep a window of eleven cells from running off its end.  Cells are numbered row
by row, `cell = row * size + column`, and playing there has the number of the cell.  With the opening swap2, two more
actions follow: to take Black, and to put two more stones and let the other player choose.  The words are signed, so
that plain Python and machine code reckon alike.
"""

from ludus.games.rules import State

INFO, ROWS = 0, 1  # indices of words
PAD = 5
WHITE = 32
NEAR = 5  # cells on each side of a stone that decide what it makes
WINDOW = 2 * NEAR + 1

# ---- word 0: (first bit, number of bits, word) --------------------------------------------------------------------
SIZE = (0, 5, INFO)
RULE = (5, 2, INFO)
STAGE = (7, 3, INFO)
COLOUR = (10, 1, INFO)  # of the next stone
PLAYER = (11, 1, INFO)  # who puts it, or chooses
RESULT = (12, 2, INFO)  # the outcome
COUNT = (14, 9, INFO)  # stones on the board

FREESTYLE, STANDARD, RENJU = 0, 1, 2
RULES = ("freestyle", "standard", "renju")

PLAY, THREE, CHOICE, TWO_MORE, LAST_CHOICE = 0, 1, 2, 3, 4  # stages: all but the first belong to swap2
BLACK_STONE, WHITE_STONE = 0, 1
TAKE_BLACK, PUT_TWO = 0, 1  # action numbers beyond the cells

MIN_SIZE, MAX_SIZE = 5, 20
DOWN = (0, 1, 1, 1)  # rows and columns of a step in each direction: level, upright, falling, rising
RIGHT = (1, 0, 1, -1)


def stone_bit(column: int, colour: int) -> int:
    """Return a stone's bit in the word of its row."""
    return 1 << (PAD + column + WHITE * colour)


def stones(state: State, row: int, colour: int) -> int:
    """Return the stones of one colour in a row, column 0 at bit PAD."""
    return (int(state[ROWS + row]) >> (WHITE * colour)) & ((1 << WHITE) - 1)


def free_cells(state: State, row: int, size: int) -> int:
    """Return the free cells of a row, column 0 at bit PAD."""
    word = int(state[ROWS + row])
    return ~(word | word >> WHITE) & (((1 << size) - 1) << PAD)
