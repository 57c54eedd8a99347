"""A mind: a trained network with a search, that takes seats at positions and thinks about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ludus.errors import BadInput, BadModel
from ludus.evaluations.file import EvaluationFile, FileInfo, Mode, read_info
from ludus.games.behaviour import behaviour, same_rules
from ludus.games.game import Game, Position
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import Checkpoint, load_checkpoint, weights_fingerprint
from ludus.network.config import Shapes
from ludus.network.evaluator import Connected, Evaluator
from ludus.players.judging.recall import Recall, state_key
from ludus.players.thinking.group import shape_of
from ludus.players.thinking.pool import SEAT_MAX_VISITS, SLOTS, Pool, Pools
from ludus.players.thinking.seat import Seat
from ludus.players.thinking.thought import Thought
from ludus.protocol.spec import setting_of
from ludus.search.settings import SearchSettings


def namesake(spec: str, game: Game) -> Game | None:
    """Return the game that `spec` names if its rules, states and actions are those of `game`, else None."""
    if setting_of(spec) != setting_of(game.name):
        return None
    found = find_game(spec)
    return found if same_rules(found, game) else None


def seen_in(position: Position, game: Game) -> Position:
    """Return a position as one of a namesake of its game, with the same way that led to it."""
    if position.game is game:
        return position
    seen = Position(game, position.state, position.parent, position.action, position.past)
    seen.is_renewed, seen.setup = position.is_renewed, position.setup
    return seen


def find_namesake(spec: str, games: Sequence[Game]) -> int | None:
    """Return which of `games` `spec` names: that very game if it is there, else a namesake, else None."""
    names = [game.name for game in games]
    if spec in names:
        return names.index(spec)
    return next((number for number, game in enumerate(games) if namesake(spec, game)), None)


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
        lanes: int = 2,
    ) -> None:
        """Join a checkpoint and the evaluator that runs it; use `Mind.load` instead."""
        self.info = checkpoint.info
        self.evaluator = evaluator
        self.search = search or SearchSettings()
        self._trusted: set[str] = set()
        self._weights = weights_fingerprint(checkpoint)
        self._files: list[EvaluationFile] = []
        self._pools = Pools(
            lambda game: Pool(
                game, self.evaluator_of(game), self.search, slots=slots, max_visits=max_visits, lanes=lanes
            )
        )

    @staticmethod
    def load(
        path: str | Path,
        *,
        threads: int = 1,
        streams: int = 1,
        search: SearchSettings | None = None,
        slots: int = SLOTS,
        max_visits: int = SEAT_MAX_VISITS,
        servers: Sequence[str] | None = None,
    ) -> Mind:
        """Load a model for this machine's processor, or for inference servers.

        Args:
            path: a directory with `model.safetensors`, or such a file.
            threads: processor threads for one batch.
            streams: batches that are judged at the same time.
            search: settings other than the default.
            slots: search trees for seats at boards of one shape (`Pool`).
            max_visits: of a seat's search.
            servers: addresses `host:port` of inference servers; while none of them answers, this machine judges.

        Raises:
            BadModel: the model is missing or damaged.
            BadInput: an address is none.
            Unavailable: what it takes to ask servers is not installed.
        """
        from ludus.network.openvino import evaluator_of  # not needed to play by heuristic

        checkpoint = load_checkpoint(Path(path))

        def own_evaluator() -> Evaluator:
            return evaluator_of(checkpoint, streams=streams, threads=threads)

        if servers:
            from ludus.network.remote import RemoteEvaluator  # gRPC is an extra

            evaluator: Evaluator = RemoteEvaluator(checkpoint, servers, own_evaluator)
        else:
            evaluator = own_evaluator()
        lanes = max(2, streams)
        return Mind(checkpoint, evaluator, search, slots=slots, max_visits=max_visits, lanes=lanes)

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.info.name

    @property
    def weights(self) -> str:
        """Fingerprint of its network's numbers."""
        return self._weights

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
        game = find_game(spec, asked_by=f"the model {self.name} was trained on it")
        self.check(game)
        return game

    def check(self, game: Game) -> None:
        """Raise BadModel if this mind cannot play `game`, or if its rules have changed since training.

        It may play boards and variants of its games that it was not trained on, if planes and actions are the same.  A
        file that has moved is still its game, and so is one with another name, if its rules are the same.
        """
        if game.name in self._trusted:
            return
        shapes = self.info.shapes
        is_known = _family(game.name) in map(_family, self.info.games)
        if not is_known and not (shapes.fit(Shapes.of(game)) and behaviour(game) in self.info.games.values()):
            raise BadModel(f"{self.name} was not trained on {game.name}; it plays {', '.join(self.info.games)}.")
        if not shapes.fit(Shapes.of(game)):
            scaled = " (at another scale)" if game.planes == shapes.planes else ""
            raise BadModel(
                f"the model {self.name} reads planes {shapes.planes} and has {shapes.num_actions} actions; the game "
                f"{game.name} has planes {game.planes}{scaled} and {game.num_actions} actions, so this model cannot "
                f"play it; it plays {', '.join(self.info.games)}."
            )
        trained = {known for spec, known in self.info.games.items() if _wherever(spec) == _wherever(game.name)}
        if trained and behaviour(game) not in trained:
            raise BadModel(
                f"{self.name} was trained on other rules of {game.name} (the planes, the numbering of actions or the "
                "rules have changed since); train it again."
            )
        self._trusted.add(game.name)

    def seen_as(self, game: Game) -> Game:
        """Return `game`, or the game of this mind with the same rules and other planes (`connect4:ahead`).

        Raises:
            BadModel: this mind cannot play `game`, or its rules have changed since training.
        """
        if not self.info.shapes.fit(Shapes.of(game)):
            for spec in self.info.games:
                if own := namesake(spec, game):
                    self.check(own)
                    return own
        self.check(game)
        return game

    def seen(self, position: Position) -> Position:
        """Return a position with the planes that this mind sees (`seen_as`); raises BadModel, as that does."""
        return seen_in(position, self.seen_as(position.game))

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a seat of its own at `position`, with a tree that is kept from move to move.

        The seat's own position is the one that this mind sees (`seen`).

        Raises:
            BadModel: this mind cannot play the position's game.
        """
        position = self.seen(position)
        return self.pool(position.game).seat(position, seed=seed)

    def pool(self, game: Game) -> Pool:
        """Return the pool that serves the seats at `game` and at all boards of the same shape."""
        return self._pools.of(game)

    def attach(self, path: Path, mode: Mode = "read", *, game: Game | None = None) -> EvaluationFile:
        """Open an evaluation file, from which seats that sit down later at boards of its game's shape are answered.

        Several files of one shape are asked in the order in which they were opened.

        Args:
            path: the file.
            mode: `append` if what they think shall be kept in it, unless there is a file of this shape already: then it
                is kept there, and this one is only read.
            game: whose file is begun in mode `append` if there is none (default: the first of this mind's).

        Raises:
            BadInput: there is no such file, it holds evaluations of another network or of other rules, or another
                process appends to it.
            BadRecord: it is no evaluation file, or damaged at its beginning.
            Unavailable: the disk refuses.
        """
        begin = None
        if mode == "append" and self._files:  # a second file: of which board?
            board = find_game(read_info(path).game) if path.exists() else game or self.game(self.games[0])
            mode = "read" if self._files_of(board) else mode
        if mode == "append" and not path.exists():
            begin = self._file_info(game or self.game(self.games[0]))
        file = EvaluationFile(path, mode, begin=begin)
        try:
            self._check_file(file)
        except BaseException:
            file.close()
            raise
        self._files.append(file)
        self._pools.leave(find_game(file.info.game))  # its pool, if there is one, knows nothing of the file
        return file

    def owns(self, info: FileInfo) -> bool:
        """Return whether a file holds evaluations of this network."""
        return info.network == self._weights

    def _check_file(self, file: EvaluationFile) -> None:
        info = file.info
        if not self.owns(info):
            raise BadInput(
                f"{file.path}: holds evaluations of {info.model} (weights {info.network}), not of {self._label} "
                f"(weights {self._weights}); name the model that it was made with, or make another file."
            )
        own = self._file_info(find_game(info.game))
        if (info.rules, info.start) != (own.rules, own.start):
            raise BadInput(
                f"{file.path}: the rules of {info.game} have changed since this file was made; make it again."
            )

    def _file_info(self, game: Game) -> FileInfo:
        self.check(game)
        key = state_key(game.start_state().view(np.uint64))
        return FileInfo(game.name, behaviour(game), f"{key:016x}", self._label, self._weights)

    @property
    def _label(self) -> str:
        return f"{self.name}, generation {self.info.generation}"

    def evaluator_of(self, game: Game) -> Evaluator | Recall:
        """Return what judges positions of a game: the network, behind the game's evaluation files if there are any."""
        files = self._files_of(game)
        return Recall(self.evaluator, files) if files else self.evaluator

    def _files_of(self, game: Game) -> list[EvaluationFile]:
        return [file for file in self._files if shape_of(find_game(file.info.game)) == shape_of(game)]

    def think(self, position: Position, visits: int = 800) -> Thought:
        """Think about one position."""
        return self.seat(position).think(visits=visits)

    def warm_up(self) -> None:
        """Search a little in each of its games, to compile what a first search needs."""
        for spec in self.games:
            self.pool(self.game(spec)).warm_up(find_game(spec))

    def close(self) -> None:
        """Close its pools and files: what its seats wait for is answered with an error."""
        self._pools.close()
        for file in self._files:
            file.close()
        if isinstance(self.evaluator, Connected):
            self.evaluator.close()


def _family(spec: str) -> str:
    return _wherever(spec)[0]


def _wherever(spec: str) -> tuple[str, str]:
    """Return the name of a game and its parts, without the folder: a user's file may have moved."""
    name, _, parts = spec.partition(":")
    return Path(name).stem, parts


def owner_of(path: Path, minds: Sequence[Mind]) -> Mind:
    """Return whose evaluations a file holds, or the first mind if there is no such file yet, or it is nobody's."""
    info = read_info(path) if path.exists() else None
    return next((mind for mind in minds if info and mind.owns(info)), minds[0])
