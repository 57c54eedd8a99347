"""The page's layout: phones that lie on their side, and what stays in its place when something opens."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

LYING = [{"width": 844, "height": 390}, {"width": 667, "height": 375}, {"width": 932, "height": 430}]
SIZES = [{"width": 1440, "height": 900}, {"width": 390, "height": 844}, LYING[0]]
KEPT = (".board-area", ".player.top", ".player.bottom", ".status", ".actions", ".walk")


def begin(page: Page, game: str, **prefs: Any) -> None:
    """Start a game against the weakest bot with the given settings."""
    page.evaluate("(prefs) => localStorage.setItem('ludus.prefs', JSON.stringify(prefs))", prefs)
    page.reload()
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()


def places(page: Page) -> dict[str, Any]:
    """Return the bounding boxes of the parts of the game page in the window, which is scrolled to its top."""
    page.evaluate("scrollTo(0, 0)")
    return {part: page.locator(part).first.bounding_box() for part in KEPT}


@pytest.mark.parametrize("viewport", LYING, ids=lambda size: str(size["width"]))
def test_on_a_phone_that_lies_on_its_side_the_board_fills_the_height_beside_players_and_buttons(
    open_page, viewport: dict[str, int]
) -> None:
    page = open_page(viewport=viewport)
    begin(page, "Wall Game", evaluation=True)
    seen = places(page)
    height = viewport["height"]
    assert seen[".board-area"]["height"] > 0.85 * height
    for part in (".board-area", ".player.top", ".player.bottom", ".actions"):
        assert seen[part]["y"] + seen[part]["height"] <= height, part
    # the board stays while the rest scrolls
    page.locator(".around").scroll_into_view_if_needed()
    board = page.locator(".board-area").bounding_box()
    assert board
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= height


@pytest.mark.parametrize("viewport", LYING, ids=lambda size: str(size["width"]))
def test_a_puzzle_on_a_phone_that_lies_shows_the_board_and_the_line_below_it(open_page, viewport) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa", viewport=viewport)
    line = page.locator(".study-line")
    expect(line.get_by_role("button").first).to_be_visible()
    expect(line).to_be_in_viewport(ratio=1)
    expect(page.locator("svg.board").first).to_be_in_viewport(ratio=1)
    assert page.locator("svg.board").first.bounding_box()["height"] > 0.65 * viewport["height"]


@pytest.mark.parametrize("viewport", SIZES, ids=lambda size: str(size["width"]))
def test_nothing_moves_when_the_evaluation_opens(open_page, viewport: dict[str, int]) -> None:
    page = open_page(viewport=viewport)
    begin(page, "Connect Four", evaluation=False)
    before = places(page)
    page.get_by_role("button", name="Evaluation", exact=True).click()
    expect(page.locator(".evaluation-graph")).to_be_visible()
    for part, place in places(page).items():
        assert place == pytest.approx(before[part], abs=0.5), part


def test_the_composer_of_the_chat_stays_when_a_spectator_opens_the_evaluation_on_a_phone(open_page) -> None:
    host = open_page()
    config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
    game = host.request.post(f"{host.url}api/games", data={"config": config, "hostDisplayName": "Ann"}).json()["gameId"]
    assert host.request.post(f"{host.url}api/games/{game}/join", data={"displayName": "Bob"}).ok
    for viewport in SIZES[1:]:
        page = open_page(f"/game/{game}", viewport=viewport)
        page.evaluate("localStorage.setItem('ludus.prefs', JSON.stringify({chat: true, evaluation: false}))")
        page.reload()
        composer = page.get_by_label("Write a message")
        composer.scroll_into_view_if_needed()
        before = composer.bounding_box(), page.evaluate("scrollY")
        page.locator(".walk").get_by_role("button", name="Evaluation", exact=True).evaluate(
            "(button) => button.click()"
        )
        expect(page.locator(".evaluation-graph")).to_be_visible()
        assert (composer.bounding_box(), page.evaluate("scrollY")) == before
        expect(page.get_by_role("region", name="Evaluation").locator(".evaluation-graph")).to_be_visible()


@pytest.mark.parametrize("viewport", SIZES, ids=lambda size: str(size["width"]))
def test_a_game_shows_how_strong_its_bot_is(open_page, viewport: dict[str, int]) -> None:
    page = open_page(viewport=viewport)
    page.locator(".card", has=page.get_by_text("Connect Four", exact=True)).click()
    page.locator(".setup").get_by_text("Wally", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    told = page.locator(".player", has=page.get_by_text("Wally", exact=True)).get_by_text("7 kyu \u00b1 1", exact=True)
    expect(told).to_be_visible()
    expect(told).to_have_attribute("title", "Measured in 200 games against GNU Go.")


def test_icons_have_words_below_or_titles(open_page) -> None:
    page = open_page()
    begin(page, "Wall Game", evaluation=True)
    for words in ("Turn", "Evaluation", "Type", "Find", "Settings", "Sounds"):
        expect(page.get_by_role("main").or_(page.locator("header")).get_by_text(words, exact=True)).to_be_visible()
    unnamed = page.locator(".icon-button:not([title]):not(:has(small))")
    expect(unnamed).to_have_count(0)


COLOURS = """([style, names]) => {
    const part = document.createElement("div");
    part.className = style;
    part.innerHTML = `<div class="board ${style}"><i></i></div>`;
    document.body.append(part);
    const probe = part.querySelector("i");
    const found = names.map((name) => {
        probe.style.backgroundColor = `var(--${name})`;
        return getComputedStyle(probe).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number);
    });
    part.remove();
    return Object.fromEntries(names.map((name, at) => [name, found[at]]));
}
"""
"""Returns the colours of custom properties on a board of a style, as red, green and blue from 0 to 255."""
GROUNDS = {"checks": ("light", "dark"), "points": ("wood",), "squares": ("cell",)}
PIECES = {"checks": ("white", "black"), "points": ("white", "black"), "squares": ("orange", "blue")}


def luminance(colour: list[float]) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    red, green, blue = (x / 12.92 if (x := c / 255) <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("boards", ["Classic", "Walnut", "Slate"])
def test_a_set_of_boards_and_pieces_is_kept_and_has_contrast(open_page, boards: str, scheme: str) -> None:
    page = open_page("/settings", color_scheme=scheme)
    page.get_by_text(boards, exact=True).click()
    page.reload()
    expect(page.get_by_role("radio", name=boards)).to_be_checked()
    for style, grounds in GROUNDS.items():
        names = [*grounds, *(name + shade for name in PIECES[style] for shade in ("", "-deep"))]
        seen = page.evaluate(COLOURS, [style, names])
        for ground in grounds:
            for name in PIECES[style]:
                # WCAG asks for 3 to 1 between things and what is around them; the outline counts
                most = max(contrast(seen[name + shade], seen[ground]) for shade in ("", "-deep"))
                assert most >= 3, f"{name} on {ground} of {style}"
