"""The operator's page, and what visitors do against abuse: reports and blocks."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.page.test_accessible import findings, sticks_out

pytestmark = pytest.mark.page

TOKEN = "the operator's token"
PHONE, FLAT = {"width": 390, "height": 844}, {"width": 844, "height": 390}
ELSEWHERE = {"X-Forwarded-For": "192.0.2.9"}
"""The site trusts a proxy on this machine, so a visitor with this header has an address with limits."""


def expect_no_faults(page: Page) -> None:
    assert findings(page) == []
    assert sticks_out(page) == []


def sign_in(page: Page) -> None:
    page.get_by_label("Operator's token").fill(TOKEN)
    page.get_by_label("Your name, for the log").fill("Olga")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Health")).to_be_visible()


def seated(open_page, **guest: Any) -> tuple[Page, Page]:
    """Return the pages of Ann and Bob, who are at a game."""
    ann = open_page()
    config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
    body = {"config": config, "hostDisplayName": "Ann", "hostIsPlayer1": True}
    game = ann.request.post(f"{ann.url}api/games", data=body).json()
    keep(ann, game["gameId"], game["hostToken"])
    bob = open_page(**guest)
    path = f"{bob.url.rstrip('/')}/api/games/{game['gameId']}/join"
    keep(bob, game["gameId"], bob.request.post(path, data={"displayName": "Bob"}).json()["token"])
    return ann, bob


def keep(page: Page, game: str, token: str) -> None:
    """Open a game with the token of a seat."""
    page.evaluate("([game, token]) => localStorage.setItem(`ludus.token.${game}`, token)", [game, token])
    page.goto(f"{page.url.rstrip('/')}/game/{game}")
    page.locator("svg.board").wait_for()


def write(page: Page, text: str) -> None:
    page.get_by_label("Write a message").fill(text)
    page.get_by_label("Write a message").press("Enter")


def deed(page: Page, name: str | re.Pattern[str], why: str) -> None:
    """Do something, with a reason."""
    page.get_by_role("button", name=name).first.click()
    page.get_by_label("Why", exact=True).fill(why)
    expect_no_faults(page)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Why", exact=True)).to_have_count(0)


def panel(page: Page, name: str) -> Any:
    return page.get_by_role("region", name=name)


def test_a_wrong_token_is_refused_and_the_right_one_is_forgotten_with_the_tab(open_page) -> None:
    page = open_page("/operator", viewport=PHONE)
    page.get_by_label("Operator's token").fill("wrong")
    page.get_by_label("Your name, for the log").fill("Olga")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("This is not the operator's token.")).to_be_visible()
    expect_no_faults(page)
    sign_in(page)
    expect_no_faults(page)
    assert page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])").find(TOKEN) < 0
    page.reload()
    expect(page.get_by_label("Operator's token")).to_have_value("")


def test_a_reported_message_reaches_the_operator_who_silences_its_sender(open_page) -> None:
    ann, bob = seated(open_page, viewport=PHONE)
    write(bob, "You are a fool.")
    ann.get_by_role("button", name="Bob", exact=True).click()
    expect_no_faults(ann)
    ann.get_by_role("button", name="Report the message").click()
    ann.get_by_label("What is wrong with this message of Bob?").fill("An insult.")
    ann.keyboard.press("Enter")
    expect(ann.get_by_text("Thank you. The operator will see your report.")).to_be_visible()
    desk = open_page("/operator", viewport=FLAT)
    sign_in(desk)
    report = panel(desk, "Reports").locator("li", has_text="You are a fool.")
    expect(report).to_contain_text("An insult.")
    report.get_by_role("button", name="Silence: Bob").click()
    desk.get_by_label("Why", exact=True).fill("Insults")
    desk.keyboard.press("Enter")
    expect(panel(desk, "Bans and silences")).to_contain_text("Insults")
    expect(panel(desk, "Log")).to_contain_text("Olga")
    report.get_by_role("button", name="Close: Bob").click()
    desk.get_by_label("Why", exact=True).fill("Done.")
    desk.keyboard.press("Enter")
    expect(report).to_have_count(0)
    expect_no_faults(desk)
    write(bob, "Can you read me?")
    expect(bob.get_by_text("silenced you in chats until")).to_be_visible()
    expect(ann.get_by_role("log", name="Chat")).not_to_contain_text("Can you read me?")
    deed(desk, re.compile("Lift: Guest"), "Sorry.")
    expect(panel(desk, "Bans and silences")).to_contain_text("Nobody is banned or silenced.")
    write(bob, "And now?")
    expect(ann.get_by_role("log", name="Chat")).to_contain_text("And now?")


def test_a_blocked_person_is_not_heard_and_gets_no_games_until_unblocked(open_page) -> None:
    ann, bob = seated(open_page)
    write(bob, "Hello.")
    expect(ann.get_by_role("log", name="Chat")).to_contain_text("Hello.")
    ann.get_by_role("button", name="Report or block Bob").click()
    expect_no_faults(ann)
    ann.get_by_role("button", name="Block Bob").click()
    expect(ann.get_by_text("Bob is blocked: no games together, and no chat.")).to_be_visible()
    expect(ann.get_by_role("log", name="Chat")).to_have_count(0)
    config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
    home = ann.url.split("/game/")[0]
    game = bob.request.post(f"{home}/api/games", data={"config": config}).json()["gameId"]
    refused = ann.request.post(f"{home}/api/games/{game}/join", data={})
    assert refused.json()["error"] == "You cannot play with this person. Choose another game."
    ann.goto(f"{home}/settings")
    people = ann.get_by_role("list", name="Blocked people")
    expect(people).to_contain_text("Bob")
    expect_no_faults(ann)
    ann.get_by_role("button", name="Unblock Bob").click()
    expect(people).to_have_count(0)
    ann.go_back()
    write(bob, "Hello again.")
    expect(ann.get_by_role("log", name="Chat")).to_contain_text("Hello again.")


def test_a_removed_game_tells_both_players_why(open_page) -> None:
    ann, bob = seated(open_page)
    desk = open_page("/operator")
    sign_in(desk)
    game = panel(desk, "Running games").locator(f'li:has(a[href="/game/{ann.url.rsplit("/", 1)[1]}"])')
    game.get_by_role("button", name="End the game").click()
    desk.get_by_label("Why", exact=True).fill("A test game.")
    desk.keyboard.press("Enter")
    expect(game).to_have_count(0)
    for page in (ann, bob):
        expect(page.get_by_text("The operator has ended this game without a result.").first).to_be_attached()
        expect(page.get_by_text("aborted").first).to_be_visible()


def test_a_banned_address_gets_one_sentence_in_place_of_the_site(open_page) -> None:
    desk = open_page("/operator")
    sign_in(desk)
    desk.get_by_label("Account or IP address").fill("192.0.2.9")
    desk.get_by_label("Why (the person is told)").fill("A flood.")
    desk.get_by_role("button", name="Do it").click()
    expect(panel(desk, "Bans and silences")).to_contain_text("192.0.2.9")
    page = open_page("/games", extra_http_headers=ELSEWHERE)
    expect(page.get_by_text("The operator has banned you from this site until")).to_be_visible()
    expect_no_faults(page)
    deed(desk, "Lift: 192.0.2.9", "Enough.")
    page.reload()
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()


def test_the_page_shows_how_busy_the_engines_are(open_page) -> None:
    desk = open_page("/operator")
    sign_in(desk)
    bots = panel(desk, "Bot clients")
    expect(bots).to_contain_text("the site's own")
    expect(bots).to_contain_text(re.compile(r"busy \d+ % of the last minute"))
    expect(bots.get_by_role("button")).to_have_count(0)
    expect(panel(desk, "Health")).to_contain_text("The site is ready.")
