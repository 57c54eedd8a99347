"""The Wall Game's animal cycle between two people: four animals, each with its own hunter and prey."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.page.test_accessible import findings, sticks_out

pytestmark = pytest.mark.page

CONFIG = {"game": "wallgame", "variant": "animal-cycle", "boardWidth": 5, "boardHeight": 5}


def sit(page: Page, game: str, token: str) -> None:
    """Open a game with the token of a seat."""
    page.evaluate("([game, token]) => localStorage.setItem(`ludus.token.${game}`, token)", [game, token])
    page.goto(f"{page.url.rstrip('/')}/game/{game}")
    page.locator("svg.board").wait_for()


def step(page: Page, *cells: str) -> None:
    """Choose cells of the board by keyboard, one after the other."""
    for name in cells:
        page.locator("svg.board.play").wait_for()
        cell = page.get_by_role("gridcell", name=re.compile(f"^{name}, "))
        cell.focus()
        page.keyboard.press("Enter")


@pytest.mark.parametrize(
    "viewport", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}], ids=["wide", "phone"]
)
def test_a_cat_that_catches_the_mouse_wins(open_page, viewport: dict[str, int]) -> None:
    ann, bob = open_page(viewport=viewport), open_page(viewport=viewport)
    body = {"config": CONFIG, "hostDisplayName": "Ann", "hostIsPlayer1": True}
    game = ann.request.post(f"{ann.url}api/games", data=body).json()
    joined = ann.request.post(f"{ann.url}api/games/{game['gameId']}/join", data={"displayName": "Bob"}).json()
    sit(ann, game["gameId"], game["hostToken"])
    sit(bob, game["gameId"], joined["token"])
    for name, place in (("cat", "a5"), ("mouse", "e5"), ("elephant", "e1"), ("dog", "a1")):
        expect(ann.get_by_role("gridcell", name=re.compile(f"^{place}, .*{name}"))).to_have_count(1)
    expect(ann.locator(".record .terms")).to_contain_text("Animal")
    assert findings(ann) == []
    assert sticks_out(ann) == []

    step(ann, "b5", "c5")
    step(bob, "a2", "a3")
    expect(ann.locator("button.move")).to_have_count(2)
    step(ann, "d5", "e5")
    expect(ann.locator(".status.result")).to_contain_text("You won")
    expect(bob.locator(".status.result")).to_contain_text("Ann won")
    expect(bob.locator(".status.result")).to_contain_text(re.compile("mouse", re.IGNORECASE))
    assert findings(bob) == []
