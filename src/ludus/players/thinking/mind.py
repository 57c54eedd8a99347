"""`Mind`: a trained network with a search, which opens seats at positions and searches them."""

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
from ludus.network.evaluator import Connected, Evaluator, Precise
from ludus.paths import spec_parts
from ludus.players.judging.recall import Recall, state_key
from ludus.players.thinking.group import shape_of
from ludus.players.thinking.pool import SEAT_MAX_VISITS, SLOTS, Pool, Pools
from ludus.players.thinking.seat import Seat
from ludus.players.thinking.thought import Thought
from ludus.protocol.spec import setting_of
from ludus.search.settings import SearchSettings


def namesake(spec: str, game: Game) -> Game | None:
    """Return the game `spec` if it has the same rules, states and actions as `game`, else None."""
    if setting_of(spec) != setting_of(game.name):
        return None
    found = find_game(spec)
    return found if same_rules(found, game) else None


def seen_in(position: Position, game: Game) -> Position:
    """Return the position as one of `game`, a namesake of its game, with the same history."""
    if position.game is game:
        return position
    seen = Position(game, position.state, position.parent, position.action, position.past)
    seen.is_renewed, seen.setup = position.is_renewed, position.setup
    return seen


def find_namesake(spec: str, games: Sequence[Game]) -> int | None:
    """Return the index of the game `spec` in `games`, else that of a namesake, else None."""
    names = [game.name for game in games]
    if spec in names:
        return names.index(spec)
    return next((number for number, game in enumerate(games) if namesake(spec, game)), None)


class Mind:
    """A model that searches positions of its games; it may be used by any number of threads.

    Seats at boards of one shape share a pool, which is created with the first seat.
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
        """Combine a checkpoint and its evaluator; use `Mind.load` instead."""
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
        backend: str = "openvino",
        precision: str | None = "auto",
    ) -> Mind:
        """Load a model for this machine's processor, or for inference servers.

        Args:
            path: a directory with `model.safetensors`, or such a file.
            threads: processor threads for one batch.
            streams: number of batches evaluated at the same time.
            search: settings of the search (default: the usual ones).
            slots: number of search trees for boards of one shape (`Pool`).
            max_visits: limit of visits of a search.
            servers: addresses `host:port` of inference servers; while none is reachable, this machine evaluates.
            backend: the library and device that evaluate on this machine (`ludus.network.backends`).
            precision: `auto`, `int8`, `bf16`, `f16` or `f32`; None is the best of those that every model has.

        Raises:
            BadModel: the model is missing or damaged, or was not accepted in int8.
            BadInput: an address is invalid, or there is no such backend or precision.
            Unavailable: the library for inference servers or of the backend is not installed.
        """
        from ludus.network.backends import open_of  # not needed by heuristic players

        checkpoint = load_checkpoint(Path(path))

        def own_evaluator() -> Evaluator:
            return open_of(checkpoint, backend, streams=streams, threads=threads, precision=precision)

        if servers:
            from ludus.network.remote import RemoteEvaluator  # gRPC is an extra

            evaluator: Evaluator = RemoteEvaluator(checkpoint, servers, own_evaluator)
        else:
            evaluator = own_evaluator()
        lanes = max(2, streams)
        return Mind(checkpoint, evaluator, search, slots=slots, max_visits=max_visits, lanes=lanes)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.info.name

    @property
    def precision(self) -> str:
        """Precision in which this machine evaluates, such as `int8`; empty: unknown, as on an inference server."""
        return self.evaluator.precision if isinstance(self.evaluator, Precise) else ""

    @property
    def weights(self) -> str:
        """Fingerprint of the network's weights."""
        return self._weights

    @property
    def games(self) -> tuple[str, ...]:
        """Specs of the games that it was trained on."""
        return tuple(self.info.games)

    def game(self, spec: str) -> Game:
        """Return one of its games, after checking that the rules are unchanged since training.

        Raises:
            BadModel: it was not trained on this game, or the game's rules have changed since.
        """
        if spec not in self.info.games:
            raise BadModel(f"{self.name} was not trained on {spec}; it plays {', '.join(self.info.games)}.")
        game = find_game(spec, asked_by=f"the model {self.name} was trained on it")
        self.check(game)
        return game

    def check(self, game: Game) -> None:
        """Check that the model can play `game` and that its rules are unchanged since training; raises BadModel.

        A model also plays other boards and variants of its games with the same planes and actions.  A game's file may
        have moved, or have another name with the same rules.
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
        """Return `game`, or the model's game with the same rules and other planes.

        Raises:
            BadModel: the model cannot play `game`, or its rules have changed since training.
        """
        if not self.info.shapes.fit(Shapes.of(game)):
            for spec in self.info.games:
                if own := namesake(spec, game):
                    self.check(own)
                    return own
        self.check(game)
        return game

    def seen(self, position: Position) -> Position:
        """Return the position with the planes that the model reads (`seen_as`); raises BadModel."""
        return seen_in(position, self.seen_as(position.game))

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a new seat at `position`, with a search tree that is kept from move to move.

        The seat's position has the planes that the model reads (`seen`).

        Raises:
            BadModel: the model cannot play the position's game.
        """
        position = self.seen(position)
        return self.pool(position.game).seat(position, seed=seed)

    def pool(self, game: Game) -> Pool:
        """Return the pool of the seats at `game` and at all boards of the same shape."""
        return self._pools.of(game)

    def attach(self, path: Path, mode: Mode = "read", *, game: Game | None = None) -> EvaluationFile:
        """Open an evaluation file for seats created later, if their board has the shape of the file's game.

        A seat looks up several files of its shape in the order in which they were opened.

        Args:
            path: the file.
            mode: `append` to add new evaluations; if a file of this shape is already open, new evaluations go there,
                and this file is only read.
            game: game of a file created in mode `append` (default: the model's first game).

        Raises:
            BadInput: the file does not exist, belongs to another network or other rules, or is being appended to by
                another process.
            BadRecord: it is not an evaluation file, or its beginning is damaged.
            Unavailable: the file cannot be written.
        """
        begin = None
        if mode == "append" and self._files:  # a second file: find its game
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
        self._pools.leave(find_game(file.info.game))  # an existing pool does not use the file
        return file

    def owns(self, info: FileInfo) -> bool:
        """Return whether a file contains evaluations of this network."""
        return info.network == self._weights

    def _check_file(self, file: EvaluationFile) -> None:
        info = file.info
        if not self.owns(info):
            raise BadInput(
                f"{file.path}: contains evaluations of {info.model} (weights {info.network}), not of {self._label} "
                f"(weights {self._weights}); name the model that wrote it, or create another file."
            )
        own = self._file_info(find_game(info.game))
        if (info.rules, info.start) != (own.rules, own.start):
            raise BadInput(
                f"{file.path}: the rules of {info.game} have changed since this file was written; create it again."
            )

    def _file_info(self, game: Game) -> FileInfo:
        self.check(game)
        key = state_key(game.start_state().view(np.uint64))
        return FileInfo(game.name, behaviour(game), f"{key:016x}", self._label, self._weights)

    @property
    def _label(self) -> str:
        return f"{self.name}, generation {self.info.generation}"

    def evaluator_of(self, game: Game) -> Evaluator | Recall:
        """Return the evaluator of a game: the network, combined with the game's evaluation files if there are any."""
        files = self._files_of(game)
        return Recall(self.evaluator, files) if files else self.evaluator

    def _files_of(self, game: Game) -> list[EvaluationFile]:
        return [file for file in self._files if shape_of(find_game(file.info.game)) == shape_of(game)]

    def think(self, position: Position, visits: int = 800) -> Thought:
        """Search one position, and return the result."""
        return self.seat(position).think(visits=visits)

    def warm_up(self) -> None:
        """Run short searches in each of its games, to compile their code."""
        for spec in self.games:
            self.pool(self.game(spec)).warm_up(find_game(spec))

    def forget_evaluations(self) -> None:
        """Empty the caches of evaluations."""
        self._pools.forget_evaluations()

    def close(self) -> None:
        """Close its pools and files; open requests of its seats fail with an error."""
        self._pools.close()
        for file in self._files:
            file.close()
        if isinstance(self.evaluator, Connected):
            self.evaluator.close()


def _family(spec: str) -> str:
    return _wherever(spec)[0]


def _wherever(spec: str) -> tuple[str, str]:
    """Split a spec into the name of the game, without the folder of a user's file, and the rest."""
    name, *parts = spec_parts(spec)
    return Path(name).stem, ":".join(parts)


def owner_of(path: Path, minds: Sequence[Mind]) -> Mind:
    """Return the model whose evaluations a file contains, or the first model if there is no such file or model."""
    info = read_info(path) if path.exists() else None
    return next((mind for mind in minds if info and mind.owns(info)), minds[0])
