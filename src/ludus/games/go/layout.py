"""Where the words of a Go state stand; one form serves every board, every rule set and every choice of planes.

    0         rules, which never change during a game: the fields below
    1         komi, handicap, and what networks are shown: the fields below
    2         the game so far: the fields below
    3         the last five actions, newest in the lowest 10 bits, each one more than its number; the pass lock's count
    4         the hash of the stones on the board
    5-        nine sets of W words each, in the order of `BLACK` to `DEAD`
    then      with the option `history`: the last seven boards before this one, newest first, black then white stones
    then      with superko: the hash of the position after each ply, as the state's length allows

Points are numbered within the frame, row by row from the top: `point = row * frame + column`, and so are actions; the
pass comes last.  A board that is smaller than its frame lies at its top left.
"""

import numpy as np

from ludus.games.packed import Field, field
from ludus.games.rules import State

RULES, OPTIONS, GAME, RECENT, HASH, SETS = range(6)  # indices of words

# ---- word 0 ----------------------------------------------------------------------------------------------------------
SIZE: Field = (0, 5, RULES)
FRAME: Field = (5, 5, RULES)
KO_RULE: Field = (10, 2, RULES)
SUICIDE: Field = (12, 1, RULES)
TERRITORY: Field = (13, 1, RULES)
"""1: points are empty points that are surrounded and prisoners; 0: stones and empty points that are surrounded."""
MARKING: Field = (14, 1, RULES)
"""1: after two passes people mark dead stones and agree."""
PASS_LOCK: Field = (15, 1, RULES)
"""1: nobody may pass while the number of neutral points still changes, unless nothing else is legal."""
SEARCHED: Field = (16, 1, RULES)
"""1: an engine searches this state: it leaves dead stones marked as they are, and fills no eyes of its own."""
LIMIT: Field = (17, 13, RULES)
"""Plies after which a game is over, and counted as it stands."""
SIMPLE, POSITIONAL, SITUATIONAL = 0, 1, 2
"""Rules of ko."""

# ---- word 1 ----------------------------------------------------------------------------------------------------------
KOMI: Field = (0, 12, OPTIONS)
"""In half points, plus `NO_KOMI`."""
BONUS: Field = (12, 9, OPTIONS)
"""Points that White gets for Black's handicap."""
HANDICAP: Field = (21, 9, OPTIONS)
"""Stones that Black had, or has, before White's first move."""
SHOWS_LIBERTIES: Field = (30, 1, OPTIONS)
SHOWS_HISTORY: Field = (31, 1, OPTIONS)
SEED_PLANES: Field = (32, 1, OPTIONS)
NO_KOMI = 1024

# ---- word 2 ----------------------------------------------------------------------------------------------------------
TURN: Field = (0, 1, GAME)
PASSES: Field = (1, 2, GAME)
"""In a row."""
PHASE: Field = (3, 2, GAME)
AGREED: Field = (5, 1, GAME)
"""1: the other player has agreed to the dead stones as they are marked."""
KO: Field = (6, 9, GAME)
"""One more than the point that may not be taken back at once; 0 for none."""
PLY: Field = (15, 13, GAME)
TAKEN: tuple[Field, Field] = ((28, 12, GAME), (40, 12, GAME))
"""Stones that each player has taken; a suicide's count for the opponent."""
PLACING: Field = (52, 9, GAME)
"""Free handicap: stones that Black still places."""
TURNED: Field = (61, 3, GAME)
"""The symmetry under which this state is seen; hashes are those of the board as it was."""
PLAYING, AGREEING, OVER = 0, 1, 2
"""Phases."""

# ---- word 3 ----------------------------------------------------------------------------------------------------------
ACTION_BITS, NUM_RECENT = 10, 5
NEUTRAL: Field = (50, 9, RECENT)
STEADY: Field = (59, 3, RECENT)
"""Plies since the number of neutral points has changed, 7 at most."""

BLACK, WHITE, EMPTY, ONE_LIBERTY, TWO_LIBERTIES, THREE_LIBERTIES, LOST, LOST_WHITE, DEAD, NUM_SETS = range(10)
"""Sets of points; `LOST`: where a black stone has ever been taken away; `DEAD`: stones that are marked as dead."""
PAST_BOARDS = 7
MAX_SIZE = 19
MAX_TAKEN = (1 << 12) - 1
MAX_PLIES = (1 << 13) - 1
WIDTHS = (2, 3, 6)
"""Words of a set that are compiled."""


def width_of(frame: int) -> int:
    """Return W, the words of a set of points, for a frame."""
    return next(width for width in WIDTHS if frame * frame <= 64 * width)


def first_hash(options: np.uint64, width: int) -> int:
    """Return where the hashes of the positions begin."""
    return SETS + (NUM_SETS + 2 * PAST_BOARDS * field(options, SHOWS_HISTORY)) * width


def recent_action(state: State, back: int) -> int:
    """Return an earlier action, 0 being the last one; -1 for none."""
    return (int(np.uint64(state[RECENT]) >> np.uint64(ACTION_BITS * back)) & (1 << ACTION_BITS) - 1) - 1
