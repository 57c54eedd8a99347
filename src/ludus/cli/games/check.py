"""`ludus check GAME`: tests the rules of a game with random games, and reports a violation with a short example."""

from __future__ import annotations

import json
from textwrap import wrap
from typing import Annotated

import msgspec
import typer

from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import console, progress_bar, say
from ludus.games import EXAMPLE_GAME
from ludus.games.blame import places
from ludus.games.check.laws import LAWS
from ludus.games.check.run import Breach, Report
from ludus.games.check.run import check as check_game
from ludus.games.registry import game as find_game


def check(
    game: Annotated[
        str,
        typer.Argument(
            callback=named, help=f"A game's name, such as {EXAMPLE_GAME}, or the path of a file that defines one."
        ),
    ],
    games: Annotated[
        int | None, typer.Option(min=1, help="Random games to play (default: 1000, or 50,000 positions of long games).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Test the laws that every game's rules must obey, with random games; exit status 1 if one is violated."""
    found = find_game(game)
    with progress_bar() as tell:
        try:
            report = check_game(found, games, seed, tell)
        except KeyboardInterrupt as interrupt:
            if passed := places(interrupt):  # shows where an endless loop was interrupted
                say(f"Interrupted in {passed[-1].function}() at {passed[-1]}.", on=console)
            raise
    if as_json:
        print(json.dumps(msgspec.to_builtins(report)))
    else:
        for line in lines_of(report):
            say(line)
    if report.breach:
        raise typer.Exit(1)


def lines_of(report: Report) -> list[str]:
    """Return a report as lines for people."""
    if report.breach:
        return _breach(report.game, report.breach)
    shares = {
        "first player wins": report.first_wins,
        "second player wins": report.second_wins,
        "draws": report.draws,
        "ended by the cap": report.capped,
    }
    symmetries = "no symmetry declared" if report.num_symmetries == 1 else f"{report.num_symmetries} symmetries"
    return [
        f"{report.game}: all {len(LAWS)} laws hold in {report.games} random games ({report.positions} positions).",
        f"  length     {report.mean_length:.1f} actions on average, {report.longest} at most",
        f"  turns      {_turns(report.first_moves)}",
        f"  branching  {report.mean_branching:.1f} actions on average, {report.most_branching} at most; {symmetries}",
        f"  actions    {report.actions_seen} of {report.num_actions} were legal at least once",
        f"  results    {', '.join(f'{name} {share:.1%}' for name, share in shares.items())}",
        *(f"  notice     {notice}." for notice in report.notices),
    ]


def _turns(first_moves: float) -> str:
    if first_moves in (0.0, 1.0):
        player = "first" if first_moves else "second"
        return f"the {player} player makes every action; does play() pass the turn, and to_play() read it?"
    return f"{first_moves:.1%} of the actions are the first player's"


def _breach(game: str, breach: Breach) -> list[str]:
    lines = [
        f"{game}: the law `{breach.law}` breaks.",
        f"  law      {LAWS[breach.law]}",
        f"  found    {breach.what.rstrip('.')}.",
    ]
    if breach.setup is not None:
        lines.append(f"  from     the setup {breach.setup!r}, which the game drew at random")
    if breach.actions or breach.board:
        lines += _wrapped(f"  after    {', '.join(map(str, breach.actions)) or 'no action'}")
    if breach.moves:
        lines += _wrapped(f"  moves    {' '.join(breach.moves)}")
    return [*lines, *(f"           {row}" for row in breach.board.splitlines())]


def _wrapped(line: str) -> list[str]:
    """Break a long line between words, with the rest below its second column."""
    return wrap(line, 110, subsequent_indent=" " * 11, break_long_words=False, break_on_hyphens=False)
