"""Keeps the search tree of a Go engine between commands."""

from __future__ import annotations

from collections.abc import Callable

from ludus.games.game import Position
from ludus.players.thinking.seat import Seat


class Keeper:
    """Holds one seat, which follows the game while moves are only added, and replaces it otherwise."""

    def __init__(self, sit_down: Callable[[Position], Seat]) -> None:
        """Create a keeper without a seat; `sit_down` returns a new seat at a position."""
        self._sit_down = sit_down
        self._seat: Seat | None = None

    def at(self, position: Position) -> Seat:
        """Return a seat at a position: the kept one, if legal moves lead from its position to this one."""
        way = None if self._seat is None else _way(self._seat.position, position)
        if self._seat is None or way is None:
            self._seat = self._sit_down(position)
        else:
            for action in way:
                self._seat.play(action)
        return self._seat


def _way(known: Position, position: Position) -> list[int] | None:
    """Return the legal actions that lead from one position to another; None if there are none.

    Controllers may also let a player move twice, change komi or continue after two passes; a tree cannot follow that.
    """
    if known.game is not position.game:
        return None
    actions, before = list[int](), position
    while before.num_actions_played > known.num_actions_played and before.parent and before.action is not None:
        actions.append(before.action)
        before = before.parent
    actions.reverse()
    after = known
    for action in actions:
        if action not in after.actions:
            return None
        after = after.play(action)
    return actions if after.state.tolist() == position.state.tolist() else None
