"""A player without a search, for tests: it plays a win in one action, else follows the game's heuristic."""

from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.players.judging.ownership import expected_maps
from ludus.players.thinking.thought import Candidate, Thought
from ludus.seeding import stream


class DummySeat:
    """The dummy player in one game."""

    def __init__(self, position: Position, seed: int) -> None:
        self.position = position
        self._random = stream(seed, "dummy")

    def ask(
        self,
        visits: int,  # noqa: ARG002 - a seat's signature
        temperature: float = 0.0,
        *,
        seconds: float = 0.0,  # noqa: ARG002
        explores: bool = False,  # noqa: ARG002
        lines: int = 0,  # noqa: ARG002
    ) -> Future[Thought]:
        """Return a completed future with a whole move and the heuristic's value of the position."""
        position, best = self.position, list[int]()
        while position.outcome is None and position.to_play == self.position.to_play:
            best.append(self._choose(position, temperature))
            position = position.play(best[-1])
        thought = Future[Thought]()
        _, value = self.position.game.calls.heuristic(self.position.state, self.position.actions)
        candidate = Candidate(best[0], 1, value, 1.0, line=best)
        thought.set_result(Thought(best, value, 0.0, 1, [candidate], best))
        return thought

    def play(self, action: int) -> None:
        """Play an action of either side."""
        self.position = self.position.play(action)

    def expected_maps(self) -> NDArray[np.float32] | None:
        """Return the final maps that playouts by the heuristic predict [M, H, W]; None if the game is over."""
        return None if self.position.outcome else expected_maps(None, self.position)

    def _choose(self, position: Position, temperature: float) -> int:
        for action in position.actions:
            outcome = position.play(action).outcome
            if outcome and outcome.winner == position.to_play:
                return action
        weights, _ = position.game.calls.heuristic(position.state, position.actions)
        if not temperature:
            weights = np.where(weights == weights.max(), 1.0, 0.0)
        return int(self._random.choice(position.actions, p=weights / weights.sum()))


class DummyMind:
    """A weak player of the given games."""

    def __init__(self, games: tuple[str, ...]) -> None:
        self.name = "dummy"
        self.games = games

    def seat(self, position: Position, *, seed: int = 0) -> DummySeat:
        """Return a seat at a position."""
        return DummySeat(position, seed)
