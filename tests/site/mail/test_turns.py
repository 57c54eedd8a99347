"""Letters about turns: to confirmed addresses only, bundled, not too often, and never to somebody who is here."""

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from sqlalchemy import select, update

from ludus.site import services
from ludus.site.database.people_schema import accounts, mail_addresses
from ludus.site.database.schema import games, moves
from ludus.site.mail.addresses import Addresses
from ludus.site.mail.rounds import Rounds
from ludus.site.people.visitors import Visitor
from ludus.site.settings import MailSettings

DAYS = {"game": "connect4", "boardWidth": 7, "boardHeight": 6, "timeControl": {"daysPerMove": 3}}
LONG_AGO = 1e9


class Person:
    """A browser with an account."""

    def __init__(self, http, name):
        self.http, self.name = http, name

    async def ask(self, method, path, body=None, status=200):
        answer = await self.http.request(method, path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.fixture
def with_mail(at_site, quick_passwords, smtp_server, monkeypatch, fresh_url):
    """Run `async def (server, site, person)` at a site that sends mail; `person(name)` registers an account."""
    monkeypatch.setattr(services, "EVERY_S", 1e6)  # the tests make the rounds themselves

    def run(scenario, **changes):
        async def first(address, site):
            async with smtp_server() as server, AsyncExitStack() as stack:
                site.services.postman.settings = server.settings(**changes)

                async def person(name):
                    http = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=60))
                    await http.post("/api/account", json={"name": name, "password": f"{name} has a password"})
                    return Person(http, name)

                await scenario(server, site, person)

        usual = MailSettings(host="127.0.0.1", port=9, tls="none", sender="l@example.org", site="https://x")
        at_site(first, url=fresh_url, mail=usual)

    return run


async def letters(server, count):
    """Return the letters so far, when there are at least so many."""
    async with asyncio.timeout(20):
        while len(server.letters) < count:
            await asyncio.sleep(0.02)
    return server.letters


async def confirmed(server, person, address):
    """Give a person an address, and follow the link in the letter; drop that letter."""
    await person.ask("PUT", "/api/mail", {"address": address})
    ((_, message),) = await letters(server, 1)
    token = message.get_content().partition("#confirm=")[2].split()[0]
    await person.ask("POST", "/api/mail/confirm", {"token": token})
    server.letters.clear()


def rounds(site, seen_s=LONG_AGO):
    """Return rounds for which every account was last seen so long ago."""
    return Rounds(Addresses(site.services.database()), site.services.postman, lambda _: seen_s, ())


async def play(ann, bob):
    """Open a game over days in which it is Bob's turn after Ann's first move; return its id."""
    opened = await ann.ask("POST", "/api/games", {"config": DAYS, "hostIsPlayer1": True}, 201)
    await bob.ask("POST", f"/api/games/{opened['gameId']}/join", {})
    return opened["gameId"]


async def move(site, game_id, side, column):
    game = await site.live_games.find(game_id)
    await game.do(lambda table, now: table.act(side, column, table.ply, now))


async def age(site, seconds):
    """Let all turns have begun, and all letters have been sent, so many seconds earlier."""
    earlier = datetime.now(UTC) - timedelta(seconds=seconds)

    def work(connection):
        connection.execute(update(mail_addresses).values(told_at=earlier - timedelta(seconds=seconds)))
        connection.execute(update(moves).values(played_at=earlier))
        connection.execute(update(games).values(since=earlier))

    await site.services.database().write(work)


def test_a_turn_is_told_once_in_one_letter_for_all_games(with_mail):
    async def scenario(server, site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await confirmed(server, bob, "bob@example.org")
        ids = [await play(ann, bob) for _ in range(2)]
        for each in ids:
            await move(site, each, 0, 3)
        going = rounds(site)
        await going.once()
        ((receivers, message),) = await letters(server, 1)
        assert receivers == ["bob@example.org"]
        assert message["Subject"] == "Your turn in 2 games"
        text = message.get_content()
        assert text.count("Connect Four against Ann, until ") == 2
        assert all(f"https://ludus.example.org/game/{each}" in text for each in ids)
        while going._posted:
            await asyncio.sleep(0.01)
        await going.once()
        await move(site, ids[0], 1, 3)
        await going.once()
        await asyncio.sleep(0.2)
        assert len(server.letters) == 1, "the turn in the other game is not new, and Ann has no address"

    with_mail(scenario)


def test_later_turns_wait_until_the_last_letter_is_old_enough(with_mail):
    async def scenario(server, site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await confirmed(server, bob, "bob@example.org")
        await move(site, await play(ann, bob), 0, 3)
        await rounds(site).once()
        assert server.letters == [], "the address was confirmed less than an hour ago"
        await age(site, 4000)
        await rounds(site).once()
        await letters(server, 1)

    with_mail(scenario, rest_s=3600.0)


def test_who_is_on_the_page_gets_no_letter(with_mail):
    async def scenario(server, site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await confirmed(server, bob, "bob@example.org")
        await move(site, await play(ann, bob), 0, 3)
        await age(site, 1000)
        await rounds(site, seen_s=599.0).once()
        assert site.services._seen_s((await account_ids(site))["Bob"]) < 60
        await asyncio.sleep(0.2)
        assert server.letters == []
        await rounds(site, seen_s=601.0).once()
        await letters(server, 1)

    with_mail(scenario, wait_s=600.0)


def test_who_has_a_page_open_without_requests_is_here(with_mail):
    async def scenario(_server, site, person):
        await person("Bob")
        bob, people = (await account_ids(site))["Bob"], site.services.people()
        people.visitors._seen.clear()
        assert site.services._seen_s(bob) > LONG_AGO
        site.desk.come(Visitor("1234", await people.accounts.with_id(bob), None, needs_cookie=False))
        assert site.services._seen_s(bob) == 0.0

    with_mail(scenario)


async def account_ids(site):
    query = select(accounts.c.name, accounts.c.id)
    rows = await site.services.database().read(lambda connection: connection.execute(query).all())
    return {row.name: row.id for row in rows}


def test_an_address_that_was_not_confirmed_gets_nothing_but_the_link(with_mail):
    async def scenario(server, site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await bob.ask("PUT", "/api/mail", {"address": "bob@example.org"})
        await move(site, await play(ann, bob), 0, 3)
        await rounds(site).once()
        await letters(server, 1)
        await asyncio.sleep(0.2)
        assert [message["Subject"] for _, message in server.letters] == ["Confirm your mail address"]
        assert "List-Unsubscribe" not in server.letters[0][1]

    with_mail(scenario)


def test_one_click_stops_letters(with_mail):
    async def scenario(server, site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await confirmed(server, bob, "bob@example.org")
        await move(site, await play(ann, bob), 0, 3)
        await rounds(site).once()
        ((_, message),) = await letters(server, 1)
        path = message["List-Unsubscribe"].strip("<>").removeprefix("https://ludus.example.org")
        look = await ann.http.get(path)
        assert (look.status_code, look.headers["location"]) == (307, f"/mail#stop={path.rpartition('/')[2]}")
        assert (await bob.ask("GET", "/api/mail"))["wanted"], "a request that only looks changes nothing"
        async with httpx.AsyncClient(base_url=ann.http.base_url) as provider:  # without cookies, as RFC 8058 says
            answer = await provider.post(path, data={"List-Unsubscribe": "One-Click"})
            assert answer.status_code == 200
        assert not (await bob.ask("GET", "/api/mail"))["wanted"]
        await age(site, 100)
        await rounds(site).once()
        await asyncio.sleep(0.2)
        assert len(server.letters) == 1

    with_mail(scenario)


def test_an_address_goes_with_its_account(with_mail):
    async def scenario(server, site, person):
        bob = await person("Bob")
        await confirmed(server, bob, "bob@example.org")
        assert await rows(site) == 1
        await bob.ask("DELETE", "/api/account", {"password": "Bob has a password"})
        assert await rows(site) == 0

    with_mail(scenario)


async def rows(site):
    query = select(mail_addresses.c.address)
    return len(await site.services.database().read(lambda connection: connection.execute(query).all()))


def test_no_answer_shows_the_address(with_mail):
    async def scenario(server, _site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await confirmed(server, bob, "bobby@example.org")
        mine = await bob.ask("GET", "/api/mail")
        assert mine == {"offered": True, "address": "b\u2026@example.org", "confirmed": True, "wanted": True}
        for path in ("/api/me", "/api/people/Bob"):
            for each in (ann, bob):
                assert "bobby" not in str(await each.ask("GET", path))
        await bob.ask("DELETE", "/api/mail")
        assert (await bob.ask("GET", "/api/mail"))["address"] is None

    with_mail(scenario)


def test_undeliverable_letters_end_after_five(with_mail):
    async def scenario(server, site, person):
        ann, bob = await person("Ann"), await person("Bob")
        await confirmed(server, bob, "bob@example.org")
        game_id = await play(ann, bob)
        await move(site, game_id, 0, 3)
        server.answers["RCPT"] = ["550 gone"] * 10
        for _ in range(7):
            await age(site, 100)
            going = rounds(site)
            await going.once()
            while going._posted:
                await asyncio.sleep(0.01)
        assert len(server.answers["RCPT"]) == 5
        assert not (await bob.ask("GET", "/api/mail"))["confirmed"]

    with_mail(scenario)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "ann@",
        "ann@example",
        "a b@example.org",
        "ann@example.org\r\nBcc: x@y.org",
        "a..b@example.org",
        ".ann@example.org",
        "ann.@example.org",
        f"{'a' * 65}@example.org",
    ],
)
def test_a_text_that_is_no_address_is_refused(with_mail, address):
    async def scenario(server, _site, person):
        ann = await person("Ann")
        found = await ann.ask("PUT", "/api/mail", {"address": address}, 400)
        assert found["error"].startswith("This is no mail address.")
        assert server.letters == []

    with_mail(scenario)


def test_nobody_can_send_many_links_to_one_receiver(with_mail):
    async def scenario(server, _site, person):
        people = [await person(name) for name in ("Ann", "Bob")]
        for number in range(5):
            await people[number % 2].ask("PUT", "/api/mail", {"address": "victim@example.org"})
        found = await people[1].ask("PUT", "/api/mail", {"address": "Victim@example.org"}, 429)
        assert found["error"].startswith("Too many links")
        assert len(await letters(server, 5)) == 5

    with_mail(scenario)


def test_a_guest_has_no_address_and_a_wrong_link_confirms_nothing(with_mail):
    async def scenario(_server, _site, person):
        ann = await person("Ann")
        await ann.ask("POST", "/api/mail/confirm", {"token": "x"}, 400)
        await ann.ask("DELETE", "/api/session")
        await ann.ask("GET", "/api/mail", status=401)

    with_mail(scenario)


def test_without_settings_nothing_is_sent_or_offered(at_site, quick_passwords):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address) as http:
            await http.post("/api/account", json={"name": "Ann", "password": "Ann has a password"})
            assert not (await http.get("/api/mail")).json()["offered"]
            answer = await http.put("/api/mail", json={"address": "ann@example.org"})
            assert answer.json()["error"] == "This site sends no mail."
        assert site.services.postman is None

    at_site(scenario)
