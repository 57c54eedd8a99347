"""A held arrow key skips positions: the page requests only those where the key pauses."""

import re
import time
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

SPEC = "gomoku:freestyle:9x9"
PLIES = 50
FEW = 10
"""Most allowed requests: the first and last position, and some for a page slower than the key's repeats."""
PAUSE_S = 0.1
"""On a busy machine, a repeat that takes longer than this may come after the page's limit for a pause, 150 ms."""


def quiet_game() -> list[str]:
    """Return the moves of a game without rows of four or five."""
    places = [(column, row) for row in range(9) for column in range(9)]
    colours = [[f"{'abcdefghi'[c]}{r + 1}" for c, r in places if (c // 2 + r) % 2 == colour] for colour in (0, 1)]
    return [colours[ply % 2][ply // 2] for ply in range(PLIES)]


def requests_to(page: Page, path: str) -> list[str]:
    """Return a list that collects the URLs of later requests that have this path, a regular expression."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if re.search(f"{path}$", request.url) else None)
    return asked


def hold(page: Page, key: str, steps: int) -> int:
    """Hold a key down for `steps` repeats; return the number of pauses between them."""
    pauses = 0
    for _ in range(steps):
        begin = time.monotonic()
        page.keyboard.down(key)
        pauses += time.monotonic() - begin > PAUSE_S
    page.keyboard.up(key)
    return pauses


def show_line(page: Page, moves: list[str]) -> str:
    """Open the analysis page at the end of a line; return the path of its requests for positions."""
    page.goto(f"{page.url.rstrip('/')}/study?spec={SPEC}#{quote(' '.join(moves))}")
    return "/api/study"


def show_replay(page: Page, moves: list[str]) -> str:
    """Open a pasted game at its end; return the path of its requests for positions."""
    page.goto(f"{page.url.rstrip('/')}/games")
    text = "\n".join(f"{1 + at // 2}. {' '.join(moves[at : at + 2])}" for at in range(0, len(moves), 2))
    page.get_by_label("A game downloaded here").fill(f'[Game "{SPEC}"]\n\n{text}\n*\n')
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator("button.move").last.click()
    return r"/api/shared/plies/\d+"


@pytest.mark.parametrize("show", [show_line, pytest.param(show_replay, marks=pytest.mark.full)])
def test_a_held_key_requests_few_positions_and_the_last_one_is_shown(
    open_page, show: Callable[[Page, list[str]], str]
) -> None:
    page = open_page()
    asking = show(page, quiet_game())
    pieces = page.locator(".board-area svg.board .piece")
    expect(pieces).to_have_count(PLIES, timeout=60_000)
    asked = requests_to(page, asking)
    pauses = hold(page, "ArrowLeft", PLIES - 10)
    expect(pieces).to_have_count(10)
    expect(page.locator("button.move[aria-current]")).to_have_text(quiet_game()[9])
    assert 1 <= len(asked) <= FEW + pauses, asked
    for left in (9, 8, 7):  # each single step makes one request
        before = len(asked)
        page.keyboard.press("ArrowLeft")
        expect(pieces).to_have_count(left)
        assert len(asked) == before + 1
        page.wait_for_timeout(200)


@pytest.mark.full
def test_after_a_held_key_the_address_is_that_of_the_last_position(open_page) -> None:
    page = open_page()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    for name in ("b2", "a2", "c2"):
        page.locator("svg.board.play").wait_for()
        page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).press("Enter")
        expect(page.locator("button.move").filter(has_text=name)).to_have_count(1)
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*ply=0")
    page.evaluate(
        """() => {
            window.addresses = 0;
            const replace = history.replaceState;
            history.replaceState = function (...all) { window.addresses += 1; replace.apply(this, all); };
        }"""
    )
    pauses = 0
    for _ in range(20):
        pauses += hold(page, "ArrowRight", 4) + hold(page, "ArrowLeft", 3) + hold(page, "ArrowLeft", 1)
    hold(page, "ArrowRight", 2)
    page.wait_for_url("**/replay/*ply=2")
    assert page.evaluate("window.addresses") <= 2 * FEW + pauses
