"""Balance checks of openings: by shallow minimax, random games, or a strong player's search.

Swapped sides make an unbalanced opening fair, but its games are decided before they start.  On small boards, only a
strong player's search finds unbalanced openings (docs/ledger/matches/even-openings.toml).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.players.judging.heuristic import PlayoutEvaluator
from ludus.players.opponents.minimax import Minimax

DEPTH = 2  # search depth of minimax, in actions
EVEN = 0.035  # largest minimax value of a balanced opening; where a survey counts steps, about two
PLAYOUTS = 64
EVEN_AT_RANDOM = 0.5  # largest mean result of random games
EVEN_BY_SEARCH = 0.4  # largest value of a strong player's search: 30 to 70 % of the points for each side


class Judge(Protocol):
    """A strong player that evaluates openings."""

    def value(self, game: Game, words: NDArray[np.uint64]) -> float:
        """Return the value of a state [words] in [-1, 1], from player 0's view."""
        ...


class Balance:
    """A balance check with a cache of its results, which `play_match` takes as `accepts`."""

    def __init__(self, seed: int = 0, judge: Judge | None = None) -> None:
        """Set the seed of random games, or a `judge`, which replaces minimax and random games."""
        self._seed, self._judge = seed, judge
        self._searches: dict[str, Minimax] = {}
        self._known: dict[tuple[str, bytes], bool] = {}  # by game and state

    def __call__(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which of the states [K, words] are balanced [K]; the result depends only on the state."""
        value, most = self._measure(game)
        keys = [(game.name, words.tobytes()) for words in states]
        for key, words in zip(keys, states, strict=True):
            if key not in self._known:
                self._known[key] = abs(value(words)) <= most
        return np.array([self._known[key] for key in keys], np.bool_)

    def _measure(self, game: Game) -> tuple[Callable[[NDArray[np.uint64]], float], float]:
        """Return a function that computes player 0's value of a state [words], and the largest balanced value."""
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
        searched = game.for_search(words.view(game.dtype)).view(np.uint64)  # so that players do not fill their own eyes
        win, _, loss = playouts.evaluate_states(game, searched[None])[1][0]
        return float(win - loss)
