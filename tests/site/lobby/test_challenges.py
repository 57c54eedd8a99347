"""Challenges: both persons see them on every page; they can be accepted, declined, withdrawn, restricted and expire."""

import pytest

from ludus.site.lobby import challenges
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings

pytestmark = pytest.mark.usefixtures("quick_passwords")
SETUP = {"game": "go", "boardWidth": 9, "boardHeight": 9, "setup": {"handicap": 3}}


def open_ones(message):
    return [len(message["incoming"]), len(message["outgoing"])]


def test_an_accepted_challenge_seats_both_with_the_agreed_sides(at_site, person_at, guest_at):
    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive("Ann"), await person_at(address).arrive("Bob")
        await ann.challenge("bob", config={"rated": True}, hostIsPlayer1=False)
        (mine,), (theirs,) = (await ann.told("challenges"))["outgoing"], (await bob.told("challenges"))["incoming"]
        assert (mine["name"], mine["you"]) == ("Bob", 1)
        assert (theirs["name"], theirs["account"], theirs["you"], theirs["rated"]) == ("Ann", True, 0, True)
        assert theirs["timeControl"] == {"initialSeconds": 300, "incrementSeconds": 3}
        assert 0 < theirs["expiresIn"] <= 300_000
        await bob.say("accept", id=theirs["id"])
        seats = [await person.told("seated") for person in (ann, bob)]
        pages = [await guest_at(address).join(seat["gameId"], seat["token"]) for seat in seats]
        states = [await page.until(lambda state: True) for page in pages]
        assert [state["you"] for state in states] == [1, 0]
        assert states[0]["rated"]
        assert [player["name"] for player in states[0]["players"]] == ["Bob", "Ann"]

    at_site(scenario)


def test_a_guest_may_challenge_an_account_that_loads_a_page_later(at_site, person_at):
    async def scenario(address, _site):
        bob = await person_at(address).arrive("Bob")
        await bob.leave()
        ann = await person_at(address).arrive()
        await ann.challenge("Bob", config=SETUP)
        await ann.told("challenges")
        await bob.connect()
        (one,) = (await bob.told("challenges"))["incoming"]
        assert (one["name"], one["account"], one["rating"], one["usual"]) == (ann.name, False, None, False)
        await bob.say("accept", id=one["id"])
        seat = await ann.told("seated")
        assert seat["gameId"] == (await bob.told("seated"))["gameId"]
        # only now, because the page of a guest closes its inbox when nothing is open
        assert open_ones(await ann.told("challenges")) == [0, 0]

    at_site(scenario)


def test_a_declined_challenge_ends_and_cannot_be_repeated_at_once(at_site, person_at):
    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive("Ann"), await person_at(address).arrive("Bob")
        await ann.challenge("Bob")
        (one,) = (await bob.told("challenges"))["incoming"]
        await bob.say("decline", id=one["id"])
        ended = await ann.told("ended")
        assert (ended["why"], ended["mine"], ended["name"]) == ("declined", True, "Bob")
        assert not (await bob.told("ended"))["mine"]
        await ann.challenge("Bob")
        assert "has just declined" in await ann.refusal()
        await bob.challenge("Ann")  # the other way round is another matter
        assert (await ann.told("challenges", lambda told: told["incoming"]))["incoming"][0]["name"] == "Bob"

    at_site(scenario)


def test_a_challenge_can_be_withdrawn_but_only_by_its_challenger(at_site, person_at):
    async def scenario(address, _site):
        ann, bob, eve = [await person_at(address).arrive(name) for name in ("Ann", "Bob", "Eve")]
        await ann.challenge("Bob")
        (one,) = (await bob.told("challenges"))["incoming"]
        for kind in ("withdraw", "accept", "decline"):
            await eve.say(kind, id=one["id"])
            assert await eve.refusal() == "This challenge has ended."
        await ann.say("withdraw", id=one["id"])
        assert (await bob.told("ended"))["why"] == "withdrawn"
        await bob.say("accept", id=one["id"])
        assert await bob.refusal() == "This challenge has ended."

    at_site(scenario)


def test_a_challenge_expires(at_site, person_at, monkeypatch):
    monkeypatch.setattr(challenges, "EXPIRES_S", 0.2)

    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive("Ann"), await person_at(address).arrive("Bob")
        await ann.challenge("Bob")
        assert (await ann.told("ended"))["why"] == "expired"
        assert open_ones(await bob.told("challenges", lambda told: not told["incoming"])) == [0, 0]

    at_site(scenario)


def test_a_challenge_outlives_a_reload_of_its_challenger_but_not_the_departure(at_site, person_at, monkeypatch):
    monkeypatch.setattr(challenges, "LEFT_S", 0.3)

    async def scenario(address, _site):
        ann, bob = await person_at(address).arrive("Ann"), await person_at(address).arrive("Bob")
        await ann.challenge("Bob")
        await ann.told("challenges")
        await ann.leave()
        await ann.connect()
        assert open_ones(await ann.told("challenges")) == [0, 1]
        await ann.leave()
        assert (await bob.told("ended"))["why"] == "left"

    at_site(scenario)


@pytest.mark.parametrize(
    ("welcome", "guest", "told"), [("nobody", False, "no challenges"), ("accounts", True, "accounts only")]
)
def test_challenges_can_be_turned_off_or_restricted(at_site, person_at, welcome, guest, told):
    async def scenario(address, _site):
        bob = await person_at(address).arrive("Bob")
        await bob.ask("PUT", "/api/account/settings", {"challenges": welcome})
        ann = await person_at(address).arrive(None if guest else "Ann")
        await ann.challenge("Bob")
        assert told in await ann.refusal()
        page = await ann.ask("GET", "/api/people/Bob")
        assert (page["challenges"], page["here"]) == (welcome, welcome != "nobody")

    at_site(scenario)


@pytest.mark.parametrize(
    ("to", "more", "told"),
    [
        ("Nobody-Here", {}, "no account named 'Nobody-Here'"),
        ("Ann", {}, "cannot challenge yourself"),
        ("Bob", {"config": {"game": "nothing"}}, "no game 'nothing'"),
        ("Bob", {"config": {"rated": True, **SETUP}}, "usual position"),
    ],
)
def test_a_challenge_that_makes_no_sense_is_refused(at_site, person_at, to, more, told):
    async def scenario(address, _site):
        ann = await person_at(address).arrive("Ann")
        await person_at(address).arrive("Bob")
        await ann.challenge(to, **more)
        assert told in await ann.refusal()

    at_site(scenario)


def test_open_challenges_are_bounded_for_each_person(at_site, person_at, monkeypatch):
    monkeypatch.setattr(challenges, "MAX_INCOMING", 2)

    async def scenario(address, _site):
        names = ("Ann", "Bob", "Cid", "Dan", "Eve")
        people = {name: await person_at(address).arrive(name) for name in names}
        ann = people["Ann"]
        for name in names[1:4]:
            await ann.challenge(name)
            await ann.told("challenges")
        await ann.challenge("Eve")
        assert "You have 3 open challenges" in await ann.refusal()
        await ann.challenge("Bob")
        assert "already challenged Bob" in await ann.refusal()
        await people["Cid"].challenge("Bob")
        await people["Cid"].told("challenges", lambda told: told["outgoing"])
        await people["Dan"].challenge("Bob")
        assert "Bob has too many challenges" in await people["Dan"].refusal()

    at_site(scenario)


def test_challenges_are_limited_for_each_account_and_address(at_site, person_at):
    async def scenario(address, _site):
        ann = await person_at(address).arrive("Ann")
        for name in ("Bob", "Cid"):
            await person_at(address).arrive(name)
        await ann.challenge("Bob")
        await ann.told("challenges")
        await ann.challenge("Cid")
        assert "Too many challenges were sent" in await ann.refusal()

    at_site(scenario, safety=SafetySettings(challenges=RateLimit(most=1, per_s=0.001)))


def test_a_person_who_plays_now_no_longer_challenges_or_waits(at_site, person_at):
    async def scenario(address, site):
        ann, bob, cid = [await person_at(address).arrive(name) for name in ("Ann", "Bob", "Cid")]
        await ann.challenge("Cid")
        await cid.told("challenges")
        await ann.seek([None])
        await ann.told("pool")
        await bob.challenge("Ann")
        (one,) = (await ann.told("challenges", lambda told: told["incoming"]))["incoming"]
        await ann.say("accept", id=one["id"])
        await ann.told("seated")
        assert (await cid.told("ended"))["why"] == "withdrawn"
        assert site.lists.waiting() == []

    at_site(scenario)


def test_a_session_that_has_ended_cannot_act(at_site, person_at):
    async def scenario(address, _site):
        ann = await person_at(address).arrive("Ann")
        await person_at(address).arrive("Bob")
        await ann.ask("DELETE", "/api/session")
        await ann.challenge("Bob")
        assert "logged in or out" in await ann.refusal()

    at_site(scenario)
