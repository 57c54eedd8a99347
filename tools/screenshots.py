"""Takes the pictures of the documentation from a running site: `ludus serve`, then `python tools/screenshots.py [URL]`.

Needs the `test` extra (playwright) and Chromium.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DESKTOP, PHONE = (1280, 800), (390, 800)
THINKING_MS = 60_000
WALLS = ("Wall >c3", "Wall ^c2", "Wall >b2", "Wall ^d3", "Wall ^b3", "Wall >d4", "Wall >a2")


def open_page(browser: Browser, url: str, size: tuple[int, int], scheme: str) -> Page:
    """Open the site's first page in a window of its own."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=2 if size == PHONE else 1.5,
    )
    page.goto(url)
    page.locator(".card").first.wait_for()
    return page


def start(page: Page, game: str, level: str) -> None:
    """Begin a game as first player."""
    page.locator(".card", has_text=game).click()
    page.locator(".opponents label", has_text=level).first.click()
    page.locator(".setup").get_by_text("First", exact=True).click()
    page.get_by_role("button", name="Play").click()
    page.locator("svg.board.active").wait_for()


def act(page: Page, *names: str) -> None:
    """Make the first of these actions that is legal, when it is the guest's turn, and wait until it is so again."""
    page.locator("svg.board.active").wait_for(timeout=THINKING_MS)
    before = page.locator(".record").inner_text()
    found = [place for name in names if (place := page.locator(f'.place[aria-label="{name}"]')).count()]
    (found or [page.locator(".place").first])[0].dispatch_event("click")
    page.wait_for_function("(before) => document.querySelector('.record').innerText !== before", arg=before)
    page.locator("svg.board.active, .status.result").first.wait_for(timeout=THINKING_MS)
    page.wait_for_timeout(800)


def save(page: Page, name: str) -> None:
    """Write the picture."""
    page.wait_for_timeout(800)
    page.screenshot(path=IMAGES / f"{name}.png")


def main(url: str) -> None:
    """Take all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        save(open_page(browser, url, DESKTOP, "light"), "shelf")
        page = open_page(browser, url, DESKTOP, "light")
        start(page, "Wall Game", "Strong")
        for _ in range(6):
            act(page, *WALLS)
        save(page, "wall-game")
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        save(page, "wall-game-phone")
        page = open_page(browser, url, DESKTOP, "dark")
        start(page, "Connect Four", "Strong")
        for column in "4453":
            act(page, f"Play {column}")
        page.locator("svg.board.active").hover(position={"x": 300, "y": 300})
        save(page, "connect-four")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
