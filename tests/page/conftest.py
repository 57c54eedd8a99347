"""Fixtures of the page tests: a real site with a scripted bot, and headless Chromium."""

import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, expect, sync_playwright
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.asyncio.client import connect

from ludus import lines
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.games.puzzle import Mined, Mining, Puzzle
from ludus.site.app import create_app
from ludus.site.catalogue.specs import spec_for, table_game
from ludus.site.routes.training import Grown
from ludus.site.runner import listen
from ludus.site.settings import SiteSettings
from ludus.site.study.puzzles import Shelf

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 30_000  # timeout of expectations, long enough for a busy machine
TOKEN = "official"
SETTINGS = SiteSettings(official_token=TOKEN, operator_token="the operator's token")
expect.set_options(timeout=PATIENCE_MS)
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}


def support(*sides: int) -> dict[str, Any]:
    """Return the boards that a bot supports, with the given sizes, as (columns, rows), recommended."""
    return {
        "boardWidth": {"min": 3, "max": 12},
        "boardHeight": {"min": 3, "max": 12},
        "recommended": [{"boardWidth": width, "boardHeight": height} for width, height in sides],
    }


BOTS = [
    {"botId": "pip", "name": "Pip", "level": "Beginner", "listOrder": 1},
    {"botId": "wally", "name": "Wally", "level": "Strong", "listOrder": 2, "appearance": {"color": "#3d8fc4"}}
    | {"strength": "7 kyu ± 1", "strengthSource": "Measured in 200 games against GNU Go.", "maxSeconds": 20},
]
GAMES: list[dict[str, Any]] = [
    {"game": "connect4", "variants": {"standard": support((7, 6))}},
    {"game": "wallgame", "variants": {"classic": support((5, 5), (6, 6)), "standard": support((5, 5))}},
    {"game": "tictactoe", "variants": {"standard": support((3, 3))}},
    {"game": "chess", "variants": {"standard": support((8, 8))}},
    {"game": "go", "variants": {"standard": support((5, 5))}},
    {"game": "gomoku", "variants": {"freestyle": support((5, 5))}},
]


FORK = Puzzle(
    id="aaaaaaaaaaaa",
    spec="tictactoe",
    setup=None,
    moves=["a1", "b1", "a3", "a2"],
    right=["c3"],
    played="b3",
    value=1.0,
    value_played=0.0,
    wrong="b2",
    value_wrong=0.1,
    value_short=0.2,
    proof=1,
    prior=0.9,
    line=["c3", "b3", "b2"],
)
MIRRORED = replace(FORK, id="bbbbbbbbbbbb", moves=["c1", "b1", "c3", "c2"], right=["a3"], line=[], prior=0.5)
WALL = replace(FORK, id="cccccccccccc", spec="wallgame:classic:5x5", moves=["Cb5.>b3"], right=["Cd5.^c3"], played="Cc5")
PUZZLES = [FORK, MIRRORED, replace(WALL, value=-0.9, proof=0, line=[])]


class ScriptedBot:
    """A bot client that plays its plan, else the first legal action; its evaluation grows by 0.1 with each ply."""

    def __init__(self) -> None:
        self.sessions: dict[str, Position] = {}
        self.held = False
        """Whether evaluations are held back until a test sets this to False."""
        self.plan: list[str] = []
        """The bot's moves in order; an illegal one is replaced by the first legal action."""
        self.opinions: dict[int, float] = {}
        """Evaluations that differ from the default, by number of actions played."""
        self.owners: list[list[float]] = []
        """The ownership forecast sent with the lines of a position; empty: none is sent."""
        self.hang_up = asyncio.Event()

    def answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a request of the site; None if it needs none."""
        kind, session = request["type"], request.get("bgsId", "")
        ply = request.get("expectedPly", 0)
        reply = {"bgsId": session, "success": True, "error": ""}
        if kind == "start_game_session":
            config = request["config"]
            board = config["boardWidth"], config["boardHeight"]
            game = table_game(spec_for(config["game"], config["variant"], *board, ()))
            self.sessions[session] = game.start(config["initialState"])
            return reply | {"type": "game_session_started"}
        if kind == "evaluate_position":
            position = self.sessions[session]
            played = position.num_actions_played
            evaluation = self.opinions.get(played, min(0.9, played / 10))
            best = "" if position.outcome else self.choice(position)
            lines: dict[str, Any] = {"lines": [told_line(position, action) for action in position.actions[:2]]}
            lines |= {"ownership": self.owners} if self.owners else {}
            answer = {"type": "evaluate_response", "ply": ply, "bestMove": best, "evaluation": evaluation}
            return reply | answer | (lines if request.get("lines") else {})
        if kind == "apply_move":
            self.sessions[session] = self.sessions[session].play(request["move"])
            return reply | {"type": "move_applied", "ply": ply + 1}
        if kind == "end_game_session":
            self.sessions.pop(session, None)
            return reply | {"type": "game_session_ended"}
        return None

    def choice(self, position: Position) -> str:
        """Return the planned move if it is legal, else the first legal one; plans assume that the bot plays second."""
        number = len(position.moves) // 2
        with contextlib.suppress(LudusError, IndexError):
            position.play(self.plan[number])
            return self.plan[number]
        return first_move(position)

    async def run(self, port: int) -> None:
        """Attach to the site and answer until `hang_up`."""
        bots = [
            bot | game | {"botId": f"{bot['botId']}-{game['game']}", "username": None, "officialToken": TOKEN}
            for game in GAMES
            for bot in BOTS
        ]
        attach = {"type": "attach", "protocolVersion": 3, "clientId": "test", "bots": bots}
        async with connect(f"ws://127.0.0.1:{port}/ws/custom-bot") as socket:
            await socket.send(json.dumps(attach | {"client": {"name": "scripted", "version": "1"}}))
            gone = asyncio.create_task(self.hang_up.wait())
            while not gone.done():
                heard = asyncio.create_task(socket.recv())
                await asyncio.wait({gone, heard}, return_when=asyncio.FIRST_COMPLETED)
                if not heard.done():
                    heard.cancel()
                    return
                request = json.loads(heard.result())
                answer = self.answer(request)
                while self.held and request["type"] == "evaluate_position" and not gone.done():
                    await asyncio.sleep(0.01)
                if answer:
                    await socket.send(json.dumps(answer))


def told_line(position: Position, action: int) -> dict[str, Any]:
    """Return a line of two actions that begins with `action`."""
    after = position.play(action)
    after = after.play(after.actions[0]) if after.actions else after
    return {"moves": after.moves[len(position.moves) :], "evaluation": 0.25, "visits": 5}


def first_move(position: Position) -> str:
    """Return the move made of first legal actions."""
    after = position
    while not after.outcome and after.to_play == position.to_play:
        after = after.play(after.actions[0])
    return after.moves[-1]


def slow(app: ASGIApp, most_ms: int) -> ASGIApp:
    """Delay the site's answers and socket messages to pages by random times of up to `most_ms`."""

    async def wait() -> None:
        await asyncio.sleep(random.uniform(0, most_ms) / 1000)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        order = asyncio.Lock()  # keeps the messages of a socket in order

        async def send_later(message: Message) -> None:
            async with order:
                await wait()
                await send(message)

        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            await wait()
        is_socket = scope["type"] == "websocket" and scope["path"] != "/ws/custom-bot"
        await app(scope, receive, send_later if is_socket else send)

    return answer if most_ms else app


class RunningSite:
    """The site in a thread, on a free port."""

    settings = SETTINGS

    def __init__(self, shelf: Shelf, slow_ms: int, grown: Grown | None) -> None:
        self.bot = ScriptedBot()
        self._shelf, self._grown, self._slow_ms = shelf, grown, slow_ms
        self._listener = listen("127.0.0.1", 0)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        config = uvicorn.Config(
            slow(self.app, self._slow_ms),
            ws="websockets-sansio",
            log_config=None,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[self._listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            await self.bot.run(self.port)
        finally:
            server.should_exit = True
            await serving

    def __enter__(self) -> "RunningSite":
        self.app = create_app(self.settings, shelf=self._shelf, grown=self._grown)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.bot.hang_up.set)
        self._thread.join(10)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """The site's puzzles: two of tic-tac-toe, one of the Wall Game."""
    path = tmp_path_factory.mktemp("puzzles") / "puzzles"
    lines.begin(path, Mining("tiny", "0123", 30, 2000, 0.7, 0.5, 0.15, 3))
    lines.append(path, Mined("game", 9, {}, PUZZLES))
    return Shelf([path])


@pytest.fixture(scope="module")
def grown() -> Grown | None:
    """The training run that the site grows; tests of its page replace this fixture."""
    return None


@pytest.fixture(scope="module")
def site(shelf: Shelf, grown: Grown | None, pytestconfig: pytest.Config) -> Iterator[RunningSite]:
    """The real site with the scripted bot attached."""
    with RunningSite(shelf, pytestconfig.getoption("slow_site"), grown) as running:
        yield running


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium from the system."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        pytest.fail("These tests need Chromium: `apt-get install chromium`, or set CHROMIUM to its path.")
    os.environ.setdefault("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("browser")))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield chromium
        chromium.close()


def is_complaint(message: ConsoleMessage) -> bool:
    """Return whether a console message shows a fault of the page; failed requests do not."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


OpenPage = Callable[..., Page]
SOCKETS = """
    let reachable = true;
    window.sockets = []; // for tests that close sockets or replace their methods
    window.WebSocket = class extends WebSocket {
        constructor(...parts) {
            if (!reachable) return { readyState: 0, send() {}, close() {} };
            super(...parts);
            window.sockets.push(this);
        }
    };
    window.cutOff = () => { // close all sockets and prevent new ones
        reachable = false;
        window.sockets.forEach((socket) => socket.close());
    };
    window.reach = () => {
        reachable = true;
        dispatchEvent(new Event("online"));
    };
"""


@pytest.fixture
def open_page(site: RunningSite, browser: Browser) -> Iterator[OpenPage]:
    """A function that opens a page of the site; fails the test if a page has logged errors to its console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_(path: str = "/", viewport: dict[str, int] = DESKTOP, **settings: Any) -> Page:
        context = browser.new_context(viewport=viewport, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(SOCKETS)
        page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(site.url + path)
        return page

    site.bot.held, site.bot.plan, site.bot.opinions, site.bot.owners = False, [], {}, []
    yield open_
    site.bot.held = False
    for context in contexts:
        context.close()
    assert complaints == []


def where(page: Page, row: float, column: float) -> tuple[float, float]:
    """Return the screen coordinates of a cell's centre; add 0.5 to `row` or `column` for a point on a side."""
    page.locator(".board-area svg.board").scroll_into_view_if_needed()
    found = page.evaluate(
        """([row, column]) => {
            const board = document.querySelector(".board-area svg.board");
            const point = new DOMPoint((column + 0.5) * 100, (row + 0.5) * 100).matrixTransform(board.getScreenCTM());
            return [point.x, point.y];
        }""",
        [row, column],
    )
    return found[0], found[1]


Spot = Callable[[Page, float, float], tuple[float, float]]


@pytest.fixture(scope="session")
def spot() -> Spot:
    """A function that returns the screen coordinates of a cell's centre, given its row and column."""
    return where


def advance(page: Page, is_done: Callable[[], bool], step_ms: int = 1200) -> None:
    """Advance the page's clock in steps until `is_done` returns true."""
    for _ in range(300):
        if is_done():
            return
        page.clock.run_for(step_ms)
        page.wait_for_timeout(100)
    pytest.fail("The condition did not become true.")


@pytest.fixture(scope="session")
def run_until() -> Callable[..., None]:
    """A function that advances the page's clock in steps until a condition is true."""
    return advance


def press_enter(page: Page, name: str) -> None:
    """Press Enter on a cell once it is the person's turn."""
    page.locator("svg.board.play").wait_for()
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).focus()
    page.keyboard.press("Enter")


@pytest.fixture(scope="session")
def play() -> Callable[[Page, str], None]:
    """A function that plays on a cell by keyboard, given its name."""
    return press_enter


def hold_back(page: Page, path: str) -> list[Route]:
    """Hold back the page's next request to a path; the test continues or aborts it."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route), times=1)
    return held


@pytest.fixture(scope="session")
def hold() -> Callable[[Page, str], list[Route]]:
    """A function that holds back the page's next request to a path, in the list that it returns."""
    return hold_back
