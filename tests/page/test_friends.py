"""Games between two people, each in their own browser."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

PHONE = {"width": 390, "height": 844}


def invite(page: Page, *options: str) -> str:
    """Open a game of Connect Four for a friend; return its path."""
    page.locator(".card", has_text="Connect Four").click()
    for option in ("A friend", *options):
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.get_by_role("button", name="Create a link for a friend").click()
    expect(page.get_by_text("Waiting for your friend")).to_be_visible()
    assert page.get_by_label("Link to this game").input_value() == page.url
    return "/game/" + page.url.rsplit("/", 1)[1]


def drop(page: Page, column: int) -> None:
    """Drop a disc by keyboard."""
    page.locator("svg.board.play").wait_for()
    page.locator(f'[data-cell="0,{column}"]').focus()
    page.keyboard.press("Enter")


def seconds(text: str) -> int:
    """Return the seconds that a clock shows."""
    minutes, rest = text.split(":")
    return 60 * int(minutes) + int(rest)


def shown(left: int) -> str:
    """Return the text of a clock with `left` seconds."""
    return f"{left // 60}:{left % 60:02}"


def both(open_page, *options: str) -> tuple[Page, Page]:
    """Return the two players' pages of a game: the host's and the friend's."""
    host = open_page()
    friend = open_page(invite(host, *options), viewport=PHONE)
    friend.get_by_role("button", name="Take the seat").click()
    friend.locator("svg.board").wait_for()
    host.locator("svg.board.play").wait_for()
    return host, friend


def test_friends_play_chat_make_offers_and_play_a_rematch(open_page) -> None:
    host, friend = both(open_page)
    drop(host, 3)
    expect(friend.locator("button.move")).to_have_count(1)
    friend.get_by_label("Write a message").fill("Hello <b>there</b>")
    friend.get_by_label("Write a message").press("Enter")
    expect(host.get_by_role("log", name="Chat")).to_contain_text("Hello <b>there</b>")

    host.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Decline").click()
    expect(host.get_by_role("alert")).to_contain_text("declines the takeback")
    host.get_by_role("button", name="Offer draw").click()
    expect(friend.locator(".offer")).to_contain_text("offers a draw")
    expect(friend.locator("[data-said]")).to_have_text(re.compile(r"offers a draw\.$"))
    friend.get_by_role("button", name="Accept").click()
    for page in (host, friend):
        expect(page.locator(".status.result")).to_contain_text("Draw")

    old = host.url
    host.get_by_role("button", name="Rematch").click()
    friend.get_by_role("button", name="Accept").click()
    expect(host).not_to_have_url(old)
    expect(friend).to_have_url(host.url)
    drop(friend, 0)  # sides are swapped
    expect(host.locator("button.move")).to_have_count(1)
    expect(host.locator(".points-won").first).to_have_text("½")


@pytest.mark.full
def test_a_player_who_was_away_at_the_rematch_has_a_seat_in_it(open_page, site) -> None:
    host, friend = both(open_page)
    old = host.url
    host.get_by_role("button", name="Abort").click()
    host.get_by_role("button", name="Rematch").click()
    expect(friend.locator(".offer")).to_contain_text("offers a rematch")
    host.goto(site.url + "/settings")
    friend.get_by_role("button", name="Accept").click()
    expect(friend).not_to_have_url(old)
    host.goto(old)
    host.get_by_role("link", name="Open the next game").click()
    expect(host).to_have_url(friend.url)
    expect(host.locator(".player.bottom .tag", has_text="you")).to_be_visible()


def test_the_waiting_room_reports_a_lost_connection_and_offers_the_seat_to_a_refused_guest(open_page) -> None:
    host = open_page()
    visitor = open_page(invite(host))
    host.evaluate("window.cutOff()")
    expect(host.get_by_text("Connection lost. Reconnecting…")).to_be_visible()
    host.evaluate("window.reach()")
    expect(host.get_by_text("Connection lost. Reconnecting…")).to_have_count(0)
    expect(visitor.get_by_role("button", name="Take the seat")).to_be_visible()
    for page in (visitor, host):
        page.evaluate("window.sockets.at(-1).onclose({ code: 1008, reason: 'The table is gone' })")
    expect(visitor.get_by_text("The table is gone")).to_be_visible()
    expect(host.get_by_role("button", name="Take the seat")).to_be_visible()  # the token was refused and is forgotten


@pytest.mark.full
def test_clocks_run_and_a_player_can_give_the_opponent_time(open_page) -> None:
    host, friend = both(open_page, "3 + 2")
    expect(host.locator(".clock")).to_have_text(["3:00", "3:00"])
    drop(host, 3)
    drop(friend, 3)
    expect(host.locator(".player.bottom .clock.running")).to_be_visible()
    theirs = host.locator(".player.top .clock")  # it does not run: the host is to move
    before = seconds(theirs.inner_text())
    assert before <= 182
    onlooker = open_page("/game/" + host.url.rsplit("/", 1)[1])
    name = onlooker.locator(".player.top .name").inner_text()
    expect(onlooker.locator(".player.top .clock")).to_have_attribute("aria-label", re.compile(rf"^Time of {name}: \d"))
    host.get_by_role("button", name="15 s").click()
    expect(theirs).to_have_text(shown(before + 15))
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Yes, resign").click()
    expect(host.locator(".status.result")).to_contain_text("You won")
    host.get_by_role("link", name="Replay").click()
    expect(host.locator(".clock")).to_have_text(["3:00", "3:00"])
    host.get_by_role("button", name="To the latest position").click()
    expect(host.locator(".player.top .clock")).to_have_text(shown(before))


@pytest.mark.full
def test_an_open_seat_can_be_taken_from_the_lobby(open_page) -> None:
    host, guest = open_page(), open_page()
    host.locator(".card", has_text="Tic-tac-toe").click()
    host.locator(".setup").get_by_text("Anyone", exact=True).click()
    host.get_by_role("button", name="Offer a seat").click()
    seat = guest.get_by_role("region", name="Open seats").get_by_role("link")
    expect(seat).to_contain_text("Guest", timeout=20_000)
    host.get_by_role("link", name="Play", exact=True).click()
    host.get_by_role("region", name="Open seats").get_by_role("link", name="Return").click()
    seat.click()  # the name leads to the waiting room
    guest.get_by_role("button", name="Take the seat").click()
    expect(host.locator(".board-area svg.board")).to_be_visible()
    onlooker = open_page()
    expect(onlooker.get_by_role("region", name="Live games")).to_contain_text("Tic-tac-toe", timeout=20_000)


def make_account(page: Page, name: str) -> None:
    """Create an account on the settings page."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


@pytest.mark.full
def test_a_guest_must_log_in_for_a_rated_game_and_its_evaluation_is_hidden_until_the_end(open_page, site) -> None:
    host = open_page("/settings")
    make_account(host, "Rated-Host")
    host.goto(site.url)
    friend = open_page(invite(host, "Rated"))
    expect(friend.locator(".waiting")).to_contain_text("no clock, rated")
    expect(friend.get_by_role("button", name="Take the seat")).to_have_count(0)
    friend.get_by_role("link", name="Log in").click()
    make_account(friend, "Rated-Friend")
    friend.go_back()
    friend.get_by_role("button", name="Take the seat").click()
    for page in (host, friend):
        expect(page.locator(".player.top .tag", has_text="rated")).to_be_visible()
    expect(host.get_by_role("button", name="Evaluation")).to_have_count(0)  # before the game is over
    for page, column in ((host, 3), (friend, 3)):
        drop(page, column)
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Yes, resign").click()
    host.get_by_role("button", name="Evaluation").click()
    expect(host.get_by_role("meter", name="Win chance")).to_have_attribute("aria-valuetext", re.compile("win chance"))


def test_a_custom_time_control_is_used_and_remembered(open_page) -> None:
    host = open_page()
    host.locator(".card", has_text="Connect Four").click()
    for option in ("A friend", "10 + 2", "Custom"):
        host.locator(".setup").get_by_text(option, exact=True).click()
    minutes, offer = (
        host.get_by_label("Minutes", exact=True),
        host.get_by_role("button", name="Create a link for a friend"),
    )
    expect(minutes).to_have_value("10")
    minutes.fill("0.1")
    expect(host.locator(".setup .fault")).to_contain_text("A clock starts with 10 seconds to 180 minutes")
    expect(offer).to_be_disabled()
    minutes.fill("7")
    offer.click()
    expect(host.locator(".waiting")).to_contain_text("7 min + 2 s per move")
    host.go_back()
    expect(minutes).to_have_value("7")


def test_the_host_can_cancel_a_game_that_nobody_has_joined(open_page) -> None:
    host = open_page()
    invite(host)
    host.get_by_role("button", name="Cancel the game").click()
    expect(host.locator(".status.result")).to_contain_text("No result")
