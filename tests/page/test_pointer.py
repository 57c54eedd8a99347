"""Mouse input on a board: clicks, drags, previews, and annotations on a turned board."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page


def begin(page: Page, game: str) -> None:
    """Start a game as first player."""
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()


def moves(page: Page) -> list[str]:
    """Return the texts of the move list."""
    return page.locator("button.move .notation").all_text_contents()


def test_a_mouse_button_pressed_outside_the_board_plays_nothing_on_release(open_page, spot) -> None:
    page = open_page()
    begin(page, "Connect Four")
    page.locator(".status").hover()
    page.mouse.down()
    page.mouse.move(*spot(page, 2, 3), steps=4)
    page.mouse.up()
    page.mouse.click(*spot(page, 2, 5))
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == "6"


def test_a_drag_cancelled_by_escape_plays_nothing_on_release(open_page, spot) -> None:
    page = open_page()
    begin(page, "Chess")
    page.mouse.move(*spot(page, 7, 6))
    page.mouse.down()
    page.mouse.move(*spot(page, 5, 5), steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".dragged")).to_have_count(0)
    page.mouse.move(*spot(page, 4, 4), steps=4)
    page.mouse.up()
    page.mouse.click(*spot(page, 6, 3))
    page.mouse.click(*spot(page, 4, 3))
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == "d4"


@pytest.mark.full
def test_a_drag_during_which_the_bot_moves_plays_nothing_on_release(open_page, site, spot) -> None:
    page = open_page()
    begin(page, "Chess")
    site.bot.held = True
    page.mouse.click(*spot(page, 4, 4))
    page.locator("svg.board.premove").wait_for()
    page.mouse.move(*spot(page, 7, 6))
    page.mouse.down()
    page.mouse.move(*spot(page, 5, 5), steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    site.bot.held = False
    page.locator("svg.board.play").wait_for()
    page.mouse.move(*spot(page, 4, 3), steps=4)
    page.mouse.up()
    page.mouse.click(*spot(page, 4, 0))
    expect(page.locator("button.move")).to_have_count(4)
    assert moves(page)[2] == "a4"


def test_a_sent_move_is_previewed_until_the_site_has_answered(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    page.evaluate("window.sockets.at(-1).send = () => {}")
    page.locator('[data-cell="0,4"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("svg.board.pending .ghost .shadow")).to_have_attribute("transform", "translate(450 550)")


def test_a_piece_can_be_dropped_near_a_side_that_cannot_take_a_wall(open_page, spot) -> None:
    page = open_page("/study?spec=wallgame:standard:5x5#Ca3%20%3Ea1.%3Ec3")  # a wall above a1 would trap its mouse
    page.locator("svg.board.play").wait_for()
    forbidden = page.locator(".signs .forbidden")
    for _ in range(50):  # the layout may still change
        page.mouse.move(*spot(page, 3.45, 0))
        if forbidden.count():
            break
        page.wait_for_timeout(100)
        page.mouse.move(*spot(page, 3, 0))
    expect(forbidden).to_have_count(1)
    page.mouse.move(*spot(page, 2, 0))
    page.mouse.down()
    page.mouse.move(*spot(page, 2.6, 0), steps=3)
    page.mouse.move(*spot(page, 3.45, 0), steps=3)
    page.mouse.up()
    expect(page.get_by_role("gridcell", name=re.compile("^a2, .*cat"))).to_have_count(1)


def test_annotations_turn_with_the_board(open_page, spot) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    page.mouse.click(*spot(page, 0, 0), button="right")
    ring = page.locator(".annotations .ring")
    expect(ring).to_have_attribute("cx", "50")
    page.keyboard.press("f")
    expect(ring).to_have_attribute("cx", "250")
    expect(ring).to_have_attribute("cy", "250")
    page.mouse.click(*spot(page, 2, 2), button="right")
    expect(ring).to_have_count(0)
