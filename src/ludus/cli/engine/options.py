"""The options that several engines have."""

from pathlib import Path
from typing import Annotated, Literal

import typer

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
