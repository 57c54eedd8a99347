"""The game that is replayed on the landing page."""

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.page

NOTE_WHAT_MOVES = """
    window.moved = new Set();
    new MutationObserver((changes) =>
        changes.forEach(({ target }) => target.matches(".showcase .piece") && window.moved.add(target)),
    ).observe(document, { attributes: true, attributeFilter: ["style"], subtree: true });
"""


def show_game(page: Page, text: str, fail: int = 0) -> list[int]:
    """Make the site show only this game and open the landing page; return a list that collects requested plies.

    Args:
        page: A page of the site.
        text: The game's text.
        fail: The number of requests for positions that fail first.
    """
    link = page.context.request.post("/api/read", data={"text": text}).json()["link"]
    asked: list[int] = []

    def answer(route: Route) -> None:
        asked.append(int(route.request.url.rpartition("/")[2]))
        if len(asked) <= fail:
            route.fulfill(status=503, json={"error": "Try again later."})
        else:
            found = page.context.request.post(f"/api/shared/plies/{asked[-1]}", data={"link": link})
            route.fulfill(body=found.text())

    page.route("**/api/showcase/*", lambda route: route.fulfill(json={"link": link}))
    page.route("**/api/showcase/*/plies/*", answer)
    page.add_init_script(NOTE_WHAT_MOVES)
    page.goto("/")
    return asked


def test_the_showcase_shows_a_game_that_comes_with_the_site(open_page) -> None:
    page = open_page()
    caption = page.locator(".showcase figcaption a")
    expect(caption).to_contain_text("Ludus, ")  # the engine with its visits
    caption.click()
    expect(page.locator(".moves .move").first).to_be_visible()


def test_without_motion_the_showcase_stands_in_the_middle_of_a_game_and_goes_on_from_there(
    open_page, site, run_until
) -> None:
    page = open_page("/learn", base_url=site.url, reduced_motion="reduce")
    page.clock.install()
    asked = show_game(page, '[Event "?"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *')
    expect(page.locator(".showcase figcaption")).to_be_visible()
    run_until(page, lambda: asked == [3])
    page.clock.run_for(10_000)
    assert asked == [3], "nothing moves until it is asked for"
    page.locator(".showcase").get_by_role("button", name="Play").click()
    run_until(page, lambda: asked == [3, 4, 5])


@pytest.mark.full
def test_the_showcase_moves_only_the_pieces_that_move_in_the_game(open_page, site) -> None:
    page = open_page("/learn", base_url=site.url)
    show_game(page, '[Event "?"]\n\n1. e4 d5 2. exd5 *')
    pieces = page.locator(".showcase .piece")
    expect(pieces).to_have_count(32)
    expect(pieces).to_have_count(31)  # the pawn on d5 has been taken
    assert page.evaluate("window.moved.size") == 2  # the two pawns, one of them twice


@pytest.mark.full
def test_an_invisible_showcase_sends_no_requests_and_a_repeated_one_needs_none(open_page, site, run_until) -> None:
    page = open_page("/learn", base_url=site.url, viewport={"width": 1280, "height": 400})
    page.clock.install()
    asked = show_game(page, '[Event "?"]\n\n1. e4 d5 2. exd5 *')
    expect(page.locator(".showcase .piece")).to_have_count(32)
    page.locator(".setup").scroll_into_view_if_needed()
    expect(page.locator(".showcase")).not_to_be_in_viewport()
    before = len(asked)
    for _ in range(5):
        page.clock.run_for(1200)
        page.wait_for_timeout(100)
    assert len(asked) - before <= 1, "one request may have been in progress"
    page.locator(".showcase").scroll_into_view_if_needed()
    run_until(page, lambda: len(asked) >= 4)
    for _ in range(10):
        page.clock.run_for(1200)
        page.wait_for_timeout(100)
    assert sorted(asked) == [0, 1, 2, 3]


def test_the_showcase_continues_after_a_failed_request(open_page, site, run_until) -> None:
    page = open_page("/learn", base_url=site.url)
    page.clock.install()
    asked = show_game(page, '[Event "?"]\n\n1. e4 d5 2. exd5 *', fail=2)
    run_until(page, lambda: set(asked) >= {0, 1, 2}, step_ms=15_000)
    expect(page.locator(".showcase figcaption")).to_be_visible()
    assert asked[:3] == [0, 0, 0]
