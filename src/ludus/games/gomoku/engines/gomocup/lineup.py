"""The players of a Gomoku engine: at each board the first model that plays it, else the heuristic without a network."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ludus.engine.asking import Thinker
from ludus.errors import BadInput
from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.network.evaluator import Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.players.thinking.mind import seen_in
from ludus.players.thinking.seat import Seat
from ludus.protocol.spec import planes_of


class Lineup:
    """Several players that act as one; each model sees a board with the planes that it was trained on.

    Attributes:
        name: names of the models, or of the last player if there are none.
        games: specs of the Gomoku games that the models were trained on.
    """

    def __init__(self, models: Sequence[Thinker], last: Thinker) -> None:
        """Create the lineup; `last` plays the boards that none of the models plays."""
        self._models, self._last = list(models), last
        self.name = ", ".join(model.name for model in models) or last.name
        self.games = tuple(spec for model in models for spec in model.games if spec.split(":")[0] == "gomoku")

    @property
    def evaluator(self) -> Evaluator | StateEvaluator:
        """The evaluator of the first player."""
        return [*self._models, self._last][0].evaluator

    def seen(self, position: Position) -> Position:
        """Return the position as the player that plays it sees it."""
        return self._player_at(position)[1]

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a seat, with a search tree, at a position."""
        player, seen = self._player_at(position)
        return player.seat(seen, seed=seed)

    def stand_in(self, position: Position) -> str:
        """Return the name of the player without a network if it replaces the models at a position, else ""."""
        return self._last.name if self._models and self._player_at(position)[0] is self._last else ""

    def forget_evaluations(self) -> None:
        """Empty the caches of evaluations of all players."""
        for player in (*self._models, self._last):
            player.forget_evaluations()

    def close(self) -> None:
        """Close all players."""
        for player in (*self._models, self._last):
            player.close()

    def _player_at(self, position: Position) -> tuple[Thinker, Position]:
        for model in self._models:
            for planes in dict.fromkeys(planes_of(spec) for spec in model.games if spec in self.games):
                with suppress(BadInput):  # options for planes change neither the rules nor the states of Gomoku
                    return model, model.seen(seen_in(position, find_game(f"{position.game.name}{planes}")))
        return self._last, position
