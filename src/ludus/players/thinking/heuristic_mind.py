"""A mind without a network: any game, searched with its heuristic or with playouts."""

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
    """Plays every game; its seats at boards of one shape and length cap share a pool, made when the first sits down.

    Attributes:
        name: what it is called: as it judges.
        games: specs of the games that `warm_up` makes ready.
        evaluator: judges the leaves.
    """

    def __init__(
        self,
        kind: Literal["auto", "heuristic", "playouts"] = "auto",
        *,
        games: tuple[str, ...] = (),
        slots: int = SLOTS,
        max_visits: int = SEAT_MAX_VISITS,
    ) -> None:
        """Judge by `heuristic`, or by random `playouts`.

        Args:
            kind: how leaves are judged; `auto`: by the heuristic of a game that has one, else by playouts.
            games: specs of what it is for; it plays the others, too.
            slots: search trees for each kind of board.
            max_visits: of a seat's search.
        """
        self.name = "common sense" if kind == "auto" else kind
        self.games = games
        self.evaluator: StateEvaluator = EVALUATORS[kind]()
        search = SearchSettings(cache_entries=0)  # to judge is faster than to remember
        self._pools = Pools(
            lambda game: Pool(game, self.evaluator, search, slots=slots, max_visits=max_visits),
            lambda game: (*shape_of(game), game.max_actions),  # at which playouts end
        )

    def seen(self, position: Position) -> Position:
        """Return a position as it is: states are judged, whatever planes there are."""
        return position

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a seat at `position`."""
        return self._pools.of(position.game).seat(position, seed=seed)

    def warm_up(self) -> None:
        """Search a little in each of its games, to compile what a first search needs."""
        for game in map(find_game, self.games):
            self._pools.of(game).warm_up(game)

    def close(self) -> None:
        """Answer what is still open with an error."""
        self._pools.close()
