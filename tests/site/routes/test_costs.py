"""The most expensive requests that each route accepts: they do a bounded amount of work at a time.

Work is counted in calls of functions, which do not depend on the machine; `bench/requests.py` measures the times.
"""

import asyncio
import sys
from types import SimpleNamespace

import httpx
import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute, iter_route_contexts
from msgspec.structs import replace

from ludus.games.calls import pause
from ludus.site.app import create_app
from ludus.site.safety import fair_queue
from ludus.site.safety.settings import SafetySettings
from ludus.site.settings import SiteSettings

MOST_BETWEEN_PAUSES = 250_000
"""Calls of functions in a worker thread between two moments at which other requests may go first."""
MOST_OF_LOOP = 100_000
"""Calls of functions in the event loop for one request, those of the client in the test included."""
MOST_BYTES = 1 << 20
"""Length of a response."""


@pytest.fixture(scope="module")
def requests(request):
    return request.getfixturevalue("load_program")("bench/worst_requests.py")


def routes_of(app):
    """Return all routes as the table of the benchmark names them."""
    found = []
    for each in iter_route_contexts(app.routes):
        route = each.original_route
        if isinstance(route, APIRoute):
            found += [f"{method} {route.path}" for method in route.methods - {"HEAD"}]
        elif isinstance(route, APIWebSocketRoute):
            found.append(f"WS {route.path}")
    return found


def test_every_route_states_its_most_expensive_requests(requests):
    methods = ("POST", "PUT", "DELETE")
    others = {f"{method} /api/{{path:path}}" for method in methods}  # like GET
    assert set(routes_of(create_app())) - others == requests.WORST.keys()
    assert all(made for made in requests.WORST.values())


class Counted:
    """Counts calls of functions in the event loop, and in worker threads between pauses."""

    def __init__(self):
        self.loop = self.most = 0
        self._is_on = False

    def note(self, _frame, event, _argument):
        if self._is_on and event in ("call", "c_call"):
            self.loop += 1

    def __enter__(self):
        self._inner = fair_queue.in_slices
        fair_queue.in_slices = self._counted
        self._is_on = True
        sys.setprofile(self.note)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)
        self._is_on = False
        fair_queue.in_slices = self._inner

    def _counted(self, work, wait):
        calls = 0

        def note(_frame, event, _argument):
            nonlocal calls
            if event in ("call", "c_call"):
                calls += 1

        def counting():
            nonlocal calls
            before = pause.get()

            def check():
                nonlocal calls
                self.most, calls = max(self.most, calls), 0
                before()

            token = pause.set(check)
            sys.setprofile(note)
            try:
                return work()
            finally:
                sys.setprofile(None)
                self.most = max(self.most, calls)
                pause.reset(token)

        return self._inner(counting, wait)


@pytest.fixture(scope="module")
def at_work(requests):
    """A site that knows long games; `ask(request)` returns the answer and the counts."""
    loop = asyncio.new_event_loop()
    safety = replace(SafetySettings(), unlimited_addresses=("127.0.0.1",))
    app = create_app(SiteSettings(safety=safety))
    lifespan = app.router.lifespan_context(app)
    loop.run_until_complete(lifespan.__aenter__())
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://home", timeout=600)
    known = loop.run_until_complete(requests.prepared(http, app, 40))  # longer lines cost more in more slices

    def ask(make):
        with Counted() as counted:
            answer = loop.run_until_complete(requests.send(http, app, make(known)))
        return SimpleNamespace(answer=answer, counted=counted)

    yield ask
    loop.run_until_complete(http.aclose())
    loop.run_until_complete(lifespan.__aexit__(None, None, None))
    loop.close()


@pytest.mark.full
def test_no_request_does_much_work_at_a_time(requests, at_work):
    too_much = []
    for route, made in requests.WORST.items():
        for name, make in {} if isinstance(made, str) else made.items():
            found = at_work(make)
            assert found.answer.status_code < 500 or found.answer.status_code == 503, f"{route}, {name}"
            counts = (found.counted.most, found.counted.loop, len(found.answer.content))
            if any(
                count > most
                for count, most in zip(counts, (MOST_BETWEEN_PAUSES, MOST_OF_LOOP, MOST_BYTES), strict=True)
            ):
                too_much.append((route, name, *counts))
    assert too_much == []
