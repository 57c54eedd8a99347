"""A mind without a network: any game, searched with its own common sense or with playouts."""

from __future__ import annotations

import threading

from ludus.games.position import Position
from ludus.players.instinct import HeuristicEvaluator, RolloutEvaluator
from ludus.players.pool import SEAT_MAX_VISITS, SLOTS, Pool, shape_of
from ludus.players.seat import Seat
from ludus.search.settings import SearchSettings


class Untrained:
    """Plays every game; its seats at boards of one shape share a pool, which is made when the first sits down."""

    def __init__(self, kind: str = "heuristic", *, slots: int = SLOTS, max_visits: int = SEAT_MAX_VISITS) -> None:
        """Judge by `heuristic`, or by random `playouts`.

        Args:
            kind: how leaves are judged.
            slots: search trees for each shape of board.
            max_visits: of a seat's search.
        """
        assert kind in ("heuristic", "playouts"), f"there is no player {kind}"
        self.name = kind
        self.games: tuple[str, ...] = ()
        self.evaluator = RolloutEvaluator() if kind == "playouts" else HeuristicEvaluator()
        self._slots, self._max_visits = slots, max_visits
        self._pools: dict[tuple[object, ...], Pool] = {}
        self._lock = threading.Lock()

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a seat at `position`."""
        shape = shape_of(position.game)
        with self._lock:
            if shape not in self._pools:
                search = SearchSettings(cache_entries=0)
                self._pools[shape] = Pool(
                    position.game, self.evaluator, search, slots=self._slots, max_visits=self._max_visits
                )
            return self._pools[shape].seat(position, seed=seed)

    def close(self) -> None:
        """Answer what is still open with an error."""
        for pool in self._pools.values():
            pool.close()
