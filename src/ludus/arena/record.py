"""The record of a match on disk: a line for each game as it ends, so that an interrupted match is continued.

The file holds one JSON object a line and is only ever appended to.  Its first line says which match it is.  Each line
ends in `"crc32":"89abcdef"}`, the CRC-32 of the same object without that key, in hexadecimal; a last line without its
end was torn by an interruption, and the next line takes its place.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ludus.arena.match import MatchGame, MatchResult, summary
from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.games.registry import game as find_game

_LINE = re.compile(rb'(\{.*),"crc32":"([0-9a-f]{8})"\}', re.DOTALL)


class MatchPlan(msgspec.Struct, frozen=True):
    """Which match a record is of: what decides its games, apart from the players themselves."""

    a: str
    b: str
    games: list[str]
    """Specs."""
    seed: int
    opening_actions: int
    balanced: bool
    match: int = 1
    """Version of this format."""


class Record:
    """The record of one match, open for more games."""

    def __init__(self, path: Path, plan: MatchPlan) -> None:
        """Open or begin a record.

        Raises:
            BadInput: the file is the record of another match.
            BadRecord: it is damaged.
            Unavailable: it cannot be read or written.
        """
        self.path, self.games = path, list[MatchGame]()
        if not path.is_file() or _line(plan)[:-1].startswith(path.read_bytes()):  # torn before it held anything
            self._append(plan)
            return
        found, self.games = read_record(path)
        if found != plan:
            raise BadInput(f"{path}: holds another match ({_difference(found, plan)}); name another file.")

    def add(self, game: MatchGame) -> None:
        """Write a game; it is on the disk when this returns; raises Unavailable if the disk refuses."""
        self._append(game)
        self.games.append(game)

    def _append(self, line: MatchPlan | MatchGame) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.truncate(len(_whole_lines(self.path.read_bytes())))
                file.write(_line(line))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Unavailable(
                f"{self.path}: cannot be written ({error.strerror}); make room or choose another file."
            ) from error


def read_record(path: Path) -> tuple[MatchPlan, list[MatchGame]]:
    """Return the plan and the games of a record; raises BadRecord or Unavailable."""
    try:
        lines = _whole_lines(path.read_bytes()).splitlines()
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
    bodies = [_body(path, number, line) for number, line in enumerate(lines, 1)]
    try:
        plan, *games = [
            msgspec.json.decode(body, type=MatchGame if number else MatchPlan) for number, body in enumerate(bodies)
        ]
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"{path}: is not the record of a match ({error}); name another file.") from error
    assert isinstance(plan, MatchPlan), "the first line is decoded as one"
    return plan, [game for game in games if isinstance(game, MatchGame)]


def read_results(path: Path) -> list[MatchResult]:
    """Return the results of a file: the record of one match, or a training run's `matches.jsonl`.

    A folder stands for all files `*.jsonl` in it, or for the run whose directory it is.

    Raises:
        BadInput: there is no result there.
        BadRecord: a file is damaged.
    """
    if path.is_dir():
        own = path / "matches.jsonl"
        files = [own] if own.is_file() else sorted(path.glob("*.jsonl"))
        if not files:
            raise BadInput(f"{path}: holds no record of a match; name a run, or files that `ludus match` has written.")
        return [result for file in files for result in read_results(file)]
    try:
        lines = _whole_lines(path.read_bytes()).splitlines()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    bodies = [_body(path, number, line) for number, line in enumerate(lines, 1)]
    if bodies and b'"wins":' in bodies[0]:
        try:
            return [msgspec.json.decode(body, type=MatchResult) for body in bodies]
        except msgspec.DecodeError as error:
            raise BadRecord(f"{path}: is not a list of matches ({error}).") from error
    plan, games = read_record(path)
    return [summary([find_game(spec) for spec in plan.games], plan.a, plan.b, games)] if games else []


def _line(line: MatchPlan | MatchGame) -> bytes:
    body = msgspec.json.encode(line)
    return body[:-1] + b',"crc32":"%08x"}\n' % zlib.crc32(body)


def _body(path: Path, number: int, line: bytes) -> bytes:
    """Return the object of a line without its checksum, which must be right; runs of early versions have none."""
    found = _LINE.fullmatch(line)
    if not found and b'"wins":' in line:
        return line
    body = found[1] + b"}" if found else b""
    if not found or zlib.crc32(body) != int(found[2], 16):
        raise BadRecord(f"{path}, line {number}: is damaged (its checksum is wrong); restore it from a backup.")
    return body


def _whole_lines(data: bytes) -> bytes:
    """Leave out a last line without its end."""
    return data[: data.rfind(b"\n") + 1]


def _difference(found: MatchPlan, plan: MatchPlan) -> str:
    fields: Sequence[str] = plan.__struct_fields__
    name = next(name for name in fields if getattr(found, name) != getattr(plan, name))
    return f"{name} is {getattr(found, name)!r} there, {getattr(plan, name)!r} here"
