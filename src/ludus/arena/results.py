"""Collects the results of many matches for one table, with one name per player and without duplicate games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from ludus.arena.names import distinct_names, run_names
from ludus.arena.record import MatchPlan, objects_of, read_record, renamed
from ludus.arena.summary import MatchGame, MatchResult, summary
from ludus.errors import BadInput, BadRecord

_FIXED = re.compile(r"(heuristic|playouts)-(\d+)", re.ASCII)  # names of the fixed opponents in runs


def read_results(paths: Iterable[Path], on_remark: Callable[[str], object] = lambda _remark: None) -> list[MatchResult]:
    """Read match results from files and folders, with distinct names for different players.

    A file is the record of one match, or a run's `matches.jsonl`.  A folder is a run's directory, or contains files
    `*.jsonl`.  Files that are named twice count once, and so do games that are in several records of the same two
    players; games that repeat within one record all count.  A run's sequential gate matches are skipped, since they are
    biased.  A record with a test is marked as `sequential`, and the number of games that an interrupted record lacks is
    in `missing`.  With several runs, networks are named by the run's folder; fixed opponents are the same in all
    runs and have their names from matches, such as `heuristic@200`.

    Args:
        paths: files and folders.
        on_remark: called with a sentence about the number of skipped games.

    Raises:
        BadInput: there are no results.
        BadRecord: a file is damaged.
    """
    files = {file.resolve(): file for path in paths for file in _files(path)}
    read = {place: _read(file) for place, file in files.items()}
    plans = [each[0] for each in read.values() if isinstance(each, tuple)]
    names = distinct_names(player for plan in plans for player in ((plan.a, plan.a_is), (plan.b, plan.b_is)))
    places = [place for place, each in read.items() if isinstance(each, list)]
    runs = dict(zip(places, run_names(places), strict=True))
    known: dict[frozenset[str], set[object]] = {}  # games of each pair of players
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
    """Return the number of games that are missing up to the last recorded pair."""
    return 2 * (1 + max(game.pair for game in games)) - len(games)


def _course(game: MatchGame) -> object:
    """Return the first player, opening and actions of a game, which are equal for repeated games."""
    return game.first, game.opening, game.course


def _left_out(number: int) -> str:
    if number == 1:
        return "1 game is skipped because another record of the same two players contains the same actions"
    return (
        f"{number} games are skipped because other records of the same two players contain the same actions; each "
        f"of these counts once"
    )


def _boards(plan: MatchPlan, games: Sequence[MatchGame]) -> list[str]:
    """Return the names of the boards from the games, without loading the games' rules."""
    names = {game.pair % len(plan.games): game.game for game in games}
    return [names.get(number, spec) for number, spec in enumerate(plan.games)]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    own = path / "matches.jsonl"
    if not own.is_file() and (path / "preset.toml").is_file():
        raise BadInput(
            f"{path}: this run has played no matches; set match.pairs in its preset for later generations, or play "
            "its models with `ludus match`."
        )
    files = [own] if own.is_file() else sorted(path.glob("*.jsonl"))
    if not files:
        raise BadInput(f"{path}: contains no match record; name a run, or files written by `ludus match`.")
    return files


def _read(path: Path) -> tuple[MatchPlan, list[MatchGame]] | list[MatchResult]:
    """Return the plan and games of a record, or a run's results."""
    try:
        objects = objects_of(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    if objects and b'"wins":' in objects[0]:
        try:
            return [msgspec.json.decode(each, type=MatchResult) for each in objects]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"{path}: is not a list of match results ({error}).") from error
    return read_record(path)


def _named_in_run(result: MatchResult, run: str) -> MatchResult:
    return msgspec.structs.replace(result, a=_name_in_run(result.a, run), b=_name_in_run(result.b, run))


def _name_in_run(name: str, run: str) -> str:
    """Return a player's name in tables: networks are prefixed by the run, fixed opponents are named as in matches."""
    if fixed := _FIXED.fullmatch(name):
        return f"{fixed[1]}@{fixed[2]}"
    return f"{run}/{name}" if run else name
