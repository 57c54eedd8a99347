"""Options of the engines, and the evaluation files that some of them name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludus.errors import BadInput

if TYPE_CHECKING:
    from ludus.players.thinking.mind import Mind

Sessions = Annotated[int, typer.Option(min=1, help="Sessions open at a time.")]
Edition = Annotated[Literal["2026-09", "2026-01"], typer.Option(help="Of the Wall Game's rules: those of the server.")]
Threads = Annotated[int, typer.Option(min=1, help="Processor threads for one batch.")]
TreeVisits = Annotated[int, typer.Option(min=2, max=10_000_000, help="Most visits of a tree: bounds its memory.")]
Streams = Annotated[int, typer.Option(min=1, help="Batches of a network that are judged at the same time.")]
Servers = Annotated[
    list[str] | None,
    typer.Option(
        "--inference",
        envvar="LUDUS_INFERENCE",
        metavar="HOST:PORT",
        help="An inference server that judges positions (`ludus inference`); repeatable: the others take over when one "
        "fails, and this machine when all do.",
    ),
]
Evaluations = Annotated[
    list[Path] | None,
    typer.Option(help="An evaluation file of one of the models, to be read; repeatable, and asked in this order."),
]
Append = Annotated[
    bool, typer.Option("--append", help="Keep in the first of each board's files what the models think.")
]


def attach(minds: Sequence[Mind], files: Sequence[Path] | None, *, append: bool) -> None:
    """Let minds answer from evaluation files, and keep there what they think if it is wanted.

    Args:
        minds: the networks; each file is opened by the one that it belongs to, a new one by the first.
        files: may be none; those of one board are asked in this order.
        append: whether they grow, of one board the first.

    Raises:
        BadInput: there are files and no network, a file belongs to none of them, another process appends to it, or
            `append` has no file.
        BadRecord: it is no evaluation file, or damaged at its beginning.
        Unavailable: the disk refuses.
    """
    from ludus.players.thinking.mind import owner_of

    if append and not files:
        raise BadInput("--append: into which file? Give --evaluations FILE.")
    if files and not minds:
        raise BadInput(f"--evaluations {files[0]}: keeps what a network says; give its --model.")
    for file in files or []:
        owner_of(file, minds).attach(file, "append" if append else "read")
