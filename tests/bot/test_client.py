"""The bot client at a real site: it attaches, plays, and recovers from a lost connection or engine."""

import asyncio
import contextlib
import json

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

from ludus.bot import client as client_module
from ludus.bot import engine, engines, process
from ludus.bot.client import BotClient
from ludus.errors import BadInput
from ludus.site.app import create_app
from ludus.site.bots.bots import BotKey, Close
from ludus.site.messages.requests import BoardConfig, PlayBot
from ludus.site.people.visitors import Visitor
from ludus.site.runner import listen, run_site
from ludus.site.settings import SiteSettings


class Running:
    """A bot client that runs as a task during a test."""

    def __init__(self, file, address):
        self.ready = asyncio.Event()
        self.client = BotClient(file, address, lambda _number: self.ready.set())
        self.running = asyncio.create_task(self.client.run())

    async def until_attached(self):
        waiting = asyncio.create_task(self.ready.wait())
        await asyncio.wait({self.running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.running.done():
            self.running.result()


@contextlib.asynccontextmanager
async def attached(file, address):
    """Start a client, yield once it is attached, and stop it afterwards."""
    client = Running(file, address)
    try:
        await client.until_attached()
        yield client
    finally:
        client.running.cancel()
        await asyncio.gather(client.running, return_exceptions=True)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Allow restarts longer than a real site would wait: a busy machine is slow to start an engine."""
    monkeypatch.setattr(engine, "PATIENCE_S", 50.0)


def at_site(scenario, **settings):
    async def run():
        app = create_app(SiteSettings(**{"disconnect_grace_s": 5.0, "request_timeout_s": 60.0} | settings))
        listener = listen("127.0.0.1", 0)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"

        async def limited():
            async with asyncio.timeout(120):
                await scenario(address, app.state.site)

        await run_site(app, listener, limited)

    asyncio.run(run())


GUEST = Visitor("guest", None, None, needs_cookie=False)


async def opened(site, bot, side):
    """Open a game of Connect Four against a bot; the person plays `side`."""
    rack = BoardConfig(game="connect4", board_width=7, board_height=6)
    placed = await site.reception.play_bot(PlayBot(bot_id=bot, config=rack, host_is_first=side == 0), GUEST)
    return placed.game


async def plies(game, number):
    """Wait until a game has `number` plies or is over."""
    while game.table.ply < number and not game.table.over:
        await asyncio.sleep(0.02)
    return game.table


async def play(game, action):
    await game.do(lambda table, now: table.act(table.to_play, action, table.ply, now))


def test_bots_with_equal_commands_share_an_engine_and_play(engine_command, bots_file):
    async def scenario(address, site):
        async with attached(bots_file(a=engine_command(), b=engine_command()), address) as running:
            engine_of = running.client._engines._engine_of
            assert engine_of["a"] is engine_of["b"]
            assert [str(key) for key, _, _ in site.bots.all()] == ["c1:a", "c1:b"]
            games = [await opened(site, bot, 1) for bot in ("c1:a", "c1:b")]
            for game in games:
                assert (await plies(game, 1)).ply == 1
            await play(games[0], 3)
            assert (await plies(games[0], 3)).ply == 3

    at_site(scenario)


def test_each_session_is_routed_to_the_engine_of_its_bot(engine_command, bots_file):
    """The original client sent every message except the start to the first engine."""
    twist = """
import msgspec
def last(question, answer):
    twisted = lambda each: msgspec.structs.replace(each, best_move="7") if getattr(each, "best_move", "") else each
    ask(question, lambda each: answer(twisted(each)))
engine.ask = last
"""

    async def scenario(address, site):
        async with attached(bots_file(first=engine_command(), last=engine_command(twist)), address):
            for bot, column in (("c1:last", 6), ("c1:first", None), ("c1:last", 6)):
                game = await opened(site, bot, 1)
                table = await plies(game, 1)
                if column is not None:
                    assert table.position.action == column

    at_site(scenario)


def test_after_a_lost_connection_the_client_reattaches_and_the_game_continues(engine_command, bots_file, monkeypatch):
    monkeypatch.setattr(client_module, "pause_before", lambda _attempt: 0.05)

    async def scenario(address, site):
        async with attached(bots_file(a=engine_command()), address) as client:
            game = await opened(site, "c1:a", 1)
            await plies(game, 1)
            client.ready.clear()
            link, _ = site.bots.find(BotKey("c1", "a"))
            link.send(Close(1012, "Restarting"))
            await client.ready.wait()
            await play(game, 3)
            table = await plies(game, 3)
            assert (table.ply, table.over) == (3, False)

    at_site(scenario)


def test_a_game_continues_when_its_engine_dies_in_a_search(engine_command, bots_file, tmp_path):
    twist = f"""
import os, pathlib
mark = pathlib.Path({str(tmp_path / "mark")!r})
def once(question, answer):
    if getattr(question, 'expected_ply', 0) == 2 and not mark.exists():
        mark.touch()
        os._exit(9)
    ask(question, answer)
engine.ask = once
"""

    async def scenario(address, site):
        async with attached(bots_file(bomb=engine_command(twist)), address):
            game = await opened(site, "c1:bomb", 1)
            await plies(game, 1)
            await play(game, 3)
            table = await plies(game, 3)
            assert (table.ply, table.over) == (3, False)
            assert (tmp_path / "mark").exists()

    at_site(scenario)


def test_a_request_that_ends_the_engine_twice_forfeits_only_its_own_game(engine_command, bots_file, monkeypatch):
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.05)
    twist = "import os\nengine.ask = lambda q, a: os._exit(9) if getattr(q, 'expected_ply', 0) == 1 else ask(q, a)"

    async def scenario(address, site):
        async with attached(bots_file(bomb=engine_command(twist), sound=engine_command()), address):
            doomed = await opened(site, "c1:bomb", 0)
            other = await opened(site, "c1:sound", 0)
            await play(doomed, 3)
            table = await plies(doomed, 99)
            assert table.result.reason == "Bomb reported an error"
            await play(other, 3)
            assert (await plies(other, 2)).ply == 2

    at_site(scenario)


def test_a_bot_is_withdrawn_while_its_engine_cannot_start(engine_command, bots_file, monkeypatch, tmp_path):
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.1)
    monkeypatch.setattr(process, "WITHDRAW_S", 0.05)
    away = tmp_path / "away"
    twist = f"""
import os, pathlib
if pathlib.Path({str(away)!r}).exists():
    os._exit(7)
engine.ask = lambda q, a: os._exit(9) if getattr(q, 'expected_ply', 0) == 1 else ask(q, a)
"""

    async def scenario(address, site):
        async with attached(bots_file(bomb=engine_command(twist), sound=engine_command()), address):
            away.touch()
            game = await opened(site, "c1:bomb", 0)
            await play(game, 3)
            for expected in (["sound"], ["bomb", "sound"]):
                while [key.bot_id for key, _, _ in site.bots.all()] != expected:
                    await asyncio.sleep(0.02)
                away.unlink(missing_ok=True)

    at_site(scenario)


def test_an_engine_that_cannot_play_ends_the_client_with_an_error(bots_file):
    async def scenario(address, _site):
        with pytest.raises(BadInput, match="Engine `no-such-program` cannot play: the command cannot be run"):
            async with attached(bots_file(a=["no-such-program"]), address):
                pass

    at_site(scenario)


def test_an_engine_that_cannot_play_does_not_block_others(engine_command, bots_file):
    async def scenario(address, site):
        async with attached(bots_file(bad=["no-such-program"], good=engine_command()), address):
            assert [key.bot_id for key, _, _ in site.bots.all()] == ["good"]

    at_site(scenario)


def test_an_engine_that_is_slow_to_start_does_not_block_others(engine_command, bots_file, monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "SETTLE_S", 0.1)
    compiled = tmp_path / "compiled"
    waits = f"import pathlib, time\nwhile not pathlib.Path({str(compiled)!r}).exists(): time.sleep(0.05)"

    async def scenario(address, site):
        async with attached(bots_file(slow=engine_command(waits), quick=engine_command()), address):
            assert [key.bot_id for key, _, _ in site.bots.all()] == ["quick"]
            game = await opened(site, "c1:quick", 0)
            compiled.touch()
            while len(site.bots.all()) < 2:
                await asyncio.sleep(0.02)
            await play(game, 3)
            assert (await plies(game, 2)).ply == 2, "the game continues through the new registration"

    at_site(scenario)


def test_a_permanent_rejection_ends_the_client(engine_command, bots_file):
    async def scenario(address, _site):
        file = msgspec.structs.replace(bots_file(a=engine_command()), official_token="guess")
        with pytest.raises(BadInput, match="INVALID_OFFICIAL_TOKEN"):
            async with attached(file, address):
                pass

    at_site(scenario)


def test_a_replaced_client_does_not_reconnect(engine_command, bots_file, a_rival):
    async def scenario(address, _site):
        socket = connect(address.replace("http", "ws") + "/ws/custom-bot")
        async with attached(bots_file(a=engine_command()), address) as client, socket as rival:
            await rival.send(a_rival)
            assert json.loads(await rival.recv())["type"] == "attached"
            (ending,) = await asyncio.gather(client.running, return_exceptions=True)
        assert isinstance(ending, BadInput)
        assert "Another client attached as 'c1'" in str(ending)

    at_site(scenario)


@pytest.fixture
def a_rival():
    extents = {"boardWidth": {"min": 7, "max": 7}, "boardHeight": {"min": 6, "max": 6}}
    variants = {"standard": extents | {"recommended": [{"boardWidth": 7, "boardHeight": 6}]}}
    bot = {"botId": "r", "name": "Rival", "username": None, "game": "connect4", "variants": variants}
    client = {"name": "t", "version": "1"}
    return json.dumps({"type": "attach", "protocolVersion": 3, "clientId": "c1", "bots": [bot], "client": client})


def test_the_client_survives_nonsense_from_a_server(engine_command, bots_file):
    answers = []

    async def server(socket):
        await socket.recv()
        limits = {"maxMessageBytes": 65536, "minClientMessageIntervalMs": 200}
        info = {"name": "wallgame", "version": "1.0.0"}
        attached = {"type": "attached", "protocolVersion": 3, "serverTime": 1, "server": info, "limits": limits}
        for message in (
            json.dumps(attached),
            "not json",
            '{"type":"dance"}',
            '{"type":"pong"}',
            '{"type":"evaluate_position","bgsId":"unknown","expectedPly":0}',
            '{"type":"start_game_session","bgsId":"g","botId":"nobody","config":'
            '{"variant":"standard","boardWidth":7,"boardHeight":6}}',
            '{"type":"end_game_session","bgsId":"g"}',
        ):
            await socket.send(message)
        for _ in range(3):
            answers.append(json.loads(await socket.recv()))

    async def run():
        async with asyncio.timeout(240), serve(server, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            async with attached(bots_file(a=engine_command()), f"ws://127.0.0.1:{port}"):
                while len(answers) < 3:
                    await asyncio.sleep(0.02)

    asyncio.run(run())
    assert sorted(answer["error"] for answer in answers) == [
        "Bot nobody not found", "Session g not found", "Session unknown not found",
    ]  # fmt: skip


def test_other_bots_are_registered_while_a_game_goes_on(engine_command, bots_file):
    async def scenario(address, site):
        before = bots_file(a=engine_command())
        async with attached(before, address) as running:
            game = await opened(site, "c1:a", 1)
            await plies(game, 1)
            running.ready.clear()
            after = bots_file(a=engine_command(), b=engine_command())
            running.client.replace(msgspec.structs.replace(after, bots=[after.bots[1], before.bots[0]]))
            await running.ready.wait()
            assert {str(key) for key, _, _ in site.bots.all()} == {"c1:a", "c1:b"}
            await play(game, 3)
            assert (await plies(game, 3)).ply == 3, "its session was started again"
            assert (await plies(await opened(site, "c1:b", 1), 1)).ply == 1

    at_site(scenario)


def test_bots_that_need_another_engine_or_client_are_refused(engine_command, bots_file):
    file = bots_file(a=engine_command())
    client = BotClient(file, "ws://127.0.0.1:1")
    with pytest.raises(BadInput, match="Bot 'b' needs another engine"):
        client.replace(bots_file(b=("another",)))
    with pytest.raises(BadInput, match="keep its clientId"):
        client.replace(msgspec.structs.replace(file, client_id="c2"))
