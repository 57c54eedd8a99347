"""A connection over which nothing comes any more, though nothing closes it: the page reports and replaces it."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

OpenPage = Callable[..., Page]
LOST = "Connection lost. Reconnecting…"


class Wire:
    """A proxy in a thread that forwards bytes to the site, or keeps all connections open and forwards nothing."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._cut = False
        self._started = threading.Event()
        self._ended: asyncio.Event | None = None
        self._tasks = set[asyncio.Task[None]]()
        self._writers: list[asyncio.StreamWriter] = []
        self.url = ""
        self._thread = threading.Thread(target=self._run, daemon=True)

    def cut(self, is_cut: bool) -> None:
        """Stop to forward bytes, also of new connections, or forward those of new connections again."""
        self._cut = is_cut

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._started.set()
        await self._ended.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # the transports close in the next turn of the loop

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers += [back, writer]
        for one, other in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(one, other))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        was_cut = False
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                was_cut = was_cut or self._cut
                if not was_cut:
                    writer.write(data)
                    await writer.drain()
            writer.close()

    def __enter__(self) -> "Wire":
        self._thread.start()
        assert self._started.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._ended
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(10)


@pytest.fixture
def wire(site: Any) -> Iterator[Wire]:
    """A proxy in front of the site."""
    with Wire(site.port) as between:
        yield between


def test_a_silent_connection_is_reported_within_eight_seconds_and_replaced(open_page: OpenPage, wire: Wire) -> None:
    page = open_page()
    page.goto(wire.url)
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    expect(page.locator("svg.board.active")).to_be_visible()
    wire.cut(True)
    expect(page.get_by_text(LOST)).to_be_visible()
    expect(page.locator("svg.board.active")).to_have_count(0)
    tries = "() => window.sockets.filter((each) => each.url.includes('/ws/play/')).length > 2"
    page.wait_for_function(tries)  # in vain
    expect(page.get_by_text(LOST)).to_be_visible()
    wire.cut(False)
    expect(page.get_by_text(LOST)).to_have_count(0)
    expect(page.locator("svg.board.active")).to_be_visible()
    page.locator(".grid-cell").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
