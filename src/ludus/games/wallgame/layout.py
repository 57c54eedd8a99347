"""The state of a Wall Game: which bits of its 64-bit words hold what, and which action has which number.

    word 0            the board, which never changes during a game: sides, frame, variant, edition, options
    word 1            the turn: four pawns, whose turn, first or second action, the result
    W words           bit `cell`: the passage from the cell to its right neighbour is open
    W words           bit `cell`: the passage from the cell to its lower neighbour is open

Cells are numbered within the frame, column by column: `cell = column * frame_rows + row`, row 0 on top.  A board that
is smaller than its frame lies at the top left; every passage outside it, and across its border, is closed.  Since all
of this is in the state, one compiled set of rules serves every board of at most 64 W cells.
"""

import numpy as np

from ludus.games.rules import State

BOARD, TURN, PASSAGES = 0, 1, 2  # indices of words

# ---- word 0: (first bit, number of bits, word) --------------------------------------------------------------------
ROWS, COLUMNS, FRAME_ROWS, FRAME_COLUMNS = ((first, 5, BOARD) for first in (0, 5, 10, 15))
VARIANT = (20, 2, BOARD)
OLD_RULES = (22, 1, BOARD)  # edition 2026-01: draw by the one-move rule, a pawn may step back within a move
SHORT = (23, 1, BOARD)  # moves of fewer than two actions may be chosen
MOVABLE = (24, 4, BOARD)  # which pawns move at all: bit 2 * player for the cat, bit 2 * player + 1 for the mouse

STANDARD, CLASSIC, FREESTYLE, SURVIVAL = 0, 1, 2, 3
VARIANTS = ("standard", "classic", "freestyle", "survival")

# ---- word 1 -------------------------------------------------------------------------------------------------------
PAWN_BITS = 9  # pawn slot s starts at bit 9 s: slot 2 p is player p's cat, slot 2 p + 1 is what that cat hunts, which
#                is the opponent's mouse, or in classic player p's own home
PLAYER, SECOND = (36, 1, TURN), (37, 1, TURN)
BACK = (38, 4, TURN)  # 1 + the pawn step that would undo the first action of this move, 0 for none
RESULT = (42, 2, TURN)  # the outcome, settled when a move ends
TURNS_LEFT = (44, 16, TURN)  # survival: moves of player 0 until the mouse has survived

MIN_SIDE, MAX_SIDE = 3, 20
NUM_STEPS = 8  # cat, then mouse: right, down, left, up


def pawn(state: State, slot: int) -> int:
    """Return the cell of a pawn slot."""
    return int(np.uint64(state[TURN]) >> np.uint64(PAWN_BITS * slot)) & ((1 << PAWN_BITS) - 1)


def mouse_slot(player: int) -> int:
    """Return the slot of a player's mouse: what the opponent's cat hunts."""
    return 2 * (1 - player) + 1


def num_words(cells: int) -> int:
    """Return W, the words of a bit set of cells: one of the three widths that are compiled."""
    return 1 if cells <= 64 else 2 if cells <= 128 else 7
