"""Setting up positions of the Wall Game: pawns, homes and walls; the first player is always to move."""

from typing import Any

from ludus.errors import BadNotation
from ludus.games.about import Arranged, Editor, Kit, PieceKind
from ludus.games.board import Board
from ludus.games.game import Position
from ludus.games.wallgame.describe import SIDES
from ludus.games.wallgame.start import PLAYERS

ORIENTATIONS = {side: orientation for orientation, side in SIDES.items()}
OWNERS = ("First player", "Second player")
"""The players, as the names of their pieces begin."""


def kit(_position: Position, board: Board) -> Kit:
    """Return what a position that is set up by hand may contain: pieces and walls; nothing in the variant survival."""
    kinds = [
        PieceKind(piece.shape, piece.owner, f"{OWNERS[piece.owner]}'s {piece.shape}", single=True)
        for piece in sorted(board.pieces, key=lambda piece: (piece.owner or 0, piece.shape))
        if piece.owner is not None
    ]
    is_whole = len(kinds) == 2 * len(PLAYERS)
    edges = list(SIDES.values()) if is_whole else []
    return Kit(board, kinds if is_whole else [], edges, to_play=0, movers=[], switches=[], on=[])


def setup(arranged: Arranged, start: Position) -> dict[str, Any]:
    """Return the `initialState` of an arrangement; raises BadNotation if a piece is missing."""
    usual = start.describe()
    pawns: dict[str, dict[str, list[int]]] = {player: {} for player in PLAYERS}
    for piece in arranged.pieces:
        if piece.owner is not None:
            pawns[PLAYERS[piece.owner]][piece.shape] = list(piece.at)
    for piece in usual.pieces:
        if piece.owner is not None and piece.shape not in pawns[PLAYERS[piece.owner]]:
            raise BadNotation(f"{OWNERS[piece.owner]}'s {piece.shape} is missing; put it on the board.")
    walls = [
        {"cell": list(edge.at), "orientation": ORIENTATIONS[edge.side]}
        | ({} if edge.owner is None else {"playerId": edge.owner + 1})
        for edge in arranged.edges
    ]
    return {"pawns": pawns, "walls": walls}


EDITOR = Editor(kit, setup, prefix="wallgame")
