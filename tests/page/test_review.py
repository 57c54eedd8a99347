"""Reviews of finished games: progress, marks, accuracy, best lines, learning from mistakes, and the next viewer."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.page.test_annotations import opened

pytestmark = pytest.mark.page

GAME = """[Game "tictactoe"]
[Player1 "Ann"]
[Player2 "Bob"]
[Result "1-0"]

1. b2 {the centre} a2 2. a1 c3 (2... c1) 3. c1 b1 4. a3 1-0
"""
OPINIONS = {0: 0.0, 1: 0.0, 2: 0.7, 3: 0.7, 4: 0.8, 5: 0.8, 6: 0.9}
"""The second move loses 35 % of Bob's win chance."""
SGF = "(;GM[1]SZ[5]PB[Ann]PW[Bob];B[cc];W[bb];B[bc])"


def reviewed(open_page, site, text: str = GAME, **settings) -> Page:
    """Open a pasted game and have it reviewed."""
    site.bot.plan, site.bot.opinions = ["a1", "a1"], OPINIONS
    page = opened(open_page, text, **settings)
    review = page.get_by_role("button", name="Review this game")
    review.or_(page.locator(".accuracies")).first.wait_for()
    if review.is_visible():  # an earlier test may have had it reviewed
        review.click()
    expect(page.locator(".accuracies")).to_be_visible()
    return page


def test_a_pasted_game_is_reviewed_with_accuracy_marks_and_its_own_comments(open_page, site) -> None:
    page = reviewed(open_page, site)
    expect(page.locator(".review-progress")).to_contain_text("Reviewed by")
    ann, bob = page.locator(".accuracies > div").all()
    expect(ann).to_contain_text("Ann")
    expect(ann).to_contain_text("no errors")
    expect(bob).to_contain_text(re.compile(r"accuracy \d+ %"))
    expect(bob).to_contain_text("1 blunder")
    expect(page.locator(".variations .comment")).to_have_text(["the centre"])
    expect(page.locator(".variations .variation")).to_contain_text("c1")
    expect(page.get_by_role("button", name="a2??")).to_be_visible()
    expect(page.get_by_role("button", name="a1✓")).to_be_visible()
    expect(page.locator(".evaluation-graph .slip.blunder")).to_have_count(1)
    page.get_by_role("button", name="a2??").click()
    expect(page.locator(".insight")).to_contain_text("1… a2 is a blunder: it lost 35 % of the win chance.")


def test_the_second_viewer_has_the_review_at_once(open_page, site) -> None:
    first = reviewed(open_page, site)
    site.bot.held = True
    second = open_page(first.url.removeprefix(site.url))
    expect(second.locator(".accuracies")).to_contain_text("1 blunder")
    expect(second.get_by_role("button", name="Review this game")).to_have_count(0)


def test_the_best_lines_are_played_on_the_board_and_left_again(open_page, site) -> None:
    page = reviewed(open_page, site)
    page.keyboard.press("ArrowRight")
    pieces = page.locator(".board-area svg.board .piece")
    expect(pieces).to_have_count(1)
    line = page.locator(".insight .engine-lines li").first
    expect(line.locator(".move")).to_have_count(2)
    line.locator(".move").nth(1).click()
    expect(pieces).to_have_count(3)
    expect(page.locator(".in-line")).to_contain_text("move 2 of 2")
    page.keyboard.press("ArrowLeft")
    expect(pieces).to_have_count(2)
    page.get_by_role("button", name="Back to the game").click()
    expect(pieces).to_have_count(1)
    page.get_by_role("button", name="a2??").click()
    page.locator(".insight p .move").click()  # what was best instead
    expect(page.locator(".in-line")).to_contain_text("move 1 of 2")
    expect(pieces).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".in-line")).to_have_count(0)
    expect(pieces).to_have_count(1)


def test_one_learns_from_a_mistake_by_finding_a_move_as_good_as_the_judges(open_page, site, spot) -> None:
    page = reviewed(open_page, site)
    page.get_by_role("button", name="Learn from the mistakes of Bob").click()
    expect(page.get_by_role("heading", name="Find a better move than 1… a2")).to_be_visible()
    expect(page.locator(".place")).to_have_text("Mistake 1 of 1")
    verdict = page.locator(".verdict-line")

    def try_move(row: int, column: int) -> None:
        page.locator(".board-area svg.board.play").wait_for()
        page.mouse.click(*spot(page, row, column))

    try_move(1, 0)
    expect(verdict).to_contain_text("a2 is the move of the game.")
    page.get_by_role("button", name="Try again").click()
    try_move(0, 2)
    expect(verdict).to_contain_text("c3 gives up 35 % of the win chance.")
    page.get_by_role("button", name="Try again").click()
    try_move(2, 0)
    expect(verdict).to_contain_text("a1 is the judge's move.")
    page.locator(".explanation .move").first.click()
    expect(page.locator(".board-area svg.board .piece")).to_have_count(2)
    page.get_by_role("button", name="Back to the review").click()
    expect(page.locator(".accuracies")).to_be_visible()


def test_the_best_move_of_a_mistake_can_be_shown(open_page, site) -> None:
    page = reviewed(open_page, site)
    page.get_by_role("button", name="Learn from the mistakes of Bob").click()
    page.get_by_role("button", name="Show the best move").click()
    expect(page.locator(".verdict-line")).to_contain_text("The best move is a1.")
    expect(page.locator(".board-area svg.board .piece")).to_have_count(2)


def test_a_running_review_shows_its_progress_and_can_be_cancelled_and_left(open_page, site) -> None:
    site.bot.held = True
    page = opened(open_page, GAME.split("1. b2")[0] + "1. c3 a1 2. b2 a2 3. a3 c1 1-0\n")  # no position is known yet
    page.get_by_role("button", name="Review this game").click()
    progress = page.locator(".review-progress")
    expect(progress).to_contain_text("of 7 positions")
    expect(page.locator(".evaluation-graph .line")).to_have_count(0)
    progress.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Review this game")).to_be_visible()
    page.get_by_role("button", name="Review this game").click()
    expect(progress).to_contain_text("of 7 positions")
    address = page.url.removeprefix(site.url)
    page.close()
    site.bot.held = False
    expect(open_page(address).locator(".accuracies")).to_be_visible()


def test_a_finished_game_of_the_site_is_reviewed_from_its_own_page(open_page, site, play) -> None:
    page = open_page()
    page.locator("label.card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    play(page, "b2")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name=re.compile("^(Yes|Resign)")).last.click()
    page.get_by_role("link", name="Review this game").click()
    expect(page).to_have_url(re.compile("/replay/"))
    expect(page.locator(".accuracies")).to_be_visible()


def test_the_territory_of_go_is_part_of_the_review(open_page, site) -> None:
    site.bot.owners = [[1.0, 0.0, -1.0, 0.0, 0.0]] * 5
    page = opened(open_page, SGF)
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator(".accuracies")).to_be_visible()
    site.bot.held = True  # no further questions
    expect(page.locator(".ownership rect").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ownership rect").first).to_be_visible()
