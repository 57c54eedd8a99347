"""Clocks with overtime, clocks of games against bots, and how long a bot may think."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

PHONE = {"width": 390, "height": 844}
LANDSCAPE = {"width": 844, "height": 390}


def wish(page: Page, opponent: str, *options: str) -> None:
    """Choose Connect Four, an opponent and further options in the setup."""
    page.locator(".card", has_text="Connect Four").click()
    for option in (opponent, *options):
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()


def sit(open_page, host: Page) -> Page:
    """Create the game, and take its other seat in another browser; return that page."""
    host.get_by_role("button", name="Create a link for a friend").click()
    expect(host.get_by_text("Waiting for your friend")).to_be_visible()
    friend = open_page("/game/" + host.url.rsplit("/", 1)[1], viewport=PHONE)
    friend.get_by_role("button", name="Take the seat").click()
    host.locator("svg.board.play").wait_for()
    return friend


def drop(page: Page, column: int) -> None:
    """Drop a disc by keyboard."""
    page.locator("svg.board.play").wait_for()
    page.locator(f'[data-cell="0,{column}"]').focus()
    page.keyboard.press("Enter")


def test_friends_play_with_byo_yomi(open_page) -> None:
    host = open_page()
    wish(host, "A friend", "Byo-yomi")
    host.get_by_label("Minutes", exact=True).fill("0")
    host.get_by_label("Periods", exact=True).fill("3")
    host.get_by_label("Seconds per period").fill("600")
    friend = sit(open_page, host)
    for page in (host, friend):
        expect(page.locator(".clock small")).to_have_text(["3 periods", "3 periods"])
    drop(host, 3)
    expect(friend.get_by_role("timer", name=re.compile("^Your time: .*, 3 periods$"))).to_have_class(
        re.compile("running")
    )
    drop(friend, 3)
    expect(friend.get_by_role("timer", name=re.compile("^Your time: 10 minutes 0 seconds"))).to_be_visible()


def test_canadian_time_shows_the_moves_to_go(open_page) -> None:
    host = open_page()
    wish(host, "A friend", "Canadian")
    host.get_by_label("Minutes", exact=True).fill("0")
    host.get_by_label("Moves", exact=True).fill("2")
    friend = sit(open_page, host)
    expect(host.locator(".clock small")).to_have_text(["2 moves to go", "2 moves to go"])
    drop(host, 3)
    expect(host.get_by_role("timer", name=re.compile("^Your time: .*, 1 move to go$"))).to_be_visible()
    drop(friend, 3)
    drop(host, 3)
    expect(host.get_by_role("timer", name=re.compile("^Your time: .*, 2 moves to go$"))).to_be_visible()


def test_a_wrong_time_cannot_be_chosen(open_page) -> None:
    page = open_page(viewport=LANDSCAPE)
    wish(page, "A friend", "Byo-yomi")
    page.get_by_label("Seconds per period").fill("4")
    expect(page.locator(".setup .fault")).to_have_text(re.compile("^Byo-yomi has"))
    expect(page.get_by_role("button", name="Create a link for a friend")).to_be_disabled()


def test_a_game_against_a_bot_has_clocks_and_the_bot_more_time(open_page) -> None:
    page = open_page(viewport=PHONE)
    wish(page, "A bot", "Wally")
    page.get_by_text("Clocks and thinking time").click()
    expect(page.locator(".setup").get_by_text("Days", exact=True)).to_have_count(0)
    for option in ("5 + 3", "15 s"):
        page.locator(".setup .more-time").get_by_text(option, exact=True).click()
    page.get_by_role("button", name="Play Wally").click()
    expect(page.locator(".clock")).to_have_text(["5:00", "5:00"])
    drop(page, 3)
    expect(page.locator("button.move")).to_have_count(2)
    expect(page.get_by_role("timer", name=re.compile("^Your time"))).to_have_class(re.compile("running"))


def test_a_bot_that_allows_no_more_time_offers_none(open_page) -> None:
    page = open_page()
    wish(page, "A bot", "Pip")
    page.get_by_text("Clocks and thinking time").click()
    expect(page.get_by_text("The bot thinks per move")).to_have_count(0)
