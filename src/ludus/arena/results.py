"""The results of many matches, for one table: each player under one name, each game once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from ludus.arena.names import distinct_names, run_names
from ludus.arena.record import MatchPlan, objects_of, read_record, renamed
from ludus.arena.summary import MatchGame, MatchResult, summary
from ludus.errors import BadInput, BadRecord

_FIXED = re.compile(r"(heuristic|playouts)-(\d+)", re.ASCII)  # as runs write down opponents that do not learn


def read_results(paths: Iterable[Path], on_remark: Callable[[str], object] = lambda _remark: None) -> list[MatchResult]:
    """Return the results of files, with one name for one player and different names for different ones.

    A file is the record of one match, or a training run's `matches.jsonl`; a folder stands for all files `*.jsonl` in
    it, or for the run whose directory it is.  What is named twice counts once, and so does a game that several records
    of the same two players hold; games of one record that repeat each other all count.  A match of a run that a gate's
    test has ended is no measure, and is passed over; a record that a test ends is marked as `sequential`, and of
    one that was broken off it is counted what is `missing`.  Of several runs, everyone but the fixed opponents, who are
    the same in all, is told apart by the run's folder; they have the names that they have in matches, such as
    `heuristic@200`.

    Args:
        paths: of files and folders.
        on_remark: told, in a sentence, how many games are left out.

    Raises:
        BadInput: there is no result there.
        BadRecord: a file is damaged.
    """
    files = {file.resolve(): file for path in paths for file in _files(path)}
    read = {place: _read(file) for place, file in files.items()}
    plans = [each[0] for each in read.values() if isinstance(each, tuple)]
    names = distinct_names(player for plan in plans for player in ((plan.a, plan.a_is), (plan.b, plan.b_is)))
    places = [place for place, each in read.items() if isinstance(each, list)]
    runs = dict(zip(places, run_names(places), strict=True))
    known: dict[frozenset[str], set[object]] = {}  # how the games of any two players went
    results: list[MatchResult] = []
    left_out = 0
    for place, each in read.items():
        if isinstance(each, list):
            results += [_named_in_run(result, runs[place]) for result in each if not result.sequential]
            continue
        plan, games = each
        a, b = names[plan.a, plan.a_is], names[plan.b, plan.b_is]
        courses = known.setdefault(frozenset((a, b)), set())
        games = [renamed(game, {plan.a: a, plan.b: b}) for game in games]
        new = [game for game in games if _course(game) not in courses]
        left_out += len(games) - len(new)
        courses.update(map(_course, new))
        if new:
            result = summary(_boards(plan, new), a, b, new)
            results.append(msgspec.structs.replace(result, sequential=bool(plan.test), missing=_missing(games)))
    if left_out:
        on_remark(_left_out(left_out))
    return results


def _missing(games: Sequence[MatchGame]) -> int:
    """Return how many games there would be more, had all pairs been played up to the last that was begun."""
    return 2 * (1 + max(game.pair for game in games)) - len(games)


def _course(game: MatchGame) -> object:
    """Return who played what: equal for two games of the same players that went alike."""
    return game.first, game.opening, game.course


def _left_out(number: int) -> str:
    if number == 1:
        return (
            "1 game is left out, which another record of the same two players holds, action by action: it counts once"
        )
    return (
        f"{number} games are left out, which other records of the same two players hold, action by action: each of "
        f"these counts once"
    )


def _boards(plan: MatchPlan, games: Sequence[MatchGame]) -> list[str]:
    """Return the names of the boards, which their games say: the game itself need not be at hand."""
    names = {game.pair % len(plan.games): game.game for game in games}
    return [names.get(number, spec) for number, spec in enumerate(plan.games)]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    own = path / "matches.jsonl"
    if not own.is_file() and (path / "preset.toml").is_file():
        raise BadInput(
            f"{path}: this run has played no matches; set match.pairs in its preset for those to come, or let its "
            "models meet with `ludus match`."
        )
    files = [own] if own.is_file() else sorted(path.glob("*.jsonl"))
    if not files:
        raise BadInput(f"{path}: holds no record of a match; name a run, or files that `ludus match` has written.")
    return files


def _read(path: Path) -> tuple[MatchPlan, list[MatchGame]] | list[MatchResult]:
    """Return the plan and the games of a record, or the results of a run."""
    try:
        objects = objects_of(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    if objects and b'"wins":' in objects[0]:
        try:
            return [msgspec.json.decode(each, type=MatchResult) for each in objects]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"{path}: is not a list of matches ({error}).") from error
    return read_record(path)


def _named_in_run(result: MatchResult, run: str) -> MatchResult:
    return msgspec.structs.replace(result, a=_name_in_run(result.a, run), b=_name_in_run(result.b, run))


def _name_in_run(name: str, run: str) -> str:
    """Return what a player of a run is called beside others: a fixed opponent as in matches, the others by the run."""
    if fixed := _FIXED.fullmatch(name):
        return f"{fixed[1]}@{fixed[2]}"
    return f"{run}/{name}" if run else name
