"""Moves as programs write them: `e2e4`, `e7e8q`; castling as `e1g1` or, in Chess960, as the king taking its rook."""

from typing import NamedTuple

import numpy as np

from ludus.games.chess.actions import CASTLE_LEFT, CASTLE_RIGHT, TARGET, UNDERPROMOTIONS
from ludus.games.chess.layout import INFO, TURN, square_name
from ludus.games.chess.moves import KING_TO, write_legal
from ludus.games.chess.pieces import castlers, kings, pawns, sets
from ludus.games.chess.rules import MAX_LEGAL
from ludus.games.packed import field
from ludus.games.rules import State

TARGETS: list[int] = TARGET.tolist()  # which Python reads faster


class ChessMove(NamedTuple):
    """An action as White sees it."""

    here: int
    there: int
    """Where the piece arrives; in castling, the king."""
    promotion: str = ""
    """`n`, `b`, `r` or `q` for a pawn on its last rank."""
    rook: int | None = None
    """The rook of castling."""

    def text(self, chess960: bool = False) -> str:
        """Return the move in UCI notation."""
        there = self.rook if chess960 and self.rook is not None else self.there
        return square_name(self.here) + square_name(there) + self.promotion

    def spellings(self) -> set[str]:
        """Return how the move may be written."""
        if self.rook is None:
            return {self.text()}
        plain = {self.text()} if abs(self.here - self.there) == 16 else set[str]()  # else it may name the king's step
        return {self.text(chess960=True)} | plain


def moves_of(state: State, actions: list[int]) -> list[ChessMove]:
    """Return what actions mean, which are numbered as the mover sees them."""
    turn = 7 * field(np.uint64(state[INFO]), TURN)
    board = sets(state)
    king, pawn, rooks = int(kings(board)), int(pawns(board)), int(castlers(board) & board[0])
    found: list[ChessMove] = []
    for action in actions:
        plane, here, there = action >> 6, action & 63, TARGETS[action]
        promotion, rook = "", None
        if plane in (CASTLE_LEFT, CASTLE_RIGHT) and king >> here & 1:
            right = plane == CASTLE_RIGHT
            there = KING_TO[right]
            rook = turn ^ next(square for square in range(64) if rooks >> square & 1 and (square > here) == right)
        elif there & 7 == 0 and pawn >> here & 1:
            promotion = "q" if plane < UNDERPROMOTIONS else "nbr"[(plane - UNDERPROMOTIONS) // 3]
        found.append(ChessMove(here ^ turn, there ^ turn, promotion, rook))
    return found


def legal_moves(state: State) -> dict[int, ChessMove]:
    """Return the legal actions, numbered as the mover sees them, and what they mean."""
    actions = np.zeros(MAX_LEGAL, np.int16)
    with np.errstate(over="ignore"):
        count = write_legal(state, actions)
    found: list[int] = actions[:count].tolist()
    return dict(zip(found, moves_of(state, found), strict=True))
