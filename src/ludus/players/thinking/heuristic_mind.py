"""A player without a network: it searches any game with the game's heuristic or with playouts."""

from __future__ import annotations

from typing import Literal

from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.players.judging.heuristic import FallbackEvaluator, HeuristicEvaluator, PlayoutEvaluator, StateEvaluator
from ludus.players.thinking.group import shape_of
from ludus.players.thinking.pool import SEAT_MAX_VISITS, SLOTS, Pool, Pools
from ludus.players.thinking.seat import Seat
from ludus.search.settings import SearchSettings

EVALUATORS = {"auto": FallbackEvaluator, "heuristic": HeuristicEvaluator, "playouts": PlayoutEvaluator}


class HeuristicMind:
    """A player of every game; seats at boards with equal shape and length cap share a pool.

    Attributes:
        name: name of the player, after its kind.
        games: specs of the games that `warm_up` prepares.
        evaluator: evaluates the leaves.
    """

    def __init__(
        self,
        kind: Literal["auto", "heuristic", "playouts"] = "auto",
        *,
        games: tuple[str, ...] = (),
        slots: int = SLOTS,
        max_visits: int = SEAT_MAX_VISITS,
    ) -> None:
        """Create the player.

        Args:
            kind: evaluation of leaves: `heuristic`, `playouts`, or `auto` for the heuristic if a game has one, else
                playouts.
            games: specs of its main games; it plays all others, too.
            slots: number of search trees for each kind of board.
            max_visits: limit of visits of a search.
        """
        self.name = "heuristic" if kind == "auto" else kind
        self.games = games
        self.evaluator: StateEvaluator = EVALUATORS[kind]()
        search = SearchSettings(cache_entries=0)  # evaluating again is faster than caching
        self._pools = Pools(
            lambda game: Pool(game, self.evaluator, search, slots=slots, max_visits=max_visits),
            lambda game: (*shape_of(game), game.max_actions),  # playouts end at the length cap
        )

    def seen(self, position: Position) -> Position:
        """Return the position unchanged, since heuristics read states and no planes."""
        return position

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a new seat at `position`."""
        return self._pools.of(position.game).seat(position, seed=seed)

    def warm_up(self) -> None:
        """Run short searches in each of its games, to compile their code."""
        for game in map(find_game, self.games):
            self._pools.of(game).warm_up(game)

    def forget_evaluations(self) -> None:
        """Empty the caches of evaluations."""
        self._pools.forget_evaluations()

    def close(self) -> None:
        """Answer all open requests with an error."""
        self._pools.close()
