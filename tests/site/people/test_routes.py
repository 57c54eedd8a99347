"""The routes for people: guests, accounts, sessions, settings and tokens, and attacks on them."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from sqlalchemy import text, update

from ludus.errors import Unavailable
from ludus.site.database.people_schema import sessions
from ludus.site.people.accounts import Accounts
from ludus.site.safety.secrets import hash_of

GUEST = {"account": False, "settings": {}, "ratings": []}


def test_a_guest_has_a_name_at_once_and_keeps_it(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as bo:
            me = await ann.say("GET", "/api/me")
            assert me == GUEST | {"name": me["name"], "key": me["key"]}
            assert me["name"].startswith("Guest ")
            assert await ann.say("GET", "/api/me") == me
            assert (await bo.say("GET", "/api/me"))["key"] != me["key"]

    with_people(scenario)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookies_are_out_of_reach_of_scripts_and_other_sites(with_people, browser, scheme):
    async def scenario(_people, app, _database):
        async with browser(app, scheme) as ann:
            answer = await ann.post("/api/account", json={"name": "Ann", "password": "correct horse"})
            for cookie in answer.headers.get_list("set-cookie"):
                assert "HttpOnly" in cookie
                assert "SameSite=lax" in cookie
                assert ("Secure" in cookie) == (scheme == "https")
            assert answer.headers["cache-control"] == "no-store"

    with_people(scenario)


@pytest.mark.parametrize(
    "cookie",
    [
        "ludus_guest=forged",
        "ludus_guest=a.1.Zm9v.AAAA",
        "ludus_session=x",
        "ludus_session=' OR 1=1; --",
        "ludus_guest=; ludus_session=",
        "ludus_guest=" + "x" * 9000,
        "=;;=;\x7f",
        'ludus_guest="unclosed',
    ],
)
def test_forged_cookies_make_a_new_guest(with_people, browser, cookie):
    async def scenario(_people, app, _database):
        async with browser(app) as mallory:
            answer = await mallory.get("/api/me", headers={"cookie": cookie})
            assert answer.status_code == 200
            assert not answer.json()["account"]
            assert "ludus_guest=" in answer.headers["set-cookie"]

    with_people(scenario)


def test_register_log_out_and_log_in_again(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as elsewhere:
            assert (await ann.register("Ann"))["name"] == "Ann"
            await ann.say("PUT", "/api/account/settings", theme="dark")
            assert not (await ann.say("DELETE", "/api/session"))["account"]
            assert not (await ann.say("GET", "/api/me"))["account"]
            me = await elsewhere.say("POST", "/api/session", name="aNN", password="correct horse")
            assert me == GUEST | {"name": "Ann", "account": True, "settings": {"theme": "dark"}, "key": me["key"]}
            assert (await elsewhere.say("GET", "/api/people/ann"))["name"] == "Ann"

    with_people(scenario)


def test_logging_out_ends_the_session_not_only_the_cookie(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann")
            stolen = dict(ann.cookies)
            await ann.say("DELETE", "/api/session")
            async with browser(app) as thief:
                thief.cookies.update(stolen)
                assert not (await thief.say("GET", "/api/me"))["account"]

    with_people(scenario)


def test_the_database_stores_neither_passwords_nor_tokens(with_people, browser):
    async def scenario(_people, app, database):
        async with browser(app) as ann:
            await ann.register("Ann")
            token = (await ann.say("POST", "/api/bot-tokens", 201, clientId="anns-bots"))["token"]
            secrets = ["correct horse", token, ann.cookies["ludus_session"]]
            for table in ("accounts", "sessions", "bot_tokens"):
                query = text(f"SELECT * FROM {table}")
                rows = str(await database.read(lambda connection, query=query: connection.execute(query).all()))
                assert rows != "[]"
                assert not [secret for secret in secrets if secret in rows]

    with_people(scenario)


def test_names_that_differ_in_case_cannot_both_be_registered(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as other:
            await ann.register("Ann")
            answer = await other.say("POST", "/api/account", 409, name="ANN", password="correct horse")
            assert answer["error"] == "The name ANN is taken; choose another."

    with_people(scenario)


def test_a_name_that_looks_like_another_is_refused(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as other:
            await ann.register("Ann")
            await ann.say("DELETE", "/api/session")
            await ann.register("\u0410\u043d\u044f")  # Anya, as Russians write it
            answer = await other.say("POST", "/api/account", 409, name="\u0391nn", password="correct horse")
            assert answer["error"] == "The name \u0391nn looks like one that is taken; choose another."
            assert (await other.say("GET", "/api/people/ann"))["name"] == "Ann"
            await other.say("GET", "/api/people/%CE%91nn", 404)

    with_people(scenario)


def test_registration_succeeds_even_if_no_session_can_be_opened(with_people, browser, monkeypatch):
    async def scenario(people, app, _database):
        async def busy(_accounts, _account, _hashes=None):
            raise Unavailable("The site's database is busy.")

        async with browser(app) as ann:
            with monkeypatch.context() as refusing:
                refusing.setattr(Accounts, "open_session", busy)
                told = await ann.say("POST", "/api/account", 503, name="Ann", password="correct horse")
            said = "The account Ann was created, but the database is too busy to log you in. Log in later."
            assert told["error"] == said
            assert (await ann.say("GET", "/api/me"))["account"] is False
            assert (await ann.say("POST", "/api/session", name="Ann", password="correct horse"))["name"] == "Ann"

    with_people(scenario)


@pytest.mark.parametrize("name", ["Ann", "Nobody", "'; DROP TABLE accounts; --", "' OR '1'='1", "%", "\x00", "a" * 200])
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(with_people, browser, name):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as mallory:
            await ann.register("Ann")
            answer = await mallory.say("POST", "/api/session", 401, name=name, password="wrong horse")
            assert answer["error"] == "The name or the password is wrong."
            assert (await ann.say("GET", "/api/me"))["account"]

    with_people(scenario)


def test_the_number_of_new_accounts_per_address_is_limited(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as mallory, browser(app, address="192.0.2.9") as ann:
            for number in range(20):
                await mallory.register(f"Mallory{number}")
            refused = await mallory.post("/api/account", json={"name": "Mallory20", "password": "correct horse"})
            assert (refused.status_code, int(refused.headers["retry-after"])) == (429, pytest.approx(180, abs=1))
            assert refused.json()["error"].startswith("Too many account registrations came from your address")
            await ann.register("Ann")
        async with browser(app, address="127.0.0.1") as own:
            for number in range(21):
                await own.register(f"Own{number}")

    with_people(scenario)


def test_password_guesses_are_limited(with_people, browser):
    async def scenario(_people, app, _database):
        async with (
            browser(app) as ann,
            browser(app, address="192.0.2.8") as mallory,
            browser(app, address="192.0.2.9") as owner,
        ):
            await ann.register("Ann")
            guesses = [{"name": "ann", "password": f"wrong horse {number}"} for number in range(12)]
            answers = [await mallory.post("/api/session", json=guess) for guess in guesses]
            assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
            assert answers[-1].headers["retry-after"] == "121"
            said = "Too many attempts with this name came from your address; try again in 121 seconds."
            assert answers[-1].json() == {"error": said}
            await owner.say("POST", "/api/session", name="Ann", password="correct horse")

    with_people(scenario)


def test_a_password_change_ends_the_other_sessions(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as other:
            await ann.register("Ann")
            await other.say("POST", "/api/session", name="Ann", password="correct horse")
            change = {"password": "correct horse", "newPassword": "battery staple"}
            await ann.say("PUT", "/api/account/password", 401, **change | {"password": "wrong horse"})
            await ann.say("PUT", "/api/account/password", 400, **change | {"newPassword": "short"})
            await ann.say("PUT", "/api/account/password", **change)
            assert (await ann.say("GET", "/api/me"))["account"]
            assert not (await other.say("GET", "/api/me"))["account"]
            await other.say("POST", "/api/session", 401, name="Ann", password="correct horse")
            await other.say("POST", "/api/session", name="Ann", password="battery staple")

    with_people(scenario)


def test_an_account_is_deleted_with_its_password_and_its_name_is_free_again(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as next_ann:
            await ann.register("Ann")
            await ann.say("POST", "/api/bot-tokens", 201, clientId="anns-bots")
            await ann.say("DELETE", "/api/account", 401, password="wrong horse")
            assert not (await ann.say("DELETE", "/api/account", password="correct horse"))["account"]
            await ann.say("GET", "/api/people/ann", 404)
            await next_ann.register("ann")
            assert (await next_ann.say("GET", "/api/bot-tokens"))["tokens"] == []

    with_people(scenario)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/api/account/settings"),
        ("PUT", "/api/account/password"),
        ("DELETE", "/api/account"),
        ("GET", "/api/bot-tokens"),
        ("POST", "/api/bot-tokens"),
        ("DELETE", "/api/bot-tokens/x"),
    ],
)
def test_requests_that_need_an_account_are_refused_for_guests(with_people, browser, method, path):
    bodies = {
        "password": {"password": "x", "newPassword": "y"},
        "account": {"password": "x"},
        "bot-tokens": {"clientId": "x"},
    }

    async def scenario(_people, app, _database):
        async with browser(app) as guest:
            await guest.say(method, path, 401, **bodies.get(path.split("/")[-1], {}))

    with_people(scenario)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"name":1,"password":"x"}',
        b'{"name":"Ann","password":"correct horse","admin":true}',
        b"[" * 5000,
    ],
)
def test_invalid_bodies_are_refused(with_people, browser, body):
    async def scenario(_people, app, _database):
        async with browser(app) as mallory:
            for path in ("/api/account", "/api/session"):
                answer = await mallory.post(path, content=body)
                assert answer.status_code == 400
                assert answer.json()["error"].startswith("The request cannot be read")

    with_people(scenario)


def test_settings_are_an_object_and_not_too_long(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann")
            long = {"long": "x" * 201}, {f"a{number}": 1 for number in range(65)}, {"a" * 41: 1}
            many = {f"{number:039}a"[::-1]: "x" * 200 for number in range(40)}
            nested = {"a": {"b": 1}}, {"a": [1]}, {"a": None}, {"": 1}, {"a b": 1}, {"a\n": 1}
            bodies = [json.dumps(settings).encode() for settings in (*long, many, *nested)]
            for body in (b"[1]", b"1", b'{"a":', b'{"\xff": 1}', b"[" * 100_000, *bodies):
                answer = await ann.put("/api/account/settings", content=body)
                assert answer.status_code in (400, 413)
                assert answer.json()["error"].endswith(".")
            assert (await ann.say("GET", "/api/me"))["settings"] == {}

            settings = {"theme": "dark", "sound": False, "volume": 0.5, "board.size": 3}
            assert (await ann.say("PUT", "/api/account/settings", **settings))["settings"] == settings

    with_people(scenario)


def test_a_claimed_client_needs_its_token(with_people, browser):
    async def scenario(people, app, _database):
        async with browser(app) as ann, browser(app) as mallory:
            await ann.register("Ann")
            await mallory.register("Mallory")
            assert await people.tokens.may_attach("anns-bots", None), "nobody has claimed it yet"
            first = (await ann.say("POST", "/api/bot-tokens", 201, clientId="anns-bots"))["token"]
            assert await people.tokens.may_attach("anns-bots", first)
            for wrong in (None, "", first + "x", hash_of(first)):
                assert not await people.tokens.may_attach("anns-bots", wrong)
            await mallory.say("POST", "/api/bot-tokens", 409, clientId="anns-bots")
            await mallory.say("DELETE", "/api/bot-tokens/anns-bots", 404)
            second = (await ann.say("POST", "/api/bot-tokens", 201, clientId="anns-bots"))["token"]
            assert not await people.tokens.may_attach("anns-bots", first), "a new token ends the old one"
            (told,) = (await ann.say("GET", "/api/bot-tokens"))["tokens"]
            assert (told["clientId"], told["ending"]) == ("anns-bots", second[-4:])
            await ann.say("DELETE", "/api/bot-tokens/anns-bots", 204)
            assert await people.tokens.may_attach("anns-bots", None)
            for odd in ("", " ", "a:b", "x" * 101, "a\nb"):
                await ann.say("POST", "/api/bot-tokens", 400, clientId=odd)

    with_people(scenario)


def test_a_client_with_its_token_attaches_even_if_its_use_cannot_be_recorded(with_people, browser, monkeypatch):
    async def refuse(*_work):
        raise Unavailable("The site's database is busy; try again in a few seconds.")

    async def scenario(people, app, database):
        async with browser(app) as ann:
            await ann.register("Ann")
            token = (await ann.say("POST", "/api/bot-tokens", 201, clientId="anns-bots"))["token"]
            with monkeypatch.context() as patch:
                patch.setattr(database, "write", refuse)
                assert await people.tokens.may_attach("anns-bots", token)
                assert not await people.tokens.may_attach("anns-bots", "guessed")
            assert (await ann.say("GET", "/api/bot-tokens"))["tokens"][0]["used"] is None

    with_people(scenario)


@pytest.mark.parametrize("name", ["anns/bots", "/", "a//b/", "a b?c#d", "%2F"])
def test_a_token_for_any_client_id_can_be_deleted(with_people, browser, name):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann")
            await ann.say("POST", "/api/bot-tokens", 201, clientId=name)
            await ann.say("DELETE", f"/api/bot-tokens/{quote(name, safe='')}", 204)
            assert (await ann.say("GET", "/api/bot-tokens"))["tokens"] == []

    with_people(scenario)


def test_the_cookie_of_a_guest_is_renewed_before_it_expires(with_people, browser, monkeypatch):
    async def scenario(people, app, _database):
        async with browser(app) as ann:
            first = await ann.get("/api/me")
            assert "set-cookie" in first.headers
            assert "set-cookie" not in (await ann.get("/api/me")).headers
            signer = people.visitors._signer
            now = signer._clock()
            signer._clock = lambda: now + 100 * 86_400
            later = await ann.get("/api/me")
            assert "set-cookie" in later.headers
            assert later.json()["name"] == first.json()["name"]

    with_people(scenario)


def test_a_session_in_use_is_prolonged_and_its_cookie_with_it(with_people, browser):
    def told(answer):
        cookies = [cookie for cookie in answer.headers.get_list("set-cookie") if cookie.startswith("ludus_session=")]
        assert len(cookies) <= 1
        return cookies[0] if cookies else None

    async def scenario(_people, app, database):
        async def age(days):
            used = update(sessions).values(used_at=datetime.now(UTC) - timedelta(days=days))
            await database.write(lambda connection: connection.execute(used), 5.0)

        async with browser(app) as ann:
            await ann.register("Ann")
            session = ann.cookies["ludus_session"]
            assert told(await ann.get("/api/me")) is None, "a day has not passed"
            await age(29)
            await ann.say("GET", "/api/bot-tokens")  # which answers without cookies, and so prolongs nothing
            cookie = told(await ann.get("/api/me"))
            assert cookie.startswith(f"ludus_session={session};")
            assert f"Max-Age={30 * 86_400};" in cookie
            assert "HttpOnly" in cookie
            assert told(await ann.get("/api/me")) is None
            await age(29)
            assert "Max-Age=0" in told(await ann.delete("/api/session"))
            again = await ann.post("/api/session", json={"name": "Ann", "password": "correct horse"})
            await age(29)
            other = await ann.post("/api/session", json={"name": "Ann", "password": "correct horse"})
            assert told(other).split(";")[0] not in (cookie.split(";")[0], told(again).split(";")[0])
            await age(31)
            assert not (await ann.say("GET", "/api/me"))["account"]

    with_people(scenario)
