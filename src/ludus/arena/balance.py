"""Which openings are balanced: those that a shallow minimax finds nearly even, or random play where it knows nothing.

Sides are swapped in each pair, so an opening that decides the game is not unfair; but it tells nothing either.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.players.instinct import RolloutEvaluator
from ludus.players.minimax import Minimax

DEPTH = 2  # actions that minimax looks ahead
EVEN = 0.035  # most of a survey's value: two steps in the Wall Game
PLAYOUTS = 64
EVEN_AT_RANDOM = 0.5  # most of the mean result of random games


class Balance:
    """Judges openings; it is what `play_match` takes as `accepts`."""

    def __init__(self, seed: int = 0) -> None:
        """Name the random stream of playouts."""
        self._seed = seed
        self._searches: dict[str, Minimax] = {}

    def __call__(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which of the states [K, words] are balanced [K]; the answer depends on the state alone."""
        if not game.has_survey:
            outcomes = [
                RolloutEvaluator(playouts=PLAYOUTS, seed=self._seed).evaluate_states(game, words[None])[1][0]
                for words in states
            ]
            return np.array([abs(win - loss) <= EVEN_AT_RANDOM for win, _, loss in outcomes], np.bool_)
        if game.name not in self._searches:
            self._searches[game.name] = Minimax(game)
        search = self._searches[game.name]
        return np.array([abs(search.search(words, depth=DEPTH).value) <= EVEN for words in states], np.bool_)
