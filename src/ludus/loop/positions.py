"""Game records as positions, for whoever thinks about them again: PGN, SGF, records of matches, shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ludus.arena.record import read_record
from ludus.errors import BadInput
from ludus.games.behaviour import behaviour
from ludus.games.chess.pgn_read import Broken, decode, read_pgn
from ludus.games.game import Game
from ludus.games.go.sgf import read_sgf
from ludus.games.go.sgf_game import replay
from ludus.games.position import Position
from ludus.loop.moves import read_bytes
from ludus.players.namesake import find_namesake
from ludus.store import read_header, read_shard

Reader = Callable[[Path, Game], Iterator[Position]]


def positions_of(paths: Iterable[Path], game: Game) -> list[Position]:
    """Return the unfinished positions of recorded games, each once, in the order in which they were played.

    Args:
        paths: files of games: `.pgn`, `.sgf`, `.jsonl` (of `ludus match --record`) or `.shard`.
        game: whose positions they are to be.

    Raises:
        BadInput: a file does not exist, nobody reads it, or it holds games of another name.
        BadRecord: a file cannot be read, or is damaged.
    """
    found: dict[bytes, Position] = {}
    for path in paths:
        if path.suffix not in READERS or not path.is_file():
            raise BadInput(f"{path}: there is no such file of games; name files that end in {', '.join(READERS)}.")
        for position in READERS[path.suffix](path, game):
            if not position.outcome:
                found.setdefault(position.state.tobytes(), position)
    return list(found.values())


def _read_pgn(path: Path, game: Game) -> Iterator[Position]:
    if not game.name.startswith("chess"):
        raise BadInput(f"{path}: holds games of chess, not of {game.name}.")
    for recorded in read_pgn(decode(read_bytes(path))):
        if isinstance(recorded, Broken):
            raise BadInput(f"{path}, {recorded}")
        yield from _played(game, recorded.tags.get("FEN"), [action for _, action in recorded.positions()])


def _read_sgf(path: Path, game: Game) -> Iterator[Position]:
    if not game.name.startswith("go:"):
        raise BadInput(f"{path}: holds games of Go, not of {game.name}.")
    try:
        for root in read_sgf(read_bytes(path)):
            yield from replay(root, game).positions
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def _read_match(path: Path, game: Game) -> Iterator[Position]:
    for played in read_record(path)[1]:
        if find_namesake(played.game, [game]) is None:
            raise BadInput(f"{path}: holds games of {played.game}, not of {game.name}.")
        yield from _played(game, None, played.actions)


def _read_shard(path: Path, game: Game) -> Iterator[Position]:
    names = read_header(path).names
    if game.name not in names:
        raise BadInput(f"{path}: holds games of {', '.join(names)}, not of {game.name}.")
    samples = read_shard(path, rules_key=behaviour(game))
    for words in samples.states[samples.game == names.index(game.name)]:
        yield Position(game, np.array(words).view(game.dtype))


def _played(game: Game, setup: Any, actions: list[int]) -> Iterator[Position]:  # noqa: ANN401 - each game has its own
    """Yield the positions of a game; where the rules end it earlier than those who played, so does this."""
    position = game.start(setup)
    yield position
    for action in actions:
        if position.outcome:
            return
        position = position.play(action)
        yield position


READERS: dict[str, Reader] = {".pgn": _read_pgn, ".sgf": _read_sgf, ".jsonl": _read_match, ".shard": _read_shard}
