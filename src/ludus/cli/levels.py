"""`ludus levels`: matches among many levels of a model, and the file with six that are about equally far apart."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludus.bot.levels import PERSONAS
from ludus.cli.match import plan_of, play_plan, record_of
from ludus.cli.screen import announce_compilation, console
from ludus.engine.ladder import FILE, Ladder, Rung, write_ladder
from ludus.engine.level import read_level
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
from ludus.players.roster import find_player
from ludus.rating import Rating, Result, rate
from ludus.rating.elo import step_errors
from ludus.rating.gate import MOST_PAIRS
from ludus.rating.rungs import choose_rungs

ANCHOR = "random"
CANDIDATES = ("30,10", "12,5", "8,2", "8,1", "16,1", "16,0.5", "30,0.5", "30,0.2", "60,0.2", "100", "200", "400")
"""Levels as they are written, roughly from the weakest to the strongest."""
REACH = 2  # each meets so many of those that come after it


def levels(
    model: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="A model's folder; the file is written into it.")
    ],
    folder: Annotated[Path, typer.Option(help="Keeps a record of each match; the same command then continues.")],
    candidate: Annotated[
        list[str] | None,
        typer.Option(help="VISITS[,TEMPERATURE], from the weakest to the strongest; may be repeated."),
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, max=MOST_PAIRS, help="Pairs of games of any two that meet.")] = 20,
    opening: Annotated[int, typer.Option(min=0, max=1000, help="Random actions before each pair of games.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Names the openings.")] = 0,
) -> None:
    """Measure levels of a model against each other, and write six of them, about equally far apart, beside it."""
    announce_compilation()
    chosen = candidate or list(CANDIDATES)
    if len({str(read_level(each)) for each in chosen}) < max(len(chosen), len(PERSONAS)):
        raise typer.BadParameter(f"give at least {len(PERSONAS)} different candidates")
    checkpoint = load_checkpoint(model)
    info = checkpoint.info
    specs = list(info.games)
    games = [find_game(spec) for spec in specs]
    names = [ANCHOR, *(f"{model}:{each}" for each in chosen)]
    players = [find_player(name, *games, visits=2, seed=seed + number) for number, name in enumerate(names)]
    results: list[Result] = []
    for a, b in itertools.combinations(range(len(players)), 2):
        if b - a <= REACH:
            plan = plan_of(players[a], players[b], specs, seed, opening, balanced=True)
            record = record_of(folder, players[a], players[b])
            results.append(play_plan(plan, games, (players[a], players[b]), pairs, record=record).result)
    written = dict(zip((player.name for player in players[1:]), chosen, strict=True))
    rated = [rating for rating in rate(results, anchor=ANCHOR) if rating.name != ANCHOR][::-1]
    six = [rated[place] for place in choose_rungs([rating.elo for rating in rated], len(PERSONAS))]
    rungs = _rungs_of(six, results, written)
    write_ladder(model, Ladder(info.generation, pairs, rungs, ANCHOR, weights_fingerprint(checkpoint)))
    title = f"{info.name}, where {ANCHOR} is 0"
    table = Table("level", "Elo", "±95 %", "of the six", "step", "its ±95 %", title=title, title_justify="left")
    persona_and_rung = dict(zip((rating.name for rating in six), zip(PERSONAS, rungs, strict=True), strict=True))
    for rating in rated:
        cells = [written[rating.name], f"{rating.elo:+.0f}", f"{rating.error:.0f}"]
        if rating.name in persona_and_rung:
            persona, rung = persona_and_rung[rating.name]
            cells += [persona.label] if rung.step is None else [persona.label, f"{rung.step:+}", f"{rung.step_error}"]
        table.add_row(*cells)
    console.__class__(highlight=False).print(table)
    console.print(f"{model / FILE} is written.")


def _rungs_of(ratings: list[Rating], results: list[Result], written: dict[str, str]) -> list[Rung]:
    """Return the levels of players that are given from the weakest on; each is `written` under its player's name."""
    errors = step_errors(results, [rating.name for rating in ratings])
    steps = [round(high.elo - low.elo) for low, high in itertools.pairwise(ratings)]
    return [
        Rung(written[rating.name], round(rating.elo), round(rating.error), *step)
        for rating, step in zip(ratings, [(), *zip(steps, map(round, errors), strict=True)], strict=True)
    ]
