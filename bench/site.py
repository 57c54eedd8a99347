"""Measures the load that a site carries: `python bench/site.py --games 100 --spectators 500 --seconds 60 --json OUT`.

It starts a site (SQLite in a temporary folder) and a bot client with one engine, each in its own process.  Guests play
concurrent random games of Connect Four against the bot, with `--pause` seconds per move, while spectators watch.  It
reports moves per second (of both sides), the delay of a guest's move until the game's first spectator has it, the delay
of the bot's answer, and the site's memory per spectator, from its `/metrics`.

With `--browser models/connect4`, the site starts no engine (`ludus serve --bots browser`), and each guest sends random
moves for its bot, as a page would send those that it has found.

Guests and spectators run in this process on the same cores as the site, which worsens the figures.
"""

import argparse
import asyncio
import contextlib
import json
import random
import re
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

import httpx
from record_file import append_record
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ludus.selfplay.measure import describe_machine

CONFIG = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}
BOTS = """clientId = "bench"
[[bots]]
botId = "b"
name = "Bench"
game = "connect4"
engine = {engine}
[bots.variants.standard]
boardWidth = {{ min = 7, max = 7 }}
boardHeight = {{ min = 6, max = 6 }}
recommended = [{{ boardWidth = 7, boardHeight = 6 }}]
"""


class Load:
    """The guests and spectators of a site, and their measurements."""

    def __init__(self, address, bot, pause_s):
        self.address, self.bot, self.pause_s = address, bot, pause_s
        self.socket_address = address.replace("http", "ws")
        self.sent: dict[tuple[str, int], float] = {}  # time of each guest's move, by game and ply after it
        self.seen_s: list[float] = []
        self.answer_s: list[float] = []
        self.counts = Counter()
        self.games: list[str] = []
        self.opened = asyncio.Event()
        self.measuring = False

    async def guest(self, http, luck):
        """Play games one after another."""
        while True:
            wish = {"botId": self.bot, "config": CONFIG, "hostIsPlayer1": luck.random() < 0.5}
            answer = await http.post("/api/bots/play", json=wish)
            if answer.status_code != 201:
                self.counts["refused"] += 1
                await asyncio.sleep(1.0)
                continue
            seat = answer.json()
            self.games.append(seat["gameId"])
            self.opened.set()
            async with connect(f"{self.socket_address}/ws/play/{seat['gameId']}?token={seat['token']}") as socket:
                await self.play(socket, seat["gameId"], luck)
            self.games.remove(seat["gameId"])

    async def play(self, socket, game, luck):
        """Play one game to its end."""
        moved_at, answered, thought = None, -1, -1
        async for text in socket:
            state = json.loads(text)
            if state["type"] != "state":
                self.counts[state["type"]] += 1
                continue
            if state["status"] == "over":
                self.counts["games"] += self.measuring
                return
            asked = state["browserBot"]
            if asked and asked["position"] and asked["ply"] > thought:
                thought = asked["ply"]
                action = luck.choice(open_columns(asked["position"]["actions"]))
                await socket.send(json.dumps({"type": "bot-move", "ply": asked["ply"], "actions": [action]}))
            if state["toPlay"] != state["you"] or state["ply"] <= answered:
                continue
            answered = state["ply"]
            if moved_at is not None and self.measuring:
                self.answer_s.append(time.perf_counter() - moved_at)
            await asyncio.sleep(self.pause_s)
            action = luck.choice(state["board"]["choices"])["action"]
            moved_at = self.sent[game, state["ply"] + 1] = time.perf_counter()
            await socket.send(json.dumps({"type": "act", "action": action, "ply": state["ply"]}))
            self.counts["moves"] += 2 * self.measuring  # the guest's move, and the bot's reply

    async def spectator(self, luck):
        """Watch games one after another; the first spectator of a move records its delay."""
        while True:
            await self.opened.wait()
            if not self.games:
                await asyncio.sleep(0.05)
                continue
            game = luck.choice(self.games)
            with contextlib.suppress(ConnectionClosed):
                async with connect(f"{self.socket_address}/ws/play/{game}") as socket:
                    async for text in socket:
                        state = json.loads(text)
                        if state["type"] != "state":
                            continue
                        sent = self.sent.pop((game, state["ply"]), None)
                        if sent is not None and self.measuring:
                            self.seen_s.append(time.perf_counter() - sent)
                        if state["status"] == "over":
                            break


def open_columns(actions):
    """Return the legal columns of Connect Four after these."""
    return [column for column in range(7) if actions.count(column) < 6]


def bots_file(engine):
    """Return the bot's configuration; the word `ludus` becomes this Python's `ludus`, and paths become absolute."""
    words = [str(Path(word).resolve()) if "/" in word else word for word in shlex.split(engine)]
    if words[:1] == ["ludus"]:
        words[:1] = [sys.executable, "-m", "ludus"]
    return BOTS.format(engine=json.dumps(words))


async def process_of(http):
    """Return the site's resident memory in bytes, and its CPU time in seconds."""
    text = (await http.get("/metrics")).text
    names = ("process_resident_memory_bytes", "process_cpu_seconds_total")
    return [float(re.search(rf"^{name} (\S+)", text, re.MULTILINE)[1]) for name in names]


def quantiles(values):
    """Return p50, p95 and p99 in milliseconds; None for fewer than two values."""
    if len(values) < 2:
        return None
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    return {name: round(1000 * cuts[at - 1], 1) for name, at in (("p50", 50), ("p95", 95), ("p99", 99))}


async def measure(address, *, bot, games, spectators, seconds, pause_s, mark=lambda: None):
    """Return the figures of a site at `address` with a bot that plays Connect Four.

    `mark` is called at the start and at the end of the measurement.
    """
    load = Load(address, bot, pause_s)
    limits = httpx.Limits(max_connections=50, max_keepalive_connections=0)  # a site may close idle connections
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as http:
        tasks = [asyncio.create_task(load.guest(http, random.Random(number))) for number in range(games)]
        await load.opened.wait()
        while len(load.games) < games * 0.9:
            await asyncio.sleep(0.05)
        before, _ = await process_of(http)
        tasks += [asyncio.create_task(load.spectator(random.Random(f"s{n}"))) for n in range(spectators)]
        await asyncio.sleep(min(seconds, 5.0))  # until all are connected
        after, cpu_s = await process_of(http)
        mark()
        load.measuring, began = True, time.perf_counter()
        await asyncio.sleep(seconds)
        lasted = time.perf_counter() - began
        load.measuring = False
        mark()
        cpu_s = (await process_of(http))[1] - cpu_s
        failed = [repr(task.exception()) for task in tasks if task.done() and not task.cancelled()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "games": games,
        "spectators": spectators,
        "seconds": round(lasted, 1),
        "moves_per_s": round(load.counts["moves"] / lasted, 1),
        "games_finished": load.counts["games"],
        "seen_ms": quantiles(load.seen_s),
        "answer_ms": quantiles(load.answer_s),
        "kib_per_spectator": round((after - before) / 1024 / max(1, spectators), 1),
        "site_mib": round(after / 2**20, 1),
        "site_cores": round(cpu_s / lasted, 2),
        "errors": load.counts["error"] + load.counts["refused"],
        "failed": failed[:3],
    }


def until_answers(address, path, wanted, patience_s=300.0):
    """Wait until a page of a site has the wanted content."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError):
            if wanted(httpx.get(address + path, timeout=5).text):
                return
        time.sleep(0.2)
    sys.exit(f"{address}{path} did not answer as expected.")


def main():
    """Run the command: start all processes, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds per move of a guest")
    parser.add_argument("--engine", default="ludus engine bgs --model models/connect4 --visits 8")
    parser.add_argument("--browser", type=Path, help="a model of Connect Four, whose bots think in browsers; no engine")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--json", type=Path, help="append the figures to this file")
    parser.add_argument("--profile", type=Path, help="file for a profile of the site's CPU time")
    options = parser.parse_args()
    with socket.socket() as probe:
        if not probe.connect_ex(("127.0.0.1", options.port)):
            sys.exit(f"Port {options.port} is in use; choose another with --port.")
    address = f"http://127.0.0.1:{options.port}"
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        bots = Path(folder) / "bots.toml"
        bots.write_text(bots_file(options.engine))
        serve = ["serve", "--no-bots", "--port", str(options.port), "--data", folder]
        if options.browser:
            models = Path(folder) / "models"
            models.mkdir()
            (models / "connect4").symlink_to(options.browser.resolve())
            serve[1:2] = ["--bots", "browser", "--models", str(models)]
        profiled = [str(Path(__file__).with_name("site_profile.py")), str(options.profile)]
        bot = ["bot", "--config", str(bots), "--server", address.replace("http", "ws")]
        processes: list[subprocess.Popen[bytes]] = []
        site = [*(profiled if options.profile else ["-m", "ludus"]), *serve]
        for command in [site] if options.browser else [site, ["-m", "ludus", *bot]]:
            process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
            processes.append(process)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            until_answers(address, "/readyz", lambda text: '"ready"' in text)
        name = "browser:connect4-expert" if options.browser else "bench:b"
        until_answers(address, "/api/catalogue", lambda text: f'"{name}"' in text)
        figures = asyncio.run(
            measure(
                address,
                bot=name,
                games=options.games,
                spectators=options.spectators,
                seconds=options.seconds,
                pause_s=options.pause,
                mark=(lambda: processes[0].send_signal(signal.SIGUSR1)) if options.profile else (lambda: None),
            )
        )
    engine = f"browser: {options.browser}" if options.browser else options.engine
    record = {"bench": "site", "engine": engine, **figures, **describe_machine()}
    print(json.dumps(record))
    append_record(options.json, record)


if __name__ == "__main__":
    main()
