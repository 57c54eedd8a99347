"""Describes chess positions for people: pieces, the last move, a check, and the clicks for each legal action."""

from collections import Counter
from collections.abc import Callable

import numpy as np

from ludus.games.board import Board, Captured, Cell, Choice, Mark, Piece
from ludus.games.chess.layout import FILES
from ludus.games.chess.moves import can_move
from ludus.games.chess.notation import ChessMove, Notation
from ludus.games.chess.rules import AUTOMATIC, CLAIMABLE, in_check, is_dead
from ludus.games.chess.view import ChessView
from ludus.games.game import Position
from ludus.games.rules import State

SHAPES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
PROMOTIONS = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}


def cell(square: int) -> Cell:
    """Return the cell of a square; rank 8 is the top row."""
    return square & 7, square >> 3


def describer(notation: Notation) -> Callable[[Position], Board]:
    """Return the function `describe`: click a piece, then its target; a promotion offers four choices on one cell."""

    def describe(position: Position) -> Board:
        view = ChessView.read(position.state)
        pieces = [
            Piece(at=cell(square), shape=SHAPES[letter.upper()], owner=int(letter.islower()))
            for square, letter in sorted(view.pieces.items())
        ]
        legal = {} if position.outcome else notation.legal(position.state)
        written = notation.written(position.state, legal)
        return Board(
            rows=8,
            columns=8,
            style="checks",
            pieces=pieces,
            marks=_marks(position, view),
            choices=[
                _choice(action, move, move.text(notation.chess960), written[action]) for action, move in legal.items()
            ],
            column_labels=list(FILES),
            row_labels=[str(rank) for rank in range(8, 0, -1)],
            captured=_captured(position, view),
            opposite=True,
            paints=("white", "black"),
        )

    return describe


def _marks(position: Position, view: ChessView) -> list[Mark]:
    marks = [Mark(at=cell(square), kind="last") for square in (view.recent[-1] if view.recent else ())]
    with np.errstate(over="ignore"):
        if in_check(position.state):
            marks.append(Mark(at=cell(view.king(view.player)), kind="check"))
    if position.outcome and position.outcome.winner is not None:
        marks.append(Mark(at=cell(view.king(view.player)), kind="win"))
    return marks


def _captured(position: Position, view: ChessView) -> list[Captured]:
    """Return the pieces missing since the start, most valuable first; promoted pawns do not count as captured."""
    while position.parent:
        position = position.parent
    missing = Counter(ChessView.read(position.state).pieces.values())
    missing.subtract(view.pieces.values())
    for letters in ("QRBN", "qrbn"):
        promoted = sum(max(0, -missing[letter]) for letter in letters)
        missing["P" if letters.isupper() else "p"] -= promoted
    return [
        Captured(by=int(letter.isupper()), shape=SHAPES[letter.upper()], owner=int(letter.islower()), count=count)
        for letter in "QRBNPqrbnp"
        if (count := missing[letter]) > 0
    ]


def _choice(action: int, move: ChessMove, text: str, written: str) -> Choice:
    label = PROMOTIONS.get(move.promotion)
    there = move.there if move.rook is None or move.there != move.here else move.rook
    return Choice(
        action=action, text=text, kind="cell", at=cell(there), source=cell(move.here), label=label, move=written
    )


def reason(state: State) -> str:
    """Return why a finished game is over."""
    with np.errstate(over="ignore"):
        if not can_move(state):
            return "checkmate" if in_check(state) else "stalemate"
        if is_dead(state):
            return "insufficient material"
    view = ChessView.read(state)
    if view.clock >= AUTOMATIC[0]:
        return "75 moves"
    if view.repeats >= CLAIMABLE[1]:
        return "threefold repetition" if view.repeats < AUTOMATIC[1] else "fivefold repetition"
    return "50 moves"


def can_win(state: State, player: int) -> bool:
    """Return whether a player has enough material for a mate, if the opponent helps.

    It checks material only; a position that is dead for another reason, such as blocked pawns, counts as winnable.
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
