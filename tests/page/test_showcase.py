"""The game that plays itself on the first page."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.page

NOTE_WHAT_MOVES = """
    window.moved = new Set();
    new MutationObserver((changes) =>
        changes.forEach(({ target }) => target.matches(".showcase .piece") && window.moved.add(target)),
    ).observe(document, { attributes: true, attributeFilter: ["style"], subtree: true });
"""


def show_game(page: Page, text: str) -> None:
    """Have the archive offer this game alone, and open the first page."""
    ask = page.context.request
    link = ask.post("/api/read", data={"text": text}).json()["link"]
    replay = ask.post("/api/shared", data={"link": link}).json()
    replay["game"] |= {"id": "shown", "numMoves": 6}

    def answer(route: Route) -> None:
        ply = re.search("/plies/([0-9]+)$", route.request.url)
        if ply:
            route.fulfill(body=ask.post(f"/api/shared/plies/{ply[1]}", data={"link": link}).text())
        else:
            listed = {"games": [replay["game"]], "page": 1, "pages": 1, "total": 1}
            route.fulfill(body=json.dumps(replay if route.request.url.endswith("/shown") else listed))

    page.route("**/api/archive**", answer)
    page.add_init_script(NOTE_WHAT_MOVES)
    page.goto("/")


def test_the_pieces_of_the_showcase_move_as_in_the_game_and_no_others(open_page, site) -> None:
    page = open_page("/learn", base_url=site.url)
    show_game(page, '[Event "?"]\n\n1. e4 d5 2. exd5 *')
    pieces = page.locator(".showcase .piece")
    expect(pieces).to_have_count(32)
    expect(pieces).to_have_count(31)  # the pawn on d5 has been taken
    assert page.evaluate("window.moved.size") == 2  # pawns, one of them twice: all others stay where they are
