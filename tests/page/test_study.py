"""The analysis board: a tree of variations, what the engine thinks, positions that are set up; errors in replays."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

SHOW_EVALUATION = "localStorage.setItem('ludus.prefs', JSON.stringify({evaluation: true}))"


def moves(page: Page) -> list[str]:
    """Return the moves of the tree, variations included."""
    return page.locator(".variations button.move").all_text_contents()


def play(page: Page, name: str) -> None:
    """Press Enter on a cell."""
    page.locator("svg.board.play").wait_for()
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).focus()
    page.keyboard.press("Enter")


def test_another_move_begins_a_variation_that_can_be_promoted_and_deleted(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    current = page.locator('.variations [aria-current="true"]')
    expect(current).to_have_text("c3")
    page.locator("h1").focus()
    page.get_by_role("button", name="One move back").click()
    expect(current).to_have_text("a3")
    play(page, "a1")
    expect(current).to_have_text("a1")
    expect(page.locator(".variation")).to_have_count(1)
    assert moves(page) == ["b2", "a3", "c3", "a1"]
    page.get_by_role("button", name="Promote line").click()
    expect(page.locator(".variation")).to_have_text(re.compile("c3"))
    assert moves(page) == ["b2", "a3", "a1", "c3"]
    expect(page).to_have_url(re.compile("#b2%20a3%20a1$"))
    page.get_by_role("button", name="Delete from here").click()
    expect(current).to_have_text("a3")
    assert moves(page) == ["b2", "a3", "c3"]
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("svg.board .piece")).to_have_count(0)
    page.get_by_role("button", name="To the latest position").click()
    expect(current).to_have_text("c3")


def test_the_engine_s_lines_are_shown_and_can_be_played(open_page) -> None:
    page = open_page("/study?spec=chess#e4")
    page.add_init_script(SHOW_EVALUATION)
    page.reload()
    lines = page.get_by_role("list", name="What the engine considers").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(page.get_by_role("meter", name="Evaluation")).to_have_attribute("aria-valuenow", "0.1")
    expect(page.locator(".hint-move .arrow")).to_have_count(1)  # SAN names a choice of the board
    expect(lines.first.get_by_role("button")).to_have_count(2)
    told = lines.first.get_by_role("button").all_text_contents()
    lines.first.get_by_role("button").nth(1).click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text(told[1])
    assert moves(page) == ["e4", *told]
    expect(page.get_by_text("Black to move")).to_be_visible()


def test_any_position_can_be_set_up_and_is_in_the_address(open_page) -> None:
    page = open_page("/study?spec=chess")
    page.get_by_text("Set up a position").click()
    field = page.get_by_label("Position (FEN)")
    expect(field).to_have_value(re.compile("^rnbqkbnr/"))
    field.fill("8/8/8/8/8/1k6/1p6/1K6 w - - 0 1")
    page.get_by_role("button", name="Set up", exact=True).click()
    expect(page.locator("svg.board .piece")).to_have_count(3)
    page.reload()
    expect(page.locator("svg.board .piece")).to_have_count(3)
    page.get_by_text("Set up a position").click()
    page.get_by_label("Position (FEN)").fill("no position")
    page.get_by_role("button", name="Set up", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("FEN")


def test_points_where_black_may_not_play_are_shown(open_page) -> None:
    page = open_page("/study?spec=gomoku:renju:9x9#e5%20a1%20f5%20a9%20g6%20i1%20g7%20i9")
    expect(page.locator(".mark.forbidden")).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^g5, .*forbidden"))).to_have_count(1)


def test_a_replay_marks_what_cost_much_and_leads_to_the_analysis_board(open_page, site) -> None:
    site.bot.opinions = {1: -0.7}
    page = open_page()
    page.add_init_script(SHOW_EVALUATION)
    page.reload()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_text("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    for name in ("b2", "a2", "c2"):
        play(page, name)
        expect(page.locator("button.move").filter(has_text=name)).to_have_count(1)
        page.locator("svg.board.play, .status.result").first.wait_for()
    expect(page.locator(".status.result")).to_contain_text("You won")
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*")
    expect(page.locator("button.move .verdict")).to_have_text(["??", "??"])
    expect(page.locator(".evaluation-graph .slip.blunder")).to_have_count(2)
    expect(page.locator(".slips")).to_have_text(re.compile("1 blunder.*1 blunder"))
    page.get_by_role("link", name="Try other moves from here").click()
    expect(page.locator(".variations button.move")).to_have_count(5)
