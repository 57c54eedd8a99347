"""What an arbiter asks about a position: is there a check, and who can still win."""

import numpy as np

from ludus.games.chess.pieces import kings, sets
from ludus.games.chess.rules import in_check as king_is_attacked
from ludus.games.chess.view import View
from ludus.games.game import State


def in_check(state: State) -> bool:
    """Return whether the player to move is in check; not if it has no king, in a position that no game reaches."""
    board = sets(state)
    if not int(kings(board) & board[0]):
        return False
    with np.errstate(over="ignore"):
        return king_is_attacked(state)


def can_win(state: State, player: int) -> bool:
    """Return whether a player has the pieces for a mate, by the best of play of one and the worst of the other.

    Only the pieces are looked at; positions that are dead for another reason, such as blocked pawns, are not found.
    """
    letters = View.read(state).pieces
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
