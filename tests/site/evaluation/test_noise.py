"""Random bytes on every kind of socket: the site refuses or ignores them, and games continue."""

import asyncio
import contextlib
import json
import logging
import random

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

SEEDS = (
    b'{"type":"attach","protocolVersion":3,"clientId":"c9","bots":[{"botId":"b"}],"client":{"name":"n","version":"1"}}',
    b'{"type":"eval-handshake","gameId":"x","variant":"standard","boardWidth":7,"boardHeight":6,"game":"connect4"}',
    b'{"type":"evaluate_response","bgsId":"x","ply":0,"bestMove":"4","evaluation":0.5,"success":true,"error":""}',
    b'{"type":"submit-move","move":{"actions":[{"type":"cat","target":[0,1]}]}}',
    b'{"type":"act","action":3,"ply":0}',
    b'{"type":"ping"}',
)
"""Valid messages of some socket, which the test damages."""
NUM_MESSAGES = 60


def noise(seed):
    """Yield random bytes, random text and damaged messages; as `str` if they are valid text."""
    luck = random.Random(seed)
    for _ in range(NUM_MESSAGES):
        kind = luck.randrange(3)
        if kind == 0:
            yield luck.randbytes(luck.randrange(200))
            continue
        if kind == 1:
            yield "".join(chr(luck.choice([0, 34, 92, 123, 0x7F, 0xE9, 0x2028, 0x1F600])) for _ in range(40))
            continue
        damaged = bytearray(luck.choice(SEEDS))
        for _ in range(luck.randrange(1, 4)):
            place = luck.randrange(len(damaged))
            damaged[place : place + luck.randrange(3)] = luck.randbytes(luck.randrange(3))
        try:
            yield damaged.decode()
        except UnicodeDecodeError:
            yield bytes(damaged)


@pytest.mark.parametrize("seed", range(2))
def test_random_bytes_on_every_socket_harm_nobody(at_site, guest_at, scripted_bot, caplog, seed):
    async def bombard(address, path):
        """Send all messages, opening new sockets if necessary, and read the responses."""
        left = list(noise(f"{seed} {path}"))
        while left:
            with contextlib.suppress(ConnectionClosed):
                async with connect(f"{address.replace('http', 'ws')}{path}") as socket:
                    while left:
                        await socket.send(left.pop())
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(0.005):
                                json.loads(await socket.recv())

    async def scenario(address, site):
        async with scripted_bot(address) as bot:
            person = await guest_at(address).open(side=0)
            ann = await guest_at(address).invite(side=0)
            bob = await guest_at(address).sit_down(ann.id)
            paths = [
                *(f"/ws/{kind}/{ann.id}?token={ann.token}" for kind in ("play", "games")),
                *(f"/ws/{kind}/{ann.id}" for kind in ("play", "games", "eval")),
                *("/ws/custom-bot", "/ws/lobby", "/ws/live-games"),
            ]
            shouting = asyncio.gather(*(bombard(address, path) for path in paths))
            for action in (3, 4):
                await person.play(action)
            await person.my_turn()
            await shouting
            assert bot.questions.count("start") == 1, "its session was never disturbed"
            state = site.live_games.games[ann.id].table
            ply = state.ply  # a damaged `act` message may still be valid
            while not state.over and ply < 4:
                mover = ann if ply % 2 == 0 else bob
                await mover.until(lambda s, ply=ply: s["ply"] == ply and s["status"] == "playing")
                await mover.act(6)
                ply = (await mover.until(lambda s, ply=ply: s["ply"] > ply))["ply"]
            assert [key.client_id for key, _, _ in site.bots.all() if key.client_id == "c1"] == ["c1"]

    at_site(scenario, limit_s=300)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
