"""`ludus precompute`: fills an evaluation file with positions from records or an opening tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ludus.cli.engine.options import Backend, Servers, Streams, Threads
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.interrupts import interruptible
from ludus.cli.terminal.screen import announce_compilation, console, say, say_fault
from ludus.errors import BadInput


def precompute(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[Path, typer.Argument(help="A model's folder.")],
    file: Annotated[Path, typer.Argument(help="The evaluation file, to create or to continue.")],
    game: Annotated[
        str | None, typer.Option(callback=named, help="Spec of the game (default: the model's first game).")
    ] = None,
    records: Annotated[
        list[Path] | None,
        typer.Option(help="Games with positions to evaluate: .pgn, .sgf, .txt, .jsonl of a match, .shard; repeatable."),
    ] = None,
    opening_depth: Annotated[
        int, typer.Option(min=0, help="Depth in actions from the start, or from each recorded position.")
    ] = 0,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Follow actions with at least this share of a search's visits.")
    ] = 0.05,
    visits: Annotated[int, typer.Option(min=2, max=10_000_000, help="Visits for each position.")] = 800,
    at_once: Annotated[int, typer.Option(min=1, max=4096, help="Positions to search side by side.")] = 64,
    threads: Threads = 1,
    streams: Streams = 2,
    inference: Servers = None,
    backend: Backend = "openvino",
) -> None:
    """Search positions and store every evaluation; the same command continues after Ctrl-C, or adds more."""
    from ludus.games.registry import game as find_game
    from ludus.loop.game_records.positions import positions_of
    from ludus.players.jobs.precompute import Plan
    from ludus.players.jobs.precompute import PrecomputeProgress as Done
    from ludus.players.jobs.precompute import precompute as think
    from ludus.players.thinking.mind import Mind

    if not records and not opening_depth:
        raise BadInput("There are no positions to search: give --records FILE, --opening-depth N, or both.")
    announce_compilation()
    mind = Mind.load(
        model,
        threads=threads,
        streams=streams,
        slots=at_once,
        max_visits=visits,
        servers=inference,
        backend=backend,
        precision=None,  # what is stored is read on other machines
    )
    board = find_game(game) if game else mind.game(mind.games[0])
    if not records and board.draws_setups:
        raise BadInput(
            f"{board.name} has a random start, so openings do not repeat; give recorded games with --records FILE."
        )
    positions = positions_of(records, board, say_fault) if records else [board.start()]
    if not positions:
        raise BadInput(f"{', '.join(map(str, records or ()))}: no game of {board.name} in these records.")
    opened = mind.attach(file, "append", game=mind.seen_as(board))
    known = found = len(opened)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with interruptible(lambda: _kept(file, found, found - known)):
        try:
            with Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console) as progress:
                tasks: dict[int, int] = {}

                def tell(done: Done) -> None:
                    if done.level not in tasks:
                        name = f"{done.level} ahead" if opening_depth else "positions"
                        tasks[done.level] = progress.add_task(name, total=done.total)
                    progress.update(tasks[done.level], completed=done.done)  # pyright: ignore[reportArgumentType]
                    opened.must_take_more()  # stop now if results can no longer be stored

                count = think(mind, positions, Plan(visits, opening_depth, share, at_once), tell)
        finally:
            found, size = len(opened), opened.size
            mind.close()
    say(f"{file}: {count} positions searched; {found - known} new evaluations, {found} in all, {size:,} bytes.")


def _kept(file: Path, found: int, new: int) -> str:
    return f"Interrupted; {file} holds {found} evaluations, {new} of them new, and the same command continues."
