"""A mind: a trained network with a search, that takes seats at positions and thinks about them."""

from __future__ import annotations

import threading
from pathlib import Path

from ludus.errors import BadModel
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.games.position import Position
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.config import Shapes
from ludus.network.evaluator import Evaluator
from ludus.players.pool import SEAT_MAX_VISITS, SLOTS, Pool, shape_of
from ludus.players.seat import Seat
from ludus.players.thought import Thought
from ludus.search.settings import SearchSettings


class Mind:
    """A model that can be asked about positions of its games, by any number of threads.

    Its seats share a pool for each shape of board, which is made when the first of them sits down.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        evaluator: Evaluator,
        search: SearchSettings | None = None,
        *,
        slots: int = SLOTS,
        max_visits: int = SEAT_MAX_VISITS,
    ) -> None:
        """Join a checkpoint and the evaluator that runs it; use `Mind.load` instead."""
        self.info = checkpoint.info
        self.evaluator = evaluator
        self.search = search or SearchSettings()
        self._slots, self._max_visits = slots, max_visits
        self._trusted: set[str] = set()
        self._pools: dict[tuple[object, ...], Pool] = {}
        self._lock = threading.Lock()

    @staticmethod
    def load(
        path: str | Path,
        *,
        threads: int = 1,
        search: SearchSettings | None = None,
        slots: int = SLOTS,
        max_visits: int = SEAT_MAX_VISITS,
    ) -> Mind:
        """Load a model for this machine's processor.

        Args:
            path: a directory with `model.safetensors`, or such a file.
            threads: processor threads for one batch.
            search: settings other than the default.
            slots: search trees for seats at boards of one shape (`Pool`).
            max_visits: of a seat's search.

        Raises:
            BadModel: the model is missing or damaged.
        """
        from ludus.network.openvino import evaluator_of  # not needed to play by heuristic

        checkpoint = load_checkpoint(Path(path))
        evaluator = evaluator_of(checkpoint, threads=threads)
        return Mind(checkpoint, evaluator, search, slots=slots, max_visits=max_visits)

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.info.name

    @property
    def games(self) -> tuple[str, ...]:
        """The specs of the games that it was trained on."""
        return tuple(self.info.games)

    def game(self, spec: str) -> Game:
        """Return one of its games, having checked that the rules still mean what they meant in training.

        Raises:
            BadModel: it was not trained on this game, or the game's rules have changed since.
        """
        if spec not in self.info.games:
            raise BadModel(f"{self.name} was not trained on {spec}; it plays {', '.join(self.info.games)}.")
        game = find_game(spec)
        self.check(game)
        return game

    def check(self, game: Game) -> None:
        """Raise BadModel if this mind cannot play `game`, or if its rules have changed since training.

        It may play boards and variants of its games that it was not trained on, if planes and actions are the same.
        """
        if game.name in self._trusted:
            return
        shapes = self.info.shapes
        if _family(game.name) not in map(_family, self.info.games):
            raise BadModel(f"{self.name} was not trained on {game.name}; it plays {', '.join(self.info.games)}.")
        if not shapes.fit(Shapes.of(game)):
            scaled = " (at another scale)" if game.planes == shapes.planes else ""
            raise BadModel(
                f"{self.name} reads planes {shapes.planes} and has {shapes.num_actions} actions; {game.name} has "
                f"planes {game.planes}{scaled} and {game.num_actions} actions, so this model cannot play it."
            )
        trained = self.info.games.get(game.name)
        if trained is not None and trained != behaviour(game):
            raise BadModel(
                f"{self.name} was trained on other rules of {game.name} (the planes, the numbering of actions or the "
                "rules have changed since); train it again."
            )
        self._trusted.add(game.name)

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a seat of its own at `position`, with a tree that is kept from move to move.

        Raises:
            BadModel: this mind cannot play the position's game.
        """
        self.check(position.game)
        return self.pool(position.game).seat(position, seed=seed)

    def pool(self, game: Game) -> Pool:
        """Return the pool that serves the seats at `game` and at all boards of the same shape."""
        with self._lock:
            shape = shape_of(game)
            if shape not in self._pools:
                self._pools[shape] = Pool(
                    game, self.evaluator, self.search, slots=self._slots, max_visits=self._max_visits
                )
            return self._pools[shape]

    def think(self, position: Position, visits: int = 800) -> Thought:
        """Think about one position."""
        return self.seat(position).think(visits=visits)

    def close(self) -> None:
        """Close its pools: what its seats wait for is answered with an error."""
        with self._lock:
            pools = list(self._pools.values())
        for pool in pools:
            pool.close()


def _family(spec: str) -> str:
    return Path(spec.partition(":")[0]).stem  # a user's file may have moved
