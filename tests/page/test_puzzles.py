"""The puzzle pages: right and wrong moves, the solution, and the memory of solved puzzles."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page


def verdict(page: Page):
    """Return the line with the verdict on the last move."""
    return page.locator(".verdict-line")


def play(page: Page, spot, *cells: tuple[float, float]) -> None:
    """Click on cells, each as soon as the board accepts moves."""
    for row, column in cells:
        page.locator(".board-area svg.board.play").wait_for()
        page.mouse.click(*spot(page, row, column))


def test_after_a_wrong_move_the_puzzle_can_be_tried_again(open_page, spot) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    expect(page.get_by_role("heading", name="Find the move that wins.")).to_be_visible()
    play(page, spot, (0, 1))
    expect(verdict(page)).to_contain_text("b3 is not the solution.")
    page.get_by_role("button", name="Try again").click()
    expect(verdict(page)).to_contain_text("Make your move on the board.")
    play(page, spot, (0, 2))
    expect(verdict(page)).to_contain_text("c3 is right.")
    expect(page.get_by_role("button", name="Show the solution")).to_have_count(0)
    expect(page.locator(".explanation")).to_contain_text("In the game, b3 was played (win chance 50 %).")
    expect(page.locator(".explanation .move")).to_have_text(["c3", "b3", "b2"])


def test_a_solved_puzzle_is_remembered_and_the_next_one_is_offered(open_page, spot) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    expect(page.locator(".place")).to_contain_text("Puzzle 1 of 2")
    play(page, spot, (0, 2))
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".place")).to_contain_text("Puzzle 2 of 2")
    expect(page).to_have_url(re.compile("/puzzles/tictactoe/bbbbbbbbbbbb$"))
    page.goto(page.url.replace("/tictactoe/bbbbbbbbbbbb", ""))
    expect(page.locator(".card", has_text="Tic-tac-toe")).to_contain_text("2 puzzles, 1 solved")
    page.locator(".card", has_text="Tic-tac-toe").click()
    expect(page.locator(".place")).to_contain_text("Puzzle 2 of 2")


def test_showing_the_solution_does_not_count_as_solving(open_page) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    page.get_by_role("button", name="Show the solution").click()
    page.locator(".explanation").get_by_role("button", name="b3").click()
    expect(page.locator(".study-turn")).to_contain_text("Crosses to move")
    expect(verdict(page)).to_contain_text("The solution is below")
    assert page.evaluate("localStorage.getItem('ludus.puzzles')") is None
    analyse = page.get_by_role("link", name="Analyse")
    expect(analyse).to_have_attribute("href", "/study?spec=tictactoe&ply=4#a1%20b1%20a3%20a2")
    analyse.click()
    expect(page.locator(".analysis svg.board .piece")).to_have_count(4)
    expect(page).to_have_url(re.compile(r"/study\?spec=tictactoe#a1%20b1%20a3%20a2$"))


def test_a_move_of_two_actions_is_checked_when_it_is_complete(open_page, spot) -> None:
    page = open_page("/puzzles/wallgame")
    expect(page.get_by_role("heading", name="Find the only good move.")).to_be_visible()
    expect(page.locator(".task")).to_contain_text("Bring your cat home")
    play(page, spot, (1.5, 2))
    expect(verdict(page)).to_contain_text("Finish your move on the board.")
    play(page, spot, (0, 3))
    expect(verdict(page)).to_contain_text("is right.")
    expect(page.locator(".explanation")).to_contain_text("95 %")


def test_the_learn_pages_link_to_puzzles(open_page) -> None:
    page = open_page("/learn")
    expect(page.get_by_role("heading", name="Puzzles")).to_be_visible()
    page.goto(page.url + "/tictactoe")
    page.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_role("heading", name="Find the move that wins.")).to_be_visible()


@pytest.mark.parametrize("path", ["/puzzles/chess", "/puzzles/tictactoe/nothing"])
def test_an_address_without_a_puzzle_links_to_the_list_of_puzzles(open_page, path) -> None:
    page = open_page(path)
    expect(page.get_by_role("heading", name="There is no such puzzle")).to_be_visible()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator(".card")).to_have_count(2)


def test_a_try_that_fails_to_reach_the_site_is_taken_back(open_page, spot) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    page.locator(".board-area svg.board.play").wait_for()  # whose puzzle has the same address
    page.route("**/api/puzzles/tictactoe/aaaaaaaaaaaa", lambda route: route.abort())
    play(page, spot, (0, 2))
    expect(page.locator(".notice")).to_contain_text("The site cannot be reached")
    expect(verdict(page)).to_contain_text("Make your move on the board.")
    page.unroute("**/api/puzzles/tictactoe/aaaaaaaaaaaa")
    play(page, spot, (0, 2))
    expect(verdict(page)).to_contain_text("c3 is right.")


def test_a_move_taken_back_during_its_check_can_be_tried_again(open_page, spot) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    page.locator(".board-area svg.board.play").wait_for()  # whose puzzle has the same address
    held = []
    page.route("**/api/puzzles/tictactoe/aaaaaaaaaaaa", lambda route: route.continue_() if held else held.append(route))
    play(page, spot, (0, 1))
    page.get_by_label("Checking your move").wait_for()
    page.get_by_role("button", name="Take back").click()
    held[0].continue_()
    expect(verdict(page)).to_contain_text("b3 is not the solution.")
    page.get_by_role("button", name="Try again").click()
    play(page, spot, (0, 2))
    expect(verdict(page)).to_contain_text("c3 is right.")


def test_a_site_without_puzzles_does_not_mention_them(open_page) -> None:
    page = open_page("/settings")
    page.route("**/api/puzzles", lambda route: route.fulfill(json={"games": []}))
    page.goto(page.url.replace("/settings", "/learn"))
    expect(page.locator(".card", has_text="Wall Game")).to_have_count(1)
    expect(page.get_by_text("Puzzles")).to_have_count(0)
    page.goto(page.url.replace("/learn", "/puzzles"))
    expect(page.get_by_role("heading", name="There are no puzzles")).to_be_visible()


def test_a_failed_request_for_the_solution_can_be_repeated(open_page) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    page.route("**/solution", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".notice")).to_contain_text("The site cannot be reached")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".explanation .move")).to_have_text(["c3", "b3", "b2"])


def test_the_first_try_changes_the_rating_and_later_ones_do_not(open_page, spot) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    rating = page.locator(".solver-rating")
    expect(rating).to_contain_text("You have no rating for these puzzles yet")
    play(page, spot, (0, 1))
    expect(rating).to_contain_text(re.compile("Your rating: \\d+ ± \\d+ \u2212\\d+ *This puzzle: \\d+"))
    fallen = rating.inner_text()
    page.get_by_role("button", name="Try again").click()
    play(page, spot, (0, 2))
    expect(verdict(page)).to_contain_text("c3 is right.")
    assert rating.inner_text() == fallen
    page.reload()
    expect(rating).to_contain_text(re.search(r"Your rating: \d+", fallen).group())
    expect(page.locator(".solver-rating .change")).to_have_count(0)


def test_the_solution_tells_the_puzzles_themes(open_page) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_role("list", name="Themes").get_by_role("listitem")).to_have_text(["Win by force", "Two moves"])
    expect(page.locator(".solver-rating .change")).to_contain_text("\u2212")


def test_the_next_puzzle_is_one_that_was_not_tried(open_page, spot) -> None:
    page = open_page("/puzzles/tictactoe/aaaaaaaaaaaa")
    play(page, spot, (0, 2))
    expect(verdict(page)).to_contain_text("c3 is right.")
    page.goto(page.url.replace("/aaaaaaaaaaaa", ""))
    expect(page.locator(".place")).to_contain_text("Puzzle 2 of 2")


def test_the_landing_page_has_a_puzzle_of_the_day(open_page) -> None:
    page = open_page("/")
    daily = page.get_by_role("region", name="Puzzle of the day")
    expect(daily).to_contain_text("to move")
    shown = daily.get_by_role("link").get_attribute("href")
    page.reload()
    expect(daily.get_by_role("link")).to_have_attribute("href", shown)
    daily.get_by_role("link").click()
    expect(page.get_by_role("heading", name=re.compile("Find the"))).to_be_visible()
