"""Minimax as a player of matches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.players.opponents.minimax.deepening import Minimax
from ludus.players.opponents.minimax.stack import MAX_DEPTH, MinimaxSettings


class MinimaxPlayer:
    """Plays what minimax finds within a depth, a time or a number of nodes for each action."""

    def __init__(
        self,
        name: str,
        settings: MinimaxSettings | None = None,
        *,
        depth: int = MAX_DEPTH,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> None:
        """Set the limits of each search."""
        self.name, self.identity = name, ""
        self._settings, self._depth, self._seconds, self._nodes = settings, depth, seconds, nodes
        self._searches: dict[str, Minimax] = {}

    def go_on(self, games: int) -> None:
        """Change nothing: whatever was played before, it draws no random numbers."""

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action [K] for each state [K, words]; they are searched one after another."""
        search = self._searches.get(game.name) or Minimax(game, self._settings)
        self._searches[game.name] = search
        return np.array(
            [
                search.search(words, depth=self._depth, seconds=self._seconds, nodes=self._nodes).action
                for words in states
            ],
            np.int16,
        )
