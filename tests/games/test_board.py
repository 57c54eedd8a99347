"""Boards drawn in plain characters."""

from ludus.games.board import Board, Edge, Piece, draw


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
