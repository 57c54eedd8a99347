"""A site without engines: the bots of a shipped model think in the visitor's browser."""

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import ludus
from ludus.games.game import Position

pytestmark = [pytest.mark.page, pytest.mark.full]

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
MODEL = ROOT / "models" / "connect4"
OURS_OR_OVER = re.compile("Your turn|won|Draw")
PATIENCE_S = 600.0  # the first export compiles the rules


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """`ludus serve --bots browser` with the model of Connect Four."""
    models = tmp_path_factory.mktemp("models")
    (models / "connect4").symlink_to(MODEL)
    command = [sys.executable, "-m", "ludus", "serve", "--bots=browser", f"--models={models}", "--port=0"]
    command.append(f"--data={tmp_path_factory.mktemp('data')}")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout
            url = next(line.split()[3] for line in process.stdout if line.startswith("Ludus is at http://"))
            url = url.rstrip(";")
            deadline = time.monotonic() + PATIENCE_S
            while b'"browser:connect4-' not in urllib.request.urlopen(f"{url}/api/catalogue").read():
                assert time.monotonic() < deadline, "the model was not exported"
                time.sleep(0.5)
            yield SimpleNamespace(url=url, bot=SimpleNamespace())
        finally:
            process.send_signal(signal.SIGINT)


def begin(page: Page, bot: str, side: str = "First") -> Page:
    """Start a game of Connect Four against a bot, from the first page."""
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".opponents label", has_text=bot).click()
    page.locator(".setup").get_by_title(side, exact=True).click()
    page.locator(".setup").get_by_role("button", name=f"Play {bot}").click()
    page.wait_for_url("**/game/*")
    return page


@pytest.fixture
def click(spot: Callable[..., tuple[float, float]]) -> Callable[[Page, int], None]:
    """Drop a disc into a column, given its number from 0."""
    return lambda page, column: page.mouse.click(*spot(page, 5, column))


def position_of(page: Page) -> Position:
    """Return the position after the moves in the page's list."""
    position = ludus.game("connect4").start()
    for text in page.locator("button.move .notation").all_text_contents():
        position = position.play(text)
    return position


def faults(page: Page) -> list[str]:
    """Return axe's findings."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def test_the_choice_of_a_bot_says_where_it_thinks_and_that_the_game_is_unrated(open_page) -> None:
    page = open_page()
    page.locator(".card", has_text="Connect Four").click()
    setup = page.locator(".setup")
    expect(setup).to_contain_text("thinks in your browser, so the game is not rated")
    expect(setup.get_by_title("Two bots")).to_have_count(0)
    assert faults(page) == []


def test_a_whole_game_is_played_until_it_ends_and_its_record_says_where_the_bot_thought(open_page, click) -> None:
    page = begin(open_page(), "Pip")
    expect(page.locator(".terms")).to_contain_text("bot thinks in the player's browser, so the game is unrated")
    for turn in range(21):
        page.locator("svg.board.active").wait_for()
        position = position_of(page)
        click(page, position.actions[turn % len(position.actions)])
        expect(page.locator("button.move")).not_to_have_count(position.num_actions_played)
        expect(page.locator(".status")).to_contain_text(OURS_OR_OVER)
        if position_of(page).outcome:
            break
    expect(page.locator(".status.result")).to_be_visible()
    assert faults(page) == []
    page.reload()
    expect(page.locator(".terms")).to_contain_text("bot thinks in the player's browser, so the game is unrated")


def test_a_reload_while_the_bot_thinks_and_a_takeback(open_page, click) -> None:
    page = begin(open_page(), "Wally")
    page.locator("svg.board.active").wait_for()
    click(page, 3)
    expect(page.locator("button.move")).to_have_count(1)
    page.reload()
    expect(page.locator("button.move")).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("button.move")).to_have_count(0)
    page.locator("svg.board.active").wait_for()
    click(page, 2)
    expect(page.locator("button.move")).to_have_count(2)
    expect(page.locator(".status")).to_contain_text("Your turn")


def test_of_two_tabs_only_one_plays_and_nobody_is_told_of_an_error(open_page, site, click) -> None:
    page = begin(open_page(), "Ada")
    page.locator("svg.board.active").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("svg.board.active").wait_for()
    for turn, column in enumerate((3, 3, 2)):
        click(page, column)
        expect(page.locator("button.move")).to_have_count(2 * turn + 2)
        expect(other.locator("button.move")).to_have_count(2 * turn + 2)
    for tab in (page, other):
        expect(tab.locator(".notice")).to_have_count(0)
        expect(tab.locator(".actions .quiet-note")).to_have_count(0)


def test_a_browser_without_web_assembly_says_so_and_the_game_ends_without_a_result(open_page) -> None:
    page = open_page()
    page.add_init_script("delete window.WebAssembly")
    page.reload()
    begin(page, "Pip", "Second")
    expect(page.locator(".actions")).to_contain_text("does not run WebAssembly")
    assert faults(page) == []
    page.get_by_role("button", name="End without a result").click()
    expect(page.locator(".status.result")).to_contain_text("No result")
