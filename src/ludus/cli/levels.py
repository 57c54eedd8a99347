"""`ludus levels`: matches among many levels of a model, and the file with six that are about equally far apart."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludus.bot.levels import PERSONAS
from ludus.cli.match import plan_of, play_plan
from ludus.cli.screen import announce_compilation, console
from ludus.engine.ladder import FILE, Ladder, Rung, write_ladder
from ludus.engine.level import read_level
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.players.roster import find_player
from ludus.rating import Result, rate
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
    pairs: Annotated[int, typer.Option(min=1, max=1_000_000, help="Pairs of games of any two that meet.")] = 20,
    opening: Annotated[int, typer.Option(min=0, max=1000, help="Random actions before each pair of games.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Names the openings.")] = 0,
) -> None:
    """Measure levels of a model against each other, and write six of them, about equally far apart, beside it."""
    announce_compilation()
    chosen = candidate or list(CANDIDATES)
    if len({str(read_level(each)) for each in chosen}) < max(len(chosen), len(PERSONAS)):
        raise typer.BadParameter(f"give at least {len(PERSONAS)} different candidates")
    info = load_checkpoint(model).info
    specs = list(info.games)
    games = [find_game(spec) for spec in specs]
    names = [ANCHOR, *(f"{model}:{each}" for each in chosen)]
    players = [find_player(name, *games, visits=2, seed=seed + number) for number, name in enumerate(names)]
    results: list[Result] = []
    for a, b in itertools.combinations(range(len(players)), 2):
        if b - a <= REACH:
            plan = plan_of(players[a], players[b], specs, seed, opening, balanced=False)
            record = folder / f"{_file_name(players[a].name)}--{_file_name(players[b].name)}.jsonl"
            results.append(play_plan(plan, games, (players[a], players[b]), pairs, record=record).result)
    written = dict(zip((player.name for player in players[1:]), chosen, strict=True))
    rated = [rating for rating in rate(results, anchor=ANCHOR) if rating.name != ANCHOR][::-1]
    rungs = choose_rungs([rating.elo for rating in rated], len(PERSONAS))
    table = Table(
        "level", "Elo", "±95 %", "of the six", title=f"{info.name}, where {ANCHOR} is 0", title_justify="left"
    )
    for place, rating in enumerate(rated):
        label = PERSONAS[rungs.index(place)].label if place in rungs else ""
        table.add_row(written[rating.name], f"{rating.elo:+.0f}", f"{rating.error:.0f}", label)
    ladder = Ladder(
        info.generation,
        pairs,
        [Rung(written[rated[k].name], round(rated[k].elo), round(rated[k].error)) for k in rungs],
        ANCHOR,
    )
    write_ladder(model, ladder)
    console.__class__(highlight=False).print(table)
    console.print(f"{model / FILE} is written.")


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.@-]", "_", name)
