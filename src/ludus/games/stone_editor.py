"""The editor of positions for games with black and white stones."""

from ludus.errors import BadNotation
from ludus.games.about import Arranged, Kit, Named, PieceKind
from ludus.games.board import Board, Cell
from ludus.games.game import Position

COLOURS = ("black", "white")


def stone_kit(position: Position, board: Board) -> Kit:
    """Return the kit for setting up a position: stones and sides to move."""
    return Kit(
        board,
        kinds=[PieceKind("stone", owner, f"{colour} stone".capitalize()) for owner, colour in enumerate(COLOURS)],
        edges=[],
        to_play=position.to_play,
        movers=[Named(str(owner), colour.capitalize()) for owner, colour in enumerate(COLOURS)],
        switches=[],
        on=[],
    )


def arranged_stones(arranged: Arranged, size: int) -> tuple[list[Cell], list[Cell]]:
    """Return the cells of the black and of the white stones; raise BadNotation for any other piece.

    Args:
        arranged: the position.
        size: rows and columns of the board.
    """
    cells: tuple[list[Cell], list[Cell]] = ([], [])
    for piece in arranged.pieces:
        if piece.shape != "stone" or piece.owner is None or max(piece.at) >= size:
            raise BadNotation(f"A {piece.shape} on {list(piece.at)} is not possible in this game.")
        cells[piece.owner].append(piece.at)
    return cells
