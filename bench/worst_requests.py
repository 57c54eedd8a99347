"""The most expensive requests and socket messages that a site accepts, for `bench/requests.py` and a test of routes."""

import asyncio
import json
import tempfile
from collections.abc import Callable, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from fastapi import FastAPI
from long_games import link_of, long_line, write_engines
from worst_texts import TEXTS

from ludus.site.live.game import LiveGame

PASSWORD = "correct horse"


class Asked(NamedTuple):
    """A request."""

    method: str
    path: str
    body: Any = None
    """Sent as JSON."""


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
    played: LiveGame
    """A running game of the first half of `lines[LARGE]`."""
    tokens: tuple[str, str]
    """The tokens of its seats."""
    engines: str
    """The name of the folder with an engine for each of the long games."""


LARGE = "wallgame:classic:20x20"
GO = "go:19x19"
LINES = (LARGE, GO, "chess", "gomoku:freestyle:20x20")
WALLS = [{"at": [row, column], "side": side} for row in range(20) for column in range(20) for side in ("right", "top")]
STONES = [
    {"at": [row, column], "shape": "stone", "owner": (row + column) % 2} for row in range(19) for column in range(19)
]


def boards(setup: Any = None) -> dict[str, Any]:
    """Return the configuration of a large board."""
    return {"game": "wallgame", "variant": "classic", "boardWidth": 20, "boardHeight": 20, "setup": setup}


def go_setup(size: int = 6000) -> dict[str, Any]:
    """Return a long set-up of Go."""
    return {"history": ["0123456789abcdef"] * (size // 4), "black": "A1 " * size, "past": [["A1", "B2"]] * (size // 4)}


Made = Callable[[Known], Asked]


def of_lines(path: str) -> dict[str, Made]:
    """Return a request with each of the long lines."""

    def made(spec: str) -> Made:
        return lambda known: Asked("POST", path, {"spec": spec, "actions": known.lines[spec]})

    return {spec: made(spec) for spec in LINES}


def of_links(path: str) -> dict[str, Made]:
    """Return a request with each of the links."""

    def made(spec: str) -> Made:
        return lambda known: Asked("POST", path, {"link": known.links[spec]})

    return {spec: made(spec) for spec in LINES}


def of_trees(path: str) -> dict[str, Made]:
    """Return requests with analysis trees: each of the long lines, many short variations, and many marks."""

    def asked(spec: str, nodes: list[dict[str, Any]]) -> Asked:
        return Asked("POST", path, {"spec": spec, "nodes": [{}, *nodes]})

    def line(spec: str) -> Made:
        return lambda known: asked(spec, [{"parent": n, "action": each} for n, each in enumerate(known.lines[spec])])

    def variations(known: Known) -> Asked:
        return asked(LARGE, [{"parent": 0, "action": known.lines[LARGE][0]}] * 2000)

    def marks(known: Known) -> Asked:
        marked = {"marks": [((18, 18), "triangle", "")] * 600}
        return asked(GO, [{"parent": n, "action": each} | marked for n, each in enumerate(known.lines[GO][:60])])

    return {spec: line(spec) for spec in LINES} | {"many variations": variations, "many marks": marks}


def of_found(known: Known, spec: str) -> Asked:
    """Return as much as possible of what an engine in a browser may have found on a long line."""
    actions = known.lines[spec]
    lines = [{"actions": actions[:24], "value": 0.5, "visits": 1}] * 5
    found = [{"ply": 0, "value": 0.5, "visits": 1, "lines": lines}] * 8
    asked = {"spec": spec, "actions": actions, "engine": f"/engines/{known.engines}/manifest.json", "found": found}
    return Asked("POST", "/api/study/words", asked)


FIELDS = {"type": "ping"} | {f"{each:x}": 0 for each in range(6500)}
"""A message with as many unknown fields as fit."""


def said(known: Known, dialect: str, message: dict[str, Any], side: int | None = None) -> Asked:
    """Return a message to the running game, of a player or a spectator."""
    token = "" if side is None else f"?token={known.tokens[side]}"
    return Asked("WS", f"/ws/{dialect}/{known.played.id}{token}", message)


def acted(known: Known) -> Asked:
    """Return the next action of the running game."""
    table = known.played.table
    message = {"type": "act", "action": known.lines[LARGE][table.ply], "ply": table.ply}
    return said(known, "play", message, table.position.to_play)


def moved(known: Known) -> Asked:
    """Return a long text of a move."""
    move = ".".join([">a1"] * 100)
    return said(known, "games", {"type": "submit-move", "move": move}, known.played.table.position.to_play)


def attach(num_bots: int) -> dict[str, Any]:
    """Return a bot client's first message."""
    extents = {name: {"min": 3, "max": 20} for name in ("boardWidth", "boardHeight")}
    usual = [{"boardWidth": size, "boardHeight": size} for size in (5, 10, 20)]
    variants = dict.fromkeys(("standard", "classic", "freestyle", "survival"), extents | {"recommended": usual})
    bot = {"name": "x" * 50, "username": None, "game": "wallgame", "variants": variants}
    bots = [bot | {"botId": f"b{each}"} for each in range(num_bots)]
    client = {"name": "x", "version": "1"}
    return {"type": "attach", "protocolVersion": 3, "clientId": "c", "client": client, "bots": bots}


def of_wrong_token(what: str) -> dict[str, Made]:
    return {"wrong token": lambda known: Asked("POST", f"/api/games/{known.running}/{what}", {"token": "x" * 200})}


LONG = "0123456789abcdef" * 8  # a password of 128 characters
LARGE_GO = {"game": "go", "variant": "standard", "boardWidth": 19, "boardHeight": 19}
WORST: dict[str, dict[str, Made] | str] = {
    "GET /api/lessons": {"": lambda _: Asked("GET", "/api/lessons")},
    "GET /api/lessons/{game}": {"go": lambda _: Asked("GET", "/api/lessons/go")},
    "POST /api/study": of_lines("/api/study")
    | {"a long set-up": lambda _: Asked("POST", "/api/study", {"spec": GO, "setup": go_setup()})},
    "POST /api/study/text": of_trees("/api/study/text"),
    "POST /api/study/link": of_trees("/api/study/link"),
    "POST /api/study/evaluation": of_lines("/api/study/evaluation"),
    "POST /api/study/words": {spec: partial(of_found, spec=spec) for spec in LINES},
    "POST /api/study/openings": of_lines("/api/study/openings"),
    "POST /api/study/kit": of_lines("/api/study/kit"),
    "POST /api/study/arrange": {
        "walls": lambda _: Asked("POST", "/api/study/arrange", {"spec": LARGE, "pieces": [], "edges": WALLS}),
        "stones": lambda _: Asked("POST", "/api/study/arrange", {"spec": GO, "pieces": STONES[:360]}),
    },
    **dict.fromkeys(
        (
            *("GET /api/puzzles", "GET /api/puzzles/{game}", "GET /api/puzzle-of-the-day"),
            *("GET /api/puzzles/{game}/{name}", "GET /api/puzzles/{game}/{name}/solution"),
            "POST /api/puzzles/{game}/{name}/given-up",
        ),
        "the site's own puzzles, read at the start",
    ),
    "POST /api/puzzles/{game}/{name}": {
        "many actions": lambda _: Asked("POST", "/api/puzzles/go/x", {"actions": [1] * 2000})
    },
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
        "many variants": lambda _: Asked("POST", "/api/games", {"config": boards() | {"variant": "x" * 40}}),
        "a long set-up of Go": lambda _: Asked("POST", "/api/games", {"config": boards(go_setup()) | LARGE_GO}),
    },
    "POST /api/games/{game_id}/join": {
        "running": lambda known: Asked("POST", f"/api/games/{known.running}/join", {"displayName": "B" * 50})
    },
    "POST /api/games/{game_id}/abort": of_wrong_token("abort"),
    "POST /api/games/{game_id}/ready": of_wrong_token("ready"),
    "GET /api/me/games": {"": lambda _: Asked("GET", "/api/me/games")},
    "POST /api/me/games": {
        "": lambda _: Asked("POST", "/api/me/games", {"tokens": {f"{each:032}": "x" * 200 for each in range(50)}})
    },
    "POST /api/me/seats/{game_id}": {"": lambda known: Asked("POST", f"/api/me/seats/{known.running}")},
    "GET /api/me": {"": lambda _: Asked("GET", "/api/me")},
    **dict.fromkeys(
        ("GET /api/mail", "PUT /api/mail", "PUT /api/mail/wanted", "DELETE /api/mail"), "a row of an account"
    ),
    **dict.fromkeys((f"{method} /api/mail/stop/{{token}}" for method in ("GET", "POST")), "a row of an address"),
    "POST /api/mail/confirm": {"": lambda _: Asked("POST", "/api/mail/confirm", {"token": "x" * 100})},
    "POST /api/account": {"": lambda _: Asked("POST", "/api/account", {"name": "B" * 19, "password": LONG})},
    "POST /api/session": {"": lambda _: Asked("POST", "/api/session", {"name": "B" * 200, "password": LONG})},
    "DELETE /api/session": "one row of the database",
    "PUT /api/account/password": {
        "": lambda _: Asked("PUT", "/api/account/password", {"password": LONG, "newPassword": LONG})
    },
    "PUT /api/account/settings": {
        "": lambda _: Asked("PUT", "/api/account/settings", {f"a{each}": "x" * 100 for each in range(64)})
    },
    "DELETE /api/account": {"wrong password": lambda _: Asked("DELETE", "/api/account", {"password": "x" * 128})},
    "GET /api/ratings": {"a late page": lambda _: Asked("GET", "/api/ratings?game=chess&page=100000")},
    "GET /api/ratings/lists": {"": lambda _: Asked("GET", "/api/ratings/lists")},
    "GET /api/showcase/{number}/plies/{ply}": {"": lambda _: Asked("GET", "/api/showcase/1/plies/20")},
    "GET /api/showcase/{number}": {"": lambda _: Asked("GET", "/api/showcase/0")},  # a game of chess, the longest
    "GET /api/people/{name}/ratings": {
        "": lambda _: Asked("GET", "/api/people/" + "%EF%B7%BA" * 190 + "/ratings?game=go:chinese&timeClass=blitz")
    },
    "GET /api/people/{name}": {"": lambda _: Asked("GET", "/api/people/" + "%EF%B7%BA" * 190)},
    "GET /api/players": {"long letters": lambda _: Asked("GET", "/api/players?name=" + "%EF%B7%BA" * 40)},
    "GET /api/bot-tokens": "at most ten rows of the database",
    "POST /api/bot-tokens": {"": lambda _: Asked("POST", "/api/bot-tokens", {"clientId": "x" * 100})},
    "DELETE /api/bot-tokens/{client_id:path}": "one row of the database",
    "POST /api/shared": of_links("/api/shared"),
    "POST /api/shared/plies/{ply}": of_links("/api/shared/plies/20"),
    "POST /api/shared/text": of_links("/api/shared/text"),
    "POST /api/read": {
        "unknown fields": lambda _: Asked("POST", "/api/read", {f"{each:x}": 0 for each in range(100_000)}),
    }
    | {name: lambda _, text=text: Asked("POST", "/api/read", {"text": text}) for name, text in TEXTS.items()},
    "GET /api/archive": {
        "all filters": lambda _: Asked(
            "GET",
            f"/api/archive?player={'x' * 450}&bot={'x' * 450}&from=1900-01-01&to=8999-01-01&size=20x20&page=200",
        )
    },
    "GET /api/archive/{game_id}": {"": lambda known: Asked("GET", f"/api/archive/{known.finished}")},
    "GET /api/archive/{game_id}/plies/{ply}": {
        "": lambda known: Asked("GET", f"/api/archive/{known.finished}/plies/1")
    },
    "GET /api/archive/{game_id}/text": {"": lambda known: Asked("GET", f"/api/archive/{known.finished}/text")},
    "GET /api/archive/{game_id}/link": {"": lambda known: Asked("GET", f"/api/archive/{known.finished}/link")},
    "POST /api/reviews": of_links("/api/reviews")
    | {"a stored game": lambda known: Asked("POST", "/api/reviews", {"game": known.finished})},
    "GET /api/reviews/{key}": {"": lambda _: Asked("GET", "/api/reviews/" + "x" * 64)},
    "DELETE /api/reviews/{key}": {"": lambda _: Asked("DELETE", "/api/reviews/" + "x" * 64)},
    "GET /api/reviews/{key}/positions": "a row of the database, at most 500 positions with their best lines",
    **dict.fromkeys(("GET /api/training", "GET /api/training/games/{generation}/{number}"), "the site's own run"),
    **dict.fromkeys(
        (
            *("POST /api/training/pause", "POST /api/training/resume", "GET /metrics"),
            *("GET /api/operator", "POST /api/operator/acts"),
        ),
        "only for the operator",
    ),
    "POST /api/reports": {
        "a player": lambda known: Asked(
            "POST", "/api/reports", {"gameId": known.played.id, "side": 0, "why": "\U0001f600" * 300}
        ),
        "an old message": lambda known: Asked("POST", "/api/reports", {"gameId": known.played.id, "line": 10**9}),
    },
    "GET /api/me/blocks": {"": lambda _: Asked("GET", "/api/me/blocks")},
    "POST /api/me/blocks": {
        "": lambda _: Asked("POST", "/api/me/blocks", {"key": "0123456789abcdef", "name": "\U0001f600" * 80})
    },
    "DELETE /api/me/blocks/{key}": "one row of the database",
    **dict.fromkeys(("GET /healthz", "GET /readyz"), "asks a bot or the database at most once a second"),
    "GET /engines/{folder}/{name}": "a file of an exported model, at most some megabytes, without reading it here",
    "GET /api/{path:path}": {"": lambda _: Asked("GET", "/api/" + "x" * 8000)},
    "WS /ws/play/{game_id}": {
        "an action": acted,
        "chat": lambda known: said(known, "play", {"type": "chat", "text": "\U0001f600" * 280}, 0),
        "a takeback": lambda known: said(known, "play", {"type": "offer", "what": "takeback"}, 0),
        "unknown fields": lambda known: said(known, "play", FIELDS, 0),
        "only watching": lambda known: said(known, "play", {"type": "ping"}),
    },
    "WS /ws/games/{game_id}": {
        "a long move": moved,
        "no steps": lambda known: said(known, "games", {"type": "submit-move", "move": {"actions": [{}] * 20_000}}, 0),
        "chat": lambda known: said(known, "games", {"type": "chat-message", "text": "\U0001f600" * 280}, 0),
        "a large payload": lambda known: said(
            known, "games", {"type": "action-request", "action": "giveTime", "payload": [{}] * 20_000}, 0
        ),
    },
    "WS /ws/inbox": {
        "a wait": lambda _: Asked("WS", "/ws/inbox", {"type": "seek", "config": boards(), "times": [None] * 16}),
        "a challenge": lambda _: Asked("WS", "/ws/inbox", {"type": "challenge", "to": "Ann", "config": boards()}),
    },
    "WS /ws/custom-bot": {
        "many bots": lambda _: Asked("WS", "/ws/custom-bot", attach(64)),
        "no bots": lambda _: Asked("WS", "/ws/custom-bot", attach(1) | {"bots": [{}] * 80_000}),
    },
    "WS /ws/lobby": {"unknown fields": lambda _: Asked("WS", "/ws/lobby", FIELDS)},
    "WS /ws/live-games": {
        "unknown fields": lambda _: Asked("WS", "/ws/live-games", FIELDS),
        "a board": lambda known: Asked("WS", "/ws/live-games", {"type": "watch", "games": [known.played.id]}),
    },
    "WS /ws/eval/{game_id}": {
        "no bot": lambda known: Asked(
            "WS",
            f"/ws/eval/{known.running}",
            {"type": "eval-handshake", "gameId": known.running, "variant": "x" * 40, "boardWidth": 20}
            | {"boardHeight": 20, "x": "x" * 3800},
        )
    },
}
"""The most expensive requests of each route, or why none is expensive.  A test fails if a route is missing."""


async def send(http: httpx.AsyncClient, app: FastAPI, asked: Asked) -> httpx.Response:
    """Send a request, or open a socket and send one message; a socket's response has all that the site sent."""
    if asked.method == "WS":
        return await conversed(app, asked)
    return await http.request(asked.method, asked.path, json=asked.body)


async def conversed(app: FastAPI, asked: Asked) -> httpx.Response:
    """Open a socket, send a message and a ping, and return what the site sends up to the answer or its end."""
    path, _, query = asked.path.partition("?")
    scope = {
        "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "headers": [(b"host", b"home")],
        "client": ("127.0.0.1", 1), "server": ("home", 80), "subprotocols": [], "state": {},
        "extensions": {"websocket.http.response": {}},
    }  # fmt: skip
    inbox, ended, sent = asyncio.Queue[dict[str, Any]](), asyncio.Event(), list[str]()
    inbox.put_nowait({"type": "websocket.connect"})
    for text in (json.dumps(asked.body, separators=(",", ":"), ensure_ascii=False), '{"type":"ping"}'):
        inbox.put_nowait({"type": "websocket.receive", "text": text})

    async def tell(message: MutableMapping[str, Any]) -> None:
        sent.append(message.get("text") or "")
        if message["type"] == "websocket.close" or '"pong"' in sent[-1] or '"attach' in sent[-1]:
            ended.set()

    serving = asyncio.create_task(app(scope, inbox.get, tell))
    async with asyncio.timeout(60):
        await ended.wait()
        inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await serving
    return httpx.Response(200, text="".join(sent))


async def prepared(http: httpx.AsyncClient, app: FastAPI, length: int) -> Known:
    """Open games and an account, and return what the requests refer to; `length`: the actions of long lines."""
    await http.post("/api/account", json={"name": "Ann", "password": PASSWORD})
    with tempfile.TemporaryDirectory() as folder:
        engines = Path(folder)
        write_engines(LINES, engines)
        app.state.site.engines.add(engines)
    opened = (await http.post("/api/games", json={"config": boards()})).json()
    lines = {spec: long_line(spec, length) for spec in LINES}
    links = {spec: link_of(spec, actions) for spec, actions in lines.items()}
    finished = (await http.post("/api/games", json={"config": boards()})).json()
    guest = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://home")
    await guest.post(f"/api/games/{finished['gameId']}/join", json={})
    live = await app.state.site.live_games.find(finished["gameId"], "")
    await play(live, lines[LARGE][:40])
    await live.do(lambda table, now: table.resign(0, now))
    body = {"config": boards(), "hostIsPlayer1": True}
    running = (await http.post("/api/games", json=body)).json()
    joined = (await guest.post(f"/api/games/{running['gameId']}/join", json={})).json()
    played = await app.state.site.live_games.find(running["gameId"], "")
    await play(played, lines[LARGE][: length // 2])
    tokens = running["hostToken"], joined["token"]
    return Known(finished["gameId"], opened["gameId"], links, lines, played, tokens, engines.name)


async def play(live: LiveGame, actions: list[int]) -> None:
    """Play actions in a running game."""
    for action in actions:
        side, ply = live.table.position.to_play, live.table.ply
        await live.play(lambda table, now, side=side, action=action, ply=ply: table.act(side, action, ply, now))
