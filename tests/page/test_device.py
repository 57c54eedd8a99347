"""Evaluation on the visitor's device: the analysis board, games against bots, reviews; and what takes its place."""

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from ludus.trust import COMMAND

pytestmark = pytest.mark.page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 390, "height": 844}
LACK = "This browser lacks SIMD in WebAssembly, which the engine needs"


@pytest.fixture(scope="module")
def exported_engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped model of Connect Four, exported; the compiled module is kept in the cache."""
    folder = tmp_path_factory.mktemp("engine") / "connect4"
    model = Path(__file__).parents[2] / "models" / "connect4"
    command = [*COMMAND, "export", str(model), str(folder), "--format", "web", "--game=connect4:ahead"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="module")
def site(site, exported_engine: Path) -> Iterator[object]:
    """The site offers an engine of Connect Four; its bots play and judge as everywhere."""
    site.app.state.site.engines.add(exported_engine)
    return site


def requests_of(page: Page, part: str) -> list[str]:
    """Return a list that fills with the addresses of the page's requests that contain a text."""
    found: list[str] = []
    page.on("request", lambda one: found.append(one.url) if part in one.url else None)
    return found


def choice(page: Page, name: str):
    """Return one side of the switch between this device and the site."""
    return page.get_by_role("radio", name=name)


def faults(page: Page) -> list[str]:
    """Return all findings of axe."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def start(page: Page) -> None:
    """Start a game of Connect Four against a bot, with the first move."""
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.get_by_role("button", name="Play ", exact=False).last.click()
    page.locator("svg.board.play").wait_for()


def drop(page: Page, column: int) -> None:
    """Drop a disc by keyboard."""
    page.locator("svg.board.play").wait_for()
    page.locator(f'[data-cell="0,{column}"]').focus()
    page.keyboard.press("Enter")


def resign(page: Page, column: int) -> str:
    """Make a move, resign the game, and return its id."""
    drop(page, column)
    expect(page.locator("button.move")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("link", name="Review this game").wait_for()
    return page.url.rsplit("/", 1)[1]


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["wide", "phone"])
def test_the_analysis_board_deepens_on_the_device_and_never_asks_the_site_to_search(open_page, viewport) -> None:
    page = open_page("/settings", **({"viewport": viewport} if viewport else {}))
    asked = requests_of(page, "/api/study/evaluation")
    page.goto(re.sub("/settings$", "/study?spec=connect4#4", page.url))
    expect(choice(page, "On this device")).to_be_checked()
    expect(page.locator(".engine .depth")).to_have_text(re.compile(r"^connect4: [\d,]+ visits"))
    lines = page.get_by_role("list", name=re.compile("^Engine lines")).get_by_role("listitem")
    expect(lines).to_have_count(3)
    page.get_by_role("combobox", name="Lines").select_option("5")
    expect(lines).to_have_count(5)
    expect(page.get_by_role("meter", name="Win chance")).to_have_attribute("aria-valuetext", re.compile("win chance"))
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".engine .depth")).to_have_text(re.compile("paused$"))
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lines.first.get_by_role("button").first.click()  # a line can be played
    expect(page.locator(".variations, .moves").first).to_contain_text("4")
    assert asked == []


def test_the_choice_of_the_site_is_kept(open_page) -> None:
    page = open_page("/study?spec=connect4")
    page.get_by_text("By the site", exact=True).click()
    expect(page.locator(".engine .depth")).to_have_text(re.compile("^Wally"))
    engines = requests_of(page, "/engines/")
    page.reload()
    expect(page.locator(".engine .depth")).to_have_text(re.compile("^Wally"))
    expect(choice(page, "By the site")).to_be_checked()
    assert engines == []


def test_a_board_without_an_engine_is_evaluated_by_the_site_and_has_no_switch(open_page) -> None:
    page = open_page("/study?spec=tictactoe")
    expect(page.locator(".engine .depth")).to_have_text(re.compile("^Wally"))
    expect(page.get_by_role("radio", name="On this device")).to_have_count(0)


def test_a_game_against_a_bot_has_bar_and_hints_from_the_device(open_page) -> None:
    page = open_page()
    engines = requests_of(page, "/engines/")
    start(page)
    assert engines == [], "nothing is downloaded before it is needed"
    page.get_by_role("button", name="Evaluation").click()
    expect(choice(page, "On this device")).to_be_checked()
    expect(page.locator(".best-move")).to_contain_text("Best: 4")
    drop(page, 0)
    expect(page.locator("button.move")).to_have_count(2)
    expect(page.locator("button.move").last).to_have_attribute("title", re.compile("Win chance after this move"))
    expect(page.locator(".best-move")).to_contain_text("Best:")
    sockets = page.evaluate("window.sockets.map((socket) => socket.url)")
    assert not [url for url in sockets if "/ws/eval/" in url], "the site's judge was not asked"
    assert faults(page) == []
    page.get_by_text("By the site", exact=True).click()
    expect(page.get_by_role("meter", name="Win chance")).to_have_attribute(
        "aria-valuetext", re.compile("60 % win chance")
    )


def test_between_people_the_device_is_never_asked(open_page) -> None:
    host = open_page()
    engines = requests_of(host, "/engines/")
    host.locator(".card", has_text="Connect Four").click()
    host.locator(".setup").get_by_text("A friend", exact=True).click()
    host.locator(".setup").get_by_title("First", exact=True).click()
    host.get_by_role("switch", name="Evaluation bar").check()
    host.get_by_role("button", name="Create a link").click()
    expect(host.get_by_text(re.compile("^ ?Waiting for"))).to_be_visible()
    friend = open_page("/game/" + host.url.rsplit("/", 1)[1])
    friend.get_by_role("button", name="Take the seat").click()
    drop(host, 3)
    expect(host.get_by_role("meter", name="Win chance")).to_have_attribute("aria-valuetext", re.compile("win chance"))
    expect(host.get_by_role("radio", name="On this device")).to_have_count(0)
    assert engines == []


def test_a_review_by_the_device_is_for_its_visitor_alone(open_page) -> None:
    page = open_page()
    start(page)
    game = resign(page, 3)
    page.goto(page.url.replace(f"/game/{game}", f"/replay/{game}?review"))
    expect(page.get_by_text(re.compile("^Reviewed on this device by connect4, .* Only you see it.$"))).to_be_visible()
    expect(page.get_by_role("group", name="Judge")).to_contain_text("win chance")
    expect(page.locator(".review-summary")).to_contain_text("accuracy")
    assert faults(page) == []
    other = open_page(f"/replay/{game}", viewport=PHONE)
    expect(other.get_by_role("button", name="Review this game")).to_be_visible()
    expect(choice(other, "On this device")).to_be_checked()
    assert faults(other) == []
    other.get_by_text("By the site", exact=True).click()
    other.get_by_role("button", name="Review this game").click()
    expect(other.get_by_text(re.compile("^Reviewed by Wally"))).to_be_visible()
    page.reload()
    expect(page.get_by_text(re.compile("^Reviewed by Wally"))).to_be_visible()


def test_a_review_by_the_device_can_be_cancelled(open_page) -> None:
    page = open_page()
    start(page)
    game = resign(page, 2)
    held: list[Route] = []
    page.route("**/api/study/words", lambda route: held.append(route))
    page.goto(page.url.replace(f"/game/{game}", f"/replay/{game}?review"))
    expect(page.get_by_role("status").filter(has_text="on this device")).to_have_text(
        "Review: 0 of 3 positions, on this device"
    )
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Review this game")).to_be_visible()


def test_an_old_browser_is_told_what_it_lacks_and_the_site_evaluates(open_page) -> None:
    page = open_page("/settings")
    page.add_init_script("WebAssembly.validate = () => false")
    page.goto(re.sub("/settings$", "/study?spec=connect4", page.url))
    expect(page.locator(".where .fault")).to_contain_text(LACK)
    expect(page.locator(".where .fault")).to_contain_text("The site evaluates instead.")
    expect(choice(page, "By the site")).to_be_checked()
    expect(page.locator(".engine .depth")).to_have_text(re.compile("^Wally"))
    assert faults(page) == []


def test_a_download_that_fails_is_told_and_can_be_tried_again(open_page) -> None:
    page = open_page("/settings")
    page.route("**/engines/**/*.onnx", lambda route: route.abort())
    page.goto(re.sub("/settings$", "/study?spec=connect4", page.url))
    expect(page.locator(".where .fault")).to_contain_text("The site evaluates instead.")
    expect(page.locator(".engine .depth")).to_have_text(re.compile("^Wally"))
    page.unroute("**/engines/**/*.onnx")
    page.get_by_text("On this device", exact=True).click()
    expect(page.locator(".engine .depth")).to_have_text(re.compile("^connect4: "))
    expect(page.locator(".where .fault")).to_have_count(0)


def test_without_an_engine_of_the_site_the_device_evaluates_everything(open_page, site) -> None:
    judge = site.app.state.site.services.judge
    page = open_page("/settings")
    page.goto(re.sub("/settings$", "/study?spec=connect4", page.url))
    judge_of = judge.chosen
    judge.chosen = lambda _config: None
    try:
        page.reload()
        expect(page.locator(".engine .depth")).to_have_text(re.compile("^connect4: "))
        page.get_by_text("By the site", exact=True).click()
        expect(page.locator(".engine")).to_contain_text("No engine that can judge this board is connected.")
        page.get_by_text("On this device", exact=True).click()
        expect(page.locator(".engine .depth")).to_have_text(re.compile("^connect4: "))
    finally:
        judge.chosen = judge_of


def test_the_page_asks_for_words_a_bounded_number_of_times(open_page) -> None:
    page = open_page("/settings")
    told: list[dict] = []
    page.on("request", lambda one: told.append(json.loads(one.post_data or "{}")) if "study/words" in one.url else None)
    page.goto(re.sub("/settings$", "/study?spec=connect4", page.url))
    expect(page.locator(".engine .depth")).to_have_text(re.compile(r"^connect4: \d{3}"))
    visits = [asked["found"][0]["visits"] for asked in told]
    assert visits == sorted(visits)
    assert all(later >= 1.25 * earlier for earlier, later in pairwise(visits))
