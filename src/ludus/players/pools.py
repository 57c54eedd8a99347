"""The pools of one evaluator: one for each kind of board, made when the first seat asks for it."""

import threading
from collections.abc import Callable

from ludus.games.game import Game
from ludus.players.pool import Pool, shape_of

Kind = Callable[[Game], tuple[object, ...]]  # what boards have in common that share a pool


def kind_of(game: Game) -> tuple[object, ...]:
    """Return what boards have in common that share a group of trees: their shape, and the symmetries of their roots."""
    return *shape_of(game), game.num_symmetries


class Pools:
    """Pools that are made as they are needed, by whichever thread needs them."""

    def __init__(self, make: Callable[[Game], Pool], kind: Kind = kind_of) -> None:
        """Take what makes the pool of a game and of all boards of its kind."""
        self._make, self._kind = make, kind
        self._pools: dict[tuple[object, ...], Pool] = {}
        self._left: list[Pool] = []  # to those who sit there already
        self._lock = threading.Lock()

    def of(self, game: Game) -> Pool:
        """Return the pool that serves the seats at `game` and at all boards of the same kind."""
        with self._lock:
            kind = self._kind(game)
            if kind not in self._pools:
                self._pools[kind] = self._make(game)
            return self._pools[kind]

    def leave(self, game: Game) -> None:
        """Have a new pool made for the next seat at `game` and at all boards of the same kind; who sits stays."""
        with self._lock:
            if pool := self._pools.pop(self._kind(game), None):
                self._left.append(pool)

    def close(self) -> None:
        """Close them: what their seats wait for is answered with an error."""
        with self._lock:
            pools = [*self._left, *self._pools.values()]
        for pool in pools:
            pool.close()
