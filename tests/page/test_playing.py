"""Games of a guest against the bot, from the first click to the result."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.page

EVALUATION = ".evaluation-number"


def start(page: Page, game: str, *options: str, side: str = "First") -> None:
    """Choose a game with options and start it."""
    page.locator(".card", has_text=game).click()
    for option in options:
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title(side, exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    expect(page.locator(".board-area svg.board")).to_be_visible()


def open_evaluation(page: Page) -> None:
    """Show the engine's evaluation, which is hidden at first."""
    expect(page.locator(EVALUATION)).to_have_count(0)
    page.get_by_role("button", name="Evaluation").click()


@pytest.fixture
def click(spot):
    """A function that clicks on a cell of the board when it is the guest's turn."""

    def click_(page: Page, row: float, column: float) -> None:
        page.locator("svg.board.active").wait_for()
        page.mouse.click(*spot(page, row, column))

    return click_


def moves(page: Page) -> list[str]:
    """Return the texts of the move list."""
    return page.locator("button.move .notation").all_text_contents()


def test_a_guest_wins_connect_four_and_starts_a_rematch(open_page, click) -> None:
    page = open_page()
    start(page, "Connect Four")
    open_evaluation(page)
    click(page, 5, 3)
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page) == ["4", "1"]
    expect(page.locator(EVALUATION)).to_contain_text("60 %")
    for column in (3, 3, 3):
        click(page, 0, column)
    expect(page.locator(".status.result")).to_contain_text("You won")
    expect(page.locator(".status.result")).to_contain_text("Four in a line")
    expect(page.locator(".mark.win")).to_have_count(4)
    expect(page.locator(EVALUATION)).to_contain_text("100 %")
    old = page.url
    page.get_by_role("button", name="Rematch").click()
    expect(page).not_to_have_url(old)
    expect(page.locator(".player.bottom .chip.owner-1")).to_be_visible()  # sides are swapped


def test_before_the_first_move_the_status_links_to_the_rules_in_a_new_tab(open_page, click) -> None:
    page = open_page()
    start(page, "Connect Four")
    tip = page.locator(".status small")
    expect(tip).to_contain_text("Click a column.")
    with page.expect_popup() as opened:
        tip.get_by_role("link", name="Read the rules").click()
    expect(opened.value.get_by_role("heading", name="Connect Four")).to_be_visible()
    opened.value.close()
    click(page, 5, 3)
    expect(page.locator("button.move")).to_have_count(2)
    expect(tip).to_have_count(0)


def test_pointing_at_a_column_previews_the_disc_above_it_and_in_its_hole(open_page, spot) -> None:
    page = open_page()
    start(page, "Connect Four")
    page.locator("svg.board.active").wait_for()
    page.mouse.move(*spot(page, 1, 4))
    expect(page.locator(".in-hand")).to_be_visible()
    expect(page.locator(".ghost .shadow")).to_have_attribute("transform", "translate(450 550)")


def test_a_wall_and_a_step_form_one_move_and_can_be_taken_back(open_page, spot, click) -> None:
    page = open_page()
    start(page, "Wall Game", "Classic", "5 \u00d7 5")
    open_evaluation(page)
    page.locator("svg.board.active").wait_for()
    page.mouse.move(*spot(page, 2, 2.45))
    expect(page.locator(".wall.ghost")).to_be_visible()
    click(page, 2, 2.45)
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")
    expect(page.locator(".wall.owner-0")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".status")).to_contain_text("Your turn")
    expect(page.locator(".wall.owner-0")).to_have_count(0)
    click(page, 2, 2.45)
    expect(page.locator(".status")).to_contain_text("1 of 2")
    click(page, 1, 0)
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == ">c3.Ca4"
    expect(page.locator(EVALUATION)).to_contain_text("70 %")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("button.move")).to_have_count(0)
    expect(page.locator(EVALUATION)).to_contain_text("50 %")


def test_a_piece_can_be_dragged_or_selected_and_escape_deselects_it(open_page, spot, click) -> None:
    page = open_page()
    start(page, "Wall Game", "Standard")
    page.locator("svg.board.play").wait_for()
    click(page, 0, 0)
    expect(page.locator(".source.selected")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".source.selected")).to_have_count(0)
    page.mouse.move(*spot(page, 4, 0))
    page.mouse.down()
    page.mouse.move(*spot(page, 4, 0.6), steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    page.mouse.move(*spot(page, 4, 1), steps=2)
    page.mouse.up()
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")
    assert moves(page) == ["Mb1"]


def test_the_move_list_and_the_arrow_keys_step_through_the_game(open_page, click) -> None:
    page = open_page()
    start(page, "Connect Four")
    open_evaluation(page)
    for turn, column in enumerate((3, 2, 3), start=1):
        click(page, 0, column)
        expect(page.locator("button.move")).to_have_count(2 * turn)
    expect(page.locator("svg.board .piece")).to_have_count(6)
    page.locator("button.move").first.click()
    expect(page.locator("svg.board .piece")).to_have_count(1)
    expect(page.locator(EVALUATION)).to_contain_text("55 %")
    page.keyboard.press("ArrowRight")
    expect(page.locator("svg.board .piece")).to_have_count(2)
    page.keyboard.press("Home")
    expect(page.locator("svg.board .piece")).to_have_count(0)
    expect(page.locator("svg.board.play")).to_have_count(0)
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("svg.board .piece")).to_have_count(6)
    expect(page.locator("svg.board.active")).to_be_visible()


def at(page: Page, cell: str) -> Locator:
    """Return the grid cell with this name, for keyboard and screen readers."""
    return page.get_by_role("gridcell", name=re.compile(f"^{cell}, "))


def test_a_game_can_be_played_with_the_keyboard_alone(open_page) -> None:
    page = open_page()
    start(page, "Tic-tac-toe")
    page.locator("svg.board.active").wait_for()
    page.locator('.grid-cell[tabindex="0"]').focus()
    expect(at(page, "b2")).to_be_focused()
    expect(at(page, "b2")).to_have_attribute("aria-label", "b2, empty, can be played")
    page.keyboard.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page) == ["b2", "a3"]
    expect(page.locator("[data-said]")).to_have_text("Pip: nought on a3. Your turn.")
    page.keyboard.press("ArrowDown")  # from the cell that still has the focus
    expect(at(page, "b1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("button.move")).to_have_count(4)
    assert moves(page)[2] == "b1"
    expect(at(page, "b2")).to_have_attribute("aria-label", "b2, your cross")


def test_the_keyboard_selects_the_side_of_a_cell_and_builds_a_wall_there(open_page) -> None:
    page = open_page()
    start(page, "Wall Game", "Classic", "5 \u00d7 5")
    page.locator("svg.board.active").wait_for()
    at(page, "c3").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".wall.ghost")).to_be_visible()
    expect(page.get_by_text("wall right of c3: press Enter to build it")).to_be_attached()
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")
    expect(at(page, "c3")).to_have_attribute("aria-label", "c3, empty, wall on the right")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == ">c3.^c2"


def test_a_move_of_two_actions_can_be_typed_at_once(open_page) -> None:
    page = open_page()
    start(page, "Wall Game", "Classic", "5 \u00d7 5")
    page.get_by_role("button", name="Type moves").click()
    field = page.get_by_label("Type a move")
    field.fill("Zz9")
    field.press("Enter")
    expect(page.get_by_text("is not a legal move")).to_be_visible()
    field.fill(">c3.ca4")
    field.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == ">c3.Ca4"


def test_the_evaluation_is_visible_without_scrolling(open_page) -> None:
    page = open_page()
    start(page, "Wall Game", "Classic", "5 \u00d7 5")
    open_evaluation(page)
    expect(page.locator(EVALUATION)).to_be_in_viewport(ratio=1.0)


def test_the_evaluation_of_a_move_taken_back_is_not_shown_for_its_replacement(open_page, site, click) -> None:
    site.bot.opinions = {1: -0.7}
    page = open_page()
    start(page, "Tic-tac-toe")
    open_evaluation(page)
    meter = page.get_by_role("meter", name="Win chance")
    click(page, 1, 1)
    expect(page.locator("button.move")).to_have_count(2)
    page.get_by_role("button", name="One move back").click()
    expect(meter).to_have_attribute("aria-valuenow", "-0.7")
    page.get_by_role("button", name="Back to the game").click()
    site.bot.held = True
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("button.move")).to_have_count(0)
    click(page, 0, 0)
    expect(page.locator("button.move")).to_have_count(1)
    expect(meter).to_have_attribute("aria-valuenow", "0")  # the bot is still thinking


@pytest.mark.full
def test_a_best_move_of_two_steps_is_drawn_to_its_last_cell(open_page, site) -> None:
    site.bot.plan = ["Cc5"]
    page = open_page()
    start(page, "Wall Game", "Classic", "5 \u00d7 5")
    open_evaluation(page)
    expect(page.locator(".best-move")).to_contain_text("Best: Cc5")
    arrow = page.locator(".hint-move .arrow")
    expect(arrow).to_have_count(1)
    assert arrow.evaluate("arrow => arrow.getBBox().width") > 100.0, (
        "a cell is 100 wide: the arrow leads from a5 over b5 to c5"
    )


def with_premove(open_page, site, spot) -> Page:
    """Return a page with a premove in the sixth column, while the bot's evaluations are held back."""
    page = open_page()
    start(page, "Connect Four")
    page.locator("svg.board.play").wait_for()
    site.bot.held = True
    page.mouse.click(*spot(page, 0, 3))
    page.locator("svg.board.premove").wait_for()
    page.mouse.click(*spot(page, 0, 5))
    expect(page.locator("rect.premove")).to_have_count(1)
    return page


def first_moves(page: Page) -> list[str]:
    """Wait for three moves and return them; the bot may have played a fourth."""
    expect(page.locator("button.move").nth(2)).to_be_visible()
    return moves(page)[:3]


def test_a_premove_is_played_at_the_player_s_turn(open_page, site, spot) -> None:
    page = with_premove(open_page, site, spot)
    expect(page.get_by_role("button", name="Cancel the premove")).to_be_visible()
    site.bot.held = False
    assert first_moves(page) == ["4", "1", "6"]


@pytest.mark.full
def test_escape_cancels_a_premove(open_page, site, spot) -> None:
    page = with_premove(open_page, site, spot)
    page.keyboard.press("Escape")
    expect(page.locator("rect.premove")).to_have_count(0)
    site.bot.held = False
    expect(page.locator("svg.board.play")).to_be_visible()
    assert moves(page) == ["4", "1"]


@pytest.mark.full
def test_a_takeback_cancels_a_premove(open_page, site, spot, click) -> None:
    page = with_premove(open_page, site, spot)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("svg.board.play")).to_be_visible()
    site.bot.held = False
    click(page, 0, 0)
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == "1"


@pytest.mark.full
def test_a_premove_is_played_while_an_earlier_position_is_shown(open_page, site, spot) -> None:
    page = with_premove(open_page, site, spot)
    page.keyboard.press("Home")
    expect(page.locator("svg.board.look")).to_be_visible()
    site.bot.held = False
    assert first_moves(page) == ["4", "1", "6"]


@pytest.mark.full
def test_a_premove_with_several_meanings_opens_a_question(open_page, site, click) -> None:
    site.bot.plan = ["g7g5", "h7h6", "g8f6", "f6g8"]
    page = open_page()
    start(page, "Chess")
    for number, (here, there) in enumerate((((6, 7), (4, 7)), ((4, 7), (3, 6)), ((3, 6), (2, 7))), 1):
        click(page, *here)
        click(page, *there)
        expect(page.locator("button.move")).to_have_count(2 * number)
    site.bot.held = True
    click(page, 2, 7)
    click(page, 1, 7)
    page.locator("svg.board.premove").wait_for()
    click(page, 1, 7)
    click(page, 0, 6)
    expect(page.locator("rect.premove")).to_have_count(2)
    site.bot.held = False
    choose = page.get_by_role("group", name="Which move?")
    expect(choose.get_by_role("button")).to_have_count(5)  # four pieces and Cancel
    choose.get_by_role("button", name="knight").click()
    expect(page.locator("button.move")).to_have_count(10)
    assert moves(page)[8] == "hxg8=N"


def test_settings_changed_in_one_tab_apply_in_another(open_page) -> None:
    page = open_page()
    start(page, "Tic-tac-toe")
    other = page.context.new_page()
    other.goto(page.url)
    for tab, name in ((page, "Evaluation"), (other, "Type moves")):
        tab.get_by_role("button", name=name).click()
    for tab in (page, other):
        for name in ("Evaluation", "Type moves"):
            expect(tab.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")


def test_the_right_mouse_button_draws_arrows_and_rings_that_a_click_clears(open_page, spot) -> None:
    page = open_page()
    start(page, "Wall Game", "Classic", "5 \u00d7 5")
    page.locator("svg.board.active").wait_for()
    page.mouse.move(*spot(page, 3, 1))
    page.mouse.down(button="right")
    page.mouse.move(*spot(page, 1, 3))
    page.mouse.up(button="right")
    page.mouse.click(*spot(page, 2, 2), button="right")
    expect(page.locator(".annotations .arrow")).to_have_count(1)
    expect(page.locator(".annotations .ring")).to_have_count(1)
    page.mouse.click(*spot(page, 2, 2), button="right")
    expect(page.locator(".annotations .ring")).to_have_count(0)
    page.mouse.click(*spot(page, 3, 3))
    expect(page.locator(".annotations .arrow")).to_have_count(0)
    assert moves(page) == []


def test_moves_can_be_played_on_a_turned_board(open_page, click) -> None:
    page = open_page()
    start(page, "Tic-tac-toe")
    page.locator("svg.board.active").wait_for()
    page.keyboard.press("f")
    click(page, 0, 0)
    expect(page.locator("button.move")).to_have_count(2)
    assert moves(page)[0] == "c1"


@pytest.mark.full
def test_the_page_shows_that_the_bot_is_thinking(open_page, site, click) -> None:
    page = open_page()
    start(page, "Connect Four")
    page.locator("svg.board.active").wait_for()
    site.bot.held = True
    click(page, 0, 3)
    expect(page.get_by_role("img", name="thinking")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("Pip is thinking…")
    site.bot.held = False
    expect(page.locator(".status")).to_contain_text("Your turn")


@pytest.mark.full
def test_resigning_needs_a_confirmation_and_is_shown_as_the_result(open_page, click) -> None:
    page = open_page()
    start(page, "Connect Four", "Wally")
    expect(page.get_by_role("button", name="Abort")).to_be_visible()  # before the first moves
    click(page, 0, 3)
    expect(page.locator("button.move")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Play on").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".status.result")).to_have_text(re.compile("Wally won.*Resignation"))
