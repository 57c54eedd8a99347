"""Keyboard focus: the skip button, the return of focus after questions, and typed moves."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.page

SHOWN = "document.querySelector('#content').contains(document.activeElement)"
CONFIRM = "localStorage.setItem('ludus.prefs', JSON.stringify({confirm: true, typing: true}))"


def skip(page: Page) -> None:
    """Press the skip button with the keyboard."""
    skipping = page.locator(".skip")
    skipping.focus()
    expect(skipping).to_be_in_viewport(ratio=1.0)
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWN)


def cell(page: Page | Locator, name: str) -> Locator:
    """Return the grid cell with this name."""
    return page.get_by_role("gridcell", name=re.compile(f"^{name}, "))


def begin(page: Page, game: str, *options: str) -> None:
    """Start a game as first player, with confirmation of moves and the typing field."""
    page.evaluate(CONFIRM)
    page.reload()
    page.locator(".card", has=page.get_by_text(game, exact=True)).click()
    for option in options:
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()


def type_move(page: Page, text: str) -> Locator:
    """Enter a text in the field for typed moves; return the field."""
    field = page.get_by_label("Type a move")
    field.fill(text)
    field.press("Enter")
    return field


def moves(page: Page) -> list[str]:
    """Return the texts of the move list."""
    return page.locator("button.move .notation").all_text_contents()


def test_skipping_to_the_content_keeps_the_moves_in_the_address(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    before = page.url
    skip(page)
    assert page.url == before
    page.keyboard.press("Tab")
    assert page.evaluate(SHOWN), "Tab continues from there"


def test_a_line_entered_after_the_hash_of_the_address_is_shown(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    page.evaluate("location.hash = 'b2%20a3%20c3'")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    expect(page).to_have_url(re.compile("#b2%20a3%20c3$"))
    page.go_back()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    expect(page).to_have_url(re.compile("#b2%20a3$"))


def test_a_link_in_the_content_moves_the_focus_to_the_new_page(open_page) -> None:
    page = open_page("/learn")
    page.locator(".card").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson h1")).to_be_visible()
    expect(page.locator("#content")).to_be_focused()
    page.get_by_role("link", name="Games", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Finished games")).to_be_visible()
    expect(page.get_by_role("link", name="Games", exact=True)).to_be_focused()


def test_skipping_to_the_content_keeps_a_shared_game(open_page) -> None:
    page = open_page("/games")
    page.get_by_label("A game downloaded here").fill('[Event "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *')
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("button.move")).to_have_count(3)
    before = page.url
    assert "/shared#" in before
    skip(page)
    assert page.url == before
    page.wait_for_timeout(300)  # long enough for a wrong navigation
    expect(page.locator("button.move")).to_have_count(3)


@pytest.mark.full
@pytest.mark.parametrize("answer", ["Enter", "Escape", "Cancel"])
def test_the_focus_returns_to_its_cell_when_a_question_closes(open_page, answer: str) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    cell(page, "b2").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play b2")).to_be_focused()
    if answer == "Cancel":
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        page.keyboard.press(answer)
    expect(page.locator(".question")).to_have_count(0)
    expect(cell(page, "b2")).to_be_focused()
    expect(page.locator("button.move")).to_have_count(2 if answer == "Enter" else 0)


@pytest.mark.full
@pytest.mark.parametrize("answer", ["Yes", "No", "Escape"])
def test_an_action_button_asks_for_confirmation_and_gets_the_focus_back(open_page, site, answer: str) -> None:
    site.bot.plan = ["A1", "A2"]
    page = open_page()
    begin(page, "Go")
    type_move(page, "B1")
    expect(page.locator("button.move")).to_have_count(2)
    pass_button = page.locator(".status").get_by_role("button", name="Pass")
    pass_button.focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("group", name="Pass?")
    expect(question.get_by_text("Pass?")).to_be_visible()
    expect(question.get_by_role("button", name="No")).to_be_focused()
    if answer == "Escape":
        page.keyboard.press("Escape")
    else:
        question.get_by_role("button", name=answer).press("Enter")
    expect(question).to_have_count(0)
    if answer == "Yes":
        expect(page.locator(".status [role=status]")).to_be_focused()
    else:
        expect(pass_button).to_be_focused()
    expect(page.locator("button.move")).to_have_count(4 if answer == "Yes" else 2)


def test_the_focus_returns_to_its_cell_after_a_promotion(open_page) -> None:
    page = open_page("/learn/chess")
    part = page.locator(".part", has_text="Promotion")
    part.locator("svg.board.play").wait_for()
    for name in ("e7", "e8"):
        cell(part, name).focus()
        page.keyboard.press("Enter")
    expect(part.get_by_role("button", name="queen")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(part, "e8")).to_have_attribute("aria-label", re.compile("queen"))
    expect(cell(part, "e8")).to_be_focused()


def test_the_focus_returns_to_the_typing_field_when_a_question_closes(open_page, spot) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    field = page.get_by_label("Type a move")
    field.focus()
    page.mouse.click(*spot(page, 1, 1))
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator("button.move")).to_have_count(2)
    expect(field).to_be_focused()


def test_a_closing_question_does_not_take_the_focus_from_another_element(open_page) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    cell(page, "b2").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play b2")).to_be_focused()
    field = page.get_by_label("Type a move")
    field.focus()
    page.keyboard.press("Escape")
    expect(page.locator(".question")).to_have_count(0)
    expect(field).to_be_focused()


def test_a_double_step_can_be_typed_as_it_is_written(open_page) -> None:
    page = open_page()
    begin(page, "Wall Game", "Classic", "5 \u00d7 5")
    type_move(page, "Cb4")
    expect(page.locator("button.move .notation").first).to_have_text("Cb4")
    expect(page.locator("button.move")).to_have_count(2)


def test_a_typed_move_for_a_later_turn_is_not_played_automatically(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    field = type_move(page, "4 5")
    expect(page.locator("button.move")).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    expect(page.locator(".typing [role=status]")).to_contain_text("5")
    page.wait_for_timeout(500)  # long enough for a move and an answer
    assert moves(page) == ["4", "1"]
    expect(field).to_have_value("5")
    field.press("Enter")
    expect(page.locator("button.move")).to_have_count(4)
    assert moves(page)[2] == "5"
    expect(field).to_have_value("")


def test_typing_replaces_a_move_typed_for_a_later_turn(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    field = type_move(page, "4 5")
    expect(page.locator(".typing [role=status]")).to_contain_text("5")
    page.keyboard.type("7")
    expect(field).to_have_value("7")


def test_an_illegal_rest_of_a_typed_move_stays_in_the_field(open_page) -> None:
    page = open_page()
    begin(page, "Wall Game", "Classic", "5 \u00d7 5")
    field = type_move(page, ">c3.Zz9")
    expect(page.get_by_text("“Zz9” is not a legal move")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")
    expect(field).to_have_value("Zz9")


@pytest.mark.full
def test_text_typed_during_the_bot_s_turn_is_not_played_automatically(open_page, site) -> None:
    page = open_page()
    begin(page, "Connect Four")
    site.bot.held = True
    field = type_move(page, "4 5")
    field.fill("7")
    site.bot.held = False
    expect(page.locator("button.move")).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    page.wait_for_timeout(500)
    assert moves(page) == ["4", "1"]
    expect(field).to_have_value("7")


def test_a_move_typed_while_an_earlier_position_is_shown_is_rejected(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    field = page.get_by_label("Type a move")
    field.fill("4")
    field.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)
    page.get_by_role("button", name="One move back").click()
    field.fill("4")
    field.press("Enter")
    expect(page.locator("#typing-fault")).to_contain_text("The board shows an earlier position")


def test_the_focus_stays_on_the_resign_button_and_its_confirmation(open_page) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    type_move(page, "b2")
    expect(page.locator("button.move")).to_have_count(2)
    resign = page.get_by_role("button", name="Resign")
    for _ in range(2):
        resign.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Play on")).to_be_focused()
        page.keyboard.press("Enter")
        expect(resign).to_be_focused()


def test_a_step_button_keeps_the_focus_at_the_start_of_the_game(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    back = page.get_by_role("button", name="One move back")
    back.focus()
    for left in (1, 0):
        page.keyboard.press("Enter")
        expect(page.locator("svg.board.play .piece")).to_have_count(left)
    expect(back).to_be_disabled()
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("svg.board.play .piece")).to_have_count(0)


def test_letter_shortcuts_can_be_switched_off(open_page, site) -> None:
    page = open_page("/settings")
    page.get_by_role("switch", name=re.compile("^Letter keys")).click()
    page.goto(f"{site.url}/study?spec=tictactoe#b2%20a3")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    turn = page.get_by_role("button", name="Turn the board")
    expect(turn).to_have_attribute("title", "Turn the board")
    page.keyboard.press("f")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("svg.board.play .piece")).to_have_count(1)
    expect(turn).to_have_attribute("aria-pressed", "false")
