"""Setting up positions of Go and Gomoku: stones and the side to move."""

from typing import Any

from ludus.errors import BadNotation
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.games.go.view import vertex
from ludus.games.gomoku.notation import COLUMNS
from ludus.protocol.spec import setting_of
from ludus.site.messages.choices import Named
from ludus.site.messages.study import Arrangement, Kit, PieceKind

COLOURS = ("black", "white")
KEPT = ("komi", "bonus")
"""Keys of a Go setup that a new arrangement keeps."""


def kit(position: Position, board: Board) -> Kit:
    """Return what a position that is set up by hand may contain: stones and sides to move."""
    return Kit(
        board,
        kinds=[PieceKind("stone", owner, f"{colour} stone".capitalize()) for owner, colour in enumerate(COLOURS)],
        edges=[],
        to_play=position.to_play,
        movers=[Named(str(owner), colour.capitalize()) for owner, colour in enumerate(COLOURS)],
        switches=[],
        on=[],
    )


def setup(arrangement: Arrangement, start: Position) -> dict[str, Any]:
    """Return the setup for `Game.start`; raises BadNotation for a piece that is not a stone on the board."""
    size = start.describe().rows
    is_go = setting_of(arrangement.spec).game == "go"
    names: tuple[list[str], list[str]] = ([], [])
    for piece in arrangement.pieces:
        if piece.shape != "stone" or piece.owner is None or max(piece.at) >= size:
            raise BadNotation(f"A {piece.shape} on {list(piece.at)} is not possible in this game.")
        row, column = piece.at
        names[piece.owner].append(vertex(piece.at, size) if is_go else f"{COLUMNS[column]}{size - row}")
    to_play = COLOURS[arrangement.to_play]
    if not is_go:
        return {"black": names[0], "white": names[1], "to_play": to_play}
    kept = arrangement.setup if isinstance(arrangement.setup, dict) else {}
    stones = {"black": " ".join(names[0]), "white": " ".join(names[1]), "to_play": to_play}
    return stones | {key: kept[key] for key in KEPT if key in kept}
