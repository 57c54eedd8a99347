"""The main states by touch, on a phone that stands and one that lies: taps reach everything, and axe finds no fault."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.page.test_accessible import AXE, sticks_out
from tests.page.test_annotations import opened
from tests.page.test_review import GAME, OPINIONS

pytestmark = pytest.mark.page

PHONES = [{"width": 390, "height": 844}, {"width": 844, "height": 390}]
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
RULES = "{resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}"
"""Targets must also be large enough for fingers, or far enough from others (WCAG 2.5.8)."""
TRIES = 5
Visit = Callable[..., Page]


def look(page: Page) -> None:
    """Assert that axe finds no fault in a state once it has settled, and that the page does not scroll sideways."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    told = ["not looked yet"]
    for _ in range(TRIES):  # parts that appear gradually have less contrast at first
        found: dict[str, Any] = page.evaluate(f"axe.run(document, {RULES})")
        told = [f"{one['id']}: {[node['html'][:200] for node in one['nodes']]}" for one in found["violations"]]
        if not told:
            break
        page.wait_for_timeout(500)
    assert told == []
    assert sticks_out(page) == []


def tap(target: Locator) -> None:
    target.scroll_into_view_if_needed()
    target.tap()


def tap_cell(page: Page, row: int, column: int) -> None:
    """Tap on a cell of the board when it is the visitor's turn."""
    page.locator("svg.board.play").wait_for()
    cell = page.locator(f'[data-cell="{row},{column}"]')
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.fixture(params=PHONES, ids=lambda size: str(size["width"]))
def visit(request: pytest.FixtureRequest, open_page) -> Visit:
    """A function that opens a page on a phone."""
    return lambda path="/", **more: open_page(path, viewport=request.param, **TOUCH, **more)


def test_a_game_is_begun_played_evaluated_and_resigned_by_touch(visit: Visit) -> None:
    page = visit()
    page.locator(".card").first.wait_for()
    look(page)
    tap(page.locator(".card", has=page.get_by_text("Connect Four", exact=True)))
    tap(page.locator(".setup").get_by_title("First", exact=True))
    look(page)
    tap(page.locator(".setup").get_by_role("button", name="Play"))
    tap_cell(page, 5, 3)
    expect(page.locator("button.move")).to_have_count(2)
    tap(page.locator(".walk").get_by_role("button", name="Evaluation", exact=True))
    expect(page.locator(".evaluation-graph")).to_be_visible()
    look(page)
    tap(page.locator("button.move").first)
    expect(page.locator("button.move").first).to_have_attribute("aria-current", "true")
    tap(page.locator("button.move").last)
    tap(page.get_by_role("button", name="Resign"))
    tap(page.get_by_role("button", name="Yes, resign"))
    expect(page.locator(".status.result")).to_be_visible()
    look(page)


def test_a_game_is_reviewed_and_analysed_by_touch(visit: Visit, site) -> None:
    site.bot.plan, site.bot.opinions = ["a1", "a1"], OPINIONS
    page = opened(lambda path="/", **more: visit(path, **more), GAME)
    review = page.get_by_role("button", name="Review this game")
    review.or_(page.locator(".accuracies")).first.wait_for()
    look(page)
    if review.is_visible():  # an earlier test may have had it reviewed
        tap(review)
    expect(page.locator(".accuracies")).to_be_visible()
    tap(page.get_by_role("button", name="a2??"))
    expect(page.locator(".insight")).to_contain_text("a2 is a blunder")
    look(page)
    tap(page.locator(".insight .engine-lines .move").first)
    tap(page.get_by_role("button", name="Back to the game"))
    tap(page.get_by_role("button", name="Learn from the mistakes of Bob"))
    expect(page.get_by_role("heading", name="Find a better move")).to_be_visible()
    look(page)
    page.goto(f"{site.url}/study?spec=tictactoe")
    tap_cell(page, 1, 1)
    expect(page.locator(".engine-lines li").first).to_be_visible()
    look(page)


def test_puzzles_the_lobby_settings_and_the_operators_page_are_used_by_touch(visit: Visit, site) -> None:
    page = visit("/puzzles")
    page.locator(".card").first.wait_for()
    look(page)
    page.goto(f"{site.url}/puzzles/tictactoe/aaaaaaaaaaaa")
    tap_cell(page, 0, 2)
    expect(page.locator(".verdict-line")).to_contain_text("c3")
    look(page)
    page.goto(site.url)
    pairing = page.get_by_role("form", name="Quick pairing")
    tap(pairing.get_by_role("button", name="Find an opponent"))
    waiting = page.get_by_role("region", name="Looking for an opponent")
    expect(waiting).to_be_visible()
    look(page)
    tap(waiting.get_by_role("button").first)
    expect(waiting).to_have_count(0)
    page.goto(f"{site.url}/settings")
    tap(page.get_by_role("switch").first)
    look(page)
    page.goto(f"{site.url}/operator")
    page.get_by_label("Operator's token").fill("the operator's token")
    page.get_by_label("Your name, for the log").fill("Olga")
    tap(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("heading", name="Health")).to_be_visible()
    look(page)
