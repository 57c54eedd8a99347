"""The analysis page keeps its variations across navigation, and loads games from text."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

PGN = '[Event "?"]\n[White "Ann"]\n[Result "1-0"]\n\n1. e4 {[%clk 0:01:00]} e5 2. Nf3 (2. f4) 2... Nc6 1-0\n'


def moves(page: Page) -> list[str]:
    """Return the moves of the tree, variations included."""
    return page.locator(".variations button.move").all_text_contents()


def with_a_variation(open_page) -> Page:
    """Open a line of three moves and play an alternative third move."""
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    page.get_by_role("gridcell", name=re.compile("^a1, ")).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#b2%20a3%20a1$"))
    return page


def wait_for(page: Page, script: str) -> None:
    """Wait until a script returns true; the page's content security policy blocks Playwright's own wait."""
    for _ in range(600):
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{script} did not come true")


def read(page: Page, text: str) -> None:
    """Load a text in the position editor, once its first position is checked."""
    expect(page.locator(".arranging [role=status]")).to_contain_text("to move")
    page.get_by_label("or a whole game").fill(text)
    page.get_by_role("button", name="Load", exact=True).click()


def test_variations_are_kept_after_a_reload(open_page) -> None:
    page = with_a_variation(open_page)
    page.reload()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]
    page.get_by_role("button", name="Promote line").click()
    wait_for(page, "history.state.study.tree[2].children[0] === 4")  # rapid changes are stored after the last
    page.reload()
    expect(page.locator(".variation")).to_have_text(re.compile("c3"))
    assert moves(page) == ["b2", "a3", "a1", "c3"]


def test_variations_are_kept_after_the_back_button(open_page) -> None:
    page = with_a_variation(open_page)
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".card").first).to_be_visible()
    page.go_back()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]


def test_leaving_right_after_a_step_stores_the_address_of_that_step(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    pieces = page.locator("svg.board.play .piece")
    expect(pieces).to_have_count(3)
    back = page.get_by_role("button", name="One move back")
    for left in (2, 1):
        back.click()
        expect(pieces).to_have_count(left)
    page.get_by_role("button", name="To the latest position").click()
    expect(pieces).to_have_count(3)
    expect(page).to_have_url(re.compile("#b2%20a3%20c3$"))
    page.clock.install()
    page.clock.pause_at(time.time() + 60)  # the delay between steps never elapses
    back.click()
    back.click()
    page.get_by_role("link", name="Learn").click()
    page.clock.resume()
    page.go_back()
    expect(page).to_have_url(re.compile("#b2$"))
    expect(pieces).to_have_count(1)


def test_variations_are_kept_when_the_site_is_busy_at_a_reload(open_page) -> None:
    page = with_a_variation(open_page)
    busy = {"error": "Too much waits; try again later."}
    page.route("**/api/study", lambda route: route.fulfill(status=503, json=busy))
    page.reload()
    expect(page.get_by_text(busy["error"])).to_be_visible()
    page.unroute("**/api/study")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "asked", "heading"),
    [
        ("/learn/tictactoe", "**/api/lessons/*", "Tic-tac-toe"),
        ("/puzzles/tictactoe", "**/api/puzzles", "Find the move that wins."),
        ("/puzzles/tictactoe", "**/api/puzzles/*/*", "Find the move that wins."),
    ],
)
def test_an_error_of_a_busy_site_is_not_shown_as_a_missing_page(open_page, site, path, asked, heading) -> None:
    page = open_page("/settings")
    page.route(asked, lambda route: route.fulfill(status=429, json={"error": "Too often."}))
    page.goto(site.url + path)
    expect(page.get_by_role("heading", name="This page cannot be shown right now")).to_be_visible()
    page.unroute(asked)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


@pytest.mark.full
def test_a_link_to_a_position_opens_its_line_without_the_variations(open_page) -> None:
    page = with_a_variation(open_page)
    other = open_page(page.url.removeprefix(page.url.split("/study")[0]))
    expect(other.locator(".variations button.move")).to_have_text(["b2", "a3", "a1"])


def test_a_whole_game_can_be_pasted_into_the_position_field(open_page) -> None:
    page = open_page("/study?spec=gomoku:freestyle:5x5&arrange=yes")
    read(page, PGN)
    expect(page.locator(".variations button.move")).to_have_text(["e4", "e5", "Nf3", "f4", "Nc6"])
    expect(page.locator('.variations [aria-current="true"]')).to_have_count(0)  # it is shown from its start
    page.get_by_role("button", name="Set up a position").click()
    read(page, "(;GM[1]SZ[5];B[cc];W[bb])")
    expect(page.locator(".variations button.move")).to_have_text(["C3", "B4"])


@pytest.mark.full
def test_a_pasted_game_with_an_illegal_move_names_it_and_keeps_the_text(open_page) -> None:
    page = open_page("/study?spec=chess&arrange=yes")
    read(page, "1. e4 e5 2. Ke3")
    expect(page.locator(".fault")).to_contain_text("Ke3")
    expect(page.get_by_label("or a whole game")).to_have_value("1. e4 e5 2. Ke3")


def test_text_pasted_before_the_position_has_loaded_is_not_overwritten(open_page) -> None:
    page = open_page("/games")
    held = []
    page.route("**/api/study/arrange", lambda route: held.append(route))
    with page.expect_request("**/api/study/arrange"):
        page.goto(page.url.replace("/games", "/study?spec=chess&arrange=yes"))
    page.get_by_label("or a whole game").fill("1. d4")
    held[0].continue_()
    expect(page.locator(".arranging [role=status]")).to_contain_text("to move")
    expect(page.get_by_label("or a whole game")).to_have_value("1. d4")


def test_a_shared_game_can_be_downloaded_as_text(open_page) -> None:
    page = open_page("/games")
    page.get_by_label("A game downloaded here").fill(PGN)
    page.get_by_role("button", name="Open", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "chess-shared.pgn"
    text = download.value.path().read_text()
    assert '[White "Ann"]' in text
    assert "1. e4 {[%clk 0:01:00]} 1... e5 2. Nf3 (2. f4) 2... Nc6 1-0" in text


@pytest.mark.full
def test_the_latest_move_stays_visible_when_its_list_shrinks(open_page) -> None:
    page = open_page("/games")
    pawns = [f"{file}{white} {file}{black}" for white, black in ((3, 6), (4, 5)) for file in "abcdefgh"]
    page.get_by_label("A game downloaded here").fill("1. " + " ".join(pawns) + " *")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("button", name="To the latest position").click()
    page.set_viewport_size({"width": 1280, "height": 560})
    bottom = "document.querySelector('.moves{}').getBoundingClientRect().bottom"
    wait_for(page, f"{bottom.format(' [aria-current]')} <= {bottom.format('')}")
