"""The analysis page: variations, engine lines, links to positions; and judged moves in replays."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

SHOW_EVALUATION = "localStorage.setItem('ludus.prefs', JSON.stringify({evaluation: true}))"


def moves(page: Page) -> list[str]:
    """Return the moves of the tree, variations included."""
    return page.locator(".variations button.move").all_text_contents()


@pytest.mark.full
def test_a_different_move_starts_a_variation_that_can_be_promoted_and_deleted(open_page, play) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    current = page.locator('.variations [aria-current="true"]')
    expect(current).to_have_text("c3")
    page.locator("h1").focus()
    page.get_by_role("button", name="One move back").click()
    expect(current).to_have_text("a3")
    play(page, "a1")
    expect(current).to_have_text("a1")
    expect(page.locator(".variation")).to_have_count(1)
    assert moves(page) == ["b2", "a3", "c3", "a1"]
    page.get_by_role("button", name="Promote line").click()
    expect(page.locator(".variation")).to_have_text(re.compile("c3"))
    assert moves(page) == ["b2", "a3", "a1", "c3"]
    expect(page).to_have_url(re.compile("#b2%20a3%20a1$"))
    page.get_by_role("button", name="Delete from here").click()
    expect(current).to_have_text("a3")
    assert moves(page) == ["b2", "a3", "c3"]
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("svg.board .piece")).to_have_count(0)
    page.get_by_role("button", name="To the latest position").click()
    expect(current).to_have_text("c3")


def test_variations_are_kept_when_the_position_editor_is_cancelled(open_page, play) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    play(page, "a1")
    expect(page.locator(".variation")).to_have_count(1)
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]


def test_annotations_of_one_line_are_not_shown_on_another(open_page, spot, play) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    play(page, "a1")
    expect(page.locator("svg.board .piece")).to_have_count(3)
    page.mouse.click(*spot(page, 0, 1), button="right")
    expect(page.locator(".annotations .ring")).to_have_count(1)
    page.locator(".variations").get_by_role("button", name="c3").click()  # lines of play have one, too
    expect(page.locator(".annotations .ring")).to_have_count(0)


def test_a_move_number_is_never_separated_from_its_move_by_a_line_break(open_page) -> None:
    page = open_page("/study?spec=chess#e4%20e5%20Nf3%20Nc6%20Bb5%20a6%20Ba4%20Nf6%20O-O%20Nxe4%20d4%20b5%20Bb3%20d5")
    expect(page.locator(".variations .number")).to_have_count(7)
    in_two_lines = (
        "() => [...document.querySelectorAll('.numbered')].filter((one) => one.getClientRects().length > 1).length"
    )
    for width in range(320, 420, 5):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(in_two_lines) == 0, f"{width} pixels"


def test_an_outdated_board_accepts_no_moves(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board .piece")).to_have_count(3)
    held = []
    one_move = '"actions":[4]'
    page.route(
        "**/api/study", lambda route: held.append(route) if one_move in route.request.post_data else route.continue_()
    )
    with (
        page.expect_request(lambda request: one_move in (request.post_data or "")),
        page.expect_response("**/api/study"),  # the position after two moves, no longer wanted
    ):
        page.get_by_role("button", name="One move back").click(click_count=2)
    page.wait_for_timeout(300)
    expect(page.locator("svg.board.look .piece")).to_have_count(3)
    held[0].continue_()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)


@pytest.mark.full
@pytest.mark.parametrize("name", ["One move back", "Delete from here"])
def test_a_failed_step_keeps_the_position_on_the_board(open_page, name: str, play) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.route("**/api/study", lambda route: route.abort(), times=1)
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    current = page.locator('.variations [aria-current="true"]')
    expect(current).to_have_text("c3")
    play(page, "a1")
    expect(current).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]
    expect(page).to_have_url(re.compile("#b2%20a3%20c3%20a1$"))


def test_the_address_keeps_its_moves_while_the_position_loads(open_page, site) -> None:
    page = open_page("/settings")
    page.add_init_script(
        "window.addresses = [];"
        "const replace = history.replaceState;"
        "history.replaceState = function (...all) { window.addresses.push(String(all[2])); replace.apply(this, all); };"
    )
    page.goto(site.url + "/study?spec=tictactoe#b2%20a3")
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a3")
    expect(page.locator("svg.board .piece")).to_have_count(2)
    page.wait_for_function("window.addresses.length > 0")
    addresses = page.evaluate("window.addresses")
    assert all(address.endswith("#b2%20a3") for address in addresses), addresses


def test_engine_lines_are_shown_and_can_be_played(open_page) -> None:
    page = open_page("/study?spec=chess#e4")
    page.add_init_script(SHOW_EVALUATION)
    page.reload()
    lines = page.get_by_role("list", name="Engine lines").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(page.get_by_role("meter", name="Win chance")).to_have_attribute("aria-valuenow", "0.1")
    expect(page.locator(".hint-move .arrow")).to_have_count(
        1
    )  # the best move in SAN is found among the board's choices
    expect(lines.first.get_by_role("button")).to_have_count(2)
    told = lines.first.get_by_role("button").all_text_contents()
    lines.first.get_by_role("button").nth(1).click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text(told[1])
    assert moves(page) == ["e4", *told]
    expect(page.get_by_text("Black to move")).to_be_visible()


def test_copying_the_link_to_a_position_waits_until_it_has_loaded(open_page, hold) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    held = hold(page, "**/api/study")
    with page.expect_request("**/api/study"):
        page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Copy link").click()
    held.pop().continue_()
    page.wait_for_function("() => window.copied")
    assert page.evaluate("window.copied").endswith("/study?spec=tictactoe#b2%20a3")


def test_a_failed_step_is_not_reported_after_another_step(open_page, hold) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    held = hold(page, "**/api/study")
    with page.expect_request("**/api/study"):
        page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(0)
    with page.expect_event("requestfailed"):
        held.pop().abort()
    page.wait_for_timeout(300)
    expect(page.locator(".notice")).to_have_count(0)


def test_points_forbidden_to_black_are_marked(open_page) -> None:
    page = open_page("/study?spec=gomoku:renju:9x9#e5%20a1%20f5%20a9%20g6%20i1%20g7%20i9")
    expect(page.locator(".mark.forbidden")).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^g5, .*forbidden"))).to_have_count(1)


@pytest.mark.full
def test_a_replay_marks_blunders_and_links_to_the_analysis_page(open_page, site, play) -> None:
    site.bot.opinions = {1: -0.7}
    page = open_page()
    page.add_init_script(SHOW_EVALUATION)
    page.reload()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    for name in ("b2", "a2", "c2"):
        play(page, name)
        expect(page.locator("button.move").filter(has_text=name)).to_have_count(1)
        page.locator("svg.board.play, .status.result").first.wait_for()
    expect(page.locator(".status.result")).to_contain_text("You won")
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*")
    expect(page.locator("button.move .verdict")).to_have_text(["??", "??"])
    expect(page.locator(".evaluation-graph .slip.blunder")).to_have_count(2)
    expect(page.locator(".slips")).to_have_text(re.compile("1 blunder.*1 blunder"))
    expect(page.locator(".ownership rect")).to_have_count(0)
    site.bot.owners = [[1.0, -1.0, 0.0]] * 3
    page.reload()
    page.get_by_role("button", name="One move forward").click()
    expect(page.locator(".ownership rect")).to_have_count(6)  # a cross that will be lost is marked as well
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".variations button.move")).to_have_count(5)


def test_an_address_with_a_malformed_escape_still_shows_the_page(open_page) -> None:
    page = open_page("/study?spec=tictactoe#%zz")
    expect(page.get_by_role("link", name="Analysis")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("%zz")


def test_a_pasted_game_without_evaluations_has_no_evaluation_bar(open_page) -> None:
    page = open_page("/games")
    page.evaluate(SHOW_EVALUATION)
    page.reload()
    page.get_by_label("A game downloaded here").fill('[Event "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *')
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("button.move")).to_have_count(3)
    expect(page.get_by_role("meter")).to_have_count(0)
