"""What pages tell about a game and its players: terms, sides, boards without a bot, lessons that are done, ratings."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.page.conftest import press_enter

pytestmark = pytest.mark.page

PASSWORD = "correct horse battery"
PHONE = {"width": 390, "height": 844}


def choose(page: Page, game: str, *options: str) -> None:
    """Choose a game on the landing page, and options of it."""
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    for option in options:
        page.locator(".setup").get_by_text(option, exact=True).click()


def click(page: Page, name: str) -> None:
    """Click on a cell of the board."""
    box = page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_waiting_room_and_the_game_say_what_is_played_and_which_side_one_has(open_page) -> None:
    host = open_page()
    choose(host, "Go", "Chinese", "13 \u00d7 13", "A friend")
    host.get_by_label("Handicap").select_option("3")
    host.locator(".setup").get_by_title("Second", exact=True).click()
    host.get_by_role("button", name="Create a link for a friend").click()
    terms = "Chinese, 13 \u00d7 13, handicap 3 stones, komi 0.5, no clock"
    expect(host.locator(".waiting .terms")).to_have_text(terms)
    expect(host.locator(".waiting")).to_contain_text("You play White, second, as ")
    friend = open_page(host.url.partition(host.url.split("/")[2])[2], viewport=PHONE)
    expect(friend.locator(".waiting")).to_contain_text("You play Black, first.")
    friend.get_by_role("button", name="Take the seat").click()
    for page in (host, friend):
        expect(page.locator(".record .terms")).to_have_text(terms)


def test_an_opening_rule_is_named_in_words(open_page) -> None:
    page = open_page()
    choose(page, "Gomoku", "9 \u00d7 9", "Swap2 opening", "A friend")
    page.get_by_role("button", name="Create a link for a friend").click()
    expect(page.locator(".waiting .terms")).to_have_text("Freestyle with Swap2, 9 \u00d7 9, no clock")
    expect(page.locator(".waiting")).to_contain_text(re.compile(r"You play\s+(first|second), as "))


def test_the_reason_of_an_end_is_told_in_words_of_the_game(open_page, site) -> None:
    site.bot.plan = ["Cd5.>a5", "Cc5.>b5", "Cc4.>c5"]
    page = open_page()
    choose(page, "Wall Game", "Classic", "5 \u00d7 5")
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    for name in ("a4", "a3", "a2", "a1", "b1", "c1", "d1", "e1"):
        press_enter(page, name)
        expect(page.get_by_role("gridcell", name=re.compile(f"^{name}, .*your cat"))).to_have_count(1)
    expect(page.locator(".status.result")).to_contain_text("Reached home")


def test_a_board_without_a_bot_says_so_beforehand_and_offers_what_one_can_do(open_page) -> None:
    page = open_page()
    choose(page, "Go")
    board = page.locator(".setup").get_by_role("group", name="Board")
    expect(board.locator("label", has_text="19 \u00d7 19")).to_contain_text("no bot")
    expect(board.locator("label", has_text="5 \u00d7 5")).not_to_contain_text("no bot")
    rules = page.locator(".setup").get_by_role("group", name="Rules")
    expect(rules.locator("label", has_text="Japanese")).to_contain_text("no bot")
    board.get_by_text("19 \u00d7 19").click()
    instead = page.locator(".setup").get_by_role("group", name="Without a bot")
    expect(instead.get_by_role("link", name="Try it on the analysis board")).to_have_attribute(
        "href", re.compile(r"^/study\?spec=go")
    )
    instead.get_by_role("button", name="Offer a seat to anyone").click()
    expect(page.get_by_role("button", name="Offer a seat")).to_be_enabled()
    page.locator(".setup").get_by_text("A bot", exact=True).click()
    instead.get_by_role("button", name="Invite a friend with a link").click()
    expect(page.get_by_role("button", name="Create a link for a friend")).to_be_enabled()
    page.locator(".setup").get_by_text("A bot", exact=True).click()
    instead.get_by_role("button", name=re.compile("Play a bot: Go 5")).click()
    expect(page.locator(".setup").get_by_role("button", name=re.compile("^Play "))).to_be_enabled()


def test_a_bot_shows_its_strength_with_its_error_and_its_picture(open_page) -> None:
    page = open_page()
    choose(page, "Go", "5 \u00d7 5")
    wally = page.locator(".opponents label", has_text="Wally")
    expect(wally).to_contain_text("7 kyu ± 1")
    wally.click()
    expect(page.locator(".opponents .quiet-note")).to_contain_text("200 games against GNU Go")
    expect(wally.locator(".avatar [fill='#3d8fc4']")).to_have_count(1)
    expect(page.locator(".opponents .avatar")).to_have_count(2)


def test_a_click_on_a_target_moves_no_piece_of_chess_unless_one_chose_so(open_page) -> None:
    page = open_page("/study?spec=chess")
    page.locator("svg.board.play").wait_for()
    click(page, "e4")
    expect(page.get_by_text("Select the piece first.")).to_be_visible()
    click(page, "e2")
    click(page, "e4")
    expect(page.locator(".variations button, button.move")).to_have_count(1)
    page.goto(page.url.split("/study")[0] + "/settings")
    page.get_by_role("switch", name=re.compile("One-click moves")).click()
    page.goto(page.url.split("/settings")[0] + "/study?spec=chess")
    page.locator("svg.board.play").wait_for()
    click(page, "e4")
    expect(page.locator(".variations button, button.move")).to_have_count(1)


def test_a_lesson_says_that_its_goal_is_reached_and_leads_on(open_page) -> None:
    page = open_page("/learn/connect4")
    part = page.locator(".part", has=page.get_by_role("heading", name="Four in a line"))
    first = part.locator('[data-cell="0,0"]')
    first.focus()
    page.keyboard.press("Enter")
    expect(part.locator(".piece")).to_have_count(7)
    expect(part.get_by_text("Well done.")).to_have_count(0)
    part.get_by_role("button", name="Start again").click()
    part.locator('[data-cell="0,3"]').focus()
    page.keyboard.press("Enter")
    expect(part.get_by_role("status").get_by_text("Well done.")).to_be_visible()
    part.get_by_role("button", name="Next: Two threats at once").click()
    expect(page.get_by_role("heading", name="Two threats at once")).to_be_focused()


def test_a_rated_game_shows_how_it_changed_the_ratings_and_the_person_s_page_draws_them(open_page, site) -> None:
    host, guest = open_page("/settings"), open_page("/settings", color_scheme="dark")
    for page, name in ((host, "Rona"), (guest, "Rolf")):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Create an account").click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    host.goto(site.url)
    choose(host, "Connect Four", "A friend", "Rated")
    host.locator(".setup").get_by_title("First", exact=True).click()
    host.get_by_role("button", name="Create a link for a friend").click()
    expect(host.get_by_text("Waiting for your friend")).to_be_visible()
    guest.goto(host.url)
    guest.get_by_role("button", name="Take the seat").click()
    for page, column in ((host, 0), (guest, 1)):
        page.locator(f'svg.board.play [data-cell="0,{column}"]').focus()
        page.keyboard.press("Enter")
    expect(host.locator("button.move")).to_have_count(2)
    guest.get_by_role("button", name="Resign").click()
    guest.get_by_role("button", name="Yes, resign").click()
    for page in (host, guest):
        expect(page.locator(".rating-change.more")).to_have_text(re.compile(r"^1500 → 16\d\d \(\+1\d\d\)$"))
        expect(page.locator(".rating-change.less")).to_have_text(re.compile("^1500 → 13\\d\\d \\(\u22121\\d\\d\\)$"))
    guest.goto(f"{site.url}/people/Rona")
    graph = guest.get_by_role("img", name=re.compile("Connect Four, no clock: 16"))
    expect(graph.locator("circle")).to_have_count(1)
    line, ground = graph.locator("circle").evaluate(
        "(one) => [getComputedStyle(one).fill, getComputedStyle(document.body).backgroundColor]"
    )
    assert line == "rgb(76, 195, 165)"  # the accent of the dark theme
    assert line != ground
