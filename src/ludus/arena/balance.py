"""Which openings are balanced: those that a shallow minimax, random play or a player's own search finds nearly even.

Sides are swapped in each pair, so an opening that decides the game is not unfair; but it tells nothing either.  On
small boards that is seen by a good player's search alone (docs/methods.md, "Even openings").
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.players.instinct import RolloutEvaluator
from ludus.players.minimax import Minimax

DEPTH = 2  # actions that minimax looks ahead
EVEN = 0.035  # most of a survey's value: two steps in the Wall Game
PLAYOUTS = 64
EVEN_AT_RANDOM = 0.5  # most of the mean result of random games
EVEN_BY_SEARCH = 0.4  # most of the value of a player's search: each side expects 30 to 70 % of the points


class Judge(Protocol):
    """Who knows what a position is worth."""

    def value(self, game: Game, words: NDArray[np.uint64]) -> float:
        """Return the value of a state [words] in [-1, 1], seen by player 0."""
        ...


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


class JudgedBalance:
    """Lets a player judge openings; it is what `play_match` takes as `accepts`."""

    def __init__(self, judge: Judge) -> None:
        """Name the player, best a stronger one than those who meet, or the stronger of them."""
        self._judge = judge

    def __call__(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which of the states [K, words] are balanced [K]; each is searched alone, whatever stands beside it."""
        return np.array([abs(self._judge.value(game, words)) <= EVEN_BY_SEARCH for words in states], np.bool_)
