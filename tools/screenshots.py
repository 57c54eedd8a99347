"""Takes the documentation's screenshots from a running site: `python tools/screenshots.py [URL]`.

Start it with `ludus serve --game examples/breakthrough.py`, the game of the tutorial.

Needs the `test` extra (playwright) and Chromium.  It plays the engine's best moves, so that the games look plausible
whatever the bots answer.
"""

import json
import re
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
PATIENCE_MS = 60_000
RUY_LOPEZ = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6"
TUTORIAL = ("Breakthrough", "examples/breakthrough.py", "b2-b3 c5-c4 b3-b4")
GO = "E5 C6 E7 G6 C4 D4 C5 D5 D6 E6 D7 F6 F5 C3 B3 G5"


def open_page(browser: Browser, url: str, scheme: str = "light", **prefs: bool) -> Page:
    """Open an address in a new page, with some of the site's preferences set."""
    page = browser.new_page(
        viewport={"width": 1280, "height": 840}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(f"localStorage.setItem('ludus.prefs', JSON.stringify({json.dumps(prefs)}))")
    page.goto(url)
    page.locator("svg.board").first.wait_for()
    return page


def play(page: Page, game: str, level: str, turns: int) -> None:
    """Start a game as first player and play the engine's best moves."""
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    page.locator(".opponents label", has_text=level).first.click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()
    page.get_by_role("button", name="Type moves").click()
    for turn in range(turns):
        act(page)
        expect(page.locator("button.move")).to_have_count(2 * turn + 2)
    page.locator(".best-move").wait_for()
    page.get_by_role("button", name="Type moves").click()


def act(page: Page) -> None:
    """Play the best move; a double step of a pawn is entered over a cell between."""
    field, fault = page.get_by_label("Type a move"), page.locator(".fault")
    expect(page.locator(".best-move")).to_have_text(re.compile(r"Best: \S"))
    best = (page.locator(".best-move").text_content() or "").partition("Best: ")[2]
    for move in (best, *by_way_of(best)):
        field.fill(move)
        field.press("Enter")
        # accepted moves clear the field; others show a fault
        page.wait_for_function(
            "() => !document.querySelector('.typing input')?.value || document.querySelector('.fault')?.textContent"
        )
        if not fault.text_content():
            return
    sys.exit(f"The best move {best} cannot be made.")


def by_way_of(move: str) -> list[str]:
    """Return a pawn's move with each possible cell in between."""
    found = re.fullmatch(r"([CM])([a-z])(\d+)", move)
    if not found:
        return []
    pawn, column, row = found[1], ord(found[2]), int(found[3])
    beside = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [f"{pawn}{chr(across)}{up}.{move}" for across, up in beside]


def save(page: Page, name: str) -> None:
    """Save a screenshot after all animations."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def tables(browser: Browser, url: str) -> None:
    """Take the screenshots of games."""
    page = open_page(browser, url, evaluation=True)
    play(page, "Wall Game", "Strong", 4)
    save(page, "wall-game")
    page = open_page(browser, url, "dark", evaluation=True)
    play(page, "Gomoku", "Strong", 5)
    save(page, "gomoku")


def analysis(browser: Browser, url: str) -> None:
    """Take the screenshots of the analysis board."""
    page = open_page(browser, f"{url}/study?spec=chess#{RUY_LOPEZ.replace(' ', '%20')}", evaluation=True)
    for _ in range(RUY_LOPEZ.count(" ") + 1 - 5):
        page.get_by_role("button", name="One move back").click()
    for place in ("g8", "f6"):  # a variation: the Berlin defence
        page.locator("svg.board.play").wait_for()
        page.locator(f'[role="gridcell"][aria-label^="{place},"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator(".variation")).to_have_count(1)
    page.locator(".engine li").first.wait_for()
    save(page, "chess-analysis")
    page = open_page(browser, f"{url}/study?spec=go:9x9#{GO.replace(' ', '%20')}", evaluation=True)
    page.locator(".engine li").first.wait_for()
    save(page, "go-analysis")


def tutorial(browser: Browser, url: str) -> None:
    """Take the screenshots of the tutorial's game: a position with what the engine says, and a game against a bot."""
    title, spec, moves = TUTORIAL
    page = open_page(browser, f"{url}/study?spec={spec}#{moves.replace(' ', '%20')}", evaluation=True)
    page.locator(".engine li").first.wait_for()
    save(page, "tutorial-position")
    page = open_page(browser, url, evaluation=True)
    play(page, title, "Strong", 4)
    save(page, "tutorial-game")


def main(url: str) -> None:
    """Take all screenshots."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        expect.set_options(timeout=PATIENCE_MS)
        page = open_page(browser, url)
        page.locator(".opponents label").first.wait_for()
        save(page, "first-page")
        tables(browser, url)
        analysis(browser, url)
        tutorial(browser, url)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000")
