"""`ludus engine bgs` and `ludus engine dummy`: the V3 protocol of bot game sessions, with or without models."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludus.cli.engine.answers import answers_only
from ludus.cli.engine.options import (
    Append,
    Backend,
    Edition,
    Evaluations,
    Precision,
    Servers,
    Sessions,
    Streams,
    Threads,
    TreeVisits,
    attach,
    tell_precision,
)
from ludus.cli.terminal.game_files import GameFiles, named
from ludus.cli.terminal.screen import console, say
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.lines import answer_lines
from ludus.engine.level import LONGEST_S, Level, read_level, read_levels
from ludus.errors import BadInput
from ludus.games import EXAMPLE_GAME
from ludus.games.registry import game as find_game
from ludus.loop.directory.folder import Folder
from ludus.protocol.bgs import MAX_SESSIONS


def bgs(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[
        list[Path] | None, typer.Option(help="A model's folder; repeatable, to serve several games.")
    ] = None,
    sense: Annotated[
        list[str] | None,
        typer.Option(callback=named, help="A game to play without a model, by its heuristic; repeatable."),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option(
            help="Directory of a training run: its newest network that passed the gate plays new sessions, and before "
            "the first one the games of --sense are played by their heuristic. A bot whose id "
            "ends in generation-3 plays with the network of generation 3."
        ),
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
    game: GameFiles = None,
    evaluations: Evaluations = None,
    append: Append = False,
    edition: Edition = "",
    sessions: Sessions = MAX_SESSIONS,
    trees: Annotated[
        int, typer.Option(min=1, max=65_536, help="Number of search trees; the least recently used one is dropped.")
    ] = 256,
    tree_visits: TreeVisits = 20_000,
    threads: Threads = 1,
    streams: Streams = 2,
    inference: Servers = None,
    backend: Backend = "openvino",
    precision: Precision = "auto",
    compile_only: Annotated[
        bool,
        typer.Option(
            "--compile-only", help="Compile the players whose numbers are read; an engine starts such processes."
        ),
    ] = False,
) -> None:
    """Run an engine with the V3 protocol of bot game sessions, one JSON object per line."""
    default = read_level(str(msgspec.structs.replace(Level(), visits=visits, temperature=temperature, seconds=seconds)))
    levels = read_levels(level or [])
    if not model and not sense:
        raise BadInput("There is no player: give --model FOLDER, or --sense GAME for a game without a model.")
    if run and (model or not sense):
        raise BadInput(f"--run {run}: name its game with --sense GAME, and no other --model.")
    with answers_only() as answers:
        from ludus.engine.bgs.generations import Generations
        from ludus.engine.bgs.warming import Warming, compile_players
        from ludus.players.thinking.heuristic_mind import HeuristicMind
        from ludus.players.thinking.mind import Mind

        load = partial(
            Mind.load,
            threads=threads,
            streams=streams,
            slots=trees,
            max_visits=tree_visits,
            backend=backend,
            precision=precision,
        )
        without = [
            partial(HeuristicMind, games=specs, slots=trees, max_visits=tree_visits) for specs in _groups(sense or [])
        ]
        if compile_only:
            compile_players(sys.stdin.buffer, [*without, *(partial(load, path) for path in model or [])], answers)
            return
        trained = [load(path, servers=inference) for path in model or []]
        tell_precision(trained)
        others = [new() for new in without]
        minds = [*trained, *others]
        grown = None
        if run:
            folder = Folder(run)
            grown = Generations(
                others[0],
                lambda generation: load(folder.model(generation)),
                folder.playing,
                slots=trees,
            )
        players = [grown] if grown else minds
        arguments = ["engine", "bgs", "--compile-only", *(f"--sense={spec}" for spec in sense or [])]
        arguments += [*(f"--model={path}" for path in model or []), *(f"--game={file}" for file in game or [])]
        warming = Warming([*others, *trained] if len(players) > 1 else [], arguments, partial(say, on=console))
        try:
            attach(trained, evaluations, append=append)
            if len(players) == 1:
                players[0].warm_up()
            warming.begin()
            answer_lines(
                lambda post: Engine(
                    grown.minds_of if grown else minds,
                    level=default,
                    levels=levels,
                    max_sessions=sessions,
                    edition=edition,
                    post=post,
                    starting=warming.starting,
                ),
                sys.stdin.buffer,
                answers,
            )
        finally:
            warming.close()
            for player in players:
                player.close()


def _groups(specs: Sequence[str]) -> list[tuple[str, ...]]:
    """Return games in groups that share compiled code, in the order of the first game of each."""
    found: dict[str, list[str]] = {}
    for spec in specs:
        found.setdefault(find_game(spec).rules.key, []).append(spec)
    return [tuple(group) for group in found.values()]


def dummy(
    game: Annotated[
        list[str], typer.Option(callback=named, help=f"A game to play, such as {EXAMPLE_GAME}; repeatable.")
    ],
    edition: Edition = "",
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
