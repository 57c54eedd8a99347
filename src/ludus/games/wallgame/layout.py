"""The bit layout of a Wall Game state and the numbering of cells.

    word 0            the board, constant during a game: sides, frame, variant, edition, options
    word 1            the turn: four pawns, the player, first or second action, the result
    W words           bit `cell`: the passage from the cell to its right neighbour is open
    W words           bit `cell`: the passage from the cell to its lower neighbour is open

Cells are numbered inside the frame, column by column: `cell = column * frame_rows + row`, row 0 at the top.  A board
smaller than its frame is at the frame's top left; every passage outside it or across its border is closed.  Since the
state describes its board, one compiled set of rules serves all boards of at most 64 W cells.
"""

from ludus.games.packed import read_field
from ludus.games.rules import State

BOARD, TURN, PASSAGES = 0, 1, 2  # indices of words

# ---- word 0: (first bit, number of bits, word) --------------------------------------------------------------------
ROWS, COLUMNS, FRAME_ROWS, FRAME_COLUMNS = ((first, 5, BOARD) for first in (0, 5, 10, 15))
VARIANT = (20, 2, BOARD)
OLD_RULES = (22, 1, BOARD)  # edition 2026-01: draw by the one-move rule, a pawn may step back within a move
SHORT = (23, 1, BOARD)  # moves of fewer than two actions are legal
MOVABLE = (24, 4, BOARD)  # pawns that can move: bit 2 * player for the cat, bit 2 * player + 1 for the mouse
CYCLE = (28, 1, BOARD)  # the variant is animal-cycle, and the field VARIANT is 0

STANDARD, CLASSIC, FREESTYLE, SURVIVAL, ANIMAL_CYCLE = 0, 1, 2, 3, 4
VARIANTS = ("standard", "classic", "freestyle", "survival", "animal-cycle")
ANIMALS = ("cat", "mouse", "elephant", "dog")  # of animal-cycle, by pawn slot

# ---- word 1 -------------------------------------------------------------------------------------------------------
PAWN_BITS = 9  # pawn slot s starts at bit 9 s: slot 2 p is player p's cat, slot 2 p + 1 is that cat's goal, which
#                is the opponent's mouse or, in classic, player p's own home; in animal-cycle, the slots are
#                cat, mouse, elephant, dog: each hunts the next one, the dog the cat, and slot s is player s % 2's
PLAYER, SECOND = (36, 1, TURN), (37, 1, TURN)
BACK = (38, 4, TURN)  # 1 + the pawn step that would undo the first action of this move, 0 for none
RESULT = (42, 2, TURN)  # the outcome, stored at the end of a move
TURNS_LEFT = (44, 16, TURN)  # survival: remaining moves of player 0 until the mouse has survived

MIN_SIDE, MAX_SIDE = 3, 20
NUM_STEPS = 8  # the first pawn, then the second: right, down, left, up
JUMPS = ((0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (1, 2), (2, 3), (3, 0))
"""Animal-cycle: the two directions of each jump, a double step that passes over a pawn; around corners in any order."""
NUM_JUMPS = 2 * len(JUMPS)  # of both pawns; their actions follow the end of the move


def first_jump(cells: int) -> int:
    """Return the number of the first jump on a frame of `cells` cells."""
    return 2 * cells + NUM_STEPS + 1


def pawn(state: State, slot: int) -> int:
    """Return the cell of a pawn slot."""
    return read_field(state, (PAWN_BITS * slot, PAWN_BITS, TURN))


def mouse_slot(player: int) -> int:
    """Return the slot of a player's mouse, the goal of the opponent's cat."""
    return 2 * (1 - player) + 1


def num_words(cells: int) -> int:
    """Return W, the number of words of a set of cells; one of three compiled widths."""
    return 1 if cells <= 64 else 2 if cells <= 128 else 7
