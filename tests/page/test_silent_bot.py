"""A bot that does not answer: the person may wait longer, or end the game without a result."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page


@pytest.fixture
def stalled_page(open_page, site, play) -> Page:
    """A game of Tic-tac-toe whose bot does not answer the person's first move."""
    page = open_page()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    page.locator("svg.board.active").wait_for()
    site.bot.held = True
    play(page, "a1")
    expect(page.locator(".status")).to_contain_text("Pip does not answer.")
    expect(page.locator(".actions .quiet-note")).to_contain_text("a minute, it loses the game.")
    return page


def test_the_person_waits_longer_and_the_bot_plays_on(stalled_page, site) -> None:
    stalled_page.get_by_role("button", name="Wait longer").click()
    expect(stalled_page.locator(".actions .quiet-note")).to_contain_text("11 minutes")
    site.bot.held = False
    expect(stalled_page.locator("button.move")).to_have_count(2)
    expect(stalled_page.locator(".status")).to_contain_text("Your turn.")
    expect(stalled_page.get_by_role("button", name="Wait longer")).to_have_count(0)


def test_the_person_ends_the_game_without_a_result(stalled_page) -> None:
    stalled_page.get_by_role("button", name="End without a result").click()
    expect(stalled_page.locator(".status.result")).to_contain_text("No result")
    expect(stalled_page.get_by_role("button", name="Wait longer")).to_have_count(0)
