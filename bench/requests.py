"""Measures the most expensive requests that a site accepts: `python bench/requests.py --json OUT`.

The site runs in this process with a temporary database and without bots.  For each request it prints the longest time
for which the event loop was blocked, the processor time of the worker threads, and their longest time between two
pauses, at which other requests go first: all in milliseconds, as the largest of `--rounds` rounds.
"""

import argparse
import asyncio
import contextlib
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from fastapi import FastAPI
from msgspec import structs
from record_file import append_record
from worst_requests import WORST, Asked, prepared, send

from ludus.games.calls import pause
from ludus.selfplay.measure import describe_machine
from ludus.site.app import create_app
from ludus.site.safety import fair_queue
from ludus.site.safety.settings import SafetySettings
from ludus.site.settings import SiteSettings

LONG = 240
"""Actions of long lines; longer ones cost more in as many more slices."""


class Cost(NamedTuple):
    """What a request costs, in milliseconds."""

    status: int
    loop_ms: float
    worker_ms: float
    slice_ms: float
    seconds: float


@contextlib.contextmanager
def watched_workers(found: list[tuple[float, float]]) -> Generator[None]:
    """Append the processor time of each work and its longest time between pauses, in seconds."""
    inner = fair_queue.in_slices

    def outer(work: Callable[[], Any], wait: Callable[[int], None]) -> Any:
        longest, last = 0.0, time.thread_time()
        begin = last

        def watched() -> Any:
            nonlocal longest, last
            before = pause.get()

            def check() -> None:
                nonlocal longest, last
                longest = max(longest, time.thread_time() - last)
                before()
                last = time.thread_time()

            token = pause.set(check)
            try:
                return work()
            finally:
                pause.reset(token)
                longest = max(longest, time.thread_time() - last)

        try:
            return inner(watched, wait)
        finally:
            found.append((time.thread_time() - begin, longest))

    fair_queue.in_slices = outer
    try:
        yield
    finally:
        fair_queue.in_slices = inner


class _Loop:
    """The processor time of the event loop's thread in its longest step."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.thread_time()

    async def watch(self) -> None:
        """Measure until cancelled."""
        while True:
            self._last = time.thread_time()
            await asyncio.sleep(0)
            self.stop()

    def stop(self) -> None:
        """Measure the step that ends now."""
        self.longest = max(self.longest, time.thread_time() - self._last)


async def cost_of(http: httpx.AsyncClient, app: FastAPI, asked: Asked) -> Cost:
    """Return what a request costs."""
    works: list[tuple[float, float]] = []
    loop = _Loop()
    watching = asyncio.create_task(loop.watch())
    with watched_workers(works):
        began = time.monotonic()
        answer = await send(http, app, asked)
        seconds = time.monotonic() - began
    loop.stop()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    worker, longest = sum(each for each, _ in works), max((each for _, each in works), default=0.0)
    return Cost(answer.status_code, 1000 * loop.longest, 1000 * worker, 1000 * longest, seconds)


async def measure(rounds: int, only: str) -> dict[str, Cost]:
    """Return the cost of each request."""
    found: dict[str, Cost] = {}
    limits = structs.replace(SafetySettings(), unlimited_addresses=("127.0.0.1",))
    app = create_app(SiteSettings(safety=limits))
    async with app.router.lifespan_context(app):
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://home", timeout=600)
        known = await prepared(http, app, LONG)
        for route, made in WORST.items():
            if isinstance(made, str) or only not in route:
                continue
            for name, make in made.items():
                costs = [await cost_of(http, app, make(known)) for _ in range(rounds)]
                most = Cost(*(max(column) for column in zip(*costs, strict=True)))
                found[f"{route} {name}".strip()] = most
                print(
                    f"{route + ' ' + name:70.70} {most.status} loop {most.loop_ms:7.1f} worker {most.worker_ms:8.1f} "
                    f"between pauses {most.slice_ms:7.1f}  {most.seconds:6.2f} s",
                    flush=True,
                )
        await http.aclose()
    return found


def main() -> None:
    """Print and store the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default="", help="only routes whose name contains this")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = asyncio.run(measure(options.rounds, options.only))
    costs = {name: each._asdict() for name, each in found.items()}
    append_record(options.json, {"machine": describe_machine(), "requests": costs})


if __name__ == "__main__":
    main()
