"""The engine of the analysis board looks deeper while a person looks at a position, and stops when nobody does."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

MOST = 20_000
"""The site's limit of visits for a position."""


@pytest.fixture
def searching(site, monkeypatch) -> Iterator[None]:
    """The bot tells how many visits its searches have: as many as were asked for."""
    usual = site.bot.answer

    def answer(request: dict[str, Any]) -> dict[str, Any] | None:
        found = usual(request)
        return found | {"visits": request["visits"]} if found and request.get("lines") else found

    monkeypatch.setattr(site.bot, "answer", answer)
    yield
    site.bot.held = False


def wanted_visits(page: Page) -> list[int]:
    """Return a list that fills with the visits of the page's requests for evaluations."""
    asked: list[int] = []
    page.on(
        "request",
        lambda one: asked.append(json.loads(one.post_data or "")["visits"]) if "study/evaluation" in one.url else None,
    )
    return asked


def hide(page: Page, *, hidden: bool) -> None:
    """Hide the page's tab, or show it again."""
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def opened(open_page, site, line: str) -> tuple[Page, list[int]]:
    """Open a position whose first search the bot does not answer yet."""
    page = open_page("/settings")
    asked = wanted_visits(page)
    site.bot.held = True
    page.goto(site.url + "/study?spec=connect4#" + line)
    expect(page.locator(".engine .depth")).to_have_text("The engine begins to think…")
    for _ in range(100):
        if asked:
            break
        page.wait_for_timeout(50)
    assert asked == [100]
    return page, asked


@pytest.mark.usefixtures("searching")
def test_the_engine_looks_deeper_up_to_the_limit_of_the_site(open_page, site) -> None:
    page, asked = opened(open_page, site, "1")
    site.bot.held = False
    expect(page.locator(".engine .depth")).to_have_text("Wally: 20,000 visits, done")
    assert asked == sorted(set(asked)), "each request goes deeper"
    assert asked[-1] >= MOST


@pytest.mark.usefixtures("searching")
def test_the_engine_can_be_paused_and_goes_on(open_page, site) -> None:
    page, asked = opened(open_page, site, "2")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".engine .depth")).to_have_text("Paused.")
    site.bot.held = False
    page.wait_for_timeout(500)
    assert asked == [100]
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".engine .depth")).to_have_text("Wally: 20,000 visits, done")


@pytest.mark.usefixtures("searching")
def test_the_engine_stops_while_the_tab_is_hidden_and_when_the_visitor_leaves(open_page, site) -> None:
    page, asked = opened(open_page, site, "3")
    hide(page, hidden=True)
    site.bot.held = False
    page.wait_for_timeout(500)
    assert asked == [100]
    site.bot.held = True
    hide(page, hidden=False)
    for _ in range(100):
        if asked[-1] == 200:  # the site has kept the first search
            break
        page.wait_for_timeout(50)
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page.locator(".filters")).to_be_visible()
    site.bot.held = False
    page.wait_for_timeout(500)
    assert asked == [100, 100, 200]


@pytest.mark.usefixtures("searching")
def test_the_number_of_lines_is_chosen_and_kept(open_page, site) -> None:
    page = open_page("/study?spec=connect4#4")
    lines = page.get_by_role("list", name=re.compile("^Engine lines")).get_by_role("listitem")
    expect(lines).to_have_count(2)
    page.get_by_role("combobox", name="Lines").select_option("1")
    expect(lines).to_have_count(1)
    page.reload()
    expect(lines).to_have_count(1)
    expect(page.get_by_role("combobox", name="Lines")).to_have_value("1")


@pytest.mark.parametrize(
    "viewport", [{"width": 1280, "height": 800}, {"width": 844, "height": 390}], ids=["wide", "lying"]
)
def test_a_forced_win_is_told_in_moves_on_one_line(open_page, site, monkeypatch, viewport) -> None:
    usual = site.bot.answer

    def answer(request: dict[str, Any]) -> dict[str, Any] | None:
        found = usual(request)
        if not found or not request.get("lines"):
            return found
        lines = [line | {"evaluation": 1.0, "proved": True, "winsIn": 12} for line in found["lines"]]
        return found | {"evaluation": 1.0, "proved": True, "visits": 9, "lines": lines}

    monkeypatch.setattr(site.bot, "answer", answer)
    page = open_page("/study?spec=chess", viewport=viewport)
    told = page.locator(".engine-lines strong")
    expect(told.first).to_have_text("mate in 12")
    expect(page.get_by_role("meter", name="Win chance")).to_have_attribute("aria-valuetext", "White wins in 12 moves")
    boxes = told.first.bounding_box(), page.locator(".engine-lines .line-moves").first.bounding_box()
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["height"] < 30
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
