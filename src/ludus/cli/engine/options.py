"""Options that several engines share, and a function that attaches evaluation files to players."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludus.errors import BadInput
from ludus.games.registry import about, names

if TYPE_CHECKING:
    from ludus.players.thinking.mind import Mind

_log = logging.getLogger(__name__)


def _checked_edition(edition: str) -> str:
    """Return the edition; raise typer.BadParameter if no game has it."""
    known = [each for name in names() for each in about(name).options.editions] if edition else [""]
    if edition not in known:
        raise typer.BadParameter(f"no game has the edition {edition!r}; editions are {', '.join(known)}")
    return edition


def _checked_backend(backend: str) -> str:
    """Return the name of a backend; raise typer.BadParameter if there is none of this name."""
    from ludus.network.backends import KNOWN, is_backend

    if not is_backend(backend):
        raise typer.BadParameter(f"there is no backend {backend!r}; there are {KNOWN}")
    return backend


Sessions = Annotated[int, typer.Option(min=1, help="Maximum number of open sessions.")]
Edition = Annotated[
    str,
    typer.Option(
        callback=_checked_edition,
        help="Edition of the rules on the server, for games that have several (default: the newest).",
    ),
]
Threads = Annotated[int, typer.Option(min=1, help="CPU threads for one batch.")]
TreeVisits = Annotated[int, typer.Option(min=2, max=10_000_000, help="Maximum visits of a tree, to limit memory.")]
Streams = Annotated[int, typer.Option(min=1, help="Batches of a network that are evaluated at the same time.")]
Servers = Annotated[
    list[str] | None,
    typer.Option(
        "--inference",
        envvar="LUDUS_INFERENCE",
        metavar="HOST:PORT",
        help="An inference server (`ludus inference`) that evaluates positions; repeatable: if one fails, the others "
        "take over; if all fail, this machine does.",
    ),
]
Backend = Annotated[
    str,
    typer.Option(
        callback=_checked_backend,
        envvar="LUDUS_BACKEND",
        metavar="NAME",
        help="Library and device that evaluate the network on this machine: openvino, onnxruntime, "
        "onnxruntime:directml (or coreml, rocm, migraphx, cuda), torch, cuda, cuda:1.",
    ),
]
Precision = Annotated[
    Literal["auto", "int8", "bf16", "f16", "f32"],
    typer.Option(
        envvar="LUDUS_PRECISION",
        help="Numbers with which this machine evaluates the network; auto: int8 if the model was accepted in it and is "
        "faster here, else bf16 if that is faster, else f32.",
    ),
]
Evaluations = Annotated[
    list[Path] | None,
    typer.Option(help="An evaluation file of one of the models, to read; repeatable, searched in this order."),
]
Append = Annotated[
    bool, typer.Option("--append", help="Store the models' new evaluations in the first file of each board.")
]


def tell_precision(minds: Sequence[Mind]) -> None:
    """Log in which precision each player evaluates; inference servers have their own."""
    for mind in minds:
        if mind.precision:
            _log.info("%s evaluates in %s", mind.name, mind.precision)


def attach(minds: Sequence[Mind], files: Sequence[Path] | None, *, append: bool) -> None:
    """Attach evaluation files to players, to read evaluations and optionally to store new ones.

    Args:
        minds: the players with networks; each file is opened by the player with its network, a new file by the first.
        files: evaluation files; those of one board are searched in this order.
        append: whether new evaluations are stored, in the first file of each board.

    Raises:
        BadInput: there are files but no network, a file belongs to none of the networks, another process appends to it,
            or `append` is set without a file.
        BadRecord: a file is not an evaluation file, or its header is damaged.
        Unavailable: a file cannot be opened.
    """
    from ludus.players.thinking.mind import owner_of

    if append and not files:
        raise BadInput("--append: there is no file to append to; give --evaluations FILE.")
    if files and not minds:
        raise BadInput(f"--evaluations {files[0]}: the file is for a network; give its --model.")
    for file in files or []:
        owner_of(file, minds).attach(file, "append" if append else "read")
