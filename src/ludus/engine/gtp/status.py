"""What will become of points and groups: the network or playouts say it, but seki is seen on the board."""

from __future__ import annotations

import numpy as np

from ludus.engine.gtp.board import GtpBoard
from ludus.engine.gtp.forecast import Forecast
from ludus.games.board import Cell
from ludus.games.go.layout import TERRITORY
from ludus.games.go.notation import pass_action
from ludus.games.go.seki import in_seki
from ludus.games.go.view import rule, stones_of
from ludus.players.judging.ownership import PLAYOUTS
from ludus.viewpoint import turn

STATUSES = ("alive", "dead", "seki")
SURE = 0.5
"""A group lives or dies surely: three times of four, or the network expects as much."""


def by_status(board: GtpBoard, evaluator: object) -> dict[str, list[list[Cell]]]:
    """Return the groups on the board by what will become of them; raises Failure."""
    found: dict[str, list[list[Cell]]] = {status: [] for status in STATUSES}
    for group, life in _lives(board, evaluator):
        found["seki" if life is None else "alive" if life >= 0.0 else "dead"].append(group)
    return found


def dead_stones(board: GtpBoard, evaluator: object) -> list[Cell]:
    """Return where the stones are that cannot live; raises Failure."""
    return [cell for group in by_status(board, evaluator)["dead"] for cell in group]


def _lives(board: GtpBoard, evaluator: object, mover: int | None = None) -> list[tuple[list[Cell], float | None]]:
    """Return each group, and whether it will live if `mover` moves next; raises Failure.

    From 1 (surely) to -1 (it surely dies); None: it stands in seki.
    """
    ready = board.ready(board.position.to_play if mover is None else mover)
    stones, owners = stones_of(ready.state), Forecast(evaluator, ready, PLAYOUTS).owners
    locked, found = in_seki(stones, board.size), list[tuple[list[Cell], float | None]]()
    for group in board.groups():
        mean = float(np.mean([owners[cell] for cell in group]))
        found.append((group, None if group[0] in locked else turn(mean, stones[group[0]])))
    return found


def wins_by_passing(board: GtpBoard, evaluator: object, player: int) -> bool:
    """Return whether the opponent has passed, and a second pass wins once dead stones are taken off; raises Failure.

    Searches end at two passes with the stones as they stand.  Under territory scoring, where each stone that takes dead
    ones off fills a point of one's own, they would rather lose such points than pass.  Stones that the opponent could
    save, who would move next, are not dead; where it is not sure whether a group lives, the game goes on.
    """
    state, position = board.position.state, board.position
    has_passed = position.action == pass_action(state) and position.to_play == player
    if not has_passed or not rule(state, TERRITORY):
        return False
    known = [(group, life) for group, life in _lives(board, evaluator, 1 - player) if life is not None]
    dead = [cell for group, life in known if life < 0.0 for cell in group]
    return all(abs(life) >= SURE for _, life in known) and turn(board.lead(dead), player) > 0.0


def cleaning_up(board: GtpBoard, evaluator: object, player: int) -> tuple[int, ...]:
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
