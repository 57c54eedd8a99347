"""Fixtures: a site on a free port, a scripted page and bot, live games without a server, and empty databases."""

import asyncio
import contextlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.protocol.registration import Attach, BoardSize, BotConfig, ClientInfo, Extent, ServerInfo, VariantSupport
from ludus.protocol.wire import decode_request, encode
from ludus.site.app import create_app
from ludus.site.bots.bots import BotLink, Bots
from ludus.site.database.database import Database, database_url
from ludus.site.database.games import GameStore
from ludus.site.faults import RESTARTING
from ludus.site.live.eviction import Evictor
from ludus.site.live.live_games import LiveGames
from ludus.site.live.page_dialect import PageWatcher
from ludus.site.lobby.reception import Reception
from ludus.site.messages.requests import BoardConfig, GameConfig, JoinGame, OpenGame, PlayBot
from ludus.site.moderation.blocks import Blocks
from ludus.site.people import passwords
from ludus.site.people.visitors import Visitor
from ludus.site.runner import listen, run_site
from ludus.site.settings import SiteSettings
from ludus.trust import permit


def connect4_bot(**changes):
    size = {"boardWidth": 7, "boardHeight": 6}
    extents = {"boardWidth": {"min": 7, "max": 7}, "boardHeight": {"min": 6, "max": 6}}
    variants = {"standard": extents | {"recommended": [size]}}
    return {"botId": "b", "name": "Bo", "username": None, "game": "connect4", "variants": variants} | changes


class ScriptedBot:
    """A bot client of the dummy engine; `script` may return a response in its place, or suppress it."""

    def __init__(self, address, client_id="c1", bots=None, script=None, headers=None):
        self.address, self.client_id, self.script, self.headers = address, client_id, script, headers
        self.bots = bots or [connect4_bot()]
        self.asked = []
        self.engine = Engine([DummyMind(("connect4",))])

    async def __aenter__(self):
        url = self.address.replace("http", "ws") + "/ws/custom-bot"
        self.socket = await connect(url, additional_headers=self.headers)
        self.verdict = await self.attach()
        self.pump = asyncio.create_task(self._pump())
        return self

    async def __aexit__(self, *_):
        self.pump.cancel()
        await self.socket.close()

    async def attach(self):
        client = {"name": "scripted", "version": "1"}
        message = {"type": "attach", "protocolVersion": 3, "clientId": self.client_id, "bots": self.bots}
        await self.socket.send(json.dumps(message | {"client": client}))
        return json.loads(await self.socket.recv())

    async def send(self, message):
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def _pump(self):
        with contextlib.suppress(ConnectionClosed):
            while True:
                text = await self.socket.recv()
                request = json.loads(text)
                self.asked.append(request)
                answer = self.script(self, request) if self.script else self.think(request)
                if answer is not None:
                    await self.send(answer)

    def think(self, request):
        answers = []
        self.engine.ask(decode_request(json.dumps(request)), answers.append)
        return encode(answers[0]).decode()

    @property
    def questions(self):
        """The requests so far in short form: `start`, `evaluate 0`, `apply 0 4`, `end`."""
        short = {"start_game_session": "start", "evaluate_position": "evaluate"}
        short |= {"apply_move": "apply", "end_game_session": "end"}
        return [
            " ".join([short[q["type"]], *(str(q[k]) for k in ("expectedPly", "move") if k in q)]) for q in self.asked
        ]


CONNECT4 = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}


class Guest:
    """A client like a person's page: it plays over HTTP and a socket, and stores the received messages."""

    def __init__(self, address):
        self.address = address
        self.errors = []
        self.heard = []
        self.state = None
        self.rematch = None

    async def ask(self, method, path, body=None, status=200):
        async with httpx.AsyncClient(base_url=self.address, timeout=300) as http:
            answer = await http.request(method, path, json=body)
            assert answer.status_code == status, answer.text
            return answer.json()

    async def open(self, side=0, bot="c1:b", config=None):
        body = {"botId": bot, "config": config or CONNECT4, "hostIsPlayer1": side == 0}
        found = await self.ask("POST", "/api/bots/play", body, 201)
        return await self.join(found["gameId"], found["token"])

    async def invite(self, side=0, config=None, name="Ann", **more):
        body = {"config": config or CONNECT4, "hostIsPlayer1": side == 0, "hostDisplayName": name} | more
        found = await self.ask("POST", "/api/games", body, 201)
        return await self.join(found["gameId"], found["hostToken"])

    async def sit_down(self, game_id, name="Bob"):
        found = await self.ask("POST", f"/api/games/{game_id}/join", {"displayName": name})
        assert found["role"] == "player", found
        return await self.join(game_id, found["token"])

    async def join(self, game_id, token=None):
        self.id, self.token, self.state = game_id, token, None
        query = f"?token={token}" if token else ""
        self.socket = await connect(f"{self.address.replace('http', 'ws')}/ws/play/{game_id}{query}")
        return self

    async def say(self, **message):
        await self.socket.send(json.dumps(message))

    async def act(self, action, ply=None):
        await self.say(type="act", action=action, ply=self.state["ply"] if ply is None else ply)

    async def hear(self):
        async with asyncio.timeout(60):
            message = json.loads(await self.socket.recv())
        self.heard.append(message)
        if message["type"] == "state":
            self.state = message
        elif message["type"] in ("error", "notice"):
            self.errors.append(message["message"])
        elif message["type"] == "rematch":
            self.rematch = message
        return message

    async def until_closed(self):
        """Return the code with which the site closes this page's socket."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            self.farewell = closed.rcvd.reason
            return closed.rcvd.code

    async def until(self, condition):
        while self.state is None or not condition(self.state):
            await self.hear()
        return self.state

    async def told(self, kind):
        """Return the next message of a type."""
        while (message := await self.hear())["type"] != kind:
            pass
        return message

    async def my_turn(self):
        return await self.until(lambda s: s["status"] == "over" or s["toPlay"] == s["you"])

    async def play(self, action):
        ply = (await self.my_turn())["ply"]
        await self.act(action)
        return await self.until(lambda s: s["ply"] > ply)

    async def over(self):
        return await self.until(lambda s: s["status"] == "over")


VISITOR = Visitor("guest", None, None, needs_cookie=False)
RACK = {"game": "connect4", "board_width": 7, "board_height": 6}


class Scene:
    """Live games with a bot that never responds, and with a clock that only the test advances."""

    def __init__(self, database, **settings):
        self.ms = 1_000_000
        chosen = SiteSettings(**settings)
        permit(*chosen.games)  # as the site does
        bots = Bots(chosen, ServerInfo("ludus", "0"))
        rack = VariantSupport(Extent(7, 7), Extent(6, 6), [BoardSize(7, 6)])
        bot = BotConfig("b", "B", None, {"standard": rack}, game="connect4")
        bots.register(BotLink(bots), Attach(3, "c", [bot], ClientInfo("t", "1")))
        self.live_games = LiveGames(bots, chosen, lambda: self.ms)
        self.reception = Reception(self.live_games, bots, chosen, Blocks())
        self.evictor = Evictor(self.live_games, chosen)
        self.store = GameStore(database)

    async def against_bot(self):
        wish = PlayBot(bot_id="c:b", config=BoardConfig(**RACK), host_is_first=True)
        return (await self.reception.play_bot(wish, VISITOR)).game

    async def waiting(self, match_type="friend", timing=None, visitor=VISITOR):
        config = GameConfig(**RACK, time_control=timing)
        return await self.reception.open_game(
            OpenGame(config=config, match_type=match_type, host_is_first=True), visitor
        )

    async def of_two(self, timing=None):
        host = await self.waiting(timing=timing)
        return host, await self.join(host.game, "Bob")

    async def join(self, game, name):
        return await self.reception.join(game, JoinGame(name=name), VISITOR)

    async def later(self, seconds):
        self.ms += round(1000 * seconds)
        await self.evictor.sweep()

    async def visit(self, game, token=None):
        watcher = PageWatcher(game, game.side_of(token), token)
        await game.come(watcher)
        return watcher


@pytest.fixture
def at_site():
    """Return a function that runs a scenario `async def (address, site)` beside a site with the given settings."""

    def run(scenario, url=None, folder=None, limit_s=60, **settings):
        defaults = {
            "request_timeout_s": 3.0,
            "answer_grace_s": 0.0,
            "disconnect_grace_s": 0.2,
            "absence_told_s": 0.0,
            "stand_s": 0.0,
        }
        app = create_app(SiteSettings(**defaults | settings), url=url, folder=folder)
        listener = listen("127.0.0.1", 0)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"

        async def limited():
            async with asyncio.timeout(limit_s):
                await scenario(address, app.state.site)

        asyncio.run(run_site(app, listener, limited))

    return run


@pytest.fixture
def quick_passwords(monkeypatch):
    """Make password hashing fast, for tests of other things."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "PasswordHasher", lambda: quick)


@pytest.fixture
def with_hall(tmp_path):
    """Return a function that runs `async def (scene)`; successive scenes share a database."""

    def run(*scenarios, **settings):
        async def all_of_them():
            for scenario in scenarios:
                database = await Database.open(database_url(tmp_path))
                scene = Scene(database, **settings)
                scene.ms += 60_000 * scenarios.index(scenario)
                try:
                    await scene.live_games.open(scene.store)
                    async with asyncio.timeout(240):
                        await scenario(scene)
                    await scene.live_games.drain(RESTARTING)
                finally:
                    await database.close()

        asyncio.run(all_of_them())

    return run


class SiteProcess:
    """A process of `ludus serve` without bots."""

    def __init__(self, folder, port, url, told="Ludus is at"):
        self.folder, self.port, self.url, self.told = folder, port, url, told
        self.address = f"http://127.0.0.1:{port}"

    async def __aenter__(self):
        command = ["-m", "ludus", "serve", "--no-bots", f"--port={self.port}", f"--data={self.folder}"]
        if self.url.get_backend_name() == "postgresql":
            command.append("--database=" + self.url.set(drivername="postgresql").render_as_string(hide_password=False))
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=os.environ
        )
        line = await self.process.stdout.readline()
        assert self.told in line.decode(), await self.process.stderr.read()
        return self

    async def __aexit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()

    async def end(self, number):
        self.process.send_signal(number)
        return await self.process.wait()


@pytest.fixture
def site_process():
    return SiteProcess


@pytest.fixture
def scripted_bot():
    return ScriptedBot


@pytest.fixture
def guest_at():
    return Guest


@pytest.fixture
def a_bot():
    return connect4_bot


def find_postgres():
    """Return the folder of PostgreSQL's programs, or None."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = shutil.which("initdb")
    return Path(found).parent if found else folders[-1] if folders else None


POSTGRES = find_postgres()
"""Without these programs (`apt-get install postgresql`), tests of PostgreSQL are skipped."""


@pytest.fixture(scope="session")
def postgres_server():
    """Start a PostgreSQL server on a socket in a temporary folder, and return its address."""
    if not POSTGRES:
        pytest.skip("PostgreSQL is not here: apt-get install postgresql")
    as_user = []
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if os.getuid() == 0:  # it refuses to be run by root; `user=` would fork this process with all its threads
        user = pwd.getpwnam("postgres")
        as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        os.chown(folder, user.pw_uid, user.pw_gid)
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
    data = folder / "data"
    subprocess.run([*as_user, POSTGRES / "initdb", "-D", data, "-U", "ludus", "-A", "trust", "-N"], **quiet)
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    log = folder / "log"
    subprocess.run([*as_user, POSTGRES / "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start"], **quiet)
    yield f"postgresql://ludus@/postgres?host={folder}"
    subprocess.run([*as_user, POSTGRES / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **quiet)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=pytest.mark.full),
    ]
)
def fresh_url(request, tmp_path):
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return database_url(tmp_path)
    url = database_url(address=request.getfixturevalue("postgres_server"))

    async def make():
        engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text("DROP DATABASE IF EXISTS fresh"))
            await connection.execute(text("CREATE DATABASE fresh"))
        await engine.dispose()

    asyncio.run(make())
    return url.set(database="fresh")
