"""Accounts: public pages, ratings, tokens, settings, and games continued on another device."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.page

PASSWORD = "correct horse battery"
PHONE = {"width": 360, "height": 740}


def enter(page: Page, name: str, button: str) -> None:
    """Create an account or log in, on the settings page."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


@pytest.mark.full
def test_pages_of_accounts_and_rankings_explain_when_they_are_empty(open_page, site) -> None:
    page = open_page("/settings")
    enter(page, "Petra", "Create an account")
    page.get_by_role("link", name="See your public page").click()
    expect(page.get_by_role("heading", name="Petra")).to_be_visible()
    expect(page.get_by_text("Petra has not played a rated game yet.")).to_be_visible()
    expect(page.get_by_text("Petra has not finished a game yet.")).to_be_visible()
    page.goto(f"{site.url}/people/Nobody77")
    expect(page.get_by_text("There is no account called Nobody77.")).to_be_visible()
    page.get_by_role("link", name="See the ratings").click()
    expect(page.get_by_text("Nobody has an established rating in")).to_be_visible()
    page.get_by_role("combobox", name="Game").select_option(label="Chess960")
    page.get_by_role("combobox", name="Time").select_option(value="blitz")
    expect(page.get_by_text("Nobody has an established rating in Chess960, blitz, yet.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/ratings\?game=chess%3A960&timeClass=blitz$"))


def test_the_ratings_can_be_reached_on_a_phone(open_page) -> None:
    page = open_page(viewport=PHONE)
    page.get_by_role("link", name="See the best players").click()
    expect(page.get_by_role("heading", name="Ratings")).to_be_visible()


def test_a_token_is_shown_once_and_revoked_after_a_confirmation(open_page) -> None:
    page = open_page("/settings")
    enter(page, "Tokia", "Create an account")
    expect(page.get_by_text("You have no tokens yet.")).to_be_visible()
    page.get_by_label(re.compile("Client name")).fill("tokias-bots")
    page.get_by_role("button", name="Create a token").click()
    shown = page.get_by_role("group", name="The new token")
    field = shown.get_by_label("The token of tokias-bots")
    expect(field).to_be_focused()
    token = field.input_value()
    expect(shown.locator("code")).to_contain_text(f"LUDUS_BOT_TOKEN={token} ludus bot")
    page.reload()
    line = page.get_by_role("list", name="Your tokens").get_by_role("listitem")
    expect(line).to_contain_text(f"ends in {token[-4:]}")
    expect(page.get_by_text(token)).to_have_count(0)
    line.get_by_role("button", name="Revoke the token of tokias-bots").click()
    expect(line.get_by_role("button", name="Keep it")).to_be_focused()
    line.get_by_role("button", name="Yes, revoke it").click()
    expect(page.get_by_text("You have no tokens yet.")).to_be_visible()


def test_changes_of_settings_are_saved_one_at_a_time_and_waiting_ones_together(open_page) -> None:
    page = open_page("/settings")
    enter(page, "Olga", "Create an account")
    asked: list[Route] = []
    page.route("**/api/account/settings", lambda route: asked.append(route))
    with page.expect_request("**/api/account/settings"):
        page.get_by_text("Dark", exact=True).click()
    page.get_by_text("Light", exact=True).click()
    page.wait_for_timeout(1000)  # long enough for a second request
    page.locator("#content").get_by_text("Sounds", exact=True).click()
    page.wait_for_timeout(1000)
    assert len(asked) == 1
    with page.expect_request("**/api/account/settings") as second:
        asked[0].continue_()
    sent = second.value.post_data_json
    assert (sent["theme"], sent["sound"]) == ("light", False)


def test_an_account_continues_its_game_on_another_device_and_back(open_page, site) -> None:
    desk = open_page("/settings")
    enter(desk, "Wanda", "Create an account")
    desk.goto(site.url)
    desk.locator(".card", has_text="Connect Four").click()
    desk.locator(".setup").get_by_title("First", exact=True).click()
    desk.locator(".setup").get_by_role("button", name="Play").click()
    desk.locator("svg.board.play").wait_for()
    address = desk.url
    phone = open_page("/settings", viewport=PHONE)
    enter(phone, "Wanda", "Log in")
    phone.goto(site.url)
    own = phone.get_by_role("region", name="Your games")
    expect(own.get_by_role("link")).to_contain_text("Your turn")
    own.get_by_role("link").click()
    phone.locator("svg.board.play").wait_for()
    phone.locator('[data-cell="0,3"]').focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("button.move")).to_have_count(2)
    expect(desk.locator("button.move")).to_have_count(2)
    desk.goto(address)  # with the old token
    desk.locator("svg.board.play").wait_for()
    expect(desk.locator(".tag", has_text="you")).to_have_count(1)


def test_the_landing_page_lists_a_guest_s_unfinished_game(open_page, site) -> None:
    page = open_page()
    expect(page.locator(".card").first).to_be_visible()
    expect(page.get_by_role("region", name="Your games")).to_have_count(0)
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()
    page.goto(site.url)
    expect(page.get_by_role("region", name="Your games").get_by_role("link")).to_contain_text("Tic-tac-toe")
