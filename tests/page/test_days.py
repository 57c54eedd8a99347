"""Games over days: they are offered, played on any device, and listed on every page while they wait for one's move."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

PHONE = {"width": 390, "height": 844}


def register(page: Page, name: str) -> None:
    """Create an account in this browser."""
    body = {"name": name, "password": "correct horse battery"}
    assert page.request.post("/api/account", data=body).ok
    page.reload()


def over_days(open_page, site, first: str, second: str) -> tuple[Page, Page, str]:
    """Open a game over three days between two new accounts by the page; return both pages and its path."""
    host, friend = (
        open_page(base_url=site.url, viewport=viewport) for viewport in ({"width": 1440, "height": 900}, PHONE)
    )
    register(host, first)
    register(friend, second)
    host.locator(".card", has_text="Connect Four").click()
    for option in ("A friend", "Days", "3"):
        host.locator(".setup").get_by_text(option, exact=True).click()
    host.locator(".setup").get_by_title("First", exact=True).click()
    host.get_by_role("button", name="Create a link for a friend").click()
    expect(host.get_by_text("Waiting for your friend")).to_be_visible()
    path = "/game/" + host.url.rsplit("/", 1)[1]
    friend.goto(site.url + path)
    friend.get_by_role("button", name="Take the seat").click()
    host.locator("svg.board.play").wait_for()
    return host, friend, path


def test_a_game_over_days_waits_in_the_header_of_every_page(open_page, site) -> None:
    host, friend, path = over_days(open_page, site, "Daisy", "Dayan")
    expect(host.get_by_role("timer", name=re.compile("^Your time: "))).to_have_text(
        re.compile("^(3 days 0 h|2 days 23 h)$")
    )
    expect(host.get_by_text("away")).to_have_count(0)
    host.locator('[data-cell="0,3"]').focus()
    host.keyboard.press("Enter")
    friend.locator("svg.board.play").wait_for()
    for page in ("/learn", "/settings", "/games", "/"):
        friend.goto(site.url + page)
        waiting = friend.get_by_role("button", name="Your turn in 1 game")
        expect(waiting).to_have_text("1")
    waiting.click()
    line = friend.locator(".waiting-games").get_by_role("link")
    expect(line).to_contain_text("Against Daisy")
    expect(line).to_contain_text("2 days")
    friend.keyboard.press("Escape")
    expect(line).to_have_count(0)
    expect(waiting).to_be_focused()
    waiting.press("Enter")
    line.press("Enter")
    expect(friend).to_have_url(re.compile(path + "$"))
    expect(waiting).to_have_count(0)
    host.goto(site.url + "/learn")
    expect(host.get_by_role("heading", name="Learn")).to_be_visible()
    expect(host.locator(".your-turn")).to_have_count(0)


def test_a_game_over_days_goes_on_in_another_browser(open_page, site) -> None:
    host, friend, _ = over_days(open_page, site, "Dora", "Dylan")
    host.locator('[data-cell="0,3"]').focus()
    host.keyboard.press("Enter")
    friend.locator("svg.board.play").wait_for()
    other = open_page("/settings", base_url=site.url)
    other.get_by_label("Name", exact=True).fill("Dylan")
    other.get_by_label("Password", exact=True).fill("correct horse battery")
    other.get_by_role("button", name="Log in").click()
    other.get_by_role("button", name="Your turn in 1 game").click()
    other.locator(".waiting-games").get_by_role("link").click()
    other.locator("svg.board.play").wait_for()
    other.locator('[data-cell="0,2"]').focus()
    other.keyboard.press("Enter")
    expect(other.locator("button.move")).to_have_count(2)


def test_a_guest_is_asked_to_log_in(open_page) -> None:
    page = open_page()
    page.locator(".card", has_text="Connect Four").click()
    for option in ("A friend", "Days"):
        page.locator(".setup").get_by_text(option, exact=True).click()
    expect(page.locator(".setup .fault")).to_contain_text("Only accounts can play games over days.")
    expect(page.get_by_role("button", name="Create a link for a friend")).to_be_disabled()
