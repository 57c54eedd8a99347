"""A whole Wall Game by mouse and by keyboard, with a takeback, a lost connection, a spectator and a replay."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import ludus
from ludus.games.board import Cell, Choice
from ludus.games.game import Position
from ludus.games.wallgame.view import WallgameView

pytestmark = pytest.mark.page

SPEC = "wallgame:classic:5x5:short"
ROWS = 5
NOTE_CURRENT_MOVES = """() => {
    window.walked = new Set();
    const note = () => window.walked.add(document.querySelector("button.move[aria-current]"));
    new MutationObserver(note).observe(document, { attributes: true, subtree: true });
}"""
Step = Callable[[Page, Choice], None]


def begin(page: Page) -> None:
    """Start a small Wall Game as first player."""
    page.locator(".card", has_text="Wall Game").click()
    for option in ("Classic", "5 \u00d7 5"):
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    page.locator("svg.board.play").wait_for()


def position_of(page: Page) -> Position:
    """Return the position after the moves in the page's list."""
    position = ludus.game(SPEC).start(None)
    for text in page.locator("button.move .notation").all_text_contents():
        position = position.play(text)
    return position


def best_step(position: Position) -> Choice:
    """Return the step that leaves the mover's cat the shortest path home."""

    def length(choice: Choice) -> int:
        view = WallgameView.read(position.play(choice.action).state)
        cat, home = view.pawns[:2]
        distance = view.distance(cat, home)
        assert distance is not None, "the rules forbid blocking the path"
        return distance

    return min((choice for choice in position.describe().choices if choice.kind == "cell"), key=length)


@pytest.fixture
def by_click(spot) -> Step:
    """A function that clicks the cell of a choice."""
    return lambda page, choice: page.mouse.click(*spot(page, *choice.at))


def by_key(page: Page, choice: Choice) -> None:
    """Move to the cell with the arrow keys and press Enter."""
    assert choice.at
    board = page.locator('.grid-cell[tabindex="0"]')
    if not page.evaluate("document.activeElement.classList.contains('grid-cell')"):
        board.focus()
    here = place_of(page)
    keys = ["ArrowDown" if choice.at[0] > here[0] else "ArrowUp"] * abs(choice.at[0] - here[0])
    keys += ["ArrowRight" if choice.at[1] > here[1] else "ArrowLeft"] * abs(choice.at[1] - here[1])
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def place_of(page: Page) -> Cell:
    """Return the cell that has the focus."""
    row, column = page.evaluate("document.activeElement.dataset.cell.split(',').map(Number)")
    return row, column


def play_move(page: Page, step: Step) -> None:
    """Make a move of two steps, or of one if it wins."""
    page.locator("svg.board.play").wait_for()
    before = position_of(page)
    count = len(page.locator("button.move").all())
    choice = best_step(before)
    step(page, choice)
    expect(page.locator("button.move")).not_to_have_count(count)
    if page.locator(".status.result").count():
        return
    halfway = before.play(choice.action)
    view = WallgameView.read(halfway.state)
    if view.pawns[0] == view.pawns[1]:  # at home: a second action is not needed
        page.get_by_role("button", name="End move").click()
        return
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")
    step(page, best_step(halfway))


def finish(page: Page, step: Step) -> None:
    """Play until the game is over."""
    for _ in range(30):
        page.locator("svg.board.play, .status.result").first.wait_for()
        if page.locator(".status.result").count():
            return
        play_move(page, step)
        expect(page.locator(".status.result, .status.yours").first).to_be_visible()
    pytest.fail("The game does not end.")


def shown_moves(page: Page) -> Locator:
    """Return the list of moves."""
    return page.locator("button.move")


@pytest.mark.full
def test_a_guest_plays_a_whole_game_by_clicking_and_a_spectator_sees_it(open_page, by_click) -> None:
    page = open_page()
    begin(page)
    spectator = open_page("/game/" + page.url.rsplit("/", 1)[1])
    expect(page.locator(".spectators")).to_have_text(re.compile("1 watching"))

    play_move(page, by_click)
    expect(shown_moves(page)).to_have_count(2)
    expect(shown_moves(spectator)).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(shown_moves(page)).to_have_count(0)
    expect(shown_moves(spectator)).to_have_count(0)

    page.get_by_role("button", name="Evaluation").click()
    expect(page.get_by_role("meter", name="Win chance")).to_be_visible()
    expect(page.locator(".hint-move .wall")).not_to_have_count(0)  # the engine's best move
    play_move(page, by_click)
    expect(shown_moves(page)).to_have_count(2)

    page.evaluate("window.cutOff()")
    expect(page.get_by_text("Connection lost. Reconnecting…")).to_be_visible()
    page.evaluate("window.reach()")
    expect(page.get_by_text("Connection lost. Reconnecting…")).to_have_count(0)
    expect(shown_moves(page)).to_have_count(2)

    finish(page, by_click)
    expect(page.locator(".status.result")).to_contain_text("You won")
    expect(spectator.locator(".status.result")).to_contain_text("won")
    told = shown_moves(page).locator(".notation").all_text_contents()
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*")
    expect(shown_moves(page)).to_have_count(len(told))
    assert shown_moves(page).locator(".notation").all_text_contents() == told
    page.keyboard.press("ArrowRight")
    expect(shown_moves(page).first).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"\?ply=2$"))
    page.keyboard.press("End")
    expect(page.locator(".mark.win")).to_have_count(1)
    page.evaluate(NOTE_CURRENT_MOVES)
    page.get_by_role("button", name="Play through").click()
    page.wait_for_function("() => window.walked.has(document.querySelector('button.move'))")


def test_a_guest_plays_a_whole_game_with_the_keyboard_alone(open_page) -> None:
    page = open_page()
    begin(page)
    finish(page, by_key)
    expect(page.locator(".status.result")).to_contain_text("You won")
    expect(page.locator("[data-said]")).to_have_text(re.compile("You won"))
