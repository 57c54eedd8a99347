"""`ludus engine`: minds behind the protocols of game servers, on standard input and output."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import msgspec
import typer

from ludus.engine.bgs import Engine, Post
from ludus.engine.conversation import Say, converse
from ludus.engine.dummy import DummyMind
from ludus.engine.level import LONGEST_S, Level, read_level, read_levels
from ludus.engine.lines import answer_lines
from ludus.errors import BadInput, BadModel
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.protocol.bgs import MAX_SESSIONS

engine = typer.Typer(help="Run an engine that game servers and their programs can ask.", no_args_is_help=True)

OPENING_SLOTS = 12  # openings that a Gomoku engine compares at a time
Sessions = Annotated[int, typer.Option(min=1, help="Sessions open at a time.")]
Edition = Annotated[Literal["2026-09", "2026-01"], typer.Option(help="Of the Wall Game's rules: those of the server.")]


@engine.command()
def bgs(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[list[Path], typer.Option(help="A model's folder; several models may serve several games.")],
    visits: Annotated[int, typer.Option(help="Simulations for each evaluation.")] = 200,
    temperature: Annotated[float, typer.Option(help="0 plays the best move; more plays more freely.")] = 0.0,
    seconds: Annotated[float, typer.Option(help="An answer is given after so many seconds at the latest.")] = LONGEST_S,
    level: Annotated[
        list[str] | None,
        typer.Option(help="BOT=VISITS[,TEMPERATURE][,moves:N][,seconds:S][,noise]: how hard to try as this bot."),
    ] = None,
    evaluations: Annotated[
        list[Path] | None, typer.Option(help="An evaluation file of one of the models, to be read; repeatable.")
    ] = None,
    append: Annotated[bool, typer.Option("--append", help="Keep in these files what the models think.")] = False,
    edition: Edition = "2026-09",
    sessions: Sessions = MAX_SESSIONS,
    trees: Annotated[int, typer.Option(min=1, help="Search trees; those idle longest are dropped for others.")] = 256,
    tree_visits: Annotated[int, typer.Option(min=2, help="Most visits of a tree: bounds its memory.")] = 20_000,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads for one batch.")] = 1,
    streams: Annotated[int, typer.Option(min=1, help="Batches of a network that are judged at the same time.")] = 2,
) -> None:
    """Answer the V3 protocol of bot game sessions, one JSON object a line."""
    default = read_level(str(msgspec.structs.replace(Level(), visits=visits, temperature=temperature, seconds=seconds)))
    levels = read_levels(level or [])
    with _answers_only() as answers:
        from ludus.players.mind import Mind, owner_of

        minds = [
            Mind.load(path, threads=threads, streams=streams, slots=trees, max_visits=tree_visits) for path in model
        ]
        try:
            for file in evaluations or []:
                owner_of(file, minds).attach(file, "append" if append else "read")
            for mind in minds:
                mind.warm_up()
            _talk(
                lambda post: Engine(
                    minds, level=default, levels=levels, max_sessions=sessions, edition=edition, post=post
                ),
                answers,
            )
        finally:
            for mind in minds:
                mind.close()


@engine.command()
def uci(
    model: Annotated[Path, typer.Option(help="A chess model's folder.")],
    threads: Annotated[int, typer.Option(min=1, help="Processor threads of the network (option Threads).")] = 1,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes of the search tree (option Hash).")] = 128,
) -> None:
    """Speak UCI, for chess programs; all else is set by its options."""
    with _answers_only() as answers:
        from ludus.engine.strength import read_ladder
        from ludus.engine.uci.options import Settings
        from ludus.engine.uci.talker import Talker
        from ludus.players.memory import visits_within
        from ludus.players.mind import Mind

        info = load_checkpoint(model).info
        if not any(spec.split(":")[0] == "chess" for spec in info.games):
            raise BadModel(f"{model}: plays {', '.join(info.games)}, not chess.")

        def open_mind(settings: Settings) -> Mind:
            visits = visits_within(find_game("chess"), settings.megabytes)
            return Mind.load(model, threads=settings.threads, slots=1, max_visits=visits)

        def talker(post: Post, say: Say) -> Talker:
            return Talker(
                open_mind,
                post,
                say,
                name=info.name,
                defaults=Settings(threads=threads, megabytes=memory),
                ladder=read_ladder(model),
                most_threads=os.cpu_count() or 1,
            )

        converse(talker, sys.stdin.buffer, answers)


@engine.command()
def gtp(
    model: Annotated[Path | None, typer.Option(help="A Go model's folder (default: common sense, no network).")] = None,
    player: Annotated[
        Literal["heuristic", "playouts"], typer.Option(help="Who thinks where there is no model.")
    ] = "heuristic",
    visits: Annotated[int, typer.Option(min=2, help="Simulations of a move, where there is no clock.")] = 800,
    size: Annotated[int, typer.Option(min=2, max=19, help="Of the board, before any command.")] = 19,
    rules: Annotated[str, typer.Option(help="Rule set, before any command: chinese, japanese, ...")] = "tromp-taylor",
    komi: Annotated[float, typer.Option(help="Before any command.")] = 7.5,
    resign_below: Annotated[float, typer.Option(help="It resigns when its value is lower; -1: never.")] = -1.0,
    tree_visits: Annotated[int, typer.Option(min=2, help="Most visits of a tree: bounds its memory.")] = 20_000,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads for one batch.")] = 1,
) -> None:
    """Speak the Go Text Protocol, for Go programs, with analysis as Leela Zero and KataGo have it."""
    with _answers_only() as answers:
        from ludus.engine.gtp.players import instinctive, trained
        from ludus.engine.gtp.talker import Settings, Talker
        from ludus.games.go.rulesets import rule_set_named
        from ludus.players.mind import Mind

        if not rule_set_named(rules):
            raise BadInput(f"--rules {rules}: there is no rule set of that name.")
        found = (
            trained(Mind.load(model, threads=threads, slots=1, max_visits=tree_visits))
            if model
            else instinctive(player, tree_visits)
        )
        settings = Settings(visits, resign_below, size, rule_set_named(rules), komi)

        converse(
            lambda post, say: Talker(
                found.name, found.find, found.seat, post, say, settings=settings, close=found.close
            ),
            sys.stdin.buffer,
            answers,
        )


@engine.command()
def gomocup(
    model: Annotated[Path | None, typer.Option(help="A Gomoku model's folder (default: common sense alone).")] = None,
    visits: Annotated[int, typer.Option(min=2, help="Most simulations of a move, whatever time there is.")] = 100_000,
    overhead: Annotated[int, typer.Option(min=0, help="Milliseconds that a move loses on its way to the clock.")] = 100,
    tree_visits: Annotated[int, typer.Option(min=2, help="Most visits of a tree: bounds its memory.")] = 100_000,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads for one batch.")] = 1,
) -> None:
    """Speak the Gomocup protocol, for Gomoku managers and boards."""
    with _answers_only() as answers:
        from ludus.engine.gomocup.talker import Settings, Talker
        from ludus.players.mind import Mind
        from ludus.players.untrained import Untrained

        mind = (
            Mind.load(model, threads=threads, slots=OPENING_SLOTS, max_visits=tree_visits)
            if model
            else Untrained(slots=OPENING_SLOTS, max_visits=tree_visits)
        )
        if model and not any(spec.split(":")[0] == "gomoku" for spec in mind.games):
            raise BadModel(f"{model}: plays {', '.join(mind.games)}, not Gomoku.")
        settings = Settings(visits, overhead / 1000.0)
        converse(lambda post, say: Talker(mind, post, say, settings=settings), sys.stdin.buffer, answers)


@engine.command()
def analysis(
    model: Annotated[
        list[Path] | None, typer.Option(help="A model's folder; repeatable (default: the games' common sense).")
    ] = None,
    searches: Annotated[int, typer.Option(min=1, help="Positions that are searched at a time.")] = 64,
    tree_visits: Annotated[int, typer.Option(min=2, help="Most visits of a tree: bounds its memory.")] = 20_000,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads for one batch.")] = 1,
    streams: Annotated[int, typer.Option(min=1, help="Batches of a network that are judged at the same time.")] = 2,
) -> None:
    """Analyse positions and whole games of every game, one JSON object a line (docs/analysis.md)."""
    with _answers_only() as answers:
        from ludus.engine.analysis.talker import Talker
        from ludus.players.mind import Mind
        from ludus.players.untrained import Untrained

        minds = [
            Mind.load(path, threads=threads, streams=streams, slots=searches, max_visits=tree_visits)
            for path in model or []
        ] or [Untrained(slots=searches, max_visits=tree_visits)]
        converse(lambda post, say: Talker(minds, post, say, searches=searches), sys.stdin.buffer, answers)


@engine.command()
def dummy(
    game: Annotated[list[str], typer.Option(help="A game to play, such as connect4; may be repeated.")],
    edition: Edition = "2026-09",
    sessions: Sessions = MAX_SESSIONS,
) -> None:
    """Answer the same protocol without a network: the game's common sense, for tests and trials."""
    with _answers_only() as answers:
        _talk(lambda post: Engine([DummyMind(tuple(game))], max_sessions=sessions, edition=edition, post=post), answers)


@contextmanager
def _answers_only() -> Generator[BinaryIO]:
    """Set standard output aside for answers: whatever else is printed, by whichever library, goes to standard error."""
    logging.basicConfig(stream=sys.stderr, format="ludus engine: %(message)s", level=logging.INFO)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        yield answers


def _talk(make_engine: Callable[[Post], Engine], answers: BinaryIO) -> None:
    """Answer until standard input ends or Ctrl-C."""
    answer_lines(make_engine, sys.stdin.buffer, answers)
