"""Replays recorded server messages to the bot client and compares its answers with those of the original client."""

import asyncio
import gzip
import json
import sys
from pathlib import Path

from websockets.asyncio.server import serve

from ludus.bot.client import BotClient
from ludus.bot.config import BotsFile, FileBot
from ludus.protocol.registration import BoardSize, Extent, VariantSupport

GOLDEN = Path(__file__).parents[1] / "golden"
SIDES = Extent(3, 20)
VARIANTS = {
    "standard": VariantSupport(SIDES, SIDES, [BoardSize(5, 5), BoardSize(8, 8)]),
    "classic": VariantSupport(SIDES, SIDES, [BoardSize(5, 5)]),
    "freestyle": VariantSupport(Extent(12, 12), Extent(10, 10), []),
}
GAMES = ("wallgame:standard:5x5", "wallgame:standard:8x8", "wallgame:classic:5x5", "wallgame:freestyle:12x10")
ENGINE = [sys.executable, "-m", "ludus", "engine", "dummy", "--edition=2026-01", *(f"--game={game}" for game in GAMES)]


def recorded():
    """Return the recorded messages between the original server and client, as (direction, message)."""
    with gzip.open(GOLDEN / "bgs-stack.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    return [(record["dir"], record["msg"]) for record in records if record["link"] == "server-client"]


def essence(answer):
    kept = {key: value for key, value in answer.items() if key not in ("bestMove", "evaluation")}
    return kept | {"keys": sorted(answer)}


def test_recorded_requests_of_the_original_server_get_the_answers_of_the_original_client():
    talk, attaches, compared = recorded(), [], []

    async def server(socket):
        attaches.append(json.loads(await socket.recv()))
        waiting = {}
        for direction, message in talk:
            if message["type"] == "attach":
                continue
            if direction == "server->client":
                await socket.send(json.dumps(message))
                continue
            while not waiting.get(message["bgsId"]):
                answer = json.loads(await socket.recv())
                waiting.setdefault(answer["bgsId"], []).append(answer)
            compared.append((waiting[message["bgsId"]].pop(0), message))
        done.set()
        await socket.wait_closed()

    async def run():
        bot = FileBot(bot_id="dummy", name="Dummy Bot", variants=VARIANTS, appearance={"color": "gray"}, engine=ENGINE)
        async with asyncio.timeout(240), serve(server, "127.0.0.1", 0) as listening:
            address = f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
            file = BotsFile(bots=[bot], client_id="lab", official_token="labtoken")
            running = asyncio.create_task(BotClient(file, address).run())
            await done.wait()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    done = asyncio.Event()
    asyncio.run(run())
    assert len(compared) == len([message for direction, message in talk if direction == "client->server"]) - 1
    for ours, theirs in compared:
        assert essence(ours) == essence(theirs)
        assert -1 <= ours.get("evaluation", 0) <= 1
    (theirs,) = [message for _, message in talk if message["type"] == "attach"]
    (ours,) = attaches
    assert sorted(ours) == sorted(theirs)
    (bot,) = ours["bots"]
    assert bot == theirs["bots"][0] | {"officialToken": "labtoken"}
