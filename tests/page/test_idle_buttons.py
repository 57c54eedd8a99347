"""A button that becomes disabled keeps the keyboard focus, and does nothing when pressed."""

import json
import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, Route, expect

pytestmark = pytest.mark.page


def press(button: Locator) -> None:
    """Press a button with the keyboard."""
    button.focus()
    button.press("Enter")


def expect_idle(button: Locator) -> None:
    """Assert that a button is disabled and still has the focus."""
    expect(button).to_be_disabled()
    expect(button).to_be_focused()


def put(part: Page | Locator, name: str) -> None:
    """Press Enter on a cell."""
    cell = part.get_by_role("gridcell", name=re.compile(f"^{name}, "))
    cell.focus()
    cell.press("Enter")


@pytest.mark.parametrize("name", ["Take back", pytest.param("Start again", marks=pytest.mark.full)])
def test_the_buttons_of_a_lesson_keep_the_focus(open_page, name: str) -> None:
    page = open_page("/learn/tictactoe")
    part = page.locator(".part").first
    part.locator("svg.board.play").wait_for()
    before = part.locator("svg.board .piece").count()
    button = part.get_by_role("button", name=name)
    expect(button).to_be_disabled()
    part.locator('.grid-cell[aria-label*="empty"]').first.press("Enter")
    expect(part.locator("svg.board .piece")).to_have_count(before + 1)
    expect(button).to_be_enabled()
    press(button)
    expect(part.locator("svg.board .piece")).to_have_count(before)
    expect_idle(button)


@pytest.mark.full
def test_promoting_or_deleting_a_line_leaves_the_focus_on_the_button(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)
    put(page, "c3")
    expect(page.locator(".variation")).to_have_text(re.compile("c3"))
    promote, delete = (page.get_by_role("button", name=name) for name in ("Promote line", "Delete from here"))
    press(promote)
    expect(page.locator(".variation")).to_have_text(re.compile("a3"))
    expect_idle(promote)
    press(delete)
    expect(page.locator("svg.board.play .piece")).to_have_count(1)
    expect(delete).to_be_enabled()
    press(delete)
    expect(page.locator("svg.board.play .piece")).to_have_count(0)
    expect_idle(delete)


@pytest.mark.full
def test_the_paging_buttons_keep_the_focus_on_the_first_and_last_page(open_page) -> None:
    page = open_page()

    def two_pages(route: Route) -> None:
        number = int(parse_qs(urlparse(route.request.url).query).get("page", ["1"])[0])
        route.fulfill(body=json.dumps({"games": [], "page": number, "pages": 2, "total": 41}))

    page.route("**/api/archive*", two_pages)
    page.get_by_role("link", name="Games", exact=True).click()
    newer, older = (page.get_by_role("button", name=name) for name in ("Newer", "Older"))
    expect(newer).to_be_disabled()
    press(older)
    expect(page.locator(".turner")).to_contain_text("Page 2 of 2")
    expect_idle(older)
    older.press("Enter")
    page.wait_for_timeout(300)  # long enough for a request of another page
    expect(page.locator(".turner")).to_contain_text("Page 2 of 2")
    press(newer)
    expect(page.locator(".turner")).to_contain_text("Page 1 of 2")
    expect_idle(newer)


@pytest.mark.full
def test_taking_back_the_only_move_leaves_the_focus_on_the_button(open_page) -> None:
    page = open_page()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()
    put(page, "b2")
    expect(page.locator("button.move")).to_have_count(2)
    press(page.get_by_role("button", name="Take back"))
    expect(page.locator("button.move")).to_have_count(0)
    expect_idle(page.get_by_role("button", name="Undo"))  # the button's name while there is no move to take back


@pytest.mark.full
def test_enter_in_a_field_does_not_press_a_disabled_submit_button(open_page) -> None:
    page = open_page("/settings")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    name, password = (page.get_by_label(label, exact=True) for label in ("Name", "Password"))
    name.fill("nobody")
    name.press("Enter")
    page.wait_for_timeout(300)
    assert sent == []
    password.fill("correct horse battery")
    with page.expect_request("**/api/session"):
        password.press("Enter")
