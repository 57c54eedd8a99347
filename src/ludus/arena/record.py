"""The record of a match on disk: a line for each game as it ends, so that an interrupted match is continued.

The first of its lines (`ludus.lines`) says which match it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from ludus import lines
from ludus.arena.match import MatchGame, MatchResult, summary
from ludus.arena.names import distinct_names, run_names
from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.games.registry import game as find_game

T = TypeVar("T")
Line = TypeVar("Line", bound=msgspec.Struct)
_FIXED = re.compile(r"(heuristic|playouts)-(\d+)", re.ASCII)  # as runs write down opponents that do not learn


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
        try:
            _must_be_plain(path)
            begins = not path.is_file() or lines.sealed(plan)[:-1].startswith(path.read_bytes())  # torn at once
        except OSError as error:
            raise Unavailable(f"{path}: cannot be read ({error.strerror}); choose another file.") from error
        if begins and self._write(lines.begin, plan):  # else another process has begun it meanwhile
            return
        found, self.games = read_record(path)
        if found != plan:
            raise BadInput(f"{path}: holds another match ({_difference(found, plan)}); name another file.")

    def add(self, game: MatchGame) -> None:
        """Write a game; it is on the disk when this returns; raises Unavailable if the disk refuses."""
        self._write(lines.append, game)
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
        bodies = _bodies(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}).") from error
    if not bodies:
        raise BadRecord(f"{path}: holds no match yet; name a file that `ludus match --record` has written to.")
    try:
        plan, *games = [
            msgspec.json.decode(body, type=MatchGame if number else MatchPlan) for number, body in enumerate(bodies)
        ]
    except (msgspec.DecodeError, ValueError) as error:
        raise BadRecord(f"{path}: is not the record of a match ({error}); name another file.") from error
    assert isinstance(plan, MatchPlan), "the first line is decoded as one"
    whole: dict[tuple[int, str], MatchGame] = {}
    for game in games:
        assert isinstance(game, MatchGame), "all other lines are decoded as games"
        whole.setdefault((game.pair, game.first), game)
    return plan, list(whole.values())


def read_results(paths: Iterable[Path]) -> list[MatchResult]:
    """Return the results of files, with one name for one player and different names for different ones.

    A file is the record of one match, or a training run's `matches.jsonl`; a folder stands for all files `*.jsonl` in
    it, or for the run whose directory it is.  What is named twice counts once.  Of several runs, everyone but the fixed
    opponents, who are the same in all, is told apart by the run's folder; they have the names that they have in
    matches, such as `heuristic@200`.

    Raises:
        BadInput: there is no result there.
        BadRecord: a file is damaged.
    """
    files = {file.resolve(): file for path in paths for file in _files(path)}
    read = {place: _read(file) for place, file in files.items()}
    names = distinct_names(
        player for plan, _ in read.values() if plan for player in ((plan.a, plan.a_is), (plan.b, plan.b_is))
    )
    places = [place for place, (plan, _) in read.items() if not plan]
    runs = dict(zip(places, run_names(places), strict=True))
    results: list[MatchResult] = []
    for place, (plan, found) in read.items():
        for each in found:
            if plan:
                a, b = names[plan.a, plan.a_is], names[plan.b, plan.b_is]
            else:
                a, b = _name_in_run(each.a, runs[place]), _name_in_run(each.b, runs[place])
            results.append(msgspec.structs.replace(each, a=a, b=b))
    return results


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    own = path / "matches.jsonl"
    files = [own] if own.is_file() else sorted(path.glob("*.jsonl"))
    if not files:
        raise BadInput(f"{path}: holds no record of a match; name a run, or files that `ludus match` has written.")
    return files


def _read(path: Path) -> tuple[MatchPlan | None, list[MatchResult]]:
    """Return the plan of a record and its result, if a game is over; or None and the results of a run."""
    try:
        bodies = _bodies(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    if bodies and b'"wins":' in bodies[0]:
        try:
            return None, [msgspec.json.decode(body, type=MatchResult) for body in bodies]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"{path}: is not a list of matches ({error}).") from error
    plan, games = read_record(path)
    return plan, [summary([find_game(spec) for spec in plan.games], plan.a, plan.b, games)] if games else []


def _name_in_run(name: str, run: str) -> str:
    """Return what a player of a run is called beside others: a fixed opponent as in matches, the others by the run."""
    if fixed := _FIXED.fullmatch(name):
        return f"{fixed[1]}@{fixed[2]}"
    return f"{run}/{name}" if run else name


def _must_be_plain(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: is no plain file; name another.")


def _bodies(path: Path) -> list[bytes]:
    """Return the objects of a file; lines of results may lack the checksum, as in runs of early versions."""
    return [
        line if b'"wins":' in line and b'"crc32":' not in line else lines.unsealed(path, number, line)
        for number, line in enumerate(lines.whole_lines(path), 1)
    ]


def _difference(found: MatchPlan, plan: MatchPlan) -> str:
    fields: Sequence[str] = plan.__struct_fields__
    name = next(name for name in fields if getattr(found, name) != getattr(plan, name))
    return f"{name} is {getattr(found, name)!r} there, {getattr(plan, name)!r} here"
