"""Previews of links: each page of the site names a title, a description and a picture in its head."""

import asyncio
import re
from html import unescape

import httpx
import pytest

from ludus.site.app import create_app
from ludus.site.routes.page import Page
from ludus.site.routes.preview import Preview, Previews, tags
from ludus.site.table.table import TableResult


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
    async def odd(_path):
        return Preview('<b title="x">', "a & b")

    page = Page(folder, preview_of=odd)
    text = fetched(page, '/game/"><script>').text
    assert "<script>" not in text
    assert heads(text)["og:title"] == '<b title="x">'
    assert "<b" not in tags(Preview("<b>", "<b>"), "<b>", "<b>")


def test_a_link_to_a_game_names_the_game_its_players_and_its_result(with_hall) -> None:
    async def scenario(hall):
        previews = Previews(hall.live_games, lambda: hall.store._database, ())
        host = await hall.waiting()
        game, path = host.game, f"/game/{host.game.id}"
        assert (await previews.of(path)).title == "Guest invites you to a game of Connect Four"
        await hall.join(game, "Bob")
        title = "Connect Four: Guest against Bob"
        assert await previews.of(path) == Preview(title, "Watch the game.")
        await game.do(lambda table, now: table.play(0, "4", now))
        await game.do(lambda table, now: table.resign(0, now))
        over = Preview(title, "Bob won: resignation. See how the game went.")
        assert await previews.of(path) == over
        await hall.live_games.evict(game)
        assert game.id not in hall.live_games.games
        assert await previews.of(path) == over
        assert (await previews.of("/game/other")).title == "Ludus"

    with_hall(scenario)


def test_a_draw_and_a_game_without_result_are_told_apart(with_hall) -> None:
    async def scenario(hall):
        previews = Previews(hall.live_games, lambda: hall.store._database, ())
        for result, told in (
            (TableResult(None, "draw-agreement"), "A draw: draw agreed. See how the game went."),
            (TableResult(None, "aborted"), "No result: aborted. See how the game went."),
        ):
            host, _ = await hall.of_two()
            await host.game.do(lambda table, now, result=result: table.ended(result, now))
            assert (await previews.of(f"/game/{host.game.id}")).description == told

    with_hall(scenario)
