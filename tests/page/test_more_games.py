"""Whole games of chess, Go and Gomoku, by mouse and by keyboard; positions, handicap and dead stones."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.page

Pick = Callable[[Page, str], None]


def choose(page: Page, game: str, *options: str, **fields: str) -> None:
    """Choose a game, options and start settings; the guest plays first."""
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    for option in options:
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    for name, value in fields.items():
        field = page.locator(".setup").get_by_label(name.replace("_", " "))
        if name == "Handicap":
            field.select_option(value)
        else:
            field.fill(value)


def begin(page: Page, game: str, *options: str, **fields: str) -> None:
    """Start a game against a bot as first player."""
    choose(page, game, *options, **fields)
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()


def cell(page: Page, name: str) -> Locator:
    """Return a cell of the board."""
    return page.get_by_role("gridcell", name=re.compile(f"^{name}, "))


def by_click(page: Page, name: str) -> None:
    """Click on a cell."""
    page.locator("svg.board.play").wait_for()
    place = cell(page, name)
    place.scroll_into_view_if_needed()  # also waits until it is stable
    box = place.bounding_box()
    assert box, f"the board has a cell {name}"
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def by_key(page: Page, name: str) -> None:
    """Press Enter on a cell."""
    page.locator("svg.board.play").wait_for()
    cell(page, name).focus()
    page.keyboard.press("Enter")


def move(page: Page, pick: Pick, *places: str, shown: int) -> None:
    """Choose the cells of a move in order; wait until `shown` moves are listed."""
    for place in places:
        pick(page, place)
    expect(page.locator("button.move")).to_have_count(shown)


def shown_moves(page: Page) -> list[str]:
    """Return the list of moves."""
    return page.locator("button.move .notation").all_text_contents()


@pytest.mark.parametrize("pick", [by_click, by_key])
def test_a_whole_game_of_chess_is_played_to_mate(open_page, site, pick) -> None:
    site.bot.plan = ["e5", "d6", "Bg4", "g6", "Bxd1", "Ke7"]
    page = open_page()
    begin(page, "Chess")
    steps = [("e2", "e4"), ("g1", "f3"), ("f1", "c4"), ("b1", "c3"), ("f3", "e5"), ("c4", "f7")]
    for number, (here, there) in enumerate(steps, start=1):
        move(page, pick, here, there, shown=2 * number)
    expect(page.get_by_role("img", name="Captured: 1 queen")).to_be_visible()
    move(page, pick, "c3", "d5", shown=13)
    expect(page.locator(".status.result")).to_contain_text("You won")
    expect(page.locator(".status.result")).to_contain_text("Checkmate")
    assert shown_moves(page)[-5:] == ["Nxe5", "Bxd1", "Bxf7+", "Ke7", "Nd5#"]
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    text = download.value.path().read_text()
    assert "7. Nd5#" in text
    assert '[Result "1-0"]' in text


def test_moves_in_san_can_be_typed(open_page, site) -> None:
    site.bot.plan = ["d5", "Qe7+"]
    page = open_page()
    begin(page, "Chess", Position="4k3/3q4/8/8/8/8/4P3/4K2R w K - 0 1")
    page.get_by_role("button", name="Type moves").click()
    field = page.get_by_label("Type a move")
    field.fill("e4")
    field.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    field.fill("O-O")
    field.press("Enter")
    expect(page.locator("button.move").nth(2)).to_have_text("O-O")
    expect(page.locator("button.move")).to_have_count(4)


def test_a_promotion_asks_for_the_piece(open_page) -> None:
    page = open_page()
    begin(page, "Chess", Position="7k/P7/6K1/8/8/8/8/8 w - - 0 1")
    by_click(page, "a7")
    by_click(page, "a8")
    question = page.get_by_role("group", name="Which move?")
    expect(question.get_by_role("button")).to_have_count(5)  # four pieces and Cancel
    expect(question.locator("svg")).to_have_count(4)
    question.get_by_role("button", name="queen").click()
    expect(page.locator(".status.result")).to_contain_text("Checkmate")
    assert shown_moves(page) == ["a8=Q#"]


def test_an_invalid_start_position_is_rejected_with_a_message(open_page) -> None:
    page = open_page()
    choose(page, "Chess", Position="nonsense")
    page.locator(".setup").get_by_role("button", name="Play").click()
    expect(page.get_by_role("alert")).to_contain_text("FEN")
    expect(page.locator(".setup").get_by_role("button", name="Play")).to_be_enabled()


@pytest.mark.full
@pytest.mark.parametrize("pick", [by_click, by_key])
def test_a_whole_game_of_go_is_played_with_a_capture_and_counted(open_page, site, pick) -> None:
    site.bot.plan = ["A1", "pass", "pass"]
    page = open_page()
    begin(page, "Go")
    move(page, pick, "B1", shown=2)
    move(page, pick, "A2", shown=4)
    expect(page.get_by_role("img", name="Captured: 1 stone")).to_be_visible()
    button = page.get_by_role("button", name="Pass", exact=True)
    if pick is by_key:
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.click()
    expect(page.locator(".status.result")).to_contain_text("You won")
    expect(page.locator(".status.result")).to_contain_text("B+17.5")
    expect(page.locator(".mark.territory-0")).to_have_count(23)


@pytest.mark.full
@pytest.mark.parametrize("pick", [by_click, by_key])
def test_a_whole_game_of_gomoku_is_played_to_five_in_a_row(open_page, pick) -> None:
    page = open_page()
    begin(page, "Gomoku")
    for number, column in enumerate("abcd", start=1):
        move(page, pick, f"{column}2", shown=2 * number)
    move(page, pick, "e2", shown=9)
    expect(page.locator(".status.result")).to_contain_text("Five in a row")
    expect(page.locator(".mark.win")).to_have_count(5)


def two_people(open_page, game: str, *options: str, **fields: str) -> tuple[Page, Page]:
    """Return the two players' pages of a game with the given options."""
    host = open_page()
    choose(host, game, "A friend", *options, **fields)
    host.get_by_role("button", name="Create a link for a friend").click()
    expect(host.get_by_text("Waiting for your friend")).to_be_visible()
    friend = open_page("/game/" + host.url.rsplit("/", 1)[1])
    friend.get_by_role("button", name="Take the seat").click()
    friend.locator(".board-area svg.board").wait_for()
    host.locator(".board-area svg.board").wait_for()
    return host, friend


@pytest.mark.full
def test_two_people_agree_about_dead_stones_after_a_handicap_game(open_page) -> None:
    black, white = two_people(open_page, "Go", "Japanese", "9 \u00d7 9", Handicap="2", Komi="0.5")
    expect(black.locator("svg.board .piece")).to_have_count(2)
    by_click(white, "A9")
    expect(black.locator("button.move")).to_have_count(1)
    for page in (black, white):
        page.get_by_role("button", name="Pass", exact=True).click()
    expect(black.locator(".status")).to_contain_text("Click dead stones")
    for page in (black, white):
        expect(page.locator(".status .stage")).to_contain_text(re.compile(r"Scoring: [BW]\+.* as marked"))
        expect(page.locator("[data-said]")).to_contain_text("Scoring: ")
    by_click(black, "A9")
    expect(black.locator(".mark.dead")).to_have_count(1)
    by_click(black, "E5")  # by a slip: a stone would resume the game
    question = black.get_by_role("group", name="Stop scoring and play on?")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    expect(black.locator(".mark.dead")).to_have_count(1)
    by_click(black, "E5")
    question.get_by_role("button", name="Play E5").click()
    expect(white.locator(".status .stage")).to_have_count(0)
    by_click(white, "B9")
    for page in (black, white):
        page.get_by_role("button", name="Pass", exact=True).click()
    by_key(black, "A9")
    expect(black.locator(".mark.dead")).to_have_count(2)
    black.get_by_role("button", name="Agree").click()
    white.get_by_role("button", name="Agree").click()
    for page in (black, white):
        expect(page.locator(".status.result")).to_contain_text("Agreed, B+")
    expect(white.locator(".mark.dead")).to_have_count(2)


@pytest.mark.full
def test_swap2_shows_instructions_for_each_step(open_page) -> None:
    first, second = two_people(open_page, "Gomoku", "Renju", "9 \u00d7 9", "Swap2 opening")
    expect(first.locator(".status")).to_contain_text("Put two black stones and a white one")
    for name in ("e5", "e6", "f5"):
        by_click(first, name)
        expect(cell(first, name)).to_have_attribute("aria-label", re.compile("stone"))
    expect(second.locator(".status")).to_contain_text("Take Black, play a white stone")
    second.get_by_role("button", name="Take Black").click()
    expect(first.locator(".status")).to_contain_text("Your turn.")


@pytest.mark.full
def test_swap2_assigns_the_colours_by_the_player_s_choice(open_page) -> None:
    first, second = two_people(open_page, "Gomoku", "Renju", "9 \u00d7 9", "Swap2 opening")
    expect(first.locator(".player .chip.owner-none")).to_have_count(2)
    ghost = first.locator(".ghost")
    for name, owner in (("e5", 0), ("e6", 1), ("f5", 0)):
        cell(first, name).focus()
        expect(ghost.locator(f".owner-{owner}")).to_have_count(1)
        by_key(first, name)
        colour = "white" if owner else "black"
        expect(cell(first, name)).to_have_attribute("aria-label", re.compile(f"{colour} stone"))
    second.get_by_role("button", name="Take Black").click()
    expect(first.locator(".player.bottom .chip")).to_have_class("chip owner-1")
    expect(second.locator(".player.bottom .chip")).to_have_class("chip owner-0")
    expect(cell(second, "e5")).to_have_attribute("aria-label", re.compile("your stone"))
    expect(cell(first, "e5")).to_have_attribute("aria-label", re.compile("opponent's stone"))
    cell(first, "a1").focus()
    expect(ghost.locator(".owner-1")).to_have_count(1)
    by_key(first, "a1")
    cell(second, "b1").focus()
    expect(second.locator(".ghost .owner-0")).to_have_count(1)
