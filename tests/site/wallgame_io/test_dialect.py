"""wallgame.io's dialect, compared with recorded traffic of that site: HTTP requests, game messages, and refusals."""

import asyncio
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine

PAGE = "http://localhost:5173"
BOARD = {"variant": "standard", "boardWidth": 5, "boardHeight": 5}
TIMED = BOARD | {"timeControl": {"initialSeconds": 180, "incrementSeconds": 2, "preset": "blitz"}, "rated": False}
EXTENT = {"min": 3, "max": 15}
DUMMY = {
    "botId": "dummy",
    "name": "Dummy Bot",
    "username": None,
    "appearance": {"color": "gray"},
    "variants": {
        name: {"boardWidth": EXTENT, "boardHeight": EXTENT, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}
        for name in ("standard", "classic")
    },
}
START = {
    "pawns": {"p1": {"cat": [0, 0], "mouse": [4, 0]}, "p2": {"cat": [0, 4], "mouse": [4, 4]}},
    "walls": [],
}


class Client:
    """A test client in wallgame.io's dialect."""

    def __init__(self, socket):
        self.socket = socket
        self.passed = []

    async def send(self, kind, **fields):
        await self.socket.send(json.dumps({"type": kind} | fields))

    async def next(self, kind, skipping=()):
        """Return the next message of a type; fail if a message comes before it whose type is not in `skipping`."""
        while True:
            async with asyncio.timeout(60):
                message = json.loads(await self.socket.recv())
            if message["type"] == kind:
                return message
            assert message["type"] in skipping, message

    async def state(self, moves=None):
        """Return the next state, or the next one with this number of moves."""
        while True:
            state = (await self.next("state", ("welcome", "match-status")))["state"]
            if moves is None or state["moveCount"] == moves:
                return state


def at(address, game_id, token=None, origin=PAGE):
    query = f"?token={token}" if token else ""
    return connect(f"{address.replace('http', 'ws')}/ws/games/{game_id}{query}", origin=origin)


@pytest.fixture
def wall_bot(scripted_bot):
    """Return a function that makes a bot client with the dummy engine, registered as wallgame.io's client does it."""

    def make(address):
        bot = scripted_bot(address, client_id="lab", bots=[DUMMY])
        bot.engine = Engine([DummyMind(("wallgame:standard:5x5", "wallgame:classic:5x5"))])
        return bot

    return make


async def against_bot(guest, first=True, **config):
    body = {"botId": "lab:dummy", "config": TIMED | config, "hostDisplayName": "Human", "hostIsPlayer1": first}
    return await guest.ask("POST", "/api/bots/play", body, 201)


def test_a_game_against_a_bot_has_the_recorded_messages(at_site, wall_bot, guest_at):
    async def scenario(address, _site):
        guest = guest_at(address)
        async with wall_bot(address) as bot:
            listed = (await guest.ask("GET", "/api/bots?variant=standard&boardWidth=5&boardHeight=5"))["bots"]
            assert [(entry["id"], entry["isOfficial"]) for entry in listed] == [("lab:dummy", False)]
            assert (await guest.ask("GET", "/api/bots?variant=standard&boardWidth=16&boardHeight=5"))["bots"] == []
            (recommended,) = (await guest.ask("GET", "/api/bots/recommended?variant=classic"))["bots"]
            assert (recommended["bot"]["id"], recommended["boardWidth"]) == ("lab:dummy", 5)
            seat = await against_bot(guest)
            assert (seat["role"], seat["playerId"]) == ("host", 1)
            assert seat["shareUrl"] == f"{address}/game/{seat['gameId']}"

            async with at(address, seat["gameId"], seat["socketToken"]) as socket:
                human = Client(socket)
                await human.next("welcome")
                state = (await human.next("state"))["state"]
                assert {key: state[key] for key in ("status", "turn", "moveCount", "walls", "history")} == {
                    "status": "playing", "turn": 1, "moveCount": 0, "walls": [], "history": [],
                }  # fmt: skip
                assert state["timeLeft"] == {"1": 86400, "2": 86400}
                assert state["initialState"] == START
                assert state["pawns"] == {"1": START["pawns"]["p1"], "2": START["pawns"]["p2"]}
                status = (await human.next("match-status"))["snapshot"]
                assert (status["status"], status["matchType"]) == ("ready", "friend")
                assert [
                    (player["role"], player["playerId"], player["displayName"], player["configType"], player["ready"])
                    for player in status["players"]
                ] == [("host", 1, "Human", "human", True), ("joiner", 2, "Dummy Bot", "bot", True)]

                wall = {"type": "wall", "target": [2, 2], "wallOrientation": "vertical"}
                await human.send("submit-move", move={"actions": [wall, {"type": "mouse", "target": [4, 1]}]})
                state = await human.state()
                assert (state["turn"], [move["notation"] for move in state["history"]]) == (2, ["Mb1.>c3"])
                assert state["walls"] == [{"cell": [2, 2], "orientation": "vertical", "playerId": 1}]
                assert state["pawns"]["1"]["mouse"] == [4, 1]
                message = await human.next("state")
                assert (message["state"]["turn"], len(message["state"]["history"])) == (1, 2)
                assert "evaluation" not in message, "nobody has asked the judge"

                await human.send("draw-offer")
                assert (await human.next("draw-rejected"))["playerId"] == 2
                while len(bot.questions) < 4:
                    await asyncio.sleep(0.01)
                bot.asked.clear()
                await human.send("takeback-offer")
                assert (await human.state())["history"] == []
                while len(bot.asked) < 2:
                    await asyncio.sleep(0.01)
                assert bot.questions[:2] == ["end", "start"]

                step = {"type": "cat", "target": [0, 1]}
                await human.send("submit-move", move={"actions": [step, {"type": "cat", "target": [0, 2]}]})
                assert (await human.state())["moveCount"] == 1
                assert (await human.state())["moveCount"] == 2
                await human.send("action-request", requestId="r1", action="giveTime", payload={"seconds": 15})
                assert (await human.next("actionAck"))["requestId"] == "r1"
                await human.send("action-request", requestId="r2", action="giveTime", payload={"seconds": -1})
                nack = await human.next("actionNack")
                assert (nack["requestId"], nack["code"], nack["retryable"]) == ("r2", "INVALID_SECONDS", False)
                await human.send("action-request", requestId="r3", action="fly")
                assert (await human.next("actionNack"))["code"] == "UNKNOWN_ACTION"
                await human.send("action-request", requestId="r4", action="resign")
                finished = (await human.next("state", ("match-status", "actionAck")))["state"]
                assert (finished["status"], finished["result"]) == ("finished", {"winner": 2, "reason": "resignation"})
                status = (await human.next("match-status", ("actionAck",)))["snapshot"]
                assert (status["status"], status["matchScore"]) == ("completed", {"1": 0, "2": 1})
                assert (await guest.ask("GET", f"/api/games/{seat['gameId']}"))["kind"] == "replay"

                await human.send("rematch-offer")
                started = await human.next("rematch-started", ("actionAck",))
            async with at(address, started["newGameId"], started["seat"]["socketToken"]) as socket:
                human = Client(socket)
                assert (await human.state(1))["turn"] == 2
                status = await guest.ask("GET", f"/api/games/{started['newGameId']}")
                assert status["matchStatus"]["matchScore"] == {"1": 1, "2": 0}
                assert status["matchStatus"]["players"][0]["playerId"] == 2

    at_site(scenario, allowed_origins=(PAGE,))


def test_a_classic_game_in_which_the_human_passes_ends_by_capture(at_site, wall_bot, guest_at):
    async def scenario(address, _site):
        guest = guest_at(address)
        async with wall_bot(address):
            seat = await against_bot(guest, first=False, variant="classic")
            async with at(address, seat["gameId"], seat["socketToken"]) as socket:
                human = Client(socket)
                moves = 1
                while (state := await human.state(moves))["status"] == "playing":
                    await human.send("submit-move", move={"actions": []})
                    assert (await human.state())["history"][-1]["notation"] == "---"
                    moves += 2
                assert state["result"] == {"winner": 1, "reason": "capture"}

    at_site(scenario, allowed_origins=(PAGE,))


def test_a_game_between_friends_with_moves_offers_and_chat(at_site, guest_at):
    async def scenario(address, _site):
        guest, looks = guest_at(address), {"pawnColor": "green", "catSkin": "cat1.svg"}
        body = {"config": TIMED, "matchType": "friend", "hostDisplayName": "A", "hostIsPlayer1": True}
        host = await guest.ask("POST", "/api/games", body | {"hostAppearance": looks}, 201)
        assert set(host) == {"gameId", "hostToken", "socketToken", "shareUrl", "snapshot"}
        assert host["snapshot"]["players"][0]["appearance"] == looks
        joined = await guest.ask("POST", f"/api/games/{host['gameId']}/join", {"displayName": "B"})
        assert (joined["role"], joined["seat"], joined["playerId"]) == ("player", "joiner", 2)
        assert joined["snapshot"]["players"][0]["appearance"] == looks
        async with (
            at(address, host["gameId"], host["socketToken"]) as one,
            at(address, host["gameId"], joined["socketToken"]) as other,
            at(address, host["gameId"]) as third,
        ):
            a, b, spectator = Client(one), Client(other), Client(third)
            for client in (a, b, spectator):
                state = await client.state()
                assert (state["timeLeft"], state["config"]["timeControl"]["preset"]) == ({"1": 180, "2": 180}, "blitz")
            await spectator.send("resign")
            refused = await spectator.next("error", ("match-status",))
            assert refused["message"] == "Spectators cannot send game messages"
            await b.send("submit-move", move={"actions": []})
            assert "turn" in (await b.next("error", ("match-status",)))["message"]
            await a.send("submit-move", move={"actions": [{"type": "cat", "target": [1, 1]}]})
            for client in (a, b, spectator):
                assert (await client.state())["pawns"]["1"]["cat"] == [1, 1]
            for cell in ([0, -1], [9, 9], [0]):
                await b.send("submit-move", move={"actions": [{"type": "cat", "target": cell}]})
                await b.next("error")
            await a.send("draw-offer")
            assert (await b.next("draw-offer"))["playerId"] == 1
            await b.send("draw-reject")
            assert (await a.next("draw-rejected"))["playerId"] == 2
            await b.next("draw-rejected")
            await b.send("chat-message", channel="game", text="hello")
            said = await a.next("chat-message")
            assert (said["channel"], said["text"], said["senderName"]) == ("game", "hello", "B")
            await b.send("chat-message", channel="game", text="again")
            assert (await b.next("chat-error", ("chat-message",)))["code"] == "RATE_LIMITED"
            await spectator.send("chat-message", channel="game", text="hi")
            answer = await spectator.next("chat-error", ("draw-rejected", "chat-message"))
            assert answer["code"] == "INVALID_CHANNEL"
            await a.send("ping")
            assert (await a.next("pong"))["timestamp"]
            await a.send("draw-offer")
            await b.next("draw-offer")
            await b.send("draw-accept")
            state = await a.state()
            assert (state["status"], state["result"]) == ("finished", {"reason": "draw-agreement"})
            await a.send("rematch-offer")
            assert (await b.next("rematch-offer", ("state", "match-status")))["playerId"] == 1
            await b.send("rematch-reject")
            assert (await a.next("rematch-rejected", ("match-status",)))["playerId"] == 2

    at_site(scenario, allowed_origins=(PAGE,))


def test_a_takeback_while_the_bot_replays_moves_restarts_its_session(at_site, wall_bot, guest_at):
    async def scenario(address, _site):
        guest = guest_at(address)
        async with wall_bot(address) as bot:
            seat = await against_bot(guest)
            async with at(address, seat["gameId"], seat["socketToken"]) as socket:
                human = Client(socket)
                for moves in (2, 4, 6):
                    await human.send("submit-move", move={"actions": []})
                    await human.state(moves)
                while not bot.questions[-1].startswith("apply 5 "):
                    await asyncio.sleep(0.01)
                held, think = [], bot.think

                def hold(_bot, request):
                    if request["type"] == "apply_move" and not held:
                        held.append(think(request))
                        return None
                    return think(request)

                bot.script = hold
                await human.send("takeback-offer")
                while not held:
                    await asyncio.sleep(0.01)
                await human.send("takeback-offer")
                assert (await human.state(2))["status"] == "playing"
                await bot.send(held[0])
                await human.send("submit-move", move={"actions": []})
                assert (await human.state(4))["status"] == "playing"

    at_site(scenario, allowed_origins=(PAGE,))


@pytest.mark.parametrize(
    ("game_id", "token", "origin", "status"),
    [("none", None, PAGE, 404), (None, "guessed", PAGE, 401), (None, None, "http://evil.example", 403)],
)
def test_a_socket_with_a_wrong_game_or_token_or_origin_is_refused(at_site, guest_at, game_id, token, origin, status):
    async def scenario(address, _site):
        host = await guest_at(address).ask("POST", "/api/games", {"config": TIMED}, 201)
        with pytest.raises(InvalidStatus) as refused:
            async with at(address, game_id or host["gameId"], token, origin):
                pass
        assert refused.value.response.status_code == status

    at_site(scenario, allowed_origins=(PAGE,))


def test_games_other_than_the_wall_game_use_the_same_messages(at_site, guest_at):
    async def scenario(address, _site):
        guest = guest_at(address)
        config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6, "timeControl": None}
        host = await guest.ask("POST", "/api/games", {"config": config, "hostIsPlayer1": True}, 201)
        await guest.ask("POST", f"/api/games/{host['gameId']}/join", {})
        async with at(address, host["gameId"], host["socketToken"]) as socket:
            client = Client(socket)
            assert (await client.state())["config"]["game"] == "connect4"
            await client.send("submit-move", move="4")
            state = await client.state()
            assert (state["history"], state["pawns"]) == ([{"index": 1, "notation": "4"}], {"1": {}, "2": {}})

    at_site(scenario, allowed_origins=(PAGE,))
