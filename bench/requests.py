"""Measures the most expensive requests that a site accepts: `python bench/requests.py --json OUT`.

The site runs in this process with a database of its own and without bots.  For each request it prints the longest time
for which the event loop was blocked, the processor time of the worker threads, and their longest time between two
pauses, at which other requests go first: all in milliseconds, as the largest of `--rounds` rounds.
"""

import argparse
import asyncio
import contextlib
import json
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from fastapi import FastAPI
from msgspec import structs

from ludus.games.calls import pause
from ludus.games.registry import game
from ludus.selfplay.measure import describe_machine
from ludus.site.app import create_app
from ludus.site.archive.link import write_link
from ludus.site.safety import fair_queue
from ludus.site.safety.settings import SafetySettings
from ludus.site.settings import SiteSettings

PASSWORD = "correct horse"
LONG = 240
"""Actions of long lines; longer ones cost more in the same slices."""


class Asked(NamedTuple):
    """A request."""

    method: str
    path: str
    body: Any = None
    text: str | None = None
    """The body as it is sent, instead of `body` as JSON."""


class Known(NamedTuple):
    """What the requests refer to."""

    finished: str
    """The id of a finished game."""
    running: str
    """The id of a running game."""
    links: dict[str, str]
    """Links of long games, by the name of the game."""
    lines: dict[str, list[int]]
    """The actions of long games."""


def long_line(spec: str, num_actions: int) -> list[int]:
    """Return actions of a long game: the last legal ones, in the Wall Game mostly walls."""
    position, actions = game(spec).start(), list[int]()
    while position.actions and len(actions) < num_actions:
        choices = position.actions
        actions.append(choices[len(actions) * 7919 % len(choices)])
        position = position.play(actions[-1])
    return actions


def link_of(spec: str, actions: list[int]) -> str:
    """Return the link of a game."""
    position = game(spec).start()
    for action in actions:
        position = position.play(action)
    return write_link(position, names=("a", "b"), winner=None, reason="", ended=None)


LARGE = "wallgame:classic:20x20"
GO = "go:19x19"
LINES = (LARGE, GO, "chess", "gomoku:freestyle:20x20")
WALLS = [{"at": [row, column], "side": side} for row in range(20) for column in range(20) for side in ("right", "top")]
STONES = [
    {"at": [row, column], "shape": "stone", "owner": (row + column) % 2} for row in range(19) for column in range(19)
]
CHARS = 190_000
"""Length of texts, just below the limit."""


def filled(begin: str, piece: str, end: str = "") -> str:
    """Return a text of CHARS characters: a piece again and again between a beginning and an end."""
    return begin + piece * ((CHARS - len(begin) - len(end)) // len(piece)) + end


PGN = '[Event "x"]\n\n'
TEXTS = {
    "rectangles": filled("(;GM[1]SZ[19]", "AB[aa:ss]", ")"),
    "one property of rectangles": filled("(;GM[1]SZ[19]AB", "[aa:ss]", ")"),
    "many nodes": filled("(;GM[1]SZ[19]", ";", ")"),
    "many set-ups": filled("(;GM[1]SZ[19]", ";AB[aa:ss]", ")"),
    "many moves": filled("(;GM[1]SZ[19]", ";B[aa];W[bb]", ")"),
    "many passes": filled("(;GM[1]SZ[19]", ";B[];W[]", ")"),
    "many variations of Go": filled("(;GM[1]SZ[19];B[aa]", "(;W[bb])", ")"),
    "many games of Go": filled("", "(;GM[1];B[aa])"),
    "deep variations of Go": filled("(;GM[1]", "(;B[aa](;W[bb]"),
    "long comment": filled("(;GM[1]C[", "x]y[", "])"),
    "many variations of chess": filled(PGN + "1. e4 ", "(1. d4) ", "*"),
    "variations that cannot be played": filled(PGN + "1. e4 ", "(1. d5) ", "*"),
    "many moves of chess": filled(PGN, "1. Nf3 Nf6 2. Ng1 Ng8 ", "*"),
    "deep variations of chess": filled(PGN + "1. e4 ", "(1. d4 ", "*"),
    "many tags": filled("", '[a "b"] ', "1. e4 *"),
    "many glyphs": filled(PGN + "1. e4 ", "! ", "*"),
    "blanks in a tag": filled("[a ", " "),
    "many moves of Connect Four": filled('[Game "connect4"]\n\n', "1. 4 4 ", "*"),
    "many moves of the Wall Game": filled(
        '[Variant "classic"]\n[Board "20x20"]\n[Result "*"]\n\n', "1. Cb1 Cs20 ", "*"
    ),
    "a long set-up": filled(
        '[Game "go:19x19"]\n[Setup "{\\"past\\":[', '[\\"A1\\",\\"A1\\"],', '[\\"A1\\",\\"A1\\"]]}"]\n\n*'
    ),
}


def boards(setup: Any = None) -> dict[str, Any]:
    """Return the configuration of a large board."""
    return {"game": "wallgame", "variant": "classic", "boardWidth": 20, "boardHeight": 20, "setup": setup}


def go_setup(size: int = 6000) -> dict[str, Any]:
    """Return a long set-up of Go."""
    return {"history": ["0123456789abcdef"] * (size // 4), "black": "A1 " * size, "past": [["A1", "B2"]] * (size // 4)}


Made = Callable[[Known], Asked]
WORST: dict[str, dict[str, Made] | str] = {
    "GET /api/lessons": {"": lambda _: Asked("GET", "/api/lessons")},
    "GET /api/lessons/{game}": {"go": lambda _: Asked("GET", "/api/lessons/go")},
    "POST /api/study": {
        spec: lambda known, spec=spec: Asked("POST", "/api/study", {"spec": spec, "actions": known.lines[spec]})
        for spec in LINES
    }
    | {"a long set-up": lambda _: Asked("POST", "/api/study", {"spec": GO, "setup": go_setup()})},
    "POST /api/study/evaluation": {
        spec: lambda known, spec=spec: Asked(
            "POST", "/api/study/evaluation", {"spec": spec, "actions": known.lines[spec]}
        )
        for spec in LINES
    },
    "POST /api/study/kit": {
        spec: lambda known, spec=spec: Asked("POST", "/api/study/kit", {"spec": spec, "actions": known.lines[spec]})
        for spec in LINES
    },
    "POST /api/study/arrange": {
        "walls": lambda _: Asked("POST", "/api/study/arrange", {"spec": LARGE, "pieces": [], "edges": WALLS}),
        "stones": lambda _: Asked("POST", "/api/study/arrange", {"spec": GO, "pieces": STONES[:360]}),
    },
    "GET /api/puzzles": "sends what was read at the start",
    "GET /api/puzzles/{game}/{name}": "the site's own puzzles, read at the start",
    "POST /api/puzzles/{game}/{name}": {
        "many actions": lambda _: Asked("POST", "/api/puzzles/go/x", {"actions": [1] * 2000})
    },
    "GET /api/puzzles/{game}/{name}/solution": "the site's own puzzles, read at the start",
    "GET /api/catalogue": {"": lambda _: Asked("GET", "/api/catalogue")},
    "GET /api/bots": {"": lambda _: Asked("GET", "/api/bots?game=wallgame&variant=classic")},
    "GET /api/bots/recommended": {"": lambda _: Asked("GET", "/api/bots/recommended?game=wallgame&variant=classic")},
    "POST /api/bots/play": {
        "no such bot": lambda _: Asked("POST", "/api/bots/play", {"botId": "x" * 400, "config": boards()})
    },
    "POST /api/bots/match": {
        "no such bots": lambda _: Asked("POST", "/api/bots/match", {"botIds": ["x" * 400] * 2, "config": boards()})
    },
    "GET /api/games/matchmaking": {"": lambda _: Asked("GET", "/api/games/matchmaking")},
    "GET /api/games/live": {"": lambda _: Asked("GET", "/api/games/live")},
    "GET /api/games/{game_id}": {"running": lambda known: Asked("GET", f"/api/games/{known.running}")},
    "GET /api/games/{game_id}/plies/{ply}": {
        "running": lambda known: Asked("GET", f"/api/games/{known.running}/plies/0")
    },
    "POST /api/games": {
        "a large board": lambda _: Asked("POST", "/api/games", {"config": boards()}),
        "a board with many variants": lambda _: Asked(
            "POST", "/api/games", {"config": boards() | {"variant": "x" * 40}}
        ),
        "a long set-up of Go": lambda _: Asked(
            "POST",
            "/api/games",
            {"config": boards(go_setup()) | {"game": "go", "variant": "standard", "boardWidth": 19, "boardHeight": 19}},
        ),
    },
    "POST /api/games/{game_id}/join": {
        "running": lambda known: Asked("POST", f"/api/games/{known.running}/join", {"displayName": "B" * 50})
    },
    "POST /api/games/{game_id}/abort": {
        "wrong token": lambda known: Asked("POST", f"/api/games/{known.running}/abort", {"token": "x" * 200})
    },
    "POST /api/games/{game_id}/ready": {
        "wrong token": lambda known: Asked("POST", f"/api/games/{known.running}/ready", {"token": "x" * 200})
    },
    "GET /api/me/games": {"": lambda _: Asked("GET", "/api/me/games")},
    "POST /api/me/games": {
        "": lambda _: Asked("POST", "/api/me/games", {"tokens": {f"{each:032}": "x" * 200 for each in range(50)}})
    },
    "POST /api/me/seats/{game_id}": {"": lambda known: Asked("POST", f"/api/me/seats/{known.running}")},
    "GET /api/me": {"": lambda _: Asked("GET", "/api/me")},
    "POST /api/account": {
        "": lambda _: Asked("POST", "/api/account", {"name": "B" * 19, "password": "0123456789abcdef" * 8})
    },
    "POST /api/session": {
        "": lambda _: Asked("POST", "/api/session", {"name": "B" * 200, "password": "0123456789abcdef" * 8})
    },
    "DELETE /api/session": "one row of the database",
    "PUT /api/account/password": {
        "": lambda _: Asked(
            "PUT", "/api/account/password", {"password": "0123456789abcdef" * 8, "newPassword": "0123456789abcdef" * 8}
        )
    },
    "PUT /api/account/settings": {
        "": lambda _: Asked("PUT", "/api/account/settings", {f"a{each}": "x" * 100 for each in range(64)})
    },
    "DELETE /api/account": {"wrong password": lambda _: Asked("DELETE", "/api/account", {"password": "x" * 128})},
    "GET /api/ratings": {"a late page": lambda _: Asked("GET", "/api/ratings?game=chess&page=100000")},
    "GET /api/ratings/lists": {"": lambda _: Asked("GET", "/api/ratings/lists")},
    "GET /api/people/{name}": {"": lambda _: Asked("GET", "/api/people/" + "%EF%B7%BA" * 190)},
    "GET /api/bot-tokens": "at most ten rows of the database",
    "POST /api/bot-tokens": {"": lambda _: Asked("POST", "/api/bot-tokens", {"clientId": "x" * 100})},
    "DELETE /api/bot-tokens/{client_id:path}": "one row of the database",
    "POST /api/shared": {
        spec: lambda known, spec=spec: Asked("POST", "/api/shared", {"link": known.links[spec]}) for spec in LINES
    },
    "POST /api/shared/plies/{ply}": {
        spec: lambda known, spec=spec: Asked("POST", "/api/shared/plies/20", {"link": known.links[spec]})
        for spec in LINES
    },
    "POST /api/shared/text": {
        spec: lambda known, spec=spec: Asked("POST", "/api/shared/text", {"link": known.links[spec]}) for spec in LINES
    },
    "POST /api/read": {
        name: lambda _, text=text: Asked("POST", "/api/read", {"text": text}) for name, text in TEXTS.items()
    },
    "GET /api/archive": {
        "all filters": lambda _: Asked(
            "GET",
            f"/api/archive?player={'x' * 450}&bot={'x' * 450}&from=1900-01-01&to=8999-01-01&size=20x20&page=100000",
        )
    },
    "GET /api/archive/{game_id}": {"": lambda known: Asked("GET", f"/api/archive/{known.finished}")},
    "GET /api/archive/{game_id}/plies/{ply}": {
        "": lambda known: Asked("GET", f"/api/archive/{known.finished}/plies/1")
    },
    "GET /api/archive/{game_id}/text": {"": lambda known: Asked("GET", f"/api/archive/{known.finished}/text")},
    "GET /api/archive/{game_id}/link": {"": lambda known: Asked("GET", f"/api/archive/{known.finished}/link")},
    "GET /api/training": "the progress is in memory",
    "POST /api/training/pause": "only for the operator",
    "POST /api/training/resume": "only for the operator",
    "GET /api/training/games/{generation}/{number}": "the run's own games",
    "GET /healthz": "asks a bot once in half a minute",
    "GET /readyz": "reads the database once a second",
    "GET /metrics": "only for the operator",
    "GET /api/{path:path}": {"": lambda _: Asked("GET", "/api/" + "x" * 8000)},
    "WS /ws/play/{game_id}": "one action a message; messages and bytes are limited",
    "WS /ws/games/{game_id}": "one move a message; messages and bytes are limited",
    "WS /ws/custom-bot": "messages are limited, and boards of an attach message",
    "WS /ws/lobby": "answers pings",
    "WS /ws/live-games": "answers pings",
    "WS /ws/eval/{game_id}": "asks a bot; the number for each address is limited",
}
"""The most expensive requests of each route, or why none is expensive.  A test fails if a route is missing."""


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


async def send(http: httpx.AsyncClient, asked: Asked) -> httpx.Response:
    """Send a request."""
    content = asked.text.encode() if asked.text is not None else None
    return await http.request(asked.method, asked.path, json=asked.body if content is None else None, content=content)


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


async def cost_of(http: httpx.AsyncClient, asked: Asked) -> Cost:
    """Return what a request costs."""
    works: list[tuple[float, float]] = []
    loop = _Loop()
    watching = asyncio.create_task(loop.watch())
    with watched_workers(works):
        began = time.monotonic()
        answer = await send(http, asked)
        seconds = time.monotonic() - began
    loop.stop()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    worker, longest = sum(each for each, _ in works), max((each for _, each in works), default=0.0)
    return Cost(answer.status_code, 1000 * loop.longest, 1000 * worker, 1000 * longest, seconds)


async def prepared(http: httpx.AsyncClient, app: FastAPI) -> Known:
    """Open games and an account, and return what the requests refer to."""
    await http.post("/api/account", json={"name": "Ann", "password": PASSWORD})
    opened = (await http.post("/api/games", json={"config": boards()})).json()
    lines = {spec: long_line(spec, LONG) for spec in LINES}
    links = {spec: link_of(spec, actions) for spec, actions in lines.items()}
    finished = (await http.post("/api/games", json={"config": boards()})).json()
    guest = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://home")
    await guest.post(f"/api/games/{finished['gameId']}/join", json={})
    live = await app.state.site.live_games.find(finished["gameId"], "")
    position = live.table.position
    for action in lines[LARGE][:40]:
        side = position.to_play
        position = position.play(action)
        ply = position.num_actions_played - 1
        await live.do(lambda table, now, side=side, action=action, ply=ply: table.act(side, action, ply, now))
    await live.do(lambda table, now: table.resign(0, now))
    return Known(finished["gameId"], opened["gameId"], links, lines)


async def measure(rounds: int, only: str) -> dict[str, Cost]:
    """Return the cost of each request."""
    found: dict[str, Cost] = {}
    limits = structs.replace(SafetySettings(), unlimited_addresses=("127.0.0.1",))
    app = create_app(SiteSettings(safety=limits))
    async with app.router.lifespan_context(app):
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://home", timeout=600)
        known = await prepared(http, app)
        for route, made in WORST.items():
            if isinstance(made, str) or only not in route:
                continue
            for name, make in made.items():
                costs = [await cost_of(http, make(known)) for _ in range(rounds)]
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
    with tempfile.TemporaryDirectory():
        found = asyncio.run(measure(options.rounds, options.only))
    if options.json:
        record = {"machine": describe_machine(), "requests": {name: each._asdict() for name, each in found.items()}}
        with options.json.open("a") as file:
            file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
