"""The layout of a Go state, the same for all boards, rule sets and planes.

    0         rules, constant during a game: the fields below
    1         komi, handicap, planes: the fields below
    2         the course of the game: the fields below
    3         the last five actions plus one, newest in the lowest 10 bits; the pass lock's counter; the button
    4         the hash of the stones on the board
    5-        nine sets of W words each, in the order of `BLACK` to `DEAD`
    then      with the option `history`: the previous seven boards, newest first, black then white stones
    then      with superko: the hash of the position after each ply, as many as the state has room for

Points are numbered inside the frame, row by row from the top, `point = row * frame + column`, and so are the actions.
The pass has the last number.  A board smaller than its frame is at the frame's top left.
"""

import numpy as np

from ludus.games.packed import Field, field, read_field
from ludus.games.rules import State

RULES, OPTIONS, GAME, RECENT, HASH, SETS = range(6)  # indices of words

# ---- word 0 ----------------------------------------------------------------------------------------------------------
SIZE: Field = (0, 5, RULES)
FRAME: Field = (5, 5, RULES)
KO_RULE: Field = (10, 2, RULES)
SUICIDE: Field = (12, 1, RULES)
TERRITORY: Field = (13, 1, RULES)
"""1 for territory scoring (surrounded points and prisoners), 0 for area scoring (stones and surrounded points)."""
MARKING: Field = (14, 1, RULES)
"""If 1, people mark dead stones and agree about them after two passes."""
PASS_LOCK: Field = (15, 1, RULES)
"""If 1, no pass is legal while the number of neutral points changes, unless nothing else is."""
SEARCHED: Field = (16, 1, RULES)
"""If 1, an engine searches this state: dead stones stay as marked, two passes end it, and it fills no own eyes."""
LIMIT: Field = (17, 13, RULES)
"""Plies after which the game ends and is scored as it stands."""
SIMPLE, POSITIONAL, SITUATIONAL = 0, 1, 2
"""The ko rule."""

# ---- word 1 ----------------------------------------------------------------------------------------------------------
KOMI: Field = (0, 12, OPTIONS)
"""In half points, plus `NO_KOMI`."""
BONUS: Field = (12, 9, OPTIONS)
"""White's points for Black's handicap."""
HANDICAP: Field = (21, 9, OPTIONS)
"""Stones that Black places, or has placed, before White's first move."""
SHOWS_LIBERTIES: Field = (30, 1, OPTIONS)
SHOWS_HISTORY: Field = (31, 1, OPTIONS)
SEED_PLANES: Field = (32, 1, OPTIONS)
NO_KOMI = 1024

# ---- word 2 ----------------------------------------------------------------------------------------------------------
TURN: Field = (0, 1, GAME)
PASSES: Field = (1, 2, GAME)
"""Consecutive passes."""
PHASE: Field = (3, 2, GAME)
AGREED: Field = (5, 1, GAME)
"""If 1, the other player has agreed to the marked dead stones."""
KO: Field = (6, 9, GAME)
"""One more than the point where a ko may not be retaken at once; 0 for none."""
PLY: Field = (15, 13, GAME)
TAKEN: tuple[Field, Field] = ((28, 12, GAME), (40, 12, GAME))
"""Stones captured by each player; suicide counts for the opponent."""
PLACING: Field = (52, 9, GAME)
"""Free handicap: stones that Black still has to place."""
TURNED: Field = (61, 3, GAME)
"""The symmetry applied to this state; hashes are those of the original board."""
PLAYING, AGREEING, OVER = 0, 1, 2
"""Phases."""

# ---- word 3 ----------------------------------------------------------------------------------------------------------
ACTION_BITS, NUM_RECENT = 10, 5
NEUTRAL: Field = (50, 9, RECENT)
STEADY: Field = (59, 3, RECENT)
"""Plies since the number of neutral points last changed, up to 7."""
BUTTON: Field = (62, 2, RECENT)
"""The button, which counts half a point for the player whose pass takes it: one of the next four."""
NO_BUTTON, BUTTON_LEFT, BLACKS_BUTTON, WHITES_BUTTON = range(4)

BLACK, WHITE, EMPTY, ONE_LIBERTY, TWO_LIBERTIES, THREE_LIBERTIES, LOST, LOST_WHITE, DEAD, NUM_SETS = range(10)
"""Sets of points; `LOST`: points where a black stone was ever captured; `DEAD`: stones marked as dead."""
PAST_BOARDS = 7
MAX_SIZE = 19
MAX_TAKEN = (1 << 12) - 1
MAX_PLIES = (1 << 13) - 1
WIDTHS = (2, 3, 6)
"""Numbers of words per set that are compiled."""


def width_of(frame: int) -> int:
    """Return W, the number of words that hold a set of points of a board or frame with `frame` rows."""
    return next(width for width in WIDTHS if frame * frame <= 64 * width)


def first_hash(options: np.uint64, width: int) -> int:
    """Return the index of the first position hash."""
    return SETS + (NUM_SETS + 2 * PAST_BOARDS * field(options, SHOWS_HISTORY)) * width


def whites_compensation(state: State) -> int:
    """Return White's points apart from the board, in half points: komi, points for handicap stones, and the button."""
    button = read_field(state, BUTTON)
    komi = read_field(state, KOMI) - NO_KOMI + 2 * read_field(state, BONUS)
    return komi + (button == WHITES_BUTTON) - (button == BLACKS_BUTTON)


def recent_action(state: State, back: int) -> int:
    """Return an earlier action, 0 for the last one; -1 if there is none."""
    return read_field(state, (ACTION_BITS * back, ACTION_BITS, RECENT)) - 1
