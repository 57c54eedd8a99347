"""The routes of a training run: everybody may watch, and only the operator may pause and resume it."""

import asyncio

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from ludus.errors import LudusError
from ludus.site.faults import NotHere
from ludus.site.messages.training import SampleGame, TrainingRun
from ludus.site.routes.contract import refusal
from ludus.site.routes.training import training_routes
from ludus.site.safety.fair_queue import WorkerThreads

RUN = TrainingRun(
    title="Breakthrough",
    level="ludus:grown-breakthrough-full",
    state="training",
    note="",
    generation=0,
    of=30,
    stage="self-play",
    done=3,
    total=10,
    remaining_s=None,
    trained_s=0.0,
    playing=None,
    opponent="random playouts",
    generations=[],
)


class GrownRun:
    """A run without files."""

    def __init__(self):
        self.state = "training"

    def run(self):
        return msgspec.structs.replace(RUN, state=self.state)

    def sample(self, generation, number):
        if generation:
            raise NotHere("There is no such generation.")
        return SampleGame(5, number, "", [])

    def pause(self):
        self.state = "paused"

    def resume(self):
        self.state = "training"


def asked(method, path, grown=None, address="127.0.0.1", token=None, headers=None):
    app, threads = FastAPI(), WorkerThreads()
    app.include_router(training_routes(grown, threads, token))
    app.add_exception_handler(LudusError, lambda _request, error: refusal(error))

    async def go():
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://home") as http:
            return await http.request(method, f"/api/training{path}", headers=headers)

    try:
        return asyncio.run(go())
    finally:
        threads.close()


def test_a_site_without_a_run_says_so():
    assert asked("GET", "").json() == {"run": None, "mayControl": False}
    for method, path in (("POST", "/pause"), ("POST", "/resume"), ("GET", "/games/0/0")):
        assert asked(method, path).status_code == 404


def test_everybody_may_watch_and_this_machine_may_pause_and_resume():
    grown = GrownRun()
    for address, may in (("127.0.0.1", True), ("203.0.113.7", False)):
        answer = asked("GET", "", grown, address).json()
        assert (answer["run"]["title"], answer["mayControl"]) == ("Breakthrough", may)
    assert asked("POST", "/pause", grown).json()["run"]["state"] == "paused"
    assert asked("POST", "/resume", grown).json()["run"]["state"] == "training"


@pytest.mark.parametrize(
    ("address", "headers", "token", "status"),
    [
        ("203.0.113.7", {}, None, 403),
        ("203.0.113.7", {"authorization": "Bearer secret"}, None, 403),
        ("203.0.113.7", {"authorization": "Bearer"}, "", 403),
        ("203.0.113.7", {"authorization": "Bearer secret"}, "secret", 200),
        ("203.0.113.7", {"authorization": "Bearer other"}, "secret", 403),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.7"}, None, 403),
        ("127.0.0.1", {}, None, 200),
    ],
)
def test_other_machines_need_the_operators_token(address, headers, token, status):
    grown = GrownRun()
    for path in ("/pause", "/resume"):
        assert asked("POST", path, grown, address, token, headers).status_code == status


def test_sample_games_are_found_by_generation_and_number():
    grown = GrownRun()
    assert asked("GET", "/games/0/1", grown).json() == {"count": 5, "winner": 1, "reason": "", "steps": []}
    for path in ("/games/7/0", "/games/-1/0", "/games/x/0", "/games/0/1234567890123"):
        assert asked("GET", path, grown).status_code == 404
