"""Requests that write read everything for their response first, so that a failed response means no write."""

import contextlib

import pytest

from ludus.errors import Unavailable
from ludus.site.database.database import Database
from ludus.site.people.ratings import Ratings


@pytest.fixture
def unreadable(monkeypatch):
    """Return a function that makes reading ratings fail."""

    async def refuse(_ratings, _account_id):
        raise Unavailable("The site's database cannot be read at present; try again.")

    return lambda: monkeypatch.setattr(Ratings, "of", refuse)


def test_a_password_is_not_changed_if_the_response_would_fail(with_people, browser, unreadable, monkeypatch):
    async def scenario(_people, app, _database):
        async with browser(app) as ann, browser(app) as elsewhere:
            await ann.register("Ann")
            change = {"password": "correct horse", "newPassword": "battery staple"}
            unreadable()
            told = await ann.say("PUT", "/api/account/password", 503, **change)
            assert told["error"].endswith("try again.")
            monkeypatch.undo()
            await elsewhere.say("POST", "/api/session", 401, name="Ann", password="battery staple")
            await ann.say("PUT", "/api/account/password", **change)
            await elsewhere.say("POST", "/api/session", name="Ann", password="battery staple")

    with_people(scenario)


def test_settings_are_not_stored_if_the_response_would_fail(with_people, browser, unreadable, monkeypatch):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann")
            unreadable()
            await ann.say("PUT", "/api/account/settings", 503, theme="dark")
            monkeypatch.undo()
            assert (await ann.say("GET", "/api/me"))["settings"] == {}

    with_people(scenario)


def test_accounts_are_created_and_deleted_without_reading_ratings(with_people, browser, unreadable):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            unreadable()
            assert (await ann.register("Ann"))["account"]
            assert not (await ann.say("DELETE", "/api/account", password="correct horse"))["account"]
            assert not (await ann.say("GET", "/api/me"))["account"]

    with_people(scenario)


def test_requests_get_a_response_while_the_database_hangs(with_people, browser, monkeypatch):
    async def scenario(_people, app, database):
        monkeypatch.setattr(Database.read, "__defaults__", (0.05,))
        async with browser(app) as ann, contextlib.AsyncExitStack() as stack:
            await ann.register("Ann")
            for _ in range(5):
                await stack.enter_async_context(database._reader._engine.connect())
            for path in ("/api/me", "/api/ratings", "/api/ratings/lists", "/api/people/ann"):
                told = await ann.say("GET", path, 503)
                assert told["error"] == "The site's database takes too long to answer; try again in a few seconds."

    with_people(scenario)


@pytest.mark.parametrize("query", ["timeClass=x", "page=0", "page=-1", "page=x", "page=9999999999", "page=²"])
def test_invalid_requests_for_ratings_are_refused(with_people, browser, query):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            await ann.say("GET", f"/api/ratings?game=connect4&{query}", 400)
            assert await ann.say("GET", "/api/ratings?game=connect4") == {"ratings": [], "page": 1, "pages": 0}

    with_people(scenario)
