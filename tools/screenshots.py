"""Takes the pictures of the documentation from a running site: `ludus serve`, then `python tools/screenshots.py [URL]`.

Needs the `test` extra (playwright) and Chromium.  A game's moves are the first of a list that are legal, so that the
pictures do not depend on what the bots answer.
"""

import json
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DESKTOP, PHONE = (1280, 800), (390, 800)
PATIENCE_MS = 60_000
WALLS = (">c3.^c2", ">b2.^d3", "^b3.>d4", ">a2.^d2", ">d1.^a4", ">a4.^e2", ">d5.^e4", "^a2.>b5", "^c4.^e3")
COLUMNS = "4453362715"
RUY_LOPEZ = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6"
GO = "E5 C6 E7 G6 C4 D4 C5 D5 D6 E6 D7 F6 F5 C3 B3 G5"


def open_page(browser: Browser, url: str, size: tuple[int, int], scheme: str = "light", **prefs: bool) -> Page:
    """Open an address in a window of its own, with some preferences of the page."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=2 if size == PHONE else 1.4,
    )
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(f"localStorage.setItem('ludus.prefs', JSON.stringify({json.dumps(prefs)}))")
    page.goto(url)
    page.locator("svg.board").first.wait_for()
    return page


def start(page: Page, game: str, level: str) -> None:
    """Begin a game as first player, and open the field for moves."""
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    page.locator(".opponents label", has_text=level).first.click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()
    page.get_by_role("button", name="Type moves").click()


def act(page: Page, *moves: str) -> bool:
    """Make the first of these moves that is legal, and wait for the answer; return whether the game goes on."""
    field, fault = page.get_by_label("Type a move"), page.locator(".fault")
    for move in moves:
        field.fill(move)
        field.press("Enter")
        # a whole move clears the field; what is wrong with another one is said
        page.wait_for_function(
            "() => !document.querySelector('.typing input')?.value || document.querySelector('.fault')?.textContent"
        )
        expect(page.locator("svg.board.play, .status.result").first).to_be_visible()
        if page.locator(".status.result").count():
            return False
        if not fault.text_content():
            return True
    return False


def save(page: Page, name: str) -> None:
    """Write the picture, when nothing moves any more."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def tables(browser: Browser, url: str) -> None:
    """Take the pictures of games."""
    page = open_page(browser, url, DESKTOP, evaluation=True)
    start(page, "Wall Game", "Strong")
    for _ in range(4):
        act(page, *WALLS)
    page.get_by_role("button", name="Type moves").click()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(1000)
    page.screenshot(path=IMAGES / "wall-game-phone.png")
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.emulate_media(color_scheme="light")
    save(page, "wall-game")
    page = open_page(browser, url, DESKTOP, "dark", evaluation=True)
    start(page, "Connect Four", "Strong")
    for turn in range(5):
        if not act(page, *COLUMNS[turn:]):
            break
    page.get_by_role("button", name="Type moves").click()
    save(page, "connect-four")


def analysis(browser: Browser, url: str) -> None:
    """Take the pictures of the analysis board."""
    page = open_page(browser, f"{url}/study?spec=chess#{RUY_LOPEZ.replace(' ', '%20')}", DESKTOP)
    for _ in range(RUY_LOPEZ.count(" ") + 1 - 5):
        page.get_by_role("button", name="One move back").click()
    for place in ("g8", "f6"):  # a variation: the Berlin defence
        page.locator("svg.board.play").wait_for()
        page.locator(f'[role="gridcell"][aria-label^="{place},"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator(".variation")).to_have_count(1)
    save(page, "analysis")
    save(open_page(browser, f"{url}/study?spec=go:9x9#{GO.replace(' ', '%20')}", PHONE), "go-phone")


def main(url: str) -> None:
    """Take all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        expect.set_options(timeout=PATIENCE_MS)
        page = open_page(browser, url, DESKTOP)
        page.locator(".opponents label").first.wait_for()
        save(page, "shelf")
        tables(browser, url)
        analysis(browser, url)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000")
