"""Accessibility of every page: no serious faults found by axe, no horizontal scrolling on phones, Tab order."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
"""The width that WCAG requires pages to fit into; equals a wide window at a zoom of 400 %."""
PAGES = {
    "/": ".card",
    "/games": ".filters",
    "/learn": ".card",
    "/learn/wallgame": ".part svg.board",
    "/people/nobody": ".middle",
    "/puzzles": ".card",
    "/puzzles/wallgame": "svg.board.play",
    "/ratings": ".filters",
    "/settings": ".switch",
    "/study?spec=tictactoe": "svg.board",
}

VIEWPORTS = pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
HAS_KEYBOARD = """(parts) => Object.fromEntries(parts
    .map((part) => [part, document.activeElement.closest(part)])
    .filter(([_, found]) => found)
    .map(([part, found]) => [part, found.getBoundingClientRect().top + scrollY]))
"""
"""Returns the given part that contains the focus, with its distance from the top of the page."""


def expect_tab_goes_down(page: Page, *parts: str) -> None:
    """Assert that the Tab key reaches all these parts of the page, from top to bottom."""
    reached: dict[str, float] = {}
    for _ in range(60):
        page.keyboard.press("Tab")
        reached |= page.evaluate(HAS_KEYBOARD, parts)
    assert sorted(reached) == sorted(parts)
    assert list(reached) == sorted(reached, key=lambda part: reached[part])


def findings(page: Page, *impacts: str) -> list[str]:
    """Return axe's findings with their elements: those of the given impacts, or all."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:300] for node in one['nodes']]}"
        for one in found["violations"]
        if not impacts or one["impact"] in impacts
    ]


def faults(page: Page) -> list[str]:
    """Return axe's serious and critical findings."""
    return findings(page, "serious", "critical")


def sticks_out(page: Page) -> list[str]:
    """Return the elements that make the page scroll horizontally; or a message if the cause is text."""
    return page.evaluate(
        """() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            if (scrollWidth <= clientWidth) return [];
            const wide = [...document.querySelectorAll("body *")]
                .filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5)
                .map((one) => one.outerHTML.slice(0, 120));
            return wide.length ? wide : [`the page is ${scrollWidth} wide, of ${clientWidth}`];
        }"""
    )


def begin(page: Page, game: str = "Wall Game") -> None:
    """Start a game with the evaluation, the typing field and the chat shown."""
    page.evaluate("localStorage.setItem('ludus.prefs', JSON.stringify({evaluation: true, typing: true, chat: true}))")
    page.reload()
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_and_fits_on_a_phone(open_page, path: str) -> None:
    page = open_page(path, viewport=PHONE)
    expect(page.locator(PAGES[path]).first).to_be_visible(timeout=30_000)
    assert faults(page) == []
    assert sticks_out(page) == []
    page.set_viewport_size(NARROW)  # pyright: ignore[reportArgumentType]
    assert sticks_out(page) == []


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_analysis_board_is_accessible_with_everything_open(open_page, scheme: str) -> None:
    page = open_page("/study?spec=chess#e4%20e5", color_scheme=scheme)
    page.evaluate("localStorage.setItem('ludus.prefs', JSON.stringify({evaluation: true}))")
    page.reload()
    expect(page.locator(".engine-lines li")).to_have_count(2)
    assert faults(page) == []
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator(".position-text textarea")).to_have_value(re.compile("^rnbqkbnr/"))
    assert faults(page) == []
    page.set_viewport_size(PHONE)  # pyright: ignore[reportArgumentType]
    assert sticks_out(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".engine-lines li")).to_have_count(2)
    assert sticks_out(page) == []


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_review_is_accessible_while_it_runs_when_it_is_done_and_when_one_learns_from_it(
    open_page, site, scheme: str
) -> None:
    site.bot.plan, site.bot.opinions, site.bot.held = ["a1", "a1"], {2: 0.8, 3: 0.8}, True
    page = open_page("/games", color_scheme=scheme)
    moves = "1. b2 a2 2. b3 b1 3. c3" if scheme == "light" else "1. b2 a2 2. c3 a1 3. a3"
    page.get_by_label("A game downloaded here").fill(f'[Game "tictactoe"]\n[Result "1-0"]\n\n{moves} 1-0\n')
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    assert faults(page) == []
    site.bot.held = False
    expect(page.locator(".accuracies")).to_contain_text("1 blunder")
    page.locator(".insight .move").first.click()
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()
    assert faults(page) == []
    page.set_viewport_size(PHONE)  # pyright: ignore[reportArgumentType]
    assert faults(page) == []
    assert sticks_out(page) == []
    page.get_by_role("button", name="Learn from the mistakes").click()
    page.get_by_role("button", name="Show the best move").click()
    expect(page.locator(".explanation")).to_be_visible()
    assert faults(page) == []
    assert sticks_out(page) == []


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_game_is_accessible_in_both_themes(open_page, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    begin(page)
    assert faults(page) == []
    page.set_viewport_size(PHONE)  # pyright: ignore[reportArgumentType]
    assert sticks_out(page) == []


def test_the_tab_key_reaches_everything_on_the_game_page(open_page) -> None:
    page = open_page()
    begin(page)
    reached: set[str] = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
            )
        )
    for name in ("Skip to content", "Learn", "Sounds", "Evaluation", "Turn the board", "Copy link for spectators"):
        assert name in reached
    assert any(name.startswith("c3, empty") for name in reached), "the board is a single tab stop"


@pytest.mark.full
@VIEWPORTS
def test_the_tab_order_of_the_game_page_is_its_visual_order(open_page, site, viewport: dict[str, int]) -> None:
    site.bot.plan = ["A1"]
    page = open_page(viewport=viewport)
    begin(page, "Go")  # Go has a Pass button beside the status
    page.get_by_role("gridcell", name=re.compile("^B1, ")).press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    expect_tab_goes_down(page, ".moves", ".walk", ".typing", ".status", ".actions", ".around")


@pytest.mark.full
@VIEWPORTS
def test_the_tab_order_of_the_analysis_page_is_its_visual_order(open_page, viewport: dict[str, int]) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3", viewport=viewport)
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    expect_tab_goes_down(page, ".variations", ".walk", ".record .row", ".from-here")


def test_the_chosen_theme_is_kept_after_a_reload(open_page) -> None:
    page = open_page("/settings", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_text("Dark", exact=True).click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_reduced_motion_stops_the_animation_of_pieces(open_page) -> None:
    page = open_page(reduced_motion="reduce")
    page.locator(".showcase .piece").first.wait_for()
    # in one call, since the pieces of the game replace those of the typical position
    duration = page.evaluate("getComputedStyle(document.querySelector('.showcase .piece')).transitionDuration")
    assert 0 < float(duration.removesuffix("s")) < 0.001


def test_moves_can_be_played_on_the_boards_of_a_lesson(open_page) -> None:
    page = open_page("/learn/chess")
    part = page.locator(".part", has_text="Promotion")
    expect(part.locator("svg.board.play")).to_be_visible(timeout=30_000)
    for cell in ("1,4", "0,4"):
        part.locator(f"[data-cell='{cell}']").focus()
        page.keyboard.press("Enter")
    part.get_by_role("button", name="knight").click()
    expect(part.get_by_role("gridcell", name="e8, knight of player 1")).to_be_attached()
    part.get_by_role("button", name="Take back").click()
    expect(part.get_by_role("gridcell", name="e7, pawn of player 1")).to_be_attached()


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_verdicts_and_solutions_of_puzzles_are_accessible_and_fit_on_a_phone(open_page, spot, scheme: str) -> None:
    page = open_page("/puzzles/tictactoe", viewport=NARROW, color_scheme=scheme)
    page.locator(".board-area svg.board.play").wait_for()
    page.mouse.click(*spot(page, 0, 1))
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".explanation")).to_be_visible()
    assert faults(page) == []
    assert sticks_out(page) == []
