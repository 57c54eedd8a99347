"""The random player, the weakest fixed opponent."""

import numpy as np
from numpy.typing import NDArray

from ludus.games.blame import Blaming
from ludus.games.game import Game
from ludus.seeding import stream


class RandomPlayer:
    """Plays a random legal action."""

    identity = ""

    def __init__(self, seed: int = 0) -> None:
        """Create the player; `seed` selects the random stream."""
        self.name, self._seed = "random", seed
        self._rng = np.random.default_rng(seed)

    def go_on(self, games: int) -> None:
        """Switch to the random stream for continuing a match after `games` games."""
        self._rng = stream(self._seed, "random", games)

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one random legal action for each state [K, W]."""
        actions = np.zeros(game.max_legal, np.int16)
        chosen = np.zeros(len(states), np.int16)
        with np.errstate(over="ignore"), Blaming(game.name):
            for index, words in enumerate(states):
                count = int(game.rules.legal(np.ascontiguousarray(words).view(game.dtype), actions))
                chosen[index] = actions[self._rng.integers(count)]
        return chosen
