"""Fixtures: the routes for people as an application, called without a server."""

import asyncio

import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI

from ludus.errors import LudusError
from ludus.site.database.database import Database, database_url
from ludus.site.moderation.restrictions import Restrictions
from ludus.site.people.accounts import Accounts
from ludus.site.people.bot_tokens import BotTokens
from ludus.site.people.keys import Signer
from ludus.site.people.passwords import Passwords
from ludus.site.people.people import People
from ludus.site.people.ratings import Ratings
from ludus.site.people.solving import PuzzleRatings
from ludus.site.people.visitors import Visitors
from ludus.site.routes.contract import refusal
from ludus.site.routes.people import people_routes
from ludus.site.safety.settings import SafetySettings

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Browser(httpx.AsyncClient):
    """An HTTP client with the cookies of one person."""

    def __init__(self, app, scheme="http", address="192.0.2.1"):
        super().__init__(transport=httpx.ASGITransport(app, client=(address, 1)), base_url=f"{scheme}://home")

    async def say(self, method, path, status=200, **body):
        answer = await self.request(method, path, json=body or None)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    async def register(self, name, password="correct horse"):
        return await self.say("POST", "/api/account", 201, name=name, password=password)


@pytest.fixture
def with_people(tmp_path):
    """Return a function that runs `async def (people, app, database)` on an empty database."""

    def run(scenario):
        async def opened():
            database = await Database.open(database_url(tmp_path))
            accounts = Accounts(database, Passwords(QUICK))
            visitors = Visitors(Signer(tmp_path / "secrets" / "keys.json"), accounts)
            ratings, tokens = Ratings(database), BotTokens(database)
            people = People(visitors, accounts, ratings, PuzzleRatings(database), tokens, Restrictions())
            app = FastAPI()
            app.include_router(
                people_routes(lambda: people, lambda _name: False, lambda _id: False, SafetySettings(), lambda: 0.0)
            )

            @app.exception_handler(LudusError)
            async def fault(_request, error):
                return refusal(error)

            try:
                async with asyncio.timeout(240):
                    await scenario(people, app, database)
            finally:
                await database.close()

        asyncio.run(opened())

    return run


@pytest.fixture
def browser():
    return Browser
