"""`ludus match A B`: two players, paired games, one honest sentence about who is stronger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import Progress

from ludus.arena import Balance, MatchGame, MatchPlan, MatchResult, Player, Record, play_match
from ludus.cli.screen import announce_compilation, console
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.players.roster import NamedPlayer, find_player, games_of
from ludus.rating import Sprt

WAVE = 8  # pairs side by side in a sequential test, which is asked after each such wave
PLAYERS = (
    "A model's path, or random, heuristic, playouts, ucb, minimax, solver; with a limit of its own: NAME:400, NAME:1s."
)


def match(  # noqa: PLR0913 - each option of a command is an argument
    a: Annotated[str, typer.Argument(help=PLAYERS)],
    b: Annotated[str, typer.Argument(help="The opponent, likewise.")],
    game: Annotated[
        list[str] | None, typer.Option(help="Specs to play (default: the model's games); may be repeated.")
    ] = None,
    pairs: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Pairs of games: each opening is played twice, sides swapped.")
    ] = 50,
    visits: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="Visits of a model's move (1: the network alone).")
    ] = 100,
    opening: Annotated[int, typer.Option(min=0, max=1000, help="Random actions before each pair of games.")] = 4,
    balanced: Annotated[bool, typer.Option(help="Draw openings again that give one side a clear advantage.")] = True,
    seed: Annotated[int, typer.Option(min=0, help="Names the openings.")] = 0,
    sprt: Annotated[
        str | None,
        typer.Option(help="Stop as soon as it is clear whether A is better: ELO0,ELO1[,ALPHA,BETA], e.g. 0,20."),
    ] = None,
    at_once: Annotated[
        int | None, typer.Option(min=1, help="Pairs that are played side by side (default: all; with --sprt 8).")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write each game here as it ends; the same command then continues.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let two players meet."""
    announce_compilation()
    test = read_sprt(sprt) if sprt is not None else None
    specs = game or list(games_of(a, b))
    if not specs:
        raise typer.BadParameter("neither player names its games; say --game SPEC")
    games = [find_game(spec) for spec in specs]
    players = [find_player(name, *games, visits=visits, seed=seed + number) for number, name in enumerate((a, b))]
    if players[0].name == players[1].name:
        players[0].name, players[1].name = f"{players[0].name} (A)", f"{players[1].name} (B)"
    plan = plan_of(players[0], players[1], specs, seed, opening, balanced=balanced)
    result = play_plan(plan, games, (players[0], players[1]), pairs, record=record, test=test, at_once=at_once)
    verdict = test.verdict(result.pairs) if test else None
    if as_json:
        tested = {"sprt": {"verdict": verdict, "ratio": test.ratio(result.pairs)}} if test else {}
        print(json.dumps(msgspec.to_builtins(result) | tested))
        return
    print(f"{result.a} against {result.b} on {', '.join(specs)}: +{result.wins} ={result.draws} -{result.losses}")
    print(f"score {result.score:.1%}, Elo difference {result.elo:+.0f} ± {result.error:.0f} (95 %)")
    if test:
        low, high = test.bounds
        said = f"{result.a} is {verdict}" if verdict else "not decided yet: play more pairs"
        print(
            f"{said} (difference {test.elo1:g} against {test.elo0:g} Elo: log likelihood ratio "
            f"{test.ratio(result.pairs):+.2f}, ends at {low:+.2f} and {high:+.2f})"
        )
        if verdict:
            print(
                "it stopped when this was clear, so the Elo difference above is overstated, and its interval too narrow"
            )
    if result.repeats:
        print(
            f"{result.repeats} of the {len(result.lengths)} games went like another one, action by action, and say "
            f"nothing new: the interval is too narrow; give more random actions with --opening"
        )
    for forfeit in result.forfeits:
        print(f"forfeit: {forfeit}")


def plan_of(a: NamedPlayer, b: NamedPlayer, specs: list[str], seed: int, opening: int, *, balanced: bool) -> MatchPlan:
    """Return the plan of a match: what its record must be of."""
    return MatchPlan(a.name, b.name, specs, seed, opening, balanced, a.identity, b.identity)


def play_plan(
    plan: MatchPlan,
    games: list[Game],
    players: tuple[Player, Player],
    pairs: int,
    *,
    record: Path | None = None,
    test: Sprt | None = None,
    at_once: int | None = None,
) -> MatchResult:
    """Play a match, or what an earlier process left of it, with a progress bar; return the result."""
    kept = Record(record, plan) if record else None
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{plan.a} - {plan.b}", total=2 * pairs, completed=len(kept.games) if kept else 0)

        def on_game(game: MatchGame) -> None:
            progress.advance(task)
            if kept:
                kept.add(game)

        return play_match(
            games,
            *players,
            pairs=pairs,
            seed=plan.seed,
            opening_actions=plan.opening_actions,
            accepts=Balance(plan.seed) if plan.balanced and plan.opening_actions else None,
            on_game=on_game,
            played=tuple(kept.games) if kept else (),
            at_once=at_once or (WAVE if test else None),
            is_over=(lambda counts: test.verdict(counts) is not None) if test else None,
        )


def read_sprt(text: str) -> Sprt:
    """Return the test that the option means."""
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError("two or four numbers are needed")
        return Sprt(*numbers)
    except ValueError as error:
        raise typer.BadParameter(f"--sprt {text}: {error}; write ELO0,ELO1 such as 0,20.") from error
