"""When the focused element disappears, the focus moves to a status, a heading, or the previously focused element."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

pytestmark = pytest.mark.page

NOBODY = "document.activeElement === document.body"


def press(button: Locator) -> None:
    """Press a button with the keyboard."""
    button.focus()
    button.press("Enter")


def begin(page: Page, game: str, *options: str) -> None:
    """Start a game as first player."""
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    for option in options:
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup .button.primary").click()


def put(page: Page, name: str, shown: int) -> None:
    """Press Enter on a cell and wait until `shown` moves are listed."""
    page.locator("svg.board.play").wait_for()
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).press("Enter")
    expect(page.locator("button.move")).to_have_count(shown)


def two_people(open_page) -> tuple[Page, Page]:
    """Return the two players' pages of a Connect Four game; the second player took the seat by keyboard."""
    host = open_page()
    begin(host, "Connect Four", "A friend")
    expect(host.get_by_text("Waiting for your friend")).to_be_visible()
    friend = open_page("/game/" + host.url.rsplit("/", 1)[1])
    press(friend.get_by_role("button", name="Take the seat"))
    host.locator("svg.board.play").wait_for()
    return host, friend


def status(page: Page) -> Locator:
    """Return the element with the game's status."""
    return page.locator(".status[role=status], .status [role=status]")


@pytest.mark.full
def test_resigning_or_aborting_moves_the_focus_to_the_result(open_page) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    page.locator("svg.board.play").wait_for()
    press(page.get_by_role("button", name="Abort"))
    expect(page.locator(".status.result")).to_be_focused()
    expect(page.get_by_role("button", name="Type moves")).to_have_count(0)
    page.keyboard.press("Enter")  # a second press must not offer a rematch
    page.get_by_role("link", name="New game").click()
    begin(page, "Tic-tac-toe")
    put(page, "b2", shown=2)
    press(page.get_by_role("button", name="Resign"))
    press(page.get_by_role("button", name="Yes, resign"))
    expect(page.locator(".status.result")).to_be_focused()


def test_answering_an_offer_moves_the_focus_to_the_status(open_page) -> None:
    host, friend = two_people(open_page)
    expect(status(friend)).to_be_focused()
    press(host.get_by_role("button", name="Offer draw"))
    press(host.get_by_role("button", name="Withdraw"))
    expect(status(host)).to_be_focused()
    for answer in ("Decline", "Accept"):
        host.get_by_role("button", name="Offer draw").click()
        press(friend.get_by_role("button", name=answer))
        expect(status(friend)).to_be_focused()
    expect(friend.locator(".status.result")).to_contain_text("Draw")


@pytest.mark.full
def test_a_second_press_while_the_game_opens_does_not_request_the_seat_again(open_page) -> None:
    host = open_page()
    begin(host, "Connect Four", "A friend")
    expect(host.get_by_text("Waiting for your friend")).to_be_visible()
    friend = open_page("/game/" + host.url.rsplit("/", 1)[1])
    friend.route_web_socket(re.compile("/ws/play/.*token="), lambda _: None)
    friend.reload()
    asked: list[str] = []

    def give_seat(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json={"role": "player", "token": "later"})

    friend.route("**/join", give_seat)
    button = friend.get_by_role("button", name="Take the seat")
    with friend.expect_response("**/join"):
        press(button)
    expect(button).to_be_disabled()
    button.press("Enter")
    friend.wait_for_timeout(300)
    assert len(asked) == 1


def test_a_pass_and_the_return_to_the_game_move_the_focus_to_the_status(open_page, site) -> None:
    site.bot.plan = ["A1", "A2"]
    page = open_page()
    begin(page, "Go")
    put(page, "B1", shown=2)
    press(page.get_by_role("button", name="Pass", exact=True))
    expect(status(page)).to_be_focused()
    expect(page.locator("button.move")).to_have_count(4)
    page.get_by_role("button", name="One move back").click()
    press(page.get_by_role("button", name="Back to the game"))
    expect(status(page)).to_be_focused()


def test_playing_an_engine_line_moves_the_focus_to_the_engine_s_heading(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3")
    press(page.locator(".engine-lines button").first)
    expect(page.locator("button.move[aria-current]")).to_be_visible()
    expect(page.locator(".engine-lines button").first).to_be_visible()
    expect(page.get_by_role("heading", name="Engine")).to_be_focused()


def test_opening_and_cancelling_the_position_editor_keeps_the_focus_in_the_content(open_page) -> None:
    page = open_page("/study?spec=chess#e4")
    press(page.get_by_role("button", name="Set up a position"))
    page.locator(".position-text textarea").wait_for()
    expect(page.locator("#content")).to_be_focused()
    press(page.get_by_role("button", name="Cancel"))
    expect(page.locator(".study-turn")).to_be_focused()


def test_choosing_the_usual_start_moves_the_focus_to_the_game_s_heading(open_page) -> None:
    page = open_page("/?spec=chess&setup=7k/P7/6K1/8/8/8/8/8%20w%20-%20-%200%201")
    press(page.get_by_role("button", name="Use the usual start"))
    expect(page.locator(".setup h2")).to_be_focused()


def test_creating_or_deleting_an_account_moves_the_focus_to_its_heading(open_page) -> None:
    page = open_page("/settings")
    page.get_by_label("Name", exact=True).fill("vera")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    press(page.get_by_role("button", name="Create an account"))
    expect(page.get_by_role("heading", name="vera")).to_be_focused()
    leave, keep = (page.get_by_role("button", name=name) for name in ("Delete the account", "Keep it"))
    press(leave)
    expect(keep).to_be_focused()
    keep.press("Enter")
    expect(leave).to_be_focused()
    leave.press("Enter")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    press(page.get_by_role("button", name="Yes, delete it"))
    expect(page.get_by_role("heading", name="You are a guest")).to_be_focused()


def test_a_second_press_during_the_request_does_not_create_an_account_again(open_page) -> None:
    page = open_page("/settings")
    asked: list[Route] = []
    page.route("**/api/account", lambda route: asked.append(route))
    page.get_by_label("Name", exact=True).fill("dora")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    button = page.get_by_role("button", name="Create an account")
    with page.expect_request("**/api/account"):
        press(button)
    expect(button).to_be_disabled()
    button.press("Enter")
    page.wait_for_timeout(300)
    assert len(asked) == 1
    asked[0].fulfill(status=409, json={"error": "This name is taken."})
    expect(button).to_be_enabled()
    expect(button).to_be_focused()


def test_dismissing_a_notice_returns_the_focus(open_page) -> None:
    page = open_page("/settings")
    page.get_by_label("Name", exact=True).fill("nobody")
    password = page.get_by_label("Password", exact=True)
    password.fill("wrong horse battery")
    password.press("Enter")
    press(page.get_by_role("button", name="Dismiss"))
    expect(password).to_be_focused()


@pytest.mark.full
def test_errors_stay_until_dismissed_and_news_disappear(open_page) -> None:
    page = open_page("/settings")
    page.clock.install()
    page.get_by_label("Name", exact=True).fill("Notices")
    password = page.get_by_label("Password", exact=True)
    password.fill("wrong horse battery")
    password.press("Enter")
    notice = page.locator(".notice")
    expect(notice).to_be_visible()
    page.clock.run_for(20_000)
    expect(notice).to_be_visible()
    page.get_by_role("button", name="Create an account").click()
    expect(notice).to_contain_text("Welcome, Notices.")
    page.clock.run_for(7000)
    expect(notice).to_have_count(0)


def test_focus_that_was_deliberately_removed_is_not_restored(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3")
    page.locator(".engine-lines button").first.focus()
    page.mouse.click(700, 5)  # on empty space of the header
    page.wait_for_function(NOBODY)
    held: list[Route] = []
    page.route("**/api/study/evaluation", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/study/evaluation"):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("The engine begins to think…")).to_be_visible()
    held[0].continue_()
    expect(page.locator(".engine-lines button").first).to_be_visible()
    assert page.evaluate(NOBODY)
