"""Which openings are balanced: those that a shallow minimax, random play or a player's own search finds nearly even.

Sides are swapped in each pair, so an opening that decides the game is not unfair; but it tells nothing either.  On
small boards that is seen by a good player's search alone (docs/ledger/matches/even-openings.toml).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.players.judging.heuristic import PlayoutEvaluator
from ludus.players.opponents.minimax import Minimax

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
    """Judges openings, each once, however many matches begin with it; it is what `play_match` takes as `accepts`."""

    def __init__(self, seed: int = 0, judge: Judge | None = None) -> None:
        """Name the random stream of playouts, or who judges in place of minimax and playouts, best a strong player."""
        self._seed, self._judge = seed, judge
        self._searches: dict[str, Minimax] = {}
        self._known: dict[tuple[str, bytes], bool] = {}  # by game and state

    def __call__(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which of the states [K, words] are balanced [K]; the answer depends on the state alone."""
        value, most = self._measure(game)
        keys = [(game.name, words.tobytes()) for words in states]
        for key, words in zip(keys, states, strict=True):
            if key not in self._known:
                self._known[key] = abs(value(words)) <= most
        return np.array([self._known[key] for key in keys], np.bool_)

    def _measure(self, game: Game) -> tuple[Callable[[NDArray[np.uint64]], float], float]:
        """Return what a state [words] is worth to player 0 as far as is known here, and the most that is even."""
        judge = self._judge
        if judge is not None:
            return lambda words: judge.value(game, words), EVEN_BY_SEARCH
        if not game.has_rule("survey"):
            return lambda words: self._at_random(game, words), EVEN_AT_RANDOM
        if game.name not in self._searches:
            self._searches[game.name] = Minimax(game)
        search = self._searches[game.name]
        return lambda words: search.search(words, depth=DEPTH).value, EVEN

    def _at_random(self, game: Game, words: NDArray[np.uint64]) -> float:
        playouts = PlayoutEvaluator(playouts=PLAYOUTS, seed=self._seed)
        searched = game.for_search(words.view(game.dtype)).view(np.uint64)  # players do not fill their own eyes either
        win, _, loss = playouts.evaluate_states(game, searched[None])[1][0]
        return float(win - loss)
