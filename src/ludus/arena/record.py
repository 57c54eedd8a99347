"""Match records on disk: one line per finished game, so that an interrupted match can continue.

The first line (`ludus.lines`) describes the match.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from ludus import lines
from ludus.arena.names import DIGITS, unmarked
from ludus.arena.summary import MatchGame
from ludus.errors import BadInput, BadRecord, Unavailable

T = TypeVar("T")
Line = TypeVar("Line", bound=msgspec.Struct)


class MatchPlan(msgspec.Struct, frozen=True):
    """The settings of a recorded match, which with the players determine its games."""

    a: str
    b: str
    games: list[str]
    """Game specs."""
    seed: int
    opening_actions: int
    balanced: bool
    a_is: str = ""
    """Fingerprint of player `a` (a network's weights and search); empty: the name is sufficient."""
    b_is: str = ""
    judge: str = ""
    """Player that checked the balance of openings, with its fingerprint; empty: `Balance` without a judge."""
    rules: list[str] = []
    """Fingerprint of each game's rules; empty in old records."""
    test: str = ""
    """The sequential test that ends the match (`str(Sprt)`); empty: none."""
    match: int = 1
    """Version of the record's format."""


class Record:
    """The record of one match, open for adding games."""

    def __init__(self, path: Path, plan: MatchPlan) -> None:
        """Open or create a record; its games get the players' current names.

        Raises:
            BadInput: the file records another match, or was played under other rules.
            BadRecord: the file is damaged.
            Unavailable: the file cannot be read or written.
        """
        self.path, self.games = path, list[MatchGame]()
        self._names_there: dict[str, str] = {}
        try:
            _must_be_plain(path)
            begins = not path.is_file() or lines.sealed(plan)[:-1].startswith(path.read_bytes())  # torn first line
        except OSError as error:
            raise Unavailable(f"{path}: cannot be read ({error.strerror}); choose another file.") from error
        if begins and self._write(lines.begin, plan):  # otherwise another process has just created it
            return
        found, games = read_record(path)
        _must_be_of(path, found, plan)
        self._names_there = {plan.a: found.a, plan.b: found.b}
        self.games = [renamed(game, {found.a: plan.a, found.b: plan.b}) for game in games]

    def add(self, game: MatchGame) -> None:
        """Write a game and flush it to disk; raises Unavailable if writing fails."""
        self._write(lines.append, renamed(game, self._names_there))
        self.games.append(game)

    def _write(self, write: Callable[[Path, Line], T], line: Line) -> T:
        try:
            return write(self.path, line)
        except OSError as error:
            raise Unavailable(
                f"{self.path}: cannot be written ({error.strerror}); free disk space or choose another file."
            ) from error


def read_record(path: Path) -> tuple[MatchPlan, list[MatchGame]]:
    """Read the plan and games of a record; raises BadRecord or Unavailable.

    If two processes played the same game, the first one counts.
    """
    try:
        _must_be_plain(path)
        objects = objects_of(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
    if not objects:
        raise BadRecord(f"{path}: contains no match yet; name a file written by `ludus match --record`.")
    try:
        plan, *games = [
            msgspec.json.decode(each, type=MatchGame if number else MatchPlan) for number, each in enumerate(objects)
        ]
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"{path}: is not a match record ({error}); name another file.") from error
    assert isinstance(plan, MatchPlan), "the first line is decoded as a plan"
    whole: dict[tuple[int, str], MatchGame] = {}
    for game in games:
        assert isinstance(game, MatchGame), "all other lines are decoded as games"
        whole.setdefault((game.pair, game.first), game)
    return plan, list(whole.values())


def renamed(game: MatchGame, names: Mapping[str, str]) -> MatchGame:
    """Return a game with its players renamed by `names`."""
    first, second = (names.get(name, name) for name in (game.first, game.second))
    winner = game.winner and names.get(game.winner, game.winner)
    return msgspec.structs.replace(game, first=first, second=second, winner=winner)


def record_of(folder: Path, plan: MatchPlan) -> Path:
    """Return the path of a match's record in a folder; it does not depend on the folder's other matches.

    A file named by an earlier version of Ludus is still used.
    """
    (a, a_is), (b, b_is) = _players(plan)
    paths = [
        folder / f"{one}--{other}.jsonl"
        for one, other in itertools.product(_file_names(a, a_is, plan.a), _file_names(b, b_is, plan.b))
    ]
    return next((path for path in paths if _is_by(path, _players(plan))), paths[0])


def _file_names(name: str, identity: str, marked: str) -> list[str]:
    """Return a player's name in file names: the current form, then those of earlier versions."""
    plain = _plain(name)
    digest = hashlib.sha256(f"{name} {identity}".encode()).hexdigest()[:DIGITS]
    now = f"{plain}_{digest}" if identity or plain != name else plain
    return list(dict.fromkeys([now, plain, f"{plain}_{identity[:DIGITS]}", _plain(marked)]))


def _plain(name: str) -> str:
    return re.sub(r"[^\w.@-]", "_", name)


def _is_by(path: Path, players: list[tuple[str, str]]) -> bool:
    """Return whether a file records a match of these players; a file torn in its first line does not count."""
    try:
        return path.is_file() and b"\n" in path.read_bytes() and _players(read_record(path)[0]) == players
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error


def _must_be_plain(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: is not a regular file; name another one.")


def objects_of(path: Path) -> list[bytes]:
    """Return the objects of a file; results of early versions have no checksums."""
    return [
        line if b'"wins":' in line and b'"crc32":' not in line else lines.unsealed(path, number, line)
        for number, line in enumerate(lines.whole_lines(path), 1)
    ]


def _must_be_of(path: Path, found: MatchPlan, plan: MatchPlan) -> None:
    """Check that a record with plan `found` may continue under `plan`; raises BadInput otherwise."""
    is_known = _players(found) == _players(plan)
    if not is_known and _players(found) == _players(plan)[::-1]:
        raise BadInput(
            f"{path}: holds the match of {found.a} against {found.b}, not of {found.b} against {found.a}: name the "
            f"players in that order, or another file."
        )
    wanted = msgspec.structs.replace(plan, rules=found.rules)
    if is_known:
        wanted = msgspec.structs.replace(wanted, a=found.a, b=found.b)
    if found != wanted:
        fields: Sequence[str] = plan.__struct_fields__
        name = next(name for name in fields if getattr(found, name) != getattr(wanted, name))
        difference = f"{name} is {getattr(found, name)!r} there but {getattr(wanted, name)!r} here"
        raise BadInput(f"{path}: holds another match ({difference}); name another file.")
    if found.rules and plan.rules and found.rules != plan.rules:
        changed = [spec for spec, *both in zip(plan.games, found.rules, plan.rules, strict=True) if both[0] != both[1]]
        raise BadInput(
            f"{path}: was started under other rules of {', '.join(changed)}; name another file or folder, or restore "
            f"those rules."
        )


def _players(plan: MatchPlan) -> list[tuple[str, str]]:
    """Return the players' unmarked names and identities."""
    return [(unmarked(name, identity), identity) for name, identity in ((plan.a, plan.a_is), (plan.b, plan.b_is))]
