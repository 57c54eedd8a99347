"""The compiled rules of chess: legal actions, play, repetition and outcome."""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.chess import layout
from ludus.games.chess.actions import (
    CASTLE_LEFT,
    CASTLE_RIGHT,
    PAWN_LEFT,
    PAWN_RIGHT,
    PAWN_TWO,
    TARGET,
    UNDERPROMOTIONS,
    UPSIDE_DOWN,
)
from ludus.games.chess.layout import bit, history_move, turned
from ludus.games.chess.moves import KING_TO, ROOK_TO, can_move, can_pass, write_legal
from ludus.games.chess.pieces import (
    Sets,
    attackers,
    castlers,
    diagonals,
    kings,
    knights,
    occupied,
    pawns,
    sets,
    straights,
)
from ludus.games.packed import ONE, field, read_field, with_field
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.kernel import lowest_bit

MAX_LEGAL = 218
"""Maximum number of legal moves of any reachable position."""
CLAIMABLE = (100, 2)
"""Half moves without capture or pawn move, and earlier occurrences, that allow a player to claim a draw."""
AUTOMATIC = (150, 4)
"""Half moves and earlier occurrences that end the game in a draw without a claim."""
EACH = np.uint64(sum(1 << layout.MOVE_BITS * index for index in range(layout.MOVES_A_WORD)))
"""The lowest bit of each action in a word of the history."""
SQUARES = EACH * np.uint64(63)
"""The origin of each action in a word of the history."""
LIGHT = np.uint64(0xAA55AA55AA55AA55)


def to_play(state: State) -> int:
    """Return the player to move; White is player 0."""
    return read_field(state, layout.TURN)


def put(state: State, board: Sets) -> None:
    """Write the four words of the board."""
    state[layout.MINE], state[layout.DIAGONAL], state[layout.STRAIGHT], state[layout.SPECIAL] = board


def in_check(state: State) -> bool:
    """Return whether the mover's king is attacked."""
    board = sets(state)
    return int(attackers(board, lowest_bit(kings(board) & board[0]), occupied(board))) != 0


def is_dead(state: State) -> bool:
    """Return whether neither side has mating material: bishops on one colour only, or a single minor piece."""
    board = sets(state)
    if int(pawns(board) | straights(board)) != 0:
        return False
    minor, bishops = knights(board) | diagonals(board), diagonals(board)
    if int(minor & (minor - ONE)) == 0:
        return True
    return int(knights(board)) == 0 and (int(bishops & LIGHT) == 0 or int(bishops & ~LIGHT) == 0)


def was_left(state: State, back: int) -> bool:
    """Return whether an action of the history may have left the square where the last one ended.

    Otherwise that square was empty since the history began, so this position is new.  All five origins of a word are
    compared at once; 64 less the difference of two squares has bit 6 if and only if they are equal.
    """
    square = np.uint64(history_move(state, back - 1) >> 6)
    found = np.uint64(0)
    for word in range((back + layout.MOVES_A_WORD - 1) // layout.MOVES_A_WORD):
        differences = (np.uint64(state[layout.HISTORY + word]) ^ square * EACH) & SQUARES
        found |= (EACH << np.uint64(6)) - differences
    return int(found & EACH << np.uint64(6)) != 0


def repetitions(state: State, back: int, base_differs: bool) -> int:
    """Count earlier occurrences of the position by taking back the actions of the history one by one."""
    if not was_left(state, back):
        return 0
    mine, d, o, s = sets(state)
    my_now, d_now, o_now, s_now = mine, d, o, s
    count = 0
    for steps in range(1, back + 1):
        move = history_move(state, back - steps)
        here, there = move & 63, move >> 6
        if steps & 1 == 1:
            here, there = here ^ 7, there ^ 7
        here_shift, there_shift = np.uint64(here), np.uint64(there)
        moved = (my_now >> there_shift) & ONE
        my_now ^= moved << here_shift | moved << there_shift
        moved = (d_now >> there_shift) & ONE
        d_now ^= moved << here_shift | moved << there_shift
        moved = (o_now >> there_shift) & ONE
        o_now ^= moved << here_shift | moved << there_shift
        moved = (s_now >> there_shift) & ONE
        s_now ^= moved << here_shift | moved << there_shift
        same = int((my_now ^ mine) | (d_now ^ d) | (o_now ^ o) | (s_now ^ s)) == 0
        if steps & 1 == 0 and same and not (steps == back and base_differs):
            count += 1
    return count


def castled(board: Sets, king: int, right: int) -> Sets:
    """Return the board after castling to the left (0) or right (1) with that side's rook."""
    mine, d, o, s = board
    rooks = castlers(board) & mine
    left_of_king = bit(king) - ONE
    rook = rooks & (~left_of_king if right == 1 else left_of_king)
    gone = ~(rook | bit(king))
    king_there, rook_there = bit(KING_TO[right]), bit(ROOK_TO[right])
    d, s = d & ~rooks, s & ~rooks  # the other rook loses its castling right
    d, o, s, mine = d & gone, o & gone, s & gone, mine & gone
    return mine | king_there | rook_there, d, o | king_there | rook_there, s | king_there


def moved(board: Sets, here: int, there: int, plane: int) -> Sets:
    """Return the board after an action other than castling."""
    mine, d, o, s = board
    from_bit, to_bit = bit(here), bit(there)
    is_pawn = int(pawns(board) & from_bit) != 0
    is_king = int(kings(board) & from_bit) != 0
    is_castler = int(castlers(board) & from_bit) != 0
    gone = from_bit | to_bit
    if is_pawn and plane in (PAWN_LEFT, PAWN_RIGHT) and int(occupied(board) & to_bit) == 0:
        gone |= bit(there + 1)  # en passant
    here_shift, there_shift = np.uint64(here), np.uint64(there)
    d_there, o_there, s_there = (
        ((d >> here_shift) & ONE) << there_shift,
        ((o >> here_shift) & ONE) << there_shift,
        ((s >> here_shift) & ONE) << there_shift,
    )
    mine, d, o, s = (mine & ~gone) | to_bit, d & ~gone, o & ~gone, s & ~gone
    if is_castler:
        d_there = s_there = np.uint64(0)
    elif is_king:
        rooks = castlers(board) & mine
        d, s = d & ~rooks, s & ~rooks
    elif is_pawn and there & 7 == 0:
        kind = 3 if plane < UNDERPROMOTIONS else (plane - UNDERPROMOTIONS) // 3  # knight, bishop, rook, queen
        d_there = to_bit if kind != 2 else np.uint64(0)
        o_there = to_bit if kind >= 2 else np.uint64(0)
        s_there = to_bit if kind == 0 else np.uint64(0)
    return mine, d | d_there, o | o_there, s | s_there


def advance(state: State, action: int, most_back: int) -> None:
    """Play an action, numbered as the mover sees it, and turn the board around."""
    board, info = sets(state), np.uint64(state[layout.INFO])
    plane, here, there = action >> 6, action & 63, int(TARGET[action])
    from_bit = bit(here)
    castles = plane in (CASTLE_RIGHT, CASTLE_LEFT) and int(kings(board) & from_bit) != 0
    is_pawn = int(pawns(board) & from_bit) != 0
    captures = not castles and int(occupied(board) & bit(there)) != 0
    after = castled(board, here, 1 if plane == CASTLE_RIGHT else 0) if castles else moved(board, here, there, plane)
    rights_lost = castlers(after) != castlers(board)
    mine, d, o, s = after
    theirs = (d | o | s) & ~mine
    put(state, (turned(theirs), turned(d), turned(o), turned(s)))

    clock = 0 if is_pawn or captures else min(field(info, layout.CLOCK) + 1, layout.MOST_CLOCK)
    player = field(info, layout.TURN)
    back = field(info, layout.BACK)
    number = min(field(info, layout.MOVE_NUMBER) + player, layout.MOST_NUMBER)
    arrives = (KING_TO[1] if plane == CASTLE_RIGHT else KING_TO[0]) if castles else there
    move = np.uint64(here | arrives << 6)
    new = with_field(with_field(np.uint64(0), layout.TURN, 1 - player), layout.CLOCK, clock)
    new = with_field(new, layout.MOVE_NUMBER, number)
    if is_pawn or captures or castles or rights_lost or back == most_back:
        for word in range((back + layout.MOVES_A_WORD - 1) // layout.MOVES_A_WORD):
            state[layout.HISTORY + word] = np.uint64(0)
        if plane == PAWN_TWO and is_pawn and can_pass(state, here >> 3):
            new = with_field(new, layout.EN_PASSANT, (here >> 3) + 1)
    else:
        at = layout.HISTORY + back // layout.MOVES_A_WORD
        state[at] = np.uint64(state[at]) | move << np.uint64(layout.MOVE_BITS * (back % layout.MOVES_A_WORD))
        passed = field(info, layout.EN_PASSANT if back == 0 else layout.WAS_EN_PASSANT)
        back += 1
        new = with_field(with_field(new, layout.BACK, back), layout.WAS_EN_PASSANT, passed)
        if back >= 4:
            new = with_field(new, layout.REPEATS, min(repetitions(state, back, passed != 0), 15))
    state[layout.INFO] = new
    recent = np.uint64(state[layout.RECENT]) << np.uint64(layout.MOVE_BITS) | move
    state[layout.RECENT] = recent & (ONE << np.uint64(layout.MOVE_BITS * layout.NUM_RECENT)) - ONE


@cache
def rules(play_on: bool, absolute: bool) -> dict[str, Any]:
    """Build the rules; `play_on` keeps claimable draws open, `absolute` numbers actions as White sees them."""
    most_clock, most_repeats = AUTOMATIC if play_on else CLAIMABLE
    most_back = AUTOMATIC[0] if play_on else CLAIMABLE[0]

    def legal(state: State, actions: np.ndarray | None) -> int:
        count = write_legal(state, actions, None)
        if actions is not None and absolute and to_play(state) == 1:
            for index in range(count):
                actions[index] = UPSIDE_DOWN[actions[index]]
        return count

    def play(state: State, action: int) -> None:
        advance(state, int(UPSIDE_DOWN[action]) if absolute and to_play(state) == 1 else action, most_back)

    def outcome(state: State) -> int:
        if is_dead(state):
            return DRAW
        if not can_move(state):
            if not in_check(state):
                return DRAW
            return SECOND_WINS if read_field(state, layout.TURN) == 0 else FIRST_WINS
        drawn = read_field(state, layout.CLOCK) >= most_clock or read_field(state, layout.REPEATS) >= most_repeats
        return DRAW if drawn else ONGOING

    return {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome}


def num_history_words(play_on: bool) -> int:
    """Return the number of words of the history."""
    return -(-(AUTOMATIC if play_on else CLAIMABLE)[0] // layout.MOVES_A_WORD)
