"""Guests cannot use names of accounts and attached bots, except in games that began earlier."""

import asyncio

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.site.faults import NameTaken
from ludus.site.live import asking
from ludus.site.people.accounts import Accounts
from ludus.site.people.guests import GUEST, visible
from ludus.site.safety.names import folded

CONFIG = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
PASSWORD = "correct horse"
ANNS = [
    "Zoë",
    " zoë ",
    "ZOË",
    "Zoe\u0308",
    "\uff3aoë",
    "Z\u200boë",
    "\u2067Zoë\u2069",
    "\u3000Zoë",
    "Z\u043eë",
    "\u0396\u03bfe\u0308",
]
BOS = ["Bo", "bo", "\tBO\u00ad", "\u0412\u043e"]


async def answers(http, waiting, name):
    """Return the responses to a guest who requests each kind of seat with a name."""
    wish = {"config": CONFIG, "hostDisplayName": name}
    asked = [
        ("/api/games", wish),
        ("/api/bots/play", wish | {"botId": "c1:b"}),
        (f"/api/games/{waiting}/join", {"displayName": name}),
    ]
    return [await http.post(path, json=body) for path, body in asked]


def test_a_guest_cannot_use_the_name_of_an_account_or_bot(at_site, scripted_bot, quick_passwords):
    async def scenario(address, site):
        async with (
            scripted_bot(address),
            httpx.AsyncClient(base_url=address) as zoe,
            httpx.AsyncClient(base_url=address) as guest,
        ):
            await zoe.post("/api/account", json={"name": "Zoë", "password": PASSWORD})
            opened = (await zoe.post("/api/games", json={"config": CONFIG, "hostDisplayName": "Zoë"})).json()
            waiting = opened["gameId"]
            assert [each["displayName"] for each in opened["snapshot"]["players"]] == ["Zoë"]
            for name in ANNS + BOS:
                for answer in await answers(guest, waiting, name):
                    assert answer.status_code == 409, name
                    sentence = answer.json()["error"]
                    assert ("log in if it is yours, or choose another." in sentence) == (name in ANNS), sentence
                    assert f"The name {visible(name)} equals or looks like the name of a" in sentence
            assert [*site.live_games.games] == [waiting]
            assert site.live_games.games[waiting].table.waiting
            free = await answers(guest, waiting, "Zo\u00eb 2")
            assert [answer.status_code for answer in free] == [201, 201, 200]

    at_site(scenario)


@pytest.mark.parametrize("name", ["Zoë", "ZOË", "Z\u200boë", "Z\u043eë"])
def test_a_bot_cannot_use_the_name_of_an_account(at_site, scripted_bot, a_bot, quick_passwords, name):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as zoe:
            await zoe.post("/api/account", json={"name": "Zoë", "password": PASSWORD})
        async with scripted_bot(address, bots=[a_bot(), a_bot(botId="z", name=name)]) as stranger:
            assert stranger.verdict["code"] == "INVALID_BOT_CONFIG"
            said = f'Bot "z": the name {visible(name)} equals or looks like the name of an account; choose another.'
            assert stranger.verdict["message"] == said
        async with scripted_bot(address, "free", bots=[a_bot(name=f"{name} the second")]) as stranger:
            assert stranger.verdict["type"] == "attached"
        async with scripted_bot(address, "own", bots=[a_bot(name=name, officialToken="s3cret")]) as own:
            assert own.verdict["type"] == "attached", "the site may call its own as it likes"

    at_site(scenario, official_token="s3cret")


@pytest.mark.parametrize("name", ["Deep", "dEEP", "D\u0435ep"])
def test_the_name_of_an_attached_public_bot_cannot_be_registered(at_site, scripted_bot, a_bot, quick_passwords, name):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address) as person:
            wish = {"name": name, "password": PASSWORD}
            async with scripted_bot(address, bots=[a_bot(name="Deep")]):
                refused = await person.post("/api/account", json=wish)
                assert refused.status_code == 409
                said = f"The name {name} is the name of a bot, or looks like it. Choose another name."
                assert refused.json()["error"] == said
            while site.bots.all():
                await asyncio.sleep(0.01)
            async with scripted_bot(address, "p", bots=[a_bot(name="Deep", username="Ada")]) as private:
                assert private.verdict["type"] == "attached"
                assert (await person.post("/api/account", json=wish)).status_code == 201, "a refusal would tell of it"

    at_site(scenario)


def test_default_names_of_guests_are_always_allowed(at_site, scripted_bot, a_bot):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address) as guest:
            name = (await guest.get("/api/me")).json()["name"]
            bots = [a_bot(name=GUEST), a_bot(name=name, botId="d")]
            async with scripted_bot(address, bots=bots):
                for wanted in (name, GUEST, "", "\u200b"):
                    waiting = (await guest.post("/api/games", json={"config": CONFIG})).json()["gameId"]
                    told = await answers(guest, waiting, wanted)
                    assert [answer.status_code for answer in told] == [201, 201, 200]
                    sitting = {seat.name for seat in site.live_games.games[waiting].seats}
                    assert sitting == {GUEST, name if wanted == name else GUEST}

    at_site(scenario)


def test_a_guest_whose_name_gets_registered_loses_it_in_the_next_game(with_hall, quick_passwords):
    async def scenario(scene):
        host, _ = await scene.of_two()
        game = host.game
        await Accounts(scene.store._database).register("bob", PASSWORD)
        await game.do(lambda table, now: table.act(0, 3, 0, now))
        await game.do(lambda table, now: table.act(1, 3, 1, now))
        assert [seat.name for seat in game.seats] == [GUEST, "Bob"]
        with pytest.raises(NameTaken, match="log in"):
            await scene.join((await scene.waiting()).game, "Bob")
        await game.do(lambda table, now: table.resign(0, now))
        await asking.offer(game, 0, "rematch")
        await asking.offer(game, 1, "rematch")
        while game.writing:
            await asyncio.sleep(0)
        rematch = scene.live_games.games[game.rematch]
        assert [seat.name for seat in rematch.seats] == [GUEST, GUEST]
        assert [seat.token_hash for seat in rematch.seats] == [seat.token_hash for seat in reversed(game.seats)]
        assert [seat.name for seat in (await scene.store.load(game.id)).seats] == [GUEST, "Bob"]

    with_hall(scenario)


@given(st.text(max_size=50))
def test_visible_names_have_no_invisible_characters(name):
    seen = visible(name)
    assert visible(seen) == seen
    assert seen.isprintable()
    assert seen == seen.strip()
    assert folded(seen) == folded(visible(f"\u200b {name}\u202e\n"))
