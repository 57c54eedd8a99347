"""Measures how a site serves others during a flood: `python bench/floods.py --seconds 10 --sockets 10 --json OUT`.

It starts a site without bots in a process of its own.  A visitor asks for round trips over one socket, first in peace,
then while another process floods the site: with pings, with empty parts of a message, with new connections, or with
moves on large boards.  It prints the median and the 99th percentile of the round trips in milliseconds for each.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import httpx
import numpy as np
from record_file import append_record
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from worst_requests import LARGE, boards, long_line

from ludus.selfplay.measure import describe_machine

MASK = b"\0\0\0\0"
PING, PART = b"\x89\x80" + MASK, b"\x00\x80" + MASK
BEGIN = b"\x01\x81" + MASK + b"x"
ATTACKER = ("127.0.0.2", 0)
"""The address from which the floods come; the visitor has 127.0.0.1 (Linux)."""
PAUSE_S = 0.01  # between two writes of a flood
ASK_S = 0.15  # between two round trips of the visitor, who keeps the limits
LONGEST_S = 30.0
PER_WRITE = 600
"""Frames in one write: 60,000 a second for each socket."""
WALLS = 80
"""Actions on a board before its flood of moves: many walls make the legal actions expensive."""
MOVES_PER_S = 19
"""Move texts a second for each socket: just below the limit; that of an address is four times as high."""
SETTLE_S = {"moves": 15.0}
"""How long floods need to begin, if it is more than a second."""
MOVE = json.dumps({"type": "submit-move", "move": ">a1.>a1"})
"""A move whose second wall is refused after the legal actions behind the first were computed."""


async def flood_frames(address: str, begin: bytes, frame: bytes) -> None:
    """Write frames to one socket endlessly; connect again when the site has closed it."""
    while True:
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            async with connect(f"{address}/ws/lobby", ping_interval=None, local_addr=ATTACKER) as socket:
                socket.transport.write(begin)
                while not socket.transport.is_closing():
                    socket.transport.write(frame * PER_WRITE)
                    await asyncio.sleep(PAUSE_S)
        await asyncio.sleep(PAUSE_S)


async def flood_connections(address: str) -> None:
    """Open connections that send nothing, and keep them open."""
    host, port = address.removeprefix("ws://").split(":")
    kept = []
    while True:
        with contextlib.suppress(OSError):
            kept.append(await asyncio.open_connection(host, int(port), local_addr=ATTACKER))
        await asyncio.sleep(0.001)


async def flood_moves(address: str) -> None:
    """Play a game against oneself on a large board, then send moves endlessly as fast as the site reads them."""
    transport = httpx.AsyncHTTPTransport(local_address=ATTACKER[0])
    async with httpx.AsyncClient(transport=transport, base_url=address.replace("ws", "http", 1)) as http:
        host = (await http.post("/api/games", json={"config": boards(), "hostIsPlayer1": True})).json()
        path = f"{address}/ws/play/{host['gameId']}?token="
        guest = (await http.post(f"/api/games/{host['gameId']}/join", json={})).json()
    tokens = host["hostToken"], guest["token"]
    async with contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(path + each, local_addr=ATTACKER)) for each in tokens]
        side = 0
        for ply, action in enumerate(long_line(LARGE, WALLS)):
            side = await _turn(sockets[side], ply)
            await sockets[side].send(json.dumps({"type": "act", "action": action, "ply": ply}))
        side = await _turn(sockets[side], WALLS)
        path = path.replace("/ws/play/", "/ws/games/") + tokens[side]
        mover = await stack.enter_async_context(connect(path, local_addr=ATTACKER))
        readers = [asyncio.create_task(_drain(each)) for each in (*sockets, mover)]
        while not readers[-1].done():
            await mover.send(MOVE)
            await asyncio.sleep(1 / MOVES_PER_S)


async def _turn(socket: ClientConnection, ply: int) -> int:
    """Return the side to move after `ply` actions, as the site tells the side that has acted last."""
    while (state := json.loads(await socket.recv())).get("ply") != ply:
        pass
    return int(state["toPlay"])


async def _drain(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


FLOODS = {
    "pings": lambda address: flood_frames(address, b"", PING),
    "parts": lambda address: flood_frames(address, BEGIN, PART),
    "connections": flood_connections,
    "moves": flood_moves,
}


def attack(address: str, flood: str, sockets: int) -> None:
    """Flood a site until this process is killed."""

    async def all_of() -> None:
        await asyncio.gather(*(FLOODS[flood](address) for _ in range(sockets)))

    asyncio.run(all_of())


async def round_trips(address: str, seconds: float) -> list[float]:
    """Return the round trips of one visitor, in milliseconds."""
    found, end = list[float](), time.monotonic() + seconds
    begun = time.monotonic()
    try:
        async with asyncio.timeout(LONGEST_S), connect(f"{address}/ws/lobby", ping_interval=None) as socket:
            while time.monotonic() < end or not found:
                begun = time.monotonic()
                await (await socket.ping())
                found.append(1000 * (time.monotonic() - begun))
                await asyncio.sleep(ASK_S)
    except (TimeoutError, OSError, WebSocketException):
        found.append(1000 * (time.monotonic() - begun))  # at least so long
    return found


@contextlib.contextmanager
def serving(folder: Path) -> Generator[str]:
    """Run a site without bots and without exempt addresses in another process, and return its address."""
    settings, log = folder / "settings.toml", folder / "log"
    settings.write_text("[safety]\nunlimited_addresses = []\n")
    command = [sys.executable, "-m", "ludus", "serve", "--no-bots", "--port=0", f"--data={folder}"]
    with log.open("w") as output:
        site = subprocess.Popen([*command, f"--settings={settings}"], stdout=output, stderr=subprocess.STDOUT)
    try:
        while not (places := re.findall(r"Ludus is at http://([\w.:\[\]-]+)", log.read_text())):
            time.sleep(0.1)
        yield f"ws://{places[0]}"
    finally:
        site.terminate()
        site.wait()


def main() -> None:
    """Measure each flood."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--sockets", type=int, default=10)
    parser.add_argument("--only", choices=FLOODS, help="only this flood")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address:
        for flood in (None, *([options.only] if options.only else FLOODS)):
            other = flood and multiprocessing.Process(target=attack, args=(address, flood, options.sockets))
            if other:
                other.start()
                time.sleep(SETTLE_S.get(str(flood), 1.0))
            found = asyncio.run(round_trips(address, options.seconds))
            if other:
                other.kill()
                other.join()
            median, high = np.percentile(found, [50, 99])
            figures[flood or "peace"] = {"median_ms": round(float(median), 2), "p99_ms": round(float(high), 2)}
            print(f"{flood or 'peace':12} median {median:8.1f} ms   99th percentile {high:8.1f} ms", flush=True)
    append_record(options.json, {"machine": describe_machine(), "sockets": options.sockets, "floods": figures})


if __name__ == "__main__":
    main()
