"""Boards other than a rectangle of cells: hexagons, pieces in hand and heaps, drawn, clicked and read aloud.

No built-in game has such a board, so the page gets one in place of the board of tic-tac-toe that the site sends.
"""

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from ludus.games.board import Board, Choice, Edge, Label, Piece, Spot

pytestmark = pytest.mark.page

HEXAGONS = Board(
    rows=3,
    columns=3,
    style="hexagons",
    pieces=[Piece((0, 0), "stone", 0)],
    edges=[Edge((0, 0), "top-left", 0)],
    choices=[Choice(8, "c2", "cell", (1, 2)), Choice(4, "a1", "cell", (2, 0))],
    column_labels=list("abc"),
    row_labels=list("321"),
    paints=("black", "white"),
)
HELD = Board(
    rows=2,
    columns=2,
    style="squares",
    pieces=[Piece((2, 1), "pawn", 0), Piece((2, 1), "pawn", 0), Piece((-1, 0), "rook", 1)],
    choices=[Choice(3, "P@b1", "cell", (1, 1), (2, 1)), Choice(5, "P@a1", "cell", (1, 0), (2, 1))],
    column_labels=list("ab"),
    row_labels=list("21"),
    labels=[Label((0, 0), "x2")],
    trays=2,
)
PITS = Board(
    rows=2,
    columns=2,
    style="pits",
    pieces=[Piece((0, 0), "seed")] * 5,
    cells=[Spot((0, 0), name="north"), Spot((1, 0), name="south"), Spot((0, 1), (0.5, 1), (2, 1), name="store")],
    choices=[Choice(2, "north", "cell", (0, 0))],
)


def show(page: Page, url: str, board: Board) -> list[Any]:
    """Show a board on a study page; return the list of the actions that the page asks for."""
    asked: list[Any] = []

    def answer(route: Route) -> None:
        asked.append((route.request.post_data_json or {}).get("actions"))
        route.fulfill(json=route.fetch().json() | {"board": msgspec.to_builtins(board)})

    page.route("**/api/study", answer)
    page.goto(f"{url}/study?spec=tictactoe")
    page.locator("svg.board.play").wait_for()
    return asked


def test_a_hexagon_is_drawn_half_a_cell_further_right_and_can_be_clicked(open_page, site, spot) -> None:
    page = open_page()
    asked = show(page, site.url, HEXAGONS)
    expect(page.locator("polygon.cell")).to_have_count(9)
    expect(page.locator(".wall.owner-0")).to_have_count(1)
    before = len(asked)
    page.mouse.click(*spot(page, 0.866, 2 + 0.5))
    expect(page.locator("svg.board.play")).to_be_visible()
    page.wait_for_function("() => location.hash.length > 1")
    assert [8] in asked[before:]


def test_arrow_keys_walk_over_hexagons(open_page, site) -> None:
    page = open_page()
    asked = show(page, site.url, HEXAGONS)
    page.get_by_role("gridcell", name=re.compile("^a3, stone of player 1")).focus()
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("gridcell", name="a1, empty, can be played")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash.length > 1")
    assert asked[-1] == [4]


def test_a_piece_in_hand_is_selected_and_put_on_the_board(open_page, site) -> None:
    page = open_page()
    asked = show(page, site.url, HELD)
    expect(
        page.get_by_role("gridcell", name="place 2 of the tray below, 2 pawns of player 1, can move")
    ).to_be_attached()
    expect(page.get_by_role("gridcell", name="place 1 of the tray above, rook of player 2")).to_be_attached()
    expect(page.get_by_role("gridcell", name="a2, empty, x2")).to_be_attached()
    expect(page.locator(".count")).to_have_text("2")
    page.get_by_role("gridcell", name=re.compile("^b1, ")).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".source.selected")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash.length > 1")
    assert asked[-1] == [5]


def test_a_heap_is_counted_and_a_large_cell_has_its_name(open_page, site) -> None:
    page = open_page()
    show(page, site.url, PITS)
    expect(page.locator(".count.heap")).to_have_text("5")
    expect(page.locator(".piece")).to_have_count(5)
    expect(page.get_by_role("gridcell", name="north, 5 seeds, can be played")).to_be_attached()
    expect(page.get_by_role("gridcell", name="store, empty")).to_be_attached()
    box = page.locator('[data-cell="0,1"]').bounding_box()
    assert box
    assert box["height"] > 1.8 * box["width"]


def test_the_dots_of_the_players_have_the_colours_of_the_board(open_page, site) -> None:
    page = open_page()
    show(page, site.url, HEXAGONS)
    stone = page.locator(".piece .fill").first.evaluate("(one) => getComputedStyle(one).fill")
    chip = page.locator(".chip.owner-0").first.evaluate("(one) => getComputedStyle(one).backgroundColor")
    assert stone == chip == "rgb(29, 35, 34)"


@pytest.mark.parametrize("shape", ["king", "disc"])
@pytest.mark.parametrize("height", [2, 5, 20])
def test_a_stack_of_any_height_stays_within_its_cell(open_page, site, shape: str, height: int) -> None:
    page = open_page()
    pile = Board(rows=2, columns=2, style="squares", pieces=[Piece((0, 0), shape, 0)] * height, stacked=True)
    show(page, site.url, pile)
    cell = page.locator(".board-area .cell").first.bounding_box()
    assert cell
    for piece in page.locator(".board-area .piece").all():
        box = piece.bounding_box()
        assert box
        assert box["y"] >= cell["y"] - 0.06 * cell["height"]
        assert box["y"] + box["height"] <= cell["y"] + 1.06 * cell["height"]
