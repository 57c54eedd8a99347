"""What will become of points and groups, as playouts of common sense have it; seki is not told from life."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.engine.gtp.board import Board
from ludus.games.board import Cell
from ludus.games.go.view import stones_of
from ludus.players.ownership import expected_maps
from ludus.protocol.gtp import CANNOT_SCORE, Failure
from ludus.viewpoint import turn

PLAYOUTS = 64
STATUSES = ("alive", "dead", "seki")


def expected_owners(board: Board, playouts: int) -> NDArray[np.float32]:
    """Return the expected owner of each point, from -1 (White) to 1 [size, size]; raises Failure."""
    position, size = board.ready(board.position.to_play), board.size
    if position.outcome:
        raise Failure(CANNOT_SCORE)
    maps = expected_maps(position.game, position.state, playouts=playouts)
    return (maps[0] - maps[1])[:size, :size]


def by_status(board: Board) -> dict[str, list[list[Cell]]]:
    """Return the groups on the board by what will become of them; raises Failure."""
    found: dict[str, list[list[Cell]]] = {status: [] for status in STATUSES}
    stones = stones_of(board.position.state)
    owners = expected_owners(board, PLAYOUTS)
    for group in board.groups():
        mean = float(np.mean([owners[cell] for cell in group]))
        found["alive" if turn(mean, stones[group[0]]) >= 0.0 else "dead"].append(group)
    return found
