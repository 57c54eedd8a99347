"""Boards drawn in plain characters; docs/reference/boards.md shows one of each kind."""

from math import dist

import pytest

from ludus.games.board import Board, Edge, Piece, Spot
from ludus.games.drawing import centres, draw


def test_pieces_walls_and_labels_are_drawn_in_place():
    board = Board(
        rows=2,
        columns=3,
        style="squares",
        pieces=[Piece(at=(0, 0), shape="cat", owner=0), Piece(at=(0, 2), shape="cat", owner=1)],
        edges=[Edge(at=(0, 0), side="right"), Edge(at=(1, 1), side="top"), Edge(at=(1, 2), side="top")],
        column_labels=["a", "b", "c"],
        row_labels=["10", "9"],
    )
    assert draw(board).splitlines() == [
        "10  C | .   c",
        "       --- ---",
        " 9  .   .   .",
        "    a   b   c",
    ]


def test_walls_on_the_border_are_drawn():
    edges = [Edge(at=(0, 1), side="top"), Edge(at=(1, 1), side="right")]
    assert draw(Board(rows=2, columns=2, style="squares", edges=edges)).splitlines() == [
        "     ---",
        "  .   .",
        "",
        "  .   . |",
    ]


def test_a_box_has_all_four_sides():
    sides = [((0, -1), "right"), ((0, 0), "right"), ((0, 0), "top"), ((1, 0), "top"), ((0, 1), "right")]
    edges = [Edge(at=at, side=side) for at, side in sides]
    board = Board(rows=1, columns=2, style="squares", edges=edges, row_labels=["1"], column_labels=["a", "b"])
    assert draw(board).splitlines() == [
        "  ---",
        "1| . | . |",
        "  ---",
        "   a   b",
    ]


def test_discs_and_stones_are_drawn_by_their_owner():
    pieces = [
        Piece(at=(0, 0), shape="disc", owner=0),
        Piece(at=(0, 1), shape="stone", owner=1),
        Piece(at=(0, 2), shape="mark"),
    ]
    assert draw(Board(rows=1, columns=4, style="points", pieces=pieces)) == "  x   o   m   ."


def test_a_board_without_cells_is_empty():
    assert draw(Board(rows=0, columns=0, style="squares")) == ""


def test_a_row_of_hexagons_is_half_a_cell_further_right_than_the_row_above():
    spots = centres(Board(rows=3, columns=2, style="hexagons"))
    beside = {at for at in spots if dist(spots[at], spots[1, 0]) == pytest.approx(1)}
    assert beside == {(0, 0), (0, 1), (1, 1), (2, 0)}
    assert spots[2, 0] == pytest.approx((1, 3**0.5))


def test_walls_around_a_hexagon_stand_between_it_and_its_neighbours():
    sides = ("left", "right", "top-left", "top-right", "bottom-left", "bottom-right")
    edges = [Edge(at=(1, 1), side=side) for side in sides] + [Edge(at=(0, 0), side="top-left")]  # on the border
    assert draw(Board(rows=3, columns=3, style="hexagons", edges=edges)).splitlines() == [
        ".   .   .",
        "     / \\",
        "  . | . | .",
        "     \\ /",
        "    .   .   .",
    ]


def test_cells_that_a_board_lacks_are_blank():
    cells = [Spot((row, column)) for row in range(3) for column in range(3) if (row, column) != (1, 1)]
    assert draw(Board(rows=3, columns=3, style="squares", cells=cells)).splitlines()[1] == "  .       ."


def test_places_between_two_rows_get_a_line_of_their_own():
    cells = [Spot((0, 0)), Spot((1, 0)), Spot((0, 1), centre=(0.5, 1))]
    board = Board(rows=2, columns=2, style="pits", pieces=[Piece((0, 1), "seed")] * 12, cells=cells)
    assert draw(board).splitlines() == [".", "     12", "."]


def test_a_pile_is_written_from_bottom_to_top_or_with_its_height():
    def pile(*owners):
        pieces = [Piece((0, 0), "disc", owner) for owner in owners]
        return draw(Board(rows=1, columns=1, style="squares", pieces=pieces, stacked=True)).strip()

    assert [pile(0), pile(0, 0), pile(0, 1), pile(0, 0, 1), pile(0, 1, 1, 0)] == ["x", "x2", "xo", "xxo", "x4"]
    beside = [Piece((0, 0), "home", 1), Piece((0, 0), "cat", 0)]
    assert draw(Board(rows=1, columns=1, style="squares", pieces=beside)).strip() == "C", (
        "drawn side by side on the page"
    )


def test_pieces_in_hand_are_drawn_above_and_below():
    held = [Piece((-1, 1), "rook", 1), Piece((1, 0), "pawn", 0), Piece((1, 0), "pawn", 0)]
    board = Board(rows=1, columns=2, style="squares", pieces=held, trays=2)
    assert draw(board).splitlines() == [" .    r", "  .   .", " P2   ."]
    assert draw(Board(rows=1, columns=2, style="squares", trays=2)) == "  .   .", "empty trays are left out"


def test_texts_without_capitals_are_drawn_with_their_side():
    pieces = [Piece((0, 0), "14", 0), Piece((0, 1), "14", 1), Piece((0, 2), "\u5175", 1), Piece((0, 3), "elephant", 1)]
    assert draw(Board(rows=1, columns=5, style="squares", pieces=pieces)) == "  x14   o14   o\u5175   e     ."
