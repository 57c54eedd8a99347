"""Takes the pictures of docs/reference/boards.md: `ludus serve`, then `python tools/board_pictures.py [URL]`.

Each picture shows the board of the example that follows it on that page.  Needs the `test` extra (playwright) and
Chromium.
"""

import doctest
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, Route, sync_playwright

from ludus.games.board import Board

DOCS = Path(__file__).parent.parent / "docs"
DOCUMENT, IMAGES = DOCS / "reference" / "boards.md", DOCS / "images"
PARTS = re.compile(r"!\[[^]]*\]\(\.\./images/(\S+)\)|^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def boards() -> Iterator[tuple[str, Board]]:
    """Yield each picture's path and its board, after running the example that follows it."""
    names: dict[str, Any] = {}
    picture = ""
    for path, code in PARTS.findall(DOCUMENT.read_text(encoding="utf-8")):
        if path:
            picture = path
            continue
        for example in doctest.DocTestParser().get_examples(code):
            if not example.want:
                exec(example.source, names)
        if picture:
            yield picture, names["board"]
            picture = ""


def show(browser: Browser, url: str, board: Board, width: int) -> Page:
    """Open a study page that shows a board instead of the one that the site sends."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme="light")

    def answer(route: Route) -> None:
        view = json.loads(route.fetch().text())
        route.fulfill(json=view | {"board": msgspec.to_builtins(board)})

    page.route("**/api/study", answer)
    page.goto(f"{url}/study?spec=tictactoe")
    page.locator(".board-area svg.board, .study-board svg.board").first.wait_for()
    page.mouse.move(0, 0)
    page.wait_for_timeout(700)  # animations
    return page


def main(url: str) -> None:
    """Take all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, board in boards():
            wide = board.columns > 2 * board.rows and not any(place.centre for place in board.cells)
            page = show(browser, url, board, 800 if wide else 420)
            page.locator("svg.board").first.screenshot(path=IMAGES / name, animations="disabled")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000")
