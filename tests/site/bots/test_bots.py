"""Bot clients over real sockets: attached, rejected, replaced and disconnected as on the original server."""

import asyncio
import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.protocol.registration import MAX_MESSAGE_BYTES, ServerInfo
from ludus.site.bots import bots
from ludus.site.bots.bots import BotLink, Bots
from ludus.site.safety.settings import SafetySettings
from ludus.site.settings import SiteSettings


async def closing_of(socket):
    """Return a socket's close code, its close reason, and the messages received before."""
    said = []
    try:
        while True:
            async with asyncio.timeout(60):
                said.append(json.loads(await socket.recv()))
    except ConnectionClosed as closed:
        return closed.rcvd.code, closed.rcvd.reason, said


def test_an_attached_bot_is_registered_until_it_disconnects(at_site, scripted_bot):
    async def scenario(address, site):
        async with scripted_bot(address) as bot:
            assert bot.verdict["type"] == "attached"
            assert bot.verdict["protocolVersion"] == 3
            assert bot.verdict["limits"]["maxMessageBytes"] == 65_536
            assert [str(key) for key, _, _ in site.bots.all()] == ["c1:b"]
        while site.bots.all():
            await asyncio.sleep(0.01)

    at_site(scenario)


def test_an_invalid_attach_message_is_rejected_and_the_socket_closed(at_site, scripted_bot):
    async def scenario(address, site):
        async with scripted_bot(address, client_id=" ") as bot:
            assert (bot.verdict["type"], bot.verdict["code"]) == ("attach-rejected", "INVALID_MESSAGE")
            bot.pump.cancel()
            assert (await closing_of(bot.socket))[:2] == (1008, "Attach failed")
            assert not site.bots.all()

    at_site(scenario)


def test_a_second_attach_is_rejected_and_the_socket_stays_open(at_site, scripted_bot):
    async def scenario(address, _site):
        async with scripted_bot(address) as bot:
            bot.pump.cancel()
            verdict = await bot.attach()
            assert (verdict["code"], verdict["message"]) == ("INVALID_MESSAGE", "Already attached.")
            await bot.send({"type": "ping"})
            assert json.loads(await bot.socket.recv()) == {"type": "pong"}

    at_site(scenario)


def test_a_ping_is_answered_before_the_client_attaches(at_site):
    async def scenario(address, _site):
        async with connect(address.replace("http", "ws") + "/ws/custom-bot") as socket:
            await socket.send('{"type":"ping"}')
            async with asyncio.timeout(60):
                assert await socket.recv() == '{"type":"pong"}'

    at_site(scenario)


def test_a_second_connection_of_a_client_replaces_the_first(at_site, scripted_bot):
    async def scenario(address, site):
        async with scripted_bot(address) as old:
            old.pump.cancel()
            async with scripted_bot(address) as new:
                assert new.verdict["type"] == "attached"
                assert (await closing_of(old.socket))[:2] == (1000, "Replaced by new connection")
                assert len(site.bots.all()) == 1

    at_site(scenario)


def test_only_the_official_token_may_replace_the_sites_own_client(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(officialToken="s3cret")]) as own:
            assert own.verdict["type"] == "attached"
            async with scripted_bot(address) as stranger:
                assert stranger.verdict["code"] == "INVALID_OFFICIAL_TOKEN"
            async with scripted_bot(address, bots=[a_bot(officialToken="guess")]) as stranger:
                assert stranger.verdict["code"] == "INVALID_OFFICIAL_TOKEN"

    at_site(scenario, official_token="s3cret")


def test_the_sites_own_client_may_attach_hundreds_of_bots_in_one_message(at_site, scripted_bot, a_bot):
    many = [a_bot(botId=f"b{number}", name="B" * 50, level="B" * 40, officialToken="s3cret") for number in range(300)]
    assert len(json.dumps(many)) > MAX_MESSAGE_BYTES

    async def scenario(address, _site):
        async with scripted_bot(address, bots=many) as own:
            assert own.verdict["type"] == "attached"

    at_site(scenario, official_token="s3cret")


def test_the_names_of_official_clients_are_reserved_before_they_attach(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, "ludus") as stranger:
            assert stranger.verdict["code"] == "INVALID_OFFICIAL_TOKEN"
        async with scripted_bot(address, "ludus", bots=[a_bot(officialToken="s3cret")]) as own:
            assert own.verdict["type"] == "attached"

    at_site(scenario, official_token="s3cret", official_clients=("ludus",))


def test_at_most_max_clients_may_attach(at_site, scripted_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, client_id="a"), scripted_bot(address, client_id="b"):
            async with scripted_bot(address, client_id="c") as third:
                assert third.verdict["code"] == "TOO_MANY_CLIENTS"
            async with scripted_bot(address, client_id="a") as again:
                assert again.verdict["type"] == "attached"

    at_site(scenario, max_clients=2)


def test_the_sites_own_client_attaches_although_the_limit_is_reached(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        own = scripted_bot(address, "ludus", [a_bot(name="Own", officialToken="s3cret")])
        async with scripted_bot(address, "a"), scripted_bot(address, "b"), own:
            assert own.verdict["type"] == "attached"
            async with scripted_bot(address, "c") as third:
                assert third.verdict["code"] == "TOO_MANY_CLIENTS"
            async with scripted_bot(address, "a") as again:
                assert again.verdict["type"] == "attached"

    at_site(scenario, max_clients=2, official_token="s3cret")


def test_the_sites_own_client_does_not_count_against_the_limit(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        own = scripted_bot(address, "ludus", [a_bot(name="Own", officialToken="s3cret")])
        async with own, scripted_bot(address, "a") as stranger:
            assert stranger.verdict["type"] == "attached"

    at_site(scenario, max_clients=1, official_token="s3cret")


def test_the_clients_of_one_address_are_limited_and_other_addresses_may_attach(at_site, scripted_bot):
    near, far = {"x-forwarded-for": "203.0.113.9"}, {"x-forwarded-for": "203.0.113.10"}

    async def scenario(address, _site):
        async with scripted_bot(address, "a", headers=near), scripted_bot(address, "b", headers=near):
            async with scripted_bot(address, "c", headers=near) as third:
                assert third.verdict["code"] == "TOO_MANY_CLIENTS"
                assert (
                    third.verdict["message"] == "Your address has its maximum of 2 bot clients. Disconnect one first."
                )
            async with scripted_bot(address, "a", headers=near) as again:
                assert again.verdict["type"] == "attached"
            async with scripted_bot(address, "c", headers=far) as other, scripted_bot(address, "d") as here:
                assert [other.verdict["type"], here.verdict["type"]] == ["attached", "attached"]

    at_site(scenario, safety=SafetySettings(max_clients=2))


def test_a_client_with_too_many_boards_is_rejected_unless_it_is_the_sites_own(at_site, scripted_bot, a_bot):
    def walls(bot_id, width, **more):
        extents = {"boardWidth": {"min": 3, "max": 20}, "boardHeight": {"min": 3, "max": 20}}
        sizes = [{"boardWidth": width, "boardHeight": height} for height in (5, 6, 7)]
        variants = {"classic": extents | {"recommended": sizes}}
        return a_bot(botId=bot_id, game="wallgame", variants=variants, **more)

    async def scenario(address, _site):
        async with scripted_bot(address, bots=[walls("a", 5), walls("b", 5), walls("c", 6)]) as modest:
            assert modest.verdict["type"] == "attached", "several bots for the same board count once"
        async with scripted_bot(address, bots=[walls("a", 5), walls("b", 6), walls("c", 7)]) as greedy:
            assert greedy.verdict["code"] == "INVALID_BOT_CONFIG"
            assert greedy.verdict["message"] == "The client recommends 9 different boards. At most 6 are allowed."
        many = [walls(f"w{width}", width, officialToken="s3cret") for width in (5, 6, 7)]
        async with scripted_bot(address, bots=many) as own:
            assert own.verdict["type"] == "attached"

    at_site(scenario, safety=SafetySettings(max_boards=6), official_token="s3cret")


def test_a_client_whose_bots_recommend_too_many_boards_in_all_is_rejected(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(botId=f"b{each}") for each in range(9)]) as greedy:
            assert greedy.verdict["message"] == "The client's bots recommend 9 boards. At most 8 are allowed."

    at_site(scenario, safety=SafetySettings(max_boards=1))


@pytest.mark.parametrize(
    "name",
    ["Level 10", "LEVEL 10", "Level\u00a0 10", "L\u00e9vel-10", "Leve\u0406 I0", "\u2160evel lO", "Level\u200b10"],
)
def test_a_strangers_bot_cannot_look_like_one_of_the_sites_own(at_site, scripted_bot, a_bot, name):
    own, false = (
        a_bot(name="Level 10" if "\u2160" not in name else "Ievel 10", officialToken="s3cret"),
        a_bot(name=name),
    )

    async def scenario(address, site):
        async with (
            scripted_bot(address, "early", bots=[false]) as early,
            scripted_bot(address, "honest", bots=[a_bot(name="Level 11")]),
        ):
            assert early.verdict["type"] == "attached", "the site's own bots have not attached yet"
            early.pump.cancel()
            async with scripted_bot(address, "own", bots=[own]) as official:
                assert official.verdict["type"] == "attached"
                code, reason, _ = await closing_of(early.socket)
                assert (code, reason.startswith("A bot's name belongs to the site: ")) == (1008, True)
                async with scripted_bot(address, "late", bots=[false]) as late:
                    assert late.verdict["code"] == "INVALID_BOT_CONFIG"
                    assert late.verdict["message"].endswith("the name of one of the site's own bots; choose another.")
            while len(site.bots.all()) > 1:
                await asyncio.sleep(0.01)
            async with scripted_bot(address, "late", bots=[false]) as late:
                assert late.verdict["code"] == "INVALID_BOT_CONFIG", "the name stays the site's"

    at_site(scenario, official_token="s3cret")


def test_lists_of_bots_have_pages(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        many = [a_bot(botId=f"b{each}", name=f"Bot {each:02}") for each in range(60)]
        async with scripted_bot(address, bots=many), httpx.AsyncClient(base_url=address.replace("ws", "http")) as http:
            for path, name in (
                ("bots", lambda each: each["name"]),
                ("bots/recommended", lambda each: each["bot"]["name"]),
            ):
                pages = [(await http.get(f"/api/{path}?game=connect4&page={page}")).json() for page in (1, 2, 3)]
                assert [len(page["bots"]) for page in pages] == [50, 10, 0]
                assert [(page["page"], page["pages"]) for page in pages] == [(1, 2), (2, 2), (3, 2)]
                assert [name(each) for page in pages for each in page["bots"]] == [
                    f"Bot {each:02}" for each in range(60)
                ]
                assert (await http.get(f"/api/{path}?page=0")).status_code == 400

    at_site(scenario)


def test_a_hundred_malformed_messages_close_the_connection(at_site, scripted_bot):
    async def scenario(address, _site):
        async with scripted_bot(address) as bot:
            bot.pump.cancel()
            for nonsense in ["{}", "hello", b"\x00", "x" * 70_000] * 25:
                await bot.send(nonsense)
            code, reason, said = await closing_of(bot.socket)
            assert (code, reason, said) == (1008, "Too many unexpected messages", [])

    at_site(scenario)


def test_malformed_messages_before_the_attach_are_ignored(at_site):
    async def scenario(address, _site):
        async with connect(address.replace("http", "ws") + "/ws/custom-bot") as socket:
            for text in ("hello", "[]", '{"type":"attach"' + " " * 66_000 + "}", '{"type":"ping"}'):
                await socket.send(text)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await socket.recv()

    at_site(scenario)


def test_a_client_that_does_not_attach_in_time_is_disconnected(at_site):
    async def scenario(address, _site):
        async with connect(address.replace("http", "ws") + "/ws/custom-bot") as socket:
            assert (await closing_of(socket))[:2] == (1008, "No attach message")

    at_site(scenario, attach_timeout_s=0.1)


@pytest.mark.parametrize("path", ["/ws/custom-bot", "/ws/play/x"])
def test_pages_of_other_origins_may_not_open_sockets(at_site, path):
    async def scenario(address, _site):
        url = address.replace("http", "ws") + path
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin="http://evil.example")
        assert refused.value.response.status_code == 403
        async with connect(url, origin=address), connect(url, origin="http://localhost:5173"), connect(url):
            pass

    at_site(scenario, allowed_origins=("http://localhost:5173",))


def test_a_client_with_a_full_queue_is_disconnected_and_its_queue_is_dropped(monkeypatch):
    monkeypatch.setattr(bots, "MAX_UNSENT", 3)
    everybody = Bots(SiteSettings(), ServerInfo("ludus", "0"))
    link = BotLink(everybody)
    for _ in range(4):
        link.receive('{"type":"ping"}')
    assert link.closed
    assert link.outbox.get_nowait().code == 1013
    assert link.outbox.empty()
