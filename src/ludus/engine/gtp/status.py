"""What will become of points and groups: the network or playouts say it, but seki is seen on the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.engine.gtp.board import Board
from ludus.games.board import Cell
from ludus.games.go.notation import pass_action
from ludus.games.go.seki import in_seki
from ludus.games.go.view import stones_of
from ludus.players.ownership import PLAYOUTS, expected_maps
from ludus.protocol.gtp import CANNOT_SCORE, Failure
from ludus.viewpoint import turn

STATUSES = ("alive", "dead", "seki")


def expected_owners(board: Board, evaluator: object, playouts: int) -> NDArray[np.float32]:
    """Return the expected owner of each point, from -1 (White) to 1 [size, size]; raises Failure.

    Args:
        board: where the game stands.
        evaluator: who thinks; is asked if it is a network that has learned it.
        playouts: of common sense, from which it is guessed else.
    """
    position, size = board.ready(board.position.to_play), board.size
    maps = expected_maps(evaluator, position, playouts=playouts)
    if maps is None:
        raise Failure(CANNOT_SCORE)
    return (maps[0] - maps[1])[:size, :size]


def by_status(board: Board, evaluator: object) -> dict[str, list[list[Cell]]]:
    """Return the groups on the board by what will become of them; raises Failure."""
    found: dict[str, list[list[Cell]]] = {status: [] for status in STATUSES}
    stones = stones_of(board.position.state)
    owners, locked = expected_owners(board, evaluator, PLAYOUTS), in_seki(stones, board.size)
    for group in board.groups():
        mean = float(np.mean([owners[cell] for cell in group]))
        status = "alive" if turn(mean, stones[group[0]]) >= 0.0 else "dead"
        found["seki" if group[0] in locked else status].append(group)
    return found


def cleaning_up(board: Board, evaluator: object, player: int) -> tuple[int, ...]:
    """Return the actions for a player who takes the opponent's dead stones off; none named: all, the pass included.

    Raises:
        Failure: nobody can say which stones are dead.
    """
    stones, position = stones_of(board.position.state), board.ready(player)
    if all(stones[group[0]] == player for group in by_status(board, evaluator)["dead"]):
        return ()
    game = position.game
    considered = game.calls.legal(game.for_search(position.state))
    return tuple(action for action in considered if action != pass_action(position.state))
