"""The analysis board: comments and signs, keys, openings, saved analyses, links with a whole tree, every board."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

LINE = "/study?spec=tictactoe#b2%20a3%20c3"


def moves(page: Page) -> list[str]:
    """Return the moves of the tree, variations included, with their signs."""
    return page.locator(".variations button.move").all_text_contents()


def with_a_note(open_page, play) -> Page:
    """Open a line with a variation, a sign and a comment on its last move."""
    page = open_page(LINE)
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    play(page, "a1")
    page.get_by_role("textbox", name="Comment on a1").fill("Better: it makes two threats.")
    page.get_by_role("button", name="Good move").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1!")
    return page


def test_comments_and_signs_can_be_written_and_are_kept(open_page, play) -> None:
    page = with_a_note(open_page, play)
    expect(page.locator(".variations .comment")).to_have_text("Better: it makes two threats.")
    page.wait_for_function("() => JSON.stringify(history.state).includes('threats')")
    page.reload()
    expect(page.get_by_role("textbox", name="Comment on a1")).to_have_value("Better: it makes two threats.")
    page.get_by_role("button", name="Good move").click()
    page.get_by_role("button", name="Blunder").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1??")
    page.get_by_role("button", name="Blunder").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1")
    page.get_by_role("textbox", name="Comment on a1").fill("")
    expect(page.locator(".variations .comment")).to_have_count(0)


def test_a_downloaded_analysis_contains_its_comments(open_page, play) -> None:
    page = with_a_note(open_page, play)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    text = download.value.path().read_text()
    assert "1. b2 a3 2. c3 (2. a1 $1 {Better: it makes two threats.})" in " ".join(text.split())


def test_a_link_carries_variations_comments_and_the_place(open_page, play, site) -> None:
    page = with_a_note(open_page, play)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("() => window.copied")
    other = open_page(page.evaluate("window.copied").removeprefix(site.url))
    expect(other.locator('.variations [aria-current="true"]')).to_have_text("a1!")
    expect(other.get_by_role("textbox", name="Comment on a1")).to_have_value("Better: it makes two threats.")
    assert moves(other) == ["b2", "a3", "c3", "a1!"]


def test_the_tree_is_walked_by_keys(open_page, play) -> None:
    page = with_a_note(open_page, play)
    current = page.locator('.variations [aria-current="true"]')
    page.locator("h1").evaluate("(one) => { one.tabIndex = -1; one.focus(); }")
    for key, text in (
        ("ArrowUp", "c3"),
        ("ArrowDown", "a1!"),
        ("ArrowLeft", "a3"),
        ("ArrowRight", "c3"),
        ("Home", None),
    ):
        page.keyboard.press(key)
        expect(current).to_have_text(text) if text else expect(current).to_have_count(0)
    page.keyboard.press("End")
    expect(current).to_have_text("c3")
    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="Comment on c3")).to_be_focused()
    page.keyboard.type("x left")
    page.keyboard.press("ArrowLeft")
    expect(current).to_have_text("c3")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    expect(current).to_have_text("a3")


def test_an_analysis_is_saved_in_the_browser_and_opened_again(open_page, play, site) -> None:
    page = with_a_note(open_page, play)
    page.get_by_text("Saved analyses").click()
    page.get_by_label("Name").fill("Two threats")
    page.get_by_role("button", name="Save in this browser").click()
    expect(page.get_by_role("link", name="Two threats")).to_have_attribute("aria-current", "true")
    page.goto(site.url + "/study?spec=connect4")
    expect(page.locator(".analysis.drop")).to_be_visible()
    page.get_by_text("Saved analyses").click()
    page.get_by_role("link", name="Two threats").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1!")
    assert moves(page) == ["b2", "a3", "c3", "a1!"]
    page.get_by_role("button", name="Delete from here").click()
    page.get_by_text("Saved analyses").click()
    page.get_by_role("button", name="Save the changes").click()
    expect(page.get_by_role("link", name="Two threats")).to_have_count(1)
    page.goto(site.url + page.get_by_role("link", name="Two threats").get_attribute("href"))  # pyright: ignore[reportOperatorIssue]
    expect(page.locator(".variations button.move")).to_have_text(["b2", "a3", "c3"])
    page.get_by_text("Saved analyses").click()
    page.get_by_role("button", name="Delete Two threats").click()
    expect(page.locator(".kept li")).to_have_count(0)


def test_openings_of_finished_games_are_explored(open_page, site, play) -> None:
    site.bot.plan = ["a1"]
    page = open_page()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    play(page, "b2")
    expect(page.locator("button.move")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").last.click()
    expect(page.locator(".status.result")).to_be_visible()
    rows = page.locator(".openings tbody tr")
    for _ in range(100):
        page.goto(site.url + "/study?spec=tictactoe")
        expect(page.locator(".explorer small").first).to_be_visible()
        if rows.count():
            break
        page.wait_for_timeout(100)
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("b2")
    expect(rows.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile("Crosses won 0 %, nobody 0 %, Noughts won 100 %")
    )
    rows.get_by_role("button", name="b2").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("b2")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("a1")
    page.get_by_role("list", name="Games with this position").get_by_role("link").click()
    page.wait_for_url("**/replay/*ply=1")
    expect(page.locator('button.move[aria-current="true"]')).to_have_text("b2")


def test_every_board_that_the_rules_know_can_be_chosen(open_page, site) -> None:
    page = open_page("/study?spec=tictactoe")
    page.get_by_text("Change the game").click()
    page.get_by_role("combobox", name="Game").select_option(label="Go")
    page.locator(".picker").get_by_text(re.compile("^13 . 13$")).click()
    page.get_by_label("Komi").fill("5.5")
    expect(page.locator(".picker .quiet-note")).to_contain_text("No engine")
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.locator(".picker h2")).to_have_text(re.compile("Go 13\\s.\\s13"))
    expect(page).to_have_url(re.compile("komi.*5.5"))
    expect(page.locator("svg.board.play")).to_be_visible()
    page.get_by_text("Change the game").click()
    page.get_by_role("combobox", name="Game").select_option(label="Wall Game")
    page.get_by_label("Columns").fill("7")
    page.get_by_label("Rows").fill("4")
    expect(page.locator(".picker [role=status]")).to_contain_text("evaluates this board")
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.get_by_role("gridcell", name=re.compile("^g4, cat"))).to_be_attached()


def test_a_board_without_an_engine_says_so_and_all_else_works(open_page, play) -> None:
    page = open_page("/study?spec=gomoku:freestyle:15x15")
    expect(page.locator(".engine")).to_contain_text(re.compile("No (engine|connected bot)"))
    play(page, "h8")
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("h8")
    page.get_by_role("textbox", name="Comment on h8").fill("The centre")
    expect(page.locator(".variations .comment")).to_have_text("The centre")
    expect(page.locator(".explorer")).to_contain_text("No finished game of this site")


def test_the_engine_is_on_by_default_and_stays_off_once_switched_off(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2")
    expect(page.get_by_role("list", name=re.compile("Engine lines"))).to_be_visible()
    expect(page.get_by_role("meter")).to_be_visible()
    page.get_by_role("button", name="Engine", exact=True).click()
    expect(page.get_by_role("meter")).to_have_count(0)
    page.reload()
    expect(page.locator(".variations button.move")).to_have_count(1)
    expect(page.get_by_role("meter")).to_have_count(0)
