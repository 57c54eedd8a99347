"""The position editor: positions set up piece by piece or as text, then analysed or played from."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page


def press(page: Page, name: str) -> None:
    """Press Enter on a cell of the position editor."""
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).focus()
    page.keyboard.press("Enter")


def set_up(page: Page) -> None:
    """Open the position editor."""
    page.get_by_role("button", name="Set up a position").click()
    page.locator("svg.board.arrange").wait_for()


def test_a_position_can_be_entered_as_text_and_is_in_the_address(open_page) -> None:
    page = open_page("/study?spec=chess")
    set_up(page)
    field = page.get_by_label("Position as text (FEN)")
    expect(field).to_have_value(re.compile("^rnbqkbnr/"))
    field.fill("8/8/8/8/8/1k6/1p6/3K4 w - - 0 1")
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.locator("svg.board .piece")).to_have_count(3)
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.reload()
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    set_up(page)
    expect(field).to_have_value(re.compile("^8/8/8/8/8/1k6/"))
    page.get_by_label("Position as text").fill("no position")
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.locator(".fault")).to_contain_text("FEN")
    expect(field).to_have_value("no position")  # so that it can be corrected
    expect(page.locator("svg.board .piece")).to_have_count(3)


def test_chess_pieces_are_placed_moved_and_removed_and_illegal_positions_are_explained(open_page, spot, play) -> None:
    page = open_page("/study?spec=chess#e4")
    set_up(page)
    page.get_by_role("button", name="Clear the board").click()
    expect(page.locator("svg.board .piece")).to_have_count(2)  # the kings stay
    page.get_by_title("White pawn").click()
    press(page, "a8")
    expect(page.locator(".fault")).to_have_text("A pawn stands on the first or last rank.")
    expect(page.get_by_role("button", name="Analyse this position")).to_be_disabled()
    page.get_by_title("Remove pieces").click()
    press(page, "a8")
    expect(page.locator("svg.board .piece")).to_have_count(2)
    page.get_by_title("White rook").click()
    page.mouse.click(*spot(page, 7, 7))
    page.get_by_title("Move pieces", exact=True).click()
    page.mouse.move(*spot(page, 0, 4))
    page.mouse.down()
    page.mouse.move(*spot(page, 3, 3), steps=3)
    page.mouse.up()
    expect(page.get_by_role("gridcell", name=re.compile("^d5, .*king"))).to_have_count(1)
    page.get_by_label("White O-O-O").uncheck()
    expect(page.get_by_label("Position as text (FEN)")).to_have_value("8/8/8/3k4/8/8/8/4K2R b K - 0 1")
    page.locator(".details").get_by_text("White", exact=True).click()
    expect(page.get_by_role("status").first).to_have_text("White to move.")
    page.get_by_role("button", name="Analyse this position").click()
    page.locator("svg.board.play").wait_for()
    play(page, "e1")
    play(page, "g1")
    expect(page.locator(".variations button.move")).to_have_text("O-O")


def test_a_piece_moved_by_two_clicks_is_no_longer_selected(open_page) -> None:
    page = open_page("/study?spec=chess")
    set_up(page)
    page.get_by_title("Move pieces", exact=True).click()
    for name in ("e1", "e3", "e3", "e1", "d1", "d4"):
        press(page, name)
    expect(page.get_by_role("gridcell", name=re.compile("^e1, .*king"))).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^d4, .*queen"))).to_have_count(1)
    press(page, "e1")
    press(page, "e8")  # the kings swap cells, and none stays selected
    press(page, "d8")
    press(page, "d5")
    expect(page.get_by_role("gridcell", name=re.compile("^d5, .*queen"))).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^e1, .*king"))).to_have_count(1)


def test_stones_and_walls_are_placed_and_a_bot_game_starts_from_the_position(open_page, spot) -> None:
    page = open_page()
    page.locator(".card", has=page.get_by_text("Go", exact=True)).click()
    page.get_by_role("link", name="Set up a position").click()
    page.locator("svg.board.arrange").wait_for()
    for row, column in ((2, 2), (1, 1)):
        page.mouse.click(*spot(page, row, column))
    page.get_by_title("White stone").click()
    page.mouse.click(*spot(page, 1, 1))
    page.locator(".details").get_by_text("White", exact=True).click()
    expect(page.get_by_role("status").first).to_have_text("White to move.")
    page.get_by_role("button", name="Analyse this position").click()
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".from-position .piece")).to_have_count(2)
    page.locator(".setup").get_by_title("Second", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)

    page.goto(page.url.split("/game/")[0] + "/study?spec=wallgame:classic:5x5")
    set_up(page)
    page.get_by_title("Build walls").click()
    page.mouse.click(*spot(page, 2, 1.5))
    page.get_by_title("First player's cat").click()
    page.mouse.click(*spot(page, 2, 2))
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("svg.board.play .wall")).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^c3, .*cat"))).to_have_count(1)


def test_a_position_on_a_board_without_bots_is_set_up_analysed_and_played_from(open_page, spot, play) -> None:
    page = open_page()
    page.locator(".card", has=page.get_by_text("Go", exact=True)).click()
    page.locator(".setup").get_by_text("13 \u00d7 13", exact=True).click()
    page.get_by_role("link", name="Set up a position").click()
    page.locator("svg.board.arrange").wait_for()
    page.mouse.click(*spot(page, 2, 2))
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)
    play(page, "N13")
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".from-position .piece")).to_have_count(2)
    page.locator(".setup").get_by_text("A friend", exact=True).click()
    page.get_by_role("button", name="Create a link for a friend").click()
    expect(page.locator(".waiting")).to_contain_text("13 \u00d7 13")
    expect(page.locator(".waiting .piece")).to_have_count(2)


def test_setting_up_or_playing_from_a_position_waits_for_a_pending_move(open_page, play, hold) -> None:
    for kind, name, where in (
        ("button", "Set up a position", "svg.board.arrange"),
        ("link", "Play from here", ".from-position"),
    ):
        page = open_page('/study?spec=go:5x5&setup={"black":"A1","to_play":"white"}')
        page.locator("svg.board.play").wait_for()
        held = hold(page, "**/api/study")
        with page.expect_request("**/api/study"):
            play(page, "C3")
        page.get_by_role(kind, name=name).click()
        expect(page.locator("svg.board.look .piece")).to_have_count(1)
        held.pop().continue_()
        expect(page.locator(f"{where} .piece")).to_have_count(2)


def test_analyse_takes_effect_after_the_site_has_checked_the_position(open_page, spot, hold) -> None:
    page = open_page("/study?spec=go:5x5&arrange=yes")
    expect(page.locator(".arranging [role=status]")).to_contain_text("to move")  # the first position is checked
    held = hold(page, "**/api/study/arrange")
    with page.expect_request("**/api/study/arrange"):
        page.mouse.click(*spot(page, 2, 2))
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("svg.board.arrange .piece")).to_have_count(1)
    held.pop().continue_()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)


def test_analyse_waits_for_a_text_that_is_being_loaded(open_page, hold) -> None:
    page = open_page("/study?spec=chess")
    set_up(page)
    expect(page.get_by_label("Position as text (FEN)")).to_have_value(re.compile("^rnbqkbnr/"))
    held = hold(page, "**/api/study/kit")
    page.get_by_label("Position as text (FEN)").fill("8/8/8/8/8/1k6/1p6/3K4 w - - 0 1")
    with page.expect_request("**/api/study/kit"):
        page.get_by_role("button", name="Load", exact=True).click()
    expect(page.locator("svg.board.look .piece")).to_have_count(32)  # the board is locked meanwhile
    page.get_by_role("button", name="Analyse this position").click()
    held.pop().continue_()
    expect(page.locator("svg.board.play .piece")).to_have_count(3)


def test_a_text_that_loads_after_the_page_was_left_does_not_navigate_back(open_page, hold) -> None:
    page = open_page("/study?spec=chess&arrange=yes")
    held = hold(page, "**/api/read")
    page.get_by_label("or a whole game").fill("1. e4 e5 *")
    with page.expect_request("**/api/read"):
        page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_role("link", name="Learn").click()
    with page.expect_response("**/api/read"):
        held.pop().continue_()
    page.wait_for_timeout(300)
    expect(page).to_have_url(re.compile("/learn$"))


@pytest.mark.parametrize(
    ("query", "pieces"),
    [("spec=chess&setup=nonsense", 32), ("spec=go:99x99", 4)],
    ids=["the game of the address", "the first game of the catalogue"],
)
def test_an_address_with_an_invalid_position_opens_the_editor(open_page, query: str, pieces: int) -> None:
    page = open_page(f"/study?{query}&arrange=yes")
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.locator("svg.board.arrange .piece")).to_have_count(pieces)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(pieces)


def test_an_address_without_a_game_opens_the_first_one_of_the_catalogue(open_page) -> None:
    page = open_page("/study")
    expect(page.locator("svg.board.play .piece")).to_have_count(4)
    expect(page).to_have_url(re.compile(r"spec=wallgame"))


def test_the_editor_can_be_cancelled_while_the_site_is_unreachable(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2")
    page.route("**/api/study/kit", lambda route: route.abort())
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator(".fault")).to_contain_text("cannot be reached")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)


def test_a_game_whose_positions_cannot_be_set_up_says_so(open_page) -> None:
    page = open_page("/study?spec=tictactoe")
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_text("Positions of this game cannot be set up.")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("svg.board.play")).to_be_visible()


def test_a_game_in_a_file_is_offered_once_by_its_public_name(open_page, site) -> None:
    page = open_page()

    def answer(route) -> None:
        told = route.fetch().json()
        for game in told["games"]:
            game["spec"] = game["spec"].replace("tictactoe", "/games/tictactoe.py")
        route.fulfill(json=told)

    page.route("**/api/catalogue", answer)
    page.goto(f"{site.url}/study?spec=tictactoe")
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator("option[value=tictactoe]")).to_have_text("Tic-tac-toe")
    expect(page.locator("option", has_text="tictactoe")).to_have_count(0)
