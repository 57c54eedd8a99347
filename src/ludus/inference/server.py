"""An inference server: loads networks, serves requests, reports its load, and stops on a signal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludus.addresses import address_of
from ludus.cores import usable_cores
from ludus.errors import BadInput, Unavailable
from ludus.inference.batcher import Batcher
from ludus.inference.service import Served, Service
from ludus.network.backends import devices, open_evaluators
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import Forecaster
from ludus.network.oip import RECEIVES, grpc, stubs
from ludus.network.tensors import served_name
from ludus.system import stop_signals

NEWS_S = 60.0  # seconds between two reports of the load
GRACE_S = 5.0  # seconds that running requests may take at shutdown
MOST_BYTES = 64 << 20  # largest request

Say = Callable[[str], object]


def load_networks(models: Sequence[Path], *, device: str, batch: int, streams: int) -> dict[str, Served]:
    """Load models, and evaluate one batch with each.

    Args:
        models: model folders or files.
        device: as in presets: `auto` (all GPUs, else the CPU), or a backend.
        batch: maximum number of rows per batch.
        streams: concurrent batches on a CPU, each on one core (0: one per core).

    Raises:
        BadModel: a model is missing or damaged.
        BadInput: the device does not exist, or a model is given twice.
        Unavailable: this machine lacks the device.
    """
    found: dict[str, Served] = {}
    streams = streams or usable_cores()
    for path in models:
        checkpoint = load_checkpoint(path)
        name = served_name(checkpoint)
        if name in found:
            raise BadInput(f"{path}: this network is already served as {name}; leave out one of the two.")
        evaluators = open_evaluators(device, checkpoint, streams=streams)
        on_processor = not any(each.startswith("cuda") for each in devices(device))
        batcher = Batcher(evaluators, batch=batch, lanes=max(2, streams) if on_processor else 2)
        first = evaluators[0]
        has_maps = "maps" in checkpoint.info.network.auxiliary
        forecaster = first if has_maps and isinstance(first, Forecaster) else None
        found[name] = Served(checkpoint.info.shapes, batcher, forecaster)
        planes = np.ones((batch, *checkpoint.info.shapes.planes), np.uint8)
        batcher.ask(planes).result()
        if forecaster:
            forecaster.maps(planes)
    return found


async def serve(networks: dict[str, Served], host: str, port: int, say: Say, *, ended: asyncio.Event) -> None:
    """Serve requests until `ended` is set, then finish running requests.

    Args:
        networks: networks by their served names.
        host: address to listen at.
        port: port to listen at; 0 chooses a free one.
        say: called with the address and with load reports.
        ended: event that stops the server.

    Raises:
        Unavailable: the port is in use or not permitted.
    """
    options = [
        (RECEIVES, MOST_BYTES),
        ("grpc.so_reuseport", 0),  # otherwise two servers could silently share a port
    ]
    server: Any = grpc.aio.server(options=options)
    stubs.add_GRPCInferenceServiceServicer_to_server(Service(networks), server)
    try:
        bound = server.add_insecure_port(address_of(host, port))
    except RuntimeError as error:
        raise Unavailable(
            f"Cannot listen at {address_of(host, port)}: the address is not on this machine, or the port is in use or "
            "not permitted; choose another."
        ) from error
    await server.start()
    say(f"Listening at {address_of(host, bound)}.")
    news = asyncio.create_task(_tell(networks, say))
    await ended.wait()
    news.cancel()
    await server.stop(GRACE_S)
    for served in networks.values():
        served.batcher.close()


def serve_until_signalled(networks: dict[str, Served], host: str, port: int, say: Say) -> None:
    """Serve requests until Ctrl-C or SIGTERM; raises Unavailable like `serve`."""

    async def go() -> None:
        ended = asyncio.Event()
        with stop_signals(ended.set):
            await serve(networks, host, port, say, ended=ended)

    asyncio.run(go())


async def _tell(networks: dict[str, Served], say: Say) -> None:
    """Report each network's load of the last minute, if there was any."""
    before: dict[str, tuple[int, int]] = dict.fromkeys(networks, (0, 0))
    while True:
        await asyncio.sleep(NEWS_S)
        for name, served in networks.items():
            batches, rows = served.batcher.batches, served.batcher.rows
            made, judged = batches - before[name][0], rows - before[name][1]
            before[name] = batches, rows
            if made:
                say(f"{name}: {judged / NEWS_S:,.0f} positions a second, {judged / made:.0f} in a batch.")
