"""Counts the games that bots lose when their engine is killed or stopped: `python bench/failures.py --rounds 10`.

It starts a site (SQLite in a temporary folder) and a bot client with one engine, each in its own process.  Guests play
random games of Connect Four against the bot.  In each round the engine is killed (SIGKILL), or stopped (SIGSTOP) for
`--stopped` seconds, at a random time.  A game that the bot loses by a fault has the bot's name in its result.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shlex
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from record_file import append_record
from websockets.asyncio.client import connect

from ludus.selfplay.measure import describe_machine

CONFIG = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}
SIZE = {
    "boardWidth": {"min": 7, "max": 7},
    "boardHeight": {"min": 6, "max": 6},
    "recommended": [{"boardWidth": 7, "boardHeight": 6}],
}
BOT = {"botId": "b", "name": "Bench", "game": "connect4", "variants": {"standard": SIZE}}
SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}


class Guests:
    """Guests at a site, each of them in one game at a time."""

    def __init__(self, address: str, pause_s: float) -> None:
        self.address, self.pause_s = address, pause_s
        self.ends: Counter[str] = Counter()
        """Finished games by reason."""
        self.answers_s: list[float] = []
        """Times between a guest's move and the bot's."""

    async def play_on(self, luck: random.Random) -> None:
        """Play games one after another."""
        async with httpx.AsyncClient(base_url=self.address, timeout=60) as http:
            while True:
                wish = {"botId": "bench:b", "config": CONFIG, "hostIsPlayer1": True}
                answer = await http.post("/api/bots/play", json=wish)
                if answer.status_code == 201:
                    self.ends[await self._play(answer.json(), luck)] += 1
                else:
                    await asyncio.sleep(1.0)

    async def _play(self, seat: dict[str, str], luck: random.Random) -> str:
        """Play one game to its end; return the reason of its result."""
        url = f"{self.address.replace('http', 'ws')}/ws/play/{seat['gameId']}?token={seat['token']}"
        moved_at, ply = None, -1
        async with connect(url) as played:
            async for text in played:
                state: dict[str, Any] = json.loads(text)
                if state["type"] != "state":
                    continue
                if state["result"]:
                    return state["result"]["reason"]
                if state["toPlay"] != state["you"] or state["ply"] <= ply:
                    continue
                if moved_at is not None:
                    self.answers_s.append(time.monotonic() - moved_at)
                ply = state["ply"]
                await asyncio.sleep(self.pause_s)
                moved_at = time.monotonic()
                action = luck.choice(state["board"]["choices"])["action"]
                await played.send(json.dumps({"type": "act", "action": action, "ply": ply}))
        return "the socket was closed"


def child_of(pid: int) -> int | None:
    """Return the id of a process's newest child; None if it has none."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[-1]) if children else None


async def strike(client: int, how: str, stopped_s: float) -> None:
    """Kill or stop the engine of a bot client; let a stopped one go on later if it still exists."""
    while (engine := child_of(client)) is None:
        await asyncio.sleep(0.1)
    os.kill(engine, SIGNALS[how])
    if how == "stop":
        await asyncio.sleep(stopped_s)
        with contextlib.suppress(ProcessLookupError):
            os.kill(engine, signal.SIGCONT)


async def measure(address: str, client: int, options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of all rounds."""
    found: dict[str, Any] = {}
    for how in SIGNALS:
        guests, luck = Guests(address, options.pause), random.Random(how)
        tasks = [asyncio.create_task(guests.play_on(random.Random(f"{how}{n}"))) for n in range(options.games)]
        for _ in range(options.rounds):
            await asyncio.sleep(luck.uniform(3.0, 6.0))
            await strike(client, how, options.stopped)
            await asyncio.sleep(options.rest)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        faults = {reason: number for reason, number in guests.ends.items() if reason.startswith(BOT["name"])}
        found[how] = {
            "finished": guests.ends.total(),
            "lost_by_a_fault": sum(faults.values()),
            "faults": faults,
            "answer_s": {"median": round(statistics.median(guests.answers_s), 2), "most": max(guests.answers_s)},
        }
        print(how, json.dumps(found[how]), flush=True)
    return found


async def until_has_bot(address: str) -> None:
    """Wait until the site offers the bot."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if "bench:b" in (await http.get("/api/catalogue")).text:
                    return
            await asyncio.sleep(0.2)


def main() -> None:
    """Run the command: start the site and the bot client, strike, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=12, help="games at a time")
    parser.add_argument("--rounds", type=int, default=10, help="kills, and as many stops")
    parser.add_argument("--stopped", type=float, default=30.0, help="seconds that a stopped engine stands still")
    parser.add_argument("--rest", type=float, default=10.0, help="seconds between a strike and the next round")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds per move of a guest")
    parser.add_argument("--engine", default="ludus engine dummy --game connect4")
    parser.add_argument("--json", type=Path, help="append the figures to this file")
    options = parser.parse_args()
    words = shlex.split(options.engine)
    words[:1] = [sys.executable, "-m", "ludus"] if words[:1] == ["ludus"] else words[:1]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        bots = Path(folder) / "bots.json"
        bots.write_text(json.dumps({"clientId": "bench", "bots": [BOT | {"engine": words}]}))
        client = 0
        for command in (
            ["serve", "--no-bots", "--port", str(port), "--data", folder],
            ["bot", "--config", str(bots), "--server", address],
        ):
            process = subprocess.Popen([sys.executable, "-m", "ludus", *command], stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            client = process.pid

        async def run() -> dict[str, Any]:
            await until_has_bot(address)
            return await measure(address, client, options)

        figures = asyncio.run(run())
    record = {"bench": "failures", **vars(options), "json": None, **figures, **describe_machine()}
    print(json.dumps(record))
    append_record(options.json, record)


if __name__ == "__main__":
    main()
