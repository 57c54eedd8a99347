"""A match between two bots, started and watched by a guest."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.page


def test_a_guest_starts_a_match_of_two_bots_and_watches_it(open_page) -> None:
    page = open_page()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_text("Two bots", exact=True).click()
    expect(page.locator(".setup").get_by_text("You play")).to_have_count(0)
    page.locator(".setup select").nth(0).select_option("Pip, beginner")
    page.locator(".setup select").nth(1).select_option("Wally, strong, 7 kyu ± 1")
    page.get_by_role("button", name="Watch them play").click()
    expect(page.get_by_text("You are watching.")).to_be_visible()
    expect(page.locator(".player.bottom")).to_contain_text("Pip")
    expect(page.locator(".player.top")).to_contain_text("Wally")
    expect(page.locator("button.move").nth(1)).to_be_visible()  # the game may already have more moves
    page.go_back()
    expect(page.get_by_role("button", name="Watch them play")).to_be_visible()
