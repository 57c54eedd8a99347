"""Fixtures: people with cookies of their own, who have an inbox open."""

import asyncio
import json

import httpx
import pytest
from websockets.asyncio.client import connect

BOARD = {"game": "connect4", "variant": "standard", "boardWidth": 7, "boardHeight": 6}
FIVE = {"initialSeconds": 300, "incrementSeconds": 3}
THREE = {"initialSeconds": 180, "incrementSeconds": 2}


class Person:
    """A guest or an account, with a page open."""

    def __init__(self, address):
        self.address = address
        self.cookies = httpx.Cookies()

    async def ask(self, method, path, body=None):
        """Send a request with this person's cookies, and return the answer."""
        async with httpx.AsyncClient(base_url=self.address, timeout=60, cookies=self.cookies) as http:
            answer = await http.request(method, path, json=body)
            self.cookies = http.cookies
        assert answer.is_success, answer.text
        return answer.json()

    async def arrive(self, name=None):
        """Open the inbox; with a name, as a new account."""
        if name:
            me = await self.ask("POST", "/api/account", {"name": name, "password": "correct horse"})
        else:
            me = await self.ask("GET", "/api/me")
        self.name = me["name"]
        return await self.connect()

    async def connect(self):
        cookies = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        url = self.address.replace("http", "ws") + "/ws/inbox"
        self.socket = await connect(url, additional_headers={"Cookie": cookies})
        return self

    async def leave(self):
        await self.socket.close()

    async def say(self, kind, **message):
        await self.socket.send(json.dumps({"type": kind} | message))

    async def seek(self, times=(FIVE,), board=BOARD, **more):
        await self.say("seek", config=board, times=list(times), **more)

    async def challenge(self, name, time=FIVE, **more):
        config = BOARD | {"timeControl": time} | more.pop("config", {})
        await self.say("challenge", to=name, config=config, **more)

    async def told(self, kind, where=lambda message: True):
        """Return the next message of a type for which `where` is true."""
        while True:
            async with asyncio.timeout(20):
                message = json.loads(await self.socket.recv())
            if message["type"] == kind and where(message):
                return message

    async def refusal(self):
        return (await self.told("error"))["message"]


@pytest.fixture
def person_at():
    return Person
