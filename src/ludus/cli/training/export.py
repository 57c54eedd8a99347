"""`ludus export`: a model for other inference servers, as files of their kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    model: Annotated[Path, typer.Argument(help="A model's folder.")],
    repository: Annotated[Path, typer.Argument(help="The server's model repository; made if there is none.")],
) -> None:
    """Lay a model out for Triton or OpenVINO Model Server, which engines may ask (--inference) as `ludus inference`."""
    from ludus.network.checkpoint import load_checkpoint
    from ludus.network.repository import lay_out

    folder = lay_out(load_checkpoint(model), repository)
    print(f"{folder}: the server will have it as {folder.name}.")
