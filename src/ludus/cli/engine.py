"""`ludus engine`: minds behind the protocols of game servers, on standard input and output."""

import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludus.engine.bgs import Engine, Mind
from ludus.engine.dummy import DummyMind
from ludus.engine.level import read_level, read_levels
from ludus.engine.lines import answer_lines

engine = typer.Typer(help="Run an engine that game servers and their programs can ask.", no_args_is_help=True)


@engine.command()
def bgs(
    model: Annotated[list[Path], typer.Option(help="A model's folder; several models may serve several games.")],
    visits: Annotated[int, typer.Option(help="Simulations for each evaluation.")] = 200,
    temperature: Annotated[float, typer.Option(help="0 plays the best move; more plays more freely.")] = 0.0,
    level: Annotated[
        list[str] | None, typer.Option(help="BOT=VISITS[,TEMPERATURE]: how hard to try as the bot of this id.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Processor threads of each network.")] = 1,
) -> None:
    """Answer the V3 protocol of bot game sessions, one JSON object a line."""
    default, levels = read_level(f"{visits},{temperature}"), read_levels(level or [])
    from ludus.players.mind import Mind as NetworkMind

    _talk(Engine([NetworkMind.load(path, threads=threads) for path in model], level=default, levels=levels))


@engine.command()
def dummy(
    game: Annotated[list[str], typer.Option(help="A game to play, such as connect4; may be repeated.")],
) -> None:
    """Answer the same protocol without a network: the game's common sense, for tests and trials."""
    minds: list[Mind] = [DummyMind(tuple(game))]
    _talk(Engine(minds))


def _talk(answering: Engine) -> None:
    """Answer until standard input ends or Ctrl-C; whatever else is printed goes to standard error."""
    logging.basicConfig(stream=sys.stderr, format="ludus engine: %(message)s", level=logging.INFO)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        try:
            answer_lines(answering, sys.stdin.buffer, answers)
        except (KeyboardInterrupt, BrokenPipeError):
            return
