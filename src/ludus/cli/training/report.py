"""`ludus report`: one page about a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.terminal.destination import check_destination
from ludus.files import write_atomically


def report(
    run: Annotated[Path, typer.Argument(help="Directory of the run, such as runs/connect4-laptop.")],
    out: Annotated[Path | None, typer.Option(help="The page (default: report.html in the run's directory).")] = None,
) -> None:
    """Write one self-contained HTML page about a run: Elo, losses, throughput, alarms, games, settings."""
    from ludus.loop.directory.folder import Folder
    from ludus.report.page import make_page

    if out:
        check_destination("--out", out, ".html")
    page = out or run / "report.html"
    write_atomically(page, make_page(Folder(run)).encode())
    print(page)
