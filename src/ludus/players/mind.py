"""A mind: a trained network with a search, that takes seats at positions and thinks about them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadModel
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.games.position import Position
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.config import Shapes
from ludus.network.evaluator import Evaluator
from ludus.players.group import Group
from ludus.players.thought import Thought, read_thought
from ludus.search.settings import SearchSettings

SEAT_LEAVES = 8  # leaves of one tree in a batch when a single position is thought about
SEAT_MAX_VISITS = 20_000


class Mind:
    """A model that can be asked about positions of its games; one thread at a time."""

    def __init__(self, checkpoint: Checkpoint, evaluator: Evaluator, search: SearchSettings | None = None) -> None:
        """Join a checkpoint and the evaluator that runs it; use `Mind.load` instead."""
        self.info = checkpoint.info
        self.evaluator = evaluator
        self.search = search or SearchSettings()
        self._trusted: set[str] = set()

    @staticmethod
    def load(path: str | Path, *, threads: int = 1, search: SearchSettings | None = None) -> Mind:
        """Load a model for this machine's processor.

        Args:
            path: a directory with `model.safetensors`, or such a file.
            threads: processor threads for one batch.
            search: settings other than the default.

        Raises:
            BadModel: the model is missing or damaged.
        """
        from ludus.network.openvino import evaluator_of  # not needed to play by heuristic

        checkpoint = load_checkpoint(Path(path))
        return Mind(checkpoint, evaluator_of(checkpoint, threads=threads), search)

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
        if Shapes.of(game) != shapes:
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
        """Return a seat of its own at `position`, with a tree that is kept from move to move."""
        self.check(position.game)
        return Seat(self, position, seed)

    def think(self, position: Position, visits: int = 800) -> Thought:
        """Think about one position."""
        return self.seat(position).think(visits=visits)


class Seat:
    """A mind at one game: a position and a search tree that follows it."""

    def __init__(self, mind: Mind, position: Position, seed: int = 0) -> None:
        """Sit down; use `Mind.seat` instead."""
        self._mind, self._seed = mind, seed
        self._rng = np.random.default_rng(seed)
        self._group: Group | None = None
        self._room = 0
        self.position = position

    def think(self, visits: int = 800, temperature: float = 0.0) -> Thought:
        """Search until the root has `visits` visits (those that the tree already has count).

        Args:
            visits: 2 to SEAT_MAX_VISITS; others are taken as the nearer of the two.
            temperature: 0 = the best move; else its first action is drawn by visits^(1/temperature).
        """
        assert not self.position.outcome, "a finished game needs no thought"
        visits = max(2, min(visits, SEAT_MAX_VISITS))
        group = self._ready(visits)
        group.wake(0, visits)
        while group.step():
            pass
        group.wake(0, 0)
        return read_thought(group.trees, 0, temperature=temperature, rng=self._rng)

    def play(self, action: int) -> None:
        """Move to where `action` leads; the subtree is kept."""
        self.position = self.position.play(action)
        if self._group is not None:
            self._group.play(0, action, self._words())

    def _ready(self, visits: int) -> Group:
        if self._group is None or visits > self._room:
            search = _for_seat(self._mind.search)
            self._room = max(visits, 2 * self._room)
            self._group = Group(
                self.position.game,
                self._mind.evaluator,
                search,
                num_trees=1,
                max_visits=self._room,
                seed=self._seed,
            )
            self._group.plant(0, self._words())
        return self._group

    def _words(self) -> NDArray[np.uint64]:
        return self.position.game.for_search(self.position.state).view(np.uint64)


def _family(spec: str) -> str:
    return Path(spec.partition(":")[0]).stem  # a user's file may have moved


def _for_seat(search: SearchSettings) -> SearchSettings:
    return msgspec.structs.replace(search, leaves=SEAT_LEAVES, cache_entries=0)
