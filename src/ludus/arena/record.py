"""The record of a match on disk: a line for each game as it ends, so that an interrupted match is continued.

The first of its lines (`ludus.lines`) says which match it is.
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
    """Which match a record is of: what decides its games, apart from the players themselves."""

    a: str
    b: str
    games: list[str]
    """Specs."""
    seed: int
    opening_actions: int
    balanced: bool
    a_is: str = ""
    """Fingerprint of what `a` is beside its name, a network's weights and search; empty: the name says all."""
    b_is: str = ""
    judge: str = ""
    """Who judged which openings are balanced, with fingerprint; empty: `Balance` by itself."""
    rules: list[str] = []
    """Fingerprint of the rules of each game; empty: the record is older than these."""
    test: str = ""
    """The sequential test that ends it (`str(Sprt)`): its own games decide how many there are; empty: none."""
    match: int = 1
    """Version of this format."""


class Record:
    """The record of one match, open for more games."""

    def __init__(self, path: Path, plan: MatchPlan) -> None:
        """Open or begin a record; where a player has been marked since, or is no longer, its games have the new name.

        Raises:
            BadInput: the file is the record of another match, or of one under other rules.
            BadRecord: it is damaged.
            Unavailable: it cannot be read or written.
        """
        self.path, self.games = path, list[MatchGame]()
        self._names_there: dict[str, str] = {}
        try:
            _must_be_plain(path)
            begins = not path.is_file() or lines.sealed(plan)[:-1].startswith(path.read_bytes())  # torn at once
        except OSError as error:
            raise Unavailable(f"{path}: cannot be read ({error.strerror}); choose another file.") from error
        if begins and self._write(lines.begin, plan):  # else another process has begun it meanwhile
            return
        found, games = read_record(path)
        _must_be_of(path, found, plan)
        self._names_there = {plan.a: found.a, plan.b: found.b}
        self.games = [renamed(game, {found.a: plan.a, found.b: plan.b}) for game in games]

    def add(self, game: MatchGame) -> None:
        """Write a game; it is on the disk when this returns; raises Unavailable if the disk refuses."""
        self._write(lines.append, renamed(game, self._names_there))
        self.games.append(game)

    def _write(self, write: Callable[[Path, Line], T], line: Line) -> T:
        try:
            return write(self.path, line)
        except OSError as error:
            raise Unavailable(
                f"{self.path}: cannot be written ({error.strerror}); make room or choose another file."
            ) from error


def read_record(path: Path) -> tuple[MatchPlan, list[MatchGame]]:
    """Return the plan and the games of a record; raises BadRecord or Unavailable.

    Of a game that two processes have played at once, the first counts.
    """
    try:
        _must_be_plain(path)
        objects = objects_of(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
    if not objects:
        raise BadRecord(f"{path}: holds no match yet; name a file that `ludus match --record` has written to.")
    try:
        plan, *games = [
            msgspec.json.decode(each, type=MatchGame if number else MatchPlan) for number, each in enumerate(objects)
        ]
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"{path}: is not the record of a match ({error}); name another file.") from error
    assert isinstance(plan, MatchPlan), "the first line is decoded as one"
    whole: dict[tuple[int, str], MatchGame] = {}
    for game in games:
        assert isinstance(game, MatchGame), "all other lines are decoded as games"
        whole.setdefault((game.pair, game.first), game)
    return plan, list(whole.values())


def renamed(game: MatchGame, names: Mapping[str, str]) -> MatchGame:
    """Return a game with other names of its players, where `names` has them."""
    first, second = (names.get(name, name) for name in (game.first, game.second))
    winner = game.winner and names.get(game.winner, game.winner)
    return msgspec.structs.replace(game, first=first, second=second, winner=winner)


def record_of(folder: Path, plan: MatchPlan) -> Path:
    """Return the file in which a folder keeps a match, which does not depend on who else plays there.

    Earlier versions named it by what the players were called in their company; such a file goes on.
    """
    (a, a_is), (b, b_is) = _players(plan)
    paths = [
        folder / f"{one}--{other}.jsonl"
        for one, other in itertools.product(_file_names(a, a_is, plan.a), _file_names(b, b_is, plan.b))
    ]
    return next((path for path in paths if _is_by(path, _players(plan))), paths[0])


def _file_names(name: str, identity: str, marked: str) -> list[str]:
    """Return what a player is called in the names of files: now, then as in earlier versions."""
    plain = _plain(name)
    digest = hashlib.sha256(f"{name} {identity}".encode()).hexdigest()[:DIGITS]
    now = f"{plain}_{digest}" if identity or plain != name else plain
    return list(dict.fromkeys([now, plain, f"{plain}_{identity[:DIGITS]}", _plain(marked)]))


def _plain(name: str) -> str:
    return re.sub(r"[^\w.@-]", "_", name)


def _is_by(path: Path, players: list[tuple[str, str]]) -> bool:
    """Return whether there is a record of these players; one that was torn at once is none."""
    try:
        return path.is_file() and b"\n" in path.read_bytes() and _players(read_record(path)[0]) == players
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error


def _must_be_plain(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: is no plain file; name another.")


def objects_of(path: Path) -> list[bytes]:
    """Return the objects of a file; lines of results may lack the checksum, as in runs of early versions."""
    return [
        line if b'"wins":' in line and b'"crc32":' not in line else lines.unsealed(path, number, line)
        for number, line in enumerate(lines.whole_lines(path), 1)
    ]


def _must_be_of(path: Path, found: MatchPlan, plan: MatchPlan) -> None:
    """Raise BadInput unless the record with the plan that was found may go on under `plan`."""
    is_known = _players(found) == _players(plan)
    if not is_known and _players(found) == _players(plan)[::-1]:
        raise BadInput(
            f"{path}: holds the match of {found.a} against {found.b}, not of {found.b} against {found.a}: name the "
            f"players in its order, or another file."
        )
    wanted = msgspec.structs.replace(plan, rules=found.rules)
    if is_known:
        wanted = msgspec.structs.replace(wanted, a=found.a, b=found.b)
    if found != wanted:
        fields: Sequence[str] = plan.__struct_fields__
        name = next(name for name in fields if getattr(found, name) != getattr(wanted, name))
        difference = f"{name} is {getattr(found, name)!r} there, {getattr(wanted, name)!r} here"
        raise BadInput(f"{path}: holds another match ({difference}); name another file.")
    if found.rules and plan.rules and found.rules != plan.rules:
        changed = [spec for spec, *both in zip(plan.games, found.rules, plan.rules, strict=True) if both[0] != both[1]]
        raise BadInput(
            f"{path}: was begun under other rules of {', '.join(changed)}; name another file or folder, or put those "
            f"rules back."
        )


def _players(plan: MatchPlan) -> list[tuple[str, str]]:
    """Return who plays, whatever the company in which it is named."""
    return [(unmarked(name, identity), identity) for name, identity in ((plan.a, plan.a_is), (plan.b, plan.b_is))]
