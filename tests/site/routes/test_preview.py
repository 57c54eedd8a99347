"""Previews of links: each page of the site names a title, a description and a picture in its head."""

import asyncio
import re
from html import unescape

import httpx
import pytest

from ludus.site.app import create_app
from ludus.site.routes.page import Page
from ludus.site.routes.preview import Preview, preview_of, tags


def heads(text: str) -> dict[str, str]:
    """Return the properties in a page's head."""
    return {name: unescape(value) for name, value in re.findall(r'<meta property="(.*?)" content="(.*?)" />', text)}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><html><head></head><body></body></html>")
    return tmp_path


def fetched(app, path):
    async def get():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://ludus.example") as client:
            return await client.get(path)

    return asyncio.run(get())


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "Ludus"),
        ("/games", "Games"),
        ("/learn/chess", "Learn: Chess"),
        ("/learn/nothing", "Learn"),
        ("/game/unknown", "Ludus"),
        ("/index.html", "Ludus"),
    ],
)
def test_each_path_has_a_preview_with_whole_addresses(folder, path, title) -> None:
    told = heads(fetched(create_app(page=folder), path).text)
    assert told["og:title"] == title
    assert told["og:description"]
    assert told["og:url"] == f"https://ludus.example{path}"
    assert told["og:image"] == "https://ludus.example/preview.png"


def test_names_and_paths_are_escaped(folder) -> None:
    page = Page(folder, preview_of=lambda _path: Preview('<b title="x">', "a & b"))
    text = fetched(page, '/game/"><script>').text
    assert "<script>" not in text
    assert heads(text)["og:title"] == '<b title="x">'
    assert "<b" not in tags(Preview("<b>", "<b>"), "<b>", "<b>")


def test_a_link_to_a_game_names_the_game_and_its_players(with_hall) -> None:
    async def scenario(hall):
        host = await hall.waiting()
        path = f"/game/{host.game.id}"
        assert preview_of(path, hall.live_games).title == "Guest invites you to a game of Connect Four"
        await hall.join(host.game, "Bob")
        assert preview_of(path, hall.live_games) == Preview("Connect Four: Guest against Bob", "Watch the game.")

    with_hall(scenario)
