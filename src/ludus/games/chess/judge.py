"""What an arbiter asks about a position: is there a check, and who can still win."""

from collections.abc import Callable

import numpy as np

from ludus.games.chess.attacks import KNIGHT, diagonal, straight
from ludus.games.chess.layout import EN_PASSANT, INFO, TURN
from ludus.games.chess.pieces import kings, occupied, sets
from ludus.games.chess.rules import in_check as king_is_attacked
from ludus.games.chess.uci import ChessMove
from ludus.games.chess.view import ChessView
from ludus.games.packed import field
from ludus.games.rules import State
from ludus.kernel import lowest_bit


def in_check(state: State) -> bool:
    """Return whether the player to move is in check; not if it has no king, in a position that no game reaches."""
    board = sets(state)
    if not int(kings(board) & board[0]):
        return False
    with np.errstate(over="ignore"):
        return king_is_attacked(state)


def may_check(state: State) -> Callable[[ChessMove], bool]:
    """Return a quick test of legal moves: those that it fails give no check, whatever the position after them.

    A piece gives check, or lets another one do so, only if it arrives at or leaves a square that the other king would
    attack as a queen or a knight; castling moves a second piece, and so does, in a way, capturing en passant.
    """
    board, info = sets(state), np.uint64(state[INFO])
    king = kings(board) & ~board[0]
    if field(info, EN_PASSANT) or not int(king):
        return lambda _move: True
    square, turn = lowest_bit(king), 7 * field(info, TURN)
    with np.errstate(over="ignore"):
        seen = int(KNIGHT[square] | diagonal(square, occupied(board)) | straight(square, occupied(board)))
    return lambda move: bool(move.rook is not None or (seen >> (move.here ^ turn) | seen >> (move.there ^ turn)) & 1)


def can_win(state: State, player: int) -> bool:
    """Return whether a player has the pieces for a mate, by the best of play of one and the worst of the other.

    Only the pieces are looked at; positions that are dead for another reason, such as blocked pawns, are not found.
    """
    letters = ChessView.read(state).pieces
    own = sorted(
        letter.upper() for letter in letters.values() if letter.isupper() == (player == 0) and letter not in "Kk"
    )
    other = {letter.upper() for letter in letters.values() if letter.isupper() != (player == 0)} - {"K"}
    if set(own) & set("PRQ"):
        return True
    if "N" in own:
        return len(own) > 1 or bool(other - {"Q"})
    if not own:
        return False
    shades = {(square // 8 + square) % 2 for square, letter in letters.items() if letter in "Bb"}
    return len(shades) > 1 or bool(other & set("PN"))
