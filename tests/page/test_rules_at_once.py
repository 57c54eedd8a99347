"""Where the site has an engine for the board, the next action does not wait for the site, which still decides."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

import ludus
from ludus.browser.export import export
from ludus.site.catalogue.engines import DeviceEngines

pytestmark = [pytest.mark.page, pytest.mark.full]

GAME = "wallgame:classic:5x5"
HOLD = """() => { // keep the messages of the site until the test releases them
    const socket = window.sockets.findLast(({ url }) => url.includes("/ws/play/")), hear = socket.onmessage, held = [];
    const isPong = (event) => JSON.parse(event.data).type === "pong"; // else the page would reconnect
    socket.onmessage = (event) => (isPong(event) ? hear.call(socket, event) : held.push(event));
    window.hush = () => (socket.send = () => {});
    window.tell = (message) => hear.call(socket, { data: JSON.stringify(message) });
    window.release = () => {
        socket.onmessage = hear;
        held.forEach((event) => hear.call(socket, event));
    };
}"""


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory, flat_model) -> Iterator[None]:
    """Let the site have an exported engine for one board; its network is never asked for."""
    folder = tmp_path_factory.mktemp("engine")
    export(folder, flat_model(GAME), [ludus.game(GAME)], folder, licence="")

    class Exported(DeviceEngines):
        def __init__(self) -> None:
            super().__init__()
            self.add(folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.site.app.DeviceEngines", Exported)
        yield


@pytest.fixture
def second_turn(open_page, spot) -> Page:
    """A page at the person's second turn, which hears nothing from the site any more."""
    page = open_page()
    page.locator(".card", has_text="Wall Game").click()
    for option in ("Classic", "5 \u00d7 5"):
        page.locator(".setup").get_by_text(option, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.play").wait_for()
    page.mouse.click(*spot(page, 2, 2.45))
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")
    page.mouse.click(*spot(page, 1, 0))
    expect(page.locator("button.move")).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    page.evaluate(HOLD)
    return page


def walls(page: Page) -> Locator:
    """Return the first player's walls, without the preview of one."""
    return page.locator(".wall.owner-0:not(.ghost)")


def test_both_actions_of_a_turn_are_shown_while_the_site_is_silent(second_turn, spot) -> None:
    page = second_turn
    page.mouse.click(*spot(page, 3, 2.45))
    expect(walls(page)).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    page.mouse.click(*spot(page, 2, 0))  # the cat goes on to a cell where it never was
    expect(page.locator('[data-cell="2,0"]')).to_have_attribute("aria-label", re.compile("^a3, your cat"))
    expect(page.locator("svg.board.play")).to_have_count(0)
    expect(page.locator("button.move")).to_have_count(2)
    page.evaluate("window.release()")
    expect(page.locator("button.move")).to_have_count(4)
    assert page.locator("button.move .notation").all_text_contents()[2] == ">c2.Ca3"


def test_an_action_that_the_site_refuses_is_taken_off_the_board(second_turn, spot) -> None:
    page = second_turn
    page.evaluate("window.hush()")
    page.mouse.click(*spot(page, 3, 2.45))
    expect(walls(page)).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    page.evaluate("window.tell({type: 'error', message: 'The position has changed.'})")
    expect(walls(page)).to_have_count(1)
    expect(page.get_by_text("The position has changed.")).to_be_visible()


def test_moves_on_the_analysis_board_follow_each_other_without_waiting(open_page, spot, hold) -> None:
    page = open_page(f"/study?spec={GAME}")
    moves = page.locator(".variations button.move")
    for number, place in enumerate([(2, 2.45), (1, 0), (3, 0.45), (1, 4)], start=1):  # a wall and a step of each side
        page.locator("svg.board.play").wait_for()
        page.mouse.click(*spot(page, *place))
        expect(moves).to_have_count((number + 1) // 2)
    page.locator("svg.board.play").wait_for()
    first = hold(page, "**/api/study")
    page.mouse.click(*spot(page, 3, 2.45))
    expect(walls(page)).to_have_count(2)
    page.locator("svg.board.play").wait_for()
    second = hold(page, "**/api/study")
    page.mouse.click(*spot(page, 2, 0))
    expect(page.locator(".study-turn .chip.owner-1")).to_be_visible()
    expect(moves).to_have_count(2)
    for route in [*first, *second]:
        route.continue_()
    expect(moves).to_have_count(3)
    assert moves.all_text_contents()[2] == ">c2.Ca3"
