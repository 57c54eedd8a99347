"""`ludus engine bgs` and `ludus engine dummy`: the V3 protocol of bot game sessions, with or without models."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludus.cli.engine.answers import answers_only
from ludus.cli.engine.options import (
    Append,
    Edition,
    Evaluations,
    Servers,
    Sessions,
    Streams,
    Threads,
    TreeVisits,
    attach,
)
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.lines import answer_lines
from ludus.engine.level import LONGEST_S, Level, read_level, read_levels
from ludus.errors import BadInput
from ludus.games.registry import game as find_game
from ludus.protocol.bgs import MAX_SESSIONS


def bgs(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[
        list[Path] | None, typer.Option(help="A model's folder; repeatable, to serve several games.")
    ] = None,
    sense: Annotated[
        list[str] | None, typer.Option(help="A game to play without a model, by its heuristic; repeatable.")
    ] = None,
    visits: Annotated[int, typer.Option(min=1, max=10_000_000, help="Simulations for each evaluation.")] = 200,
    temperature: Annotated[
        float, typer.Option(min=0.0, max=10.0, help="0 plays the best move; higher values play more randomly.")
    ] = 0.0,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=86_400.0, help="Maximum number of seconds for an answer.")
    ] = LONGEST_S,
    level: Annotated[
        list[str] | None,
        typer.Option(help="BOT=VISITS[,TEMPERATURE][,moves:N][,seconds:S][,noise]: the strength of this bot."),
    ] = None,
    evaluations: Evaluations = None,
    append: Append = False,
    edition: Edition = "2026-09",
    sessions: Sessions = MAX_SESSIONS,
    trees: Annotated[
        int, typer.Option(min=1, max=65_536, help="Number of search trees; the least recently used one is dropped.")
    ] = 256,
    tree_visits: TreeVisits = 20_000,
    threads: Threads = 1,
    streams: Streams = 2,
    inference: Servers = None,
) -> None:
    """Run an engine with the V3 protocol of bot game sessions, one JSON object per line."""
    default = read_level(str(msgspec.structs.replace(Level(), visits=visits, temperature=temperature, seconds=seconds)))
    levels = read_levels(level or [])
    if not model and not sense:
        raise BadInput("There is no player: give --model FOLDER, or --sense GAME for a game without a model.")
    with answers_only() as answers:
        from ludus.players.thinking.heuristic_mind import HeuristicMind
        from ludus.players.thinking.mind import Mind

        trained = [
            Mind.load(path, threads=threads, streams=streams, slots=trees, max_visits=tree_visits, servers=inference)
            for path in model or []
        ]
        others = [HeuristicMind(games=tuple(sense), slots=trees, max_visits=tree_visits)] if sense else []
        minds = [*trained, *others]
        try:
            attach(trained, evaluations, append=append)
            for mind in minds:
                mind.warm_up()
            answer_lines(
                lambda post: Engine(
                    minds, level=default, levels=levels, max_sessions=sessions, edition=edition, post=post
                ),
                sys.stdin.buffer,
                answers,
            )
        finally:
            for mind in minds:
                mind.close()


def dummy(
    game: Annotated[list[str], typer.Option(help="A game to play, such as connect4; repeatable.")],
    edition: Edition = "2026-09",
    sessions: Sessions = MAX_SESSIONS,
) -> None:
    """Run an engine with the V3 protocol of bot game sessions that uses only the games' heuristics, for tests."""
    with answers_only() as answers:
        for spec in game:
            find_game(spec)  # report a wrong name before the start
        answer_lines(
            lambda post: Engine([DummyMind(tuple(game))], max_sessions=sessions, edition=edition, post=post),
            sys.stdin.buffer,
            answers,
        )
