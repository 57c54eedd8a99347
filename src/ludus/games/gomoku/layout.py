"""The bit layout of a Gomoku state and the numbering of actions.

    word 0        the fields below: size, rule, stage, player, colour of the next stone, result
    word 1 + row  the stones of a row, row 0 at the top: bit PAD + column is black, WHITE bits further is white

PAD free bits on both sides of a row keep a window of eleven cells inside the word.  Cells are numbered row by row,
`cell = row * size + column`, and so are the actions that play there.  The opening swap2 adds two actions: take Black,
and put two more stones.  The words are signed, so plain Python and compiled code compute the same.
"""

from ludus.games.rules import State

INFO, ROWS = 0, 1  # indices of words
PAD = 5
WHITE = 32
NEAR = 5  # a stone's threats depend on this many cells on each side
WINDOW = 2 * NEAR + 1

# ---- word 0: (first bit, number of bits, word) --------------------------------------------------------------------
SIZE = (0, 5, INFO)
RULE = (5, 2, INFO)
STAGE = (7, 3, INFO)
COLOUR = (10, 1, INFO)  # colour of the next stone
PLAYER = (11, 1, INFO)  # the player to move
RESULT = (12, 2, INFO)  # the outcome
COUNT = (14, 9, INFO)  # stones on the board

FREESTYLE, STANDARD, RENJU = 0, 1, 2
RULES = ("freestyle", "standard", "renju")

PLAY, THREE, CHOICE, TWO_MORE, LAST_CHOICE = 0, 1, 2, 3, 4  # stages: all but the first belong to swap2
BLACK_STONE, WHITE_STONE = 0, 1
TAKE_BLACK, PUT_TWO = 0, 1  # action numbers beyond the cells

MIN_SIZE, MAX_SIZE = 5, 20
DOWN = (0, 1, 1, 1)  # row step of each direction: horizontal, vertical, falling and rising diagonal
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
