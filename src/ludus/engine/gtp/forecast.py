"""What is expected of the points of a Go board that stands still: whoever asks again is told what was said before."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.games.go.describe import handed
from ludus.games.go.view import size_of
from ludus.games.rules import State
from ludus.players.judging.ownership import expected_maps, forecast
from ludus.protocol.gtp import CANNOT_SCORE, Failure


class Forecast:
    """Whose the points of a position will be, and by how much Black is expected to win: now and after each action."""

    def __init__(self, evaluator: object, position: Position, playouts: int) -> None:
        """Take the position; nobody is asked before somebody wants to know.

        Args:
            evaluator: who thinks; is asked if it is a network that has learned it.
            position: in which the game is not over.
            playouts: of common sense, from which it is guessed else.
        """
        self._evaluator, self._position, self._playouts = evaluator, position, playouts
        self._after: dict[int, float | None] = {}  # the lead after each action; None: that ends the game, or who knows

    @cached_property
    def owners(self) -> NDArray[np.float32]:
        """The expected owner of each point, from -1 (White) to 1 [size, size]; raises Failure if nobody can say."""
        maps = expected_maps(self._evaluator, self._position, playouts=self._playouts)
        if maps is None:
            raise Failure(CANNOT_SCORE)
        return _owners(self._position.state, maps)

    @cached_property
    def lead(self) -> float:
        """The points by which Black is expected to win; raises Failure if nobody can say."""
        return _lead(self._position.state, self.owners)

    def leads(self, actions: Iterable[int]) -> dict[int, float]:
        """Return the points by which Black is expected to win after each action, as a network sees it.

        Left out are actions that end the game, and all of them where nobody but playouts could tell.
        """
        wanted = list(actions)
        self._ask([action for action in wanted if action not in self._after])
        known = {action: self._after[action] for action in wanted}
        return {action: lead for action, lead in known.items() if lead is not None}

    def _ask(self, actions: list[int]) -> None:
        """Have a network judge where actions lead that nobody has asked about."""
        after = {action: self._position.play(action) for action in actions}
        going_on = {action: position for action, position in after.items() if not position.outcome}
        maps = forecast(self._evaluator, list(going_on.values())) if going_on else None
        self._after |= dict.fromkeys(actions)
        if maps is not None:
            for (action, position), each in zip(going_on.items(), maps, strict=True):
                self._after[action] = _lead(position.state, _owners(position.state, each))


def _owners(state: State, maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the expected owner of each point [size, size] from final maps in the planes' frame [2, H, W]."""
    size = size_of(state)
    return (maps[0] - maps[1])[:size, :size]


def _lead(state: State, owners: NDArray[np.float32]) -> float:
    """Return the points by which Black is expected to win, from the expected owner of each point [size, size]."""
    return float(owners.sum()) + handed(state)
