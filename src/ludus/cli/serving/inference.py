"""`ludus inference`: evaluates positions with networks on this machine, for engines on other machines."""

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
        str,
        typer.Option(help="Address to listen on; 0.0.0.0 for other machines. Not encrypted: private networks only."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 chooses a free one.")] = 8001,
    device: Annotated[
        str, typer.Option(help="auto (all GPUs, or the CPU), openvino, torch, cuda, cuda:1, onnxruntime.")
    ] = "auto",
    batch: Annotated[int, typer.Option(min=1, max=4096, help="Maximum number of positions in a batch.")] = 256,
    streams: Annotated[
        int, typer.Option(min=0, help="Batches that a CPU evaluates at the same time (0: one for each core).")
    ] = 0,
) -> None:
    """Evaluate positions for engines on other machines (their --inference): Open Inference Protocol over gRPC."""
    from ludus.inference.server import load_networks, serve_until_signalled  # gRPC is an extra

    if not host:
        raise BadInput("--host: give the address to listen on, such as 127.0.0.1.")
    networks = load_networks(models, device=device, batch=batch, streams=streams)
    for name in networks:
        say(f"Serves {name}.", on=console)
    serve_until_signalled(networks, host, port, partial(say, on=console))
