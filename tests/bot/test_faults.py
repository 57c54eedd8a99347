"""The bot client against faulty servers: it reconnects after failures, or ends with the reason."""

import asyncio
import contextlib
import json
import random
import sys

import pytest
from websockets.asyncio.server import serve

from ludus.bot import client as client_module
from ludus.bot import process
from ludus.bot.client import BotClient
from ludus.errors import BadInput
from ludus.site.runner import listen

INFO = {"name": "wallgame", "version": "1.0.0"}
LIMITS = {"maxMessageBytes": 65536, "minClientMessageIntervalMs": 200}
ATTACHED = {"type": "attached", "protocolVersion": 3, "serverTime": 1, "server": INFO, "limits": LIMITS}
CONNECT4 = {"variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}


def start(session, bot="a"):
    return {"type": "start_game_session", "bgsId": session, "botId": bot, "config": CONNECT4}


def evaluate(session, ply=0):
    return {"type": "evaluate_position", "bgsId": session, "expectedPly": ply}


def apply(session, ply, move):
    return {"type": "apply_move", "bgsId": session, "expectedPly": ply, "move": move}


class Server:
    """A server that handles each connection with the test's coroutine `behave(server, socket)`."""

    def __init__(self, behave):
        self.behave, self.attached, self.hellos = behave, 0, []
        self.done = asyncio.Event()
        self.faults = []

    async def __call__(self, socket):
        try:
            self.hellos.append(json.loads(await socket.recv()))
            await self.behave(self, socket)
        except AssertionError as fault:
            self.faults.append(fault)
            self.done.set()

    async def attach(self, socket):
        await socket.send(json.dumps(ATTACHED))
        self.attached += 1


async def ask(socket, question):
    await socket.send(json.dumps(question))
    return json.loads(await socket.recv())


def facing(behave, file, *, seconds=30, ending=None):
    """Run a client against a server until the server is done or the client ends; return the server."""

    async def run():
        server = Server(behave)
        async with asyncio.timeout(seconds), serve(server, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            client = BotClient(file, f"ws://127.0.0.1:{port}")
            running = asyncio.create_task(client.run())
            server.client = client
            waiting = asyncio.create_task(server.done.wait())
            await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            ended_by_itself = running.done()
            running.cancel()
            (result,) = await asyncio.gather(running, return_exceptions=True)
            if ending:
                assert ended_by_itself
                assert isinstance(result, ending[0]), result
                assert ending[1] in str(result)
            else:
                assert not isinstance(result, Exception), result
        assert not server.faults, server.faults
        return server

    return asyncio.run(run())


@pytest.fixture
def quick(monkeypatch):
    """Shorten the back-off pauses."""
    monkeypatch.setattr(client_module, "pause_before", lambda _attempt: 0.02)
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.02)


def test_an_unusable_proxy_ends_the_client_with_an_error(engine_command, bots_file, monkeypatch):
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ws_proxy", "socks5://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "python_socks", None)

    async def run():
        async with asyncio.timeout(30):
            await BotClient(bots_file(a=engine_command()), "ws://192.0.2.1:80").run()

    with pytest.raises(BadInput, match=r"ws://192\.0\.2\.1:80.*: the proxy .* cannot be used .* no_proxy, or install"):
        asyncio.run(run())


# ---- connections -----------------------------------------------------------------------------------------------------


def test_the_client_keeps_reconnecting_to_a_server_that_is_down(engine_command, bots_file, quick):
    """The server is also down when the client starts."""

    async def run():
        done = asyncio.Event()

        async def behave(server, socket):
            await server.attach(socket)
            done.set()
            await socket.wait_closed()

        with listen("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
        running = asyncio.create_task(BotClient(bots_file(a=engine_command()), f"ws://127.0.0.1:{port}").run())
        for _ in range(2):
            await asyncio.sleep(0.8)  # at a pause of 0.02 s: dozens of attempts
            assert not running.done()
            async with asyncio.timeout(20), serve(Server(behave), "127.0.0.1", port):
                await done.wait()
            done.clear()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


@pytest.mark.parametrize("code", ["TOO_MANY_CLIENTS", "INTERNAL_ERROR", "SOMETHING_NEW"])
def test_a_temporary_rejection_is_retried(engine_command, bots_file, quick, code):
    async def behave(server, socket):
        if len(server.hellos) < 3:
            await socket.send(json.dumps({"type": "attach-rejected", "code": code, "message": "not now"}))
            await socket.close(1008, "Attach failed")
        else:
            server.done.set()

    assert len(facing(behave, bots_file(a=engine_command())).hellos) == 3


@pytest.mark.parametrize("code", ["INVALID_OFFICIAL_TOKEN", "PROTOCOL_UNSUPPORTED", "INVALID_BOT_CONFIG", "NO_BOTS"])
def test_a_permanent_rejection_ends_the_client_with_the_servers_message(engine_command, bots_file, code):
    async def behave(server, socket):
        await socket.send(json.dumps({"type": "attach-rejected", "code": code, "message": "never"}))
        await socket.close(1008, "Attach failed")

    facing(behave, bots_file(a=engine_command()), ending=(BadInput, f"rejects the bots: {code}, never"))


def test_a_client_that_was_replaced_ends(engine_command, bots_file):
    async def behave(server, socket):
        await server.attach(socket)
        await socket.close(1000, "Replaced by new connection")

    facing(behave, bots_file(a=engine_command()), ending=(BadInput, "Another client attached as 'c1'"))


@pytest.mark.parametrize("code", [1000, 1001, 1008, 1011, 1012])
def test_the_client_reconnects_after_any_other_close_code(engine_command, bots_file, quick, code):
    async def behave(server, socket):
        await server.attach(socket)
        if server.attached == 2:
            server.done.set()
            return
        await socket.close(code, "Too many unexpected messages")

    facing(behave, bots_file(a=engine_command()))


@pytest.mark.full
def test_a_half_open_connection_is_closed(engine_command, bots_file, quick, monkeypatch):
    monkeypatch.setattr(client_module, "LINK_PING_S", 0.2)

    async def behave(server, socket):
        await server.attach(socket)
        if server.attached == 2:
            server.done.set()
            return
        socket.transport.pause_reading()  # no pong, no close: as if the cable had been pulled
        await server.done.wait()
        socket.transport.abort()

    facing(behave, bots_file(a=engine_command()))


def test_the_client_reconnects_when_the_server_stops_answering_pings(engine_command, bots_file, quick, monkeypatch):
    monkeypatch.setattr(client_module, "PING_EVERY_S", 0.05)
    monkeypatch.setattr(client_module, "PONG_TIMEOUT_S", 0.2)

    async def behave(server, socket):
        await server.attach(socket)
        assert await socket.recv() == '{"type":"ping"}'
        await socket.send('{"type":"pong"}')
        if server.attached == 2:
            server.done.set()
        await socket.wait_closed()

    facing(behave, bots_file(a=engine_command()))


def test_a_server_without_ping_support_gets_one_ping(engine_command, bots_file, monkeypatch):
    """The original server counts pings as unexpected messages, and disconnects a client after a hundred."""
    monkeypatch.setattr(client_module, "PING_EVERY_S", 0.02)
    monkeypatch.setattr(client_module, "PONG_TIMEOUT_S", 0.02)

    async def behave(server, socket):
        await server.attach(socket)
        assert await socket.recv() == '{"type":"ping"}'
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await socket.recv()
        server.done.set()

    facing(behave, bots_file(a=engine_command()))


def test_a_server_may_replay_a_session_after_reconnecting(engine_command, bots_file, quick):
    async def behave(server, socket):
        await server.attach(socket)
        if server.attached == 2:  # the later original replays the game after the connection is back
            for question in (start("g"), apply("g", 0, "4"), apply("g", 1, "4"), evaluate("g", 2)):
                assert (await ask(socket, question))["success"]
            server.done.set()
            return
        await ask(socket, start("g"))
        assert (await ask(socket, apply("g", 0, "4")))["ply"] == 1
        await socket.send(json.dumps(evaluate("g", 1)))
        socket.transport.abort()

    facing(behave, bots_file(a=engine_command()))


# ---- requests --------------------------------------------------------------------------------------------------------


def test_an_unreadable_request_is_answered_if_it_names_its_session(engine_command, bots_file):
    async def behave(server, socket):
        await server.attach(socket)
        answer = await ask(socket, {"type": "apply_move", "bgsId": "g", "expectedPly": "one", "move": "4"})
        assert (answer["type"], answer["success"]) == ("move_applied", False)
        assert "expectedPly" in answer["error"]
        server.done.set()

    facing(behave, bots_file(a=engine_command()))


def test_a_session_that_moves_to_another_bot_ends_at_the_first_engine(engine_command, bots_file):
    async def behave(server, socket):
        await server.attach(socket)
        for bot in ("a", "b", "a"):
            assert (await ask(socket, start("g", bot)))["success"]
            assert (await ask(socket, evaluate("g")))["success"]
        engines = server.client._engines._engine_of
        while engines["b"]._lanes:
            await asyncio.sleep(0.01)
        assert list(engines["a"]._lanes) == ["g"]
        server.done.set()

    facing(behave, bots_file(a=engine_command(), b=engine_command("other = 1")))


def test_a_stopped_client_still_answers_open_requests(engine_command, bots_file):
    slow = """
import threading
def late(question, answer):
    delay = 0.7 if getattr(question, 'expected_ply', 1) == 0 and not question.bgs_id.startswith('probe') else 0
    threading.Timer(delay, ask, (question, answer)).start() if delay else ask(question, answer)
engine.ask = late
"""
    ended = []

    async def behave(server, socket):
        await server.attach(socket)
        await ask(socket, start("g"))
        await socket.send(json.dumps(evaluate("g")))
        await asyncio.sleep(0.2)
        server.client.stop()
        assert json.loads(await socket.recv())["success"]
        await socket.wait_closed()
        ended.append(socket.close_code)

    async def run():
        server = Server(behave)
        async with asyncio.timeout(20), serve(server, "127.0.0.1", 0) as listening:
            client = BotClient(
                bots_file(a=engine_command(slow)), f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            )
            server.client = client
            await client.run()
        assert not server.faults, server.faults

    asyncio.run(run())
    assert ended == [1000]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 2))])
def test_every_valid_request_gets_one_response_amid_random_nonsense(engine_command, bots_file, quick, seed):
    """The server sends random valid, outdated and malformed messages; the engine sometimes crashes."""
    luck = random.Random(seed)
    moody = f"""
import os, random
mood = random.Random({seed} + os.getpid())
def moody(question, answer):
    if mood.random() < 0.02 and not question.bgs_id.startswith('probe'):
        os._exit(9)
    if mood.random() < 0.02:
        print('nonsense', flush=True)
    ask(question, answer)
engine.ask = moody
"""
    plies = {}

    def nonsense():
        return luck.choice(
            [
                luck.randbytes(luck.randrange(60)),
                "not json", "[]", "{}", '"x"', "\x00", '{"type":"dance","bgsId":"s1"}', json.dumps(ATTACHED),
                '{"type":"pong"}', '{"type":"attach-rejected","code":"X","message":"late"}',
                '{"type":"move_applied","bgsId":"s1","ply":1,"success":true,"error":""}', "[" * 3000,
            ]
        )  # fmt: skip

    async def behave(server, socket):
        await server.attach(socket)
        for _ in range(120):
            for _ in range(luck.randrange(3)):
                await socket.send(nonsense())
            session = f"s{luck.randrange(4)}"
            ply = plies.get(session)
            question = luck.choice([start(session), evaluate(session, ply or 0), evaluate(session, 7),
                                    apply(session, ply or 0, str(luck.randrange(1, 9))),
                                    {"type": "end_game_session", "bgsId": session}])  # fmt: skip
            answer = await ask(socket, question)
            while answer["bgsId"] != session:
                answer = json.loads(await socket.recv())
            assert answer["bgsId"] == session
            if answer["success"]:
                plies[session] = {
                    "game_session_started": 0,
                    "move_applied": (ply or 0) + 1,
                    "evaluate_response": ply,
                    "game_session_ended": None,
                }[answer["type"]]
                if answer["type"] in ("move_applied", "evaluate_response"):
                    assert ply is not None
                    assert answer["ply"] == plies[session]
            elif ply is None:
                assert any(words in answer["error"] for words in ("not found", "ended twice")), answer
            else:
                sound = (
                    "Ply mismatch",
                    "names no action",
                    "may not be played",
                    "game is over",
                    "ended twice",
                    "rebuilt",
                )
                assert any(words in answer["error"] for words in sound), answer
                if "rebuilt" in answer["error"]:
                    plies[session] = None
        server.done.set()

    facing(behave, bots_file(a=engine_command(moody)), seconds=100)


def test_a_client_sends_nothing_without_requests(engine_command, bots_file):
    async def behave(server, socket):
        await server.attach(socket)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await socket.recv()
            raise AssertionError("the client sent a message without a request")
        server.done.set()

    assert facing(behave, bots_file(a=engine_command())).hellos[0]["client"]["name"] == "ludus"
