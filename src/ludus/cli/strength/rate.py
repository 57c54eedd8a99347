"""`ludus rate`: ratings from recorded games; `ludus league`: matches between all pairs of players."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.cells import cell_len
from rich.table import Table

from ludus.arena.balance import Balance
from ludus.arena.crosstable import Crosstable, crosstable
from ludus.arena.record import record_of
from ludus.arena.results import read_results
from ludus.arena.summary import MatchResult
from ludus.cli.strength.judge import BalancedOption, JudgeOption, OpeningOption, SeedOption, find_judge
from ludus.cli.strength.match import BATCHES, PLAYERS, doubts, find_players, plan_of, play_plan, tell_remarks
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation, console, output, say
from ludus.errors import BadInput
from ludus.games.registry import game as find_game
from ludus.players.matches.roster import games_of, is_timed
from ludus.rating import cycles
from ludus.rating.cycles import Meeting
from ludus.rating.sprt import MOST_PAIRS

MOST_ELO = 10_000  # limit for an anchor: several times the range from random play to the best programs
FIGURES = ("", "player", "Elo", "±95 %", "games", "score")  # columns before the scores of pairs
_ANCHOR = re.compile(r"(.+?)(?:=(-?\d+(?:\.\d+)?))?")
Anchors = Annotated[
    list[str] | None,
    typer.Option(help="NAME or NAME=ELO: a player with a fixed rating (default: the first name, at 0); repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the table as JSON.")]


def rate(
    paths: Annotated[
        list[Path], typer.Argument(help="Records by `ludus match` or `ludus league`, folders of them, or runs.")
    ],
    anchor: Anchors = None,
    as_json: AsJson = False,
) -> None:
    """Print all ratings with their errors, the scores of all pairs, and cycles.

    Networks with equal names are distinguished by their fingerprints, generations of several runs by the runs' folders.
    """
    results = read_results(paths, lambda remark: say(remark, on=console))
    if not results:
        raise BadInput(f"{paths[0]}: contains no finished game.")
    played = {", ".join(match.games) for match in results}
    if len(played) > 1:
        say(f"Note: ratings over different games ({'; '.join(sorted(played))}) have little meaning.", on=console)
    show(results, anchor or [], as_json=as_json)
    tell_remarks(results)
    for match in results:
        if match.sequential:
            say(
                f"{match.a} against {match.b}: a sequential test (--sprt) ended this match, so the difference "
                f"between them is overstated",
                on=console,
            )


def league(  # noqa: PLR0913 - each option of a command is an argument
    players: Annotated[list[str], typer.Argument(help=PLAYERS)],
    folder: Annotated[Path, typer.Option(help="Store match records here, so that the same command can continue.")],
    game: Annotated[
        list[str] | None,
        typer.Option(callback=named, help="Specs to play (default: the first model's games); repeatable."),
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, max=MOST_PAIRS, help="Pairs of games for each two players.")] = 20,
    visits: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="Visits for each action of a model without a limit in its name.")
    ] = 100,
    opening: OpeningOption = 4,
    balanced: BalancedOption = True,
    judge: JudgeOption = None,
    seed: SeedOption = 0,
    at_once: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Pairs to play side by side (default: 1 if a player has a limit in seconds, else all).",
        ),
    ] = None,
    anchor: Anchors = None,
    as_json: AsJson = False,
) -> None:
    """Play matches between all pairs of players, and print the ratings."""
    announce_compilation()
    specs = game or list(games_of(*players))
    if not specs:
        raise typer.BadParameter("no player determines the game; give --game SPEC")
    games = [find_game(spec) for spec in specs]
    found = find_players(players, games, visits=visits, seed=seed)
    names = [player.name for player in found]
    if len(set(names)) < len(names) or len(names) < 2:
        raise typer.BadParameter(f"a league needs different players; these are {', '.join(names)}")
    read_anchors(anchor or names[:1], names)
    referee = find_judge(judge, games, balanced=balanced)
    accepts = Balance(seed, referee) if balanced else None  # shared, so that all matches have the same openings
    timed = {name for name, text in zip(names, players, strict=True) if is_timed(text)}
    if timed and at_once and at_once > 1:
        say(BATCHES, on=console)
    results: list[MatchResult] = []
    for a, b in itertools.combinations(sorted(found, key=lambda player: player.name), 2):  # in any order of arguments
        plan = plan_of(a, b, specs, seed, opening, balanced=balanced, judge=referee)
        record = record_of(folder, plan)
        is_by_clock = not timed.isdisjoint((a.name, b.name))
        results.append(
            play_plan(plan, games, (a, b), pairs, accepts=accepts, record=record, at_once=at_once, timed=is_by_clock)
        )
    show(results, anchor or names[:1], as_json=as_json)
    tell_remarks(results)
    for sentence in doubts(found):
        say(sentence, on=console)


def show(results: Sequence[MatchResult], anchors: Sequence[str], *, as_json: bool) -> None:
    """Print ratings, scores and cycles."""
    names = sorted({name for result in results for name in (result.a, result.b)})
    fixed = read_anchors(anchors or names[:1], names)
    anchor, elo = next(iter(fixed.items()))
    table = crosstable([each.result for each in results], anchor=anchor, anchor_elo=elo, fixed=fixed)
    rounds = cycles(Meeting(each.a, each.b, each.pairs) for each in results)
    if as_json:
        print(json.dumps(msgspec.to_builtins(table) | {"cycles": rounds}))
        return
    _print_table(table)
    places = {rating.name: place for place, rating in enumerate(table.ratings)}
    for a, b, c in rounds:
        steps = [(x, y, table.scores[places[x]][places[y]]) for x, y in ((a, b), (b, c), (c, a))]
        say("cycle: " + ", ".join(f"{winner} beats {loser} ({score:.0%})" for winner, loser, score in steps))


def _print_table(table: Crosstable) -> None:
    """Print the table with full names; omit the scores of pairs if the terminal is too narrow for them."""
    lines = [[*FIGURES, *(str(1 + k) for k in range(len(table.ratings)))], *table.rows()]
    needed = 1 + sum(3 + max(map(cell_len, column)) for column in zip(*lines, strict=True))
    out = output()
    if not out.is_terminal:
        out.width = max(out.width, needed)
    shown = len(lines[0]) if needed <= out.width else len(FIGURES)
    screen = Table()
    for name in lines[0][:shown]:
        screen.add_column(name, overflow="fold", no_wrap=name != "player")
    for line in lines[1:]:
        screen.add_row(*line[:shown])
    out.print(screen)
    if needed > out.width:
        say(f"The scores of all pairs need {needed} columns and are not shown; use --json.", on=console)


def read_anchors(texts: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """Return the fixed ratings of the anchors by name.

    Raises:
        BadInput: an anchor is not in `names`, is given twice, or is further from 0 than MOST_ELO.
    """
    fixed: dict[str, float] = {}
    for text in texts:
        found = _ANCHOR.fullmatch(text)
        if not found:
            raise typer.BadParameter(f"--anchor {text}: write NAME or NAME=ELO")
        name, equals, number = text.rpartition("=")
        if equals and name in names and found[1] != name:
            raise BadInput(f"--anchor {text}: {number!r} is not a number of Elo points.")
        if found[1] not in names:
            raise BadInput(f"--anchor {text}: {found[1]} has played no game; the players are {', '.join(names)}.")
        if found[1] in fixed:
            raise BadInput(f"--anchor {text}: {found[1]} has a fixed rating already; name each anchor once.")
        fixed[found[1]] = float(found[2] or 0.0)
        if abs(fixed[found[1]]) > MOST_ELO:
            raise BadInput(f"--anchor {text}: anchors must be within {MOST_ELO:,} Elo points of 0.")
    return fixed
