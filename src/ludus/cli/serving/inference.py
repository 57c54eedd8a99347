"""`ludus inference`: networks on a machine of their own, for engines on others."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.terminal.screen import console, say
from ludus.errors import BadInput


def inference(
    models: Annotated[list[Path], typer.Argument(help="Models' folders.")],
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 for other machines. Nothing is encrypted: private nets alone.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = 8001,
    device: Annotated[
        str, typer.Option(help="auto (all GPUs, or the processor), openvino, torch, cuda, cuda:1.")
    ] = "auto",
    batch: Annotated[int, typer.Option(min=1, max=4096, help="Most positions of a batch.")] = 256,
    streams: Annotated[
        int, typer.Option(min=0, help="Batches that a processor judges at the same time (0: one for each core).")
    ] = 0,
) -> None:
    """Judge positions for engines on other machines (their --inference), by the Open Inference Protocol over gRPC."""
    from ludus.inference.server import load_networks, serve_until_signalled  # gRPC is an extra

    if not host:
        raise BadInput("--host: name where to listen, such as 127.0.0.1.")
    networks = load_networks(models, device=device, batch=batch, streams=streams)
    for name in networks:
        say(f"Serves {name}.", on=console)
    serve_until_signalled(networks, host, port, partial(say, on=console))
