"""Reads positions to analyse from game records: texts, matches and shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludus.arena.record import read_record
from ludus.errors import BadInput
from ludus.files import ending_of
from ludus.games.behaviour import behaviour
from ludus.games.game import Game, Position
from ludus.games.records import replay_moves
from ludus.loop.game_records.replayed import OnFault
from ludus.loop.game_records.texts import endings, text_games
from ludus.players.thinking.mind import find_namesake
from ludus.protocol.spec import spec_in_play
from ludus.store import read_header, read_shard


class RecordedPositions(NamedTuple):
    """A recorded game, or a single position of a shard."""

    positions: list[Position]
    """Positions from the start of the game, as far as the rules allow."""
    opening: int = 0
    """Number of random actions at the start of the game."""


Reader = Callable[[Path, Sequence[Game], OnFault], Iterator[RecordedPositions]]


def positions_of(paths: Iterable[Path], game: Game, on_fault: OnFault) -> list[Position]:
    """Return the distinct unfinished positions of recorded games, in the order of play.

    Args:
        paths: files of games: in a text format such as `.pgn`, `.sgf` or `.txt` (from a site), `.jsonl` (from
            `ludus match --record`) or `.shard`; or folders of such files, whose `.jsonl` files are skipped.
        game: the game that the files must contain.
        on_fault: called with a sentence for each game or part of one that is left out, and for each doubtful place.

    Raises:
        BadInput: a file does not exist, has an unknown ending, or holds another game.
        BadRecord: a file cannot be read or is damaged.
    """
    found: dict[bytes, Position] = {}
    readers = _readers([game]) | {".shard": _read_shard}
    for path in _files(paths, readers):
        for played in readers[ending_of(path)](path, [game], on_fault):
            for position in played.positions:
                if not position.outcome:
                    found.setdefault(position.state.tobytes(), position)
    return list(found.values())


def games_of(paths: Iterable[Path], games: Sequence[Game], on_fault: OnFault) -> list[RecordedPositions]:
    """Return recorded games, each read as one of `games`; formats and errors are those of `positions_of`.

    Shards are not accepted: they do not store which position follows another.
    """
    readers = _readers(games)
    return [played for path in _files(paths, readers) for played in readers[ending_of(path)](path, games, on_fault)]


def _files(paths: Iterable[Path], readers: dict[str, Reader]) -> Iterator[Path]:
    for path in paths:
        inside = [each for each in sorted(path.rglob("*")) if ending_of(each) in readers.keys() - {".jsonl"}]
        for file in inside if path.is_dir() else [path]:
            if ending_of(file) not in readers or not file.is_file():
                raise BadInput(f"{file}: not found or not a game record; name files ending in {', '.join(readers)}.")
            yield file


def _named(games: Sequence[Game]) -> str:
    return ", ".join(game.name for game in games)


def _read_text(path: Path, games: Sequence[Game], on_fault: OnFault) -> Iterator[RecordedPositions]:
    for found in text_games(path, games, on_fault):
        yield RecordedPositions(found.positions)


def _read_match(path: Path, games: Sequence[Game], _on_fault: OnFault) -> Iterator[RecordedPositions]:
    for played in read_record(path)[1]:
        number = find_namesake(played.game, games)
        if number is None:  # matches have no early ends of turns, unlike games with people
            number = find_namesake(spec_in_play(played.game), games)
        if number is None:
            raise BadInput(f"{path}: holds games of {played.game}, not of {_named(games)}.")
        last = replay_moves(games[number].start(played.setup), played.actions, is_cut=True)
        yield RecordedPositions(last.history, played.opening)


def _read_shard(path: Path, games: Sequence[Game], _on_fault: OnFault) -> Iterator[RecordedPositions]:
    names, (game, *_) = read_header(path).names, games
    if game.name not in names:
        raise BadInput(f"{path}: holds games of {', '.join(names)}, not of {game.name}.")
    samples = read_shard(path, rules_key=behaviour(game))
    for words in samples.states[samples.game == names.index(game.name)]:
        yield RecordedPositions([Position(game, np.array(words).view(game.dtype))])


def _readers(games: Sequence[Game]) -> dict[str, Reader]:
    """Return the readers of recorded games by the endings of their files."""
    return dict.fromkeys(endings(games), _read_text) | {".jsonl": _read_match}
