"""Descriptions of Wall Game positions."""

import pytest

import ludus
from ludus.games.board import Choice, Edge, Mark, Piece
from ludus.games.drawing import draw


def test_a_position_is_drawn_with_its_pawns_and_walls():
    position = ludus.game("wallgame:standard:4x4:short").start().play("Cb4.>b2").play("^c3.Mc1")
    assert draw(position.describe()).split("\n") == [
        "4  .   C   .   c",
        "          ---",
        "3  .   .   .   .",
        "",
        "2  .   . | .   .",
        "",
        "1  M   .   m   .",
        "   a   b   c   d",
    ]


def test_walls_have_their_builders_as_owners():
    pawns = {"p1": {"cat": [0, 0], "home": [3, 3]}, "p2": {"cat": [0, 3], "home": [3, 0]}}
    walls = [
        {"cell": [1, 1], "orientation": "vertical"},
        {"cell": [2, 1], "orientation": "vertical", "playerId": 2},
    ]
    start = ludus.game("wallgame:classic:4x4").start({"pawns": pawns, "walls": walls})
    edges = start.play(">a1.Ca3").play("^d2.Cd3").describe().edges
    assert sorted(edges, key=str) == sorted(
        [
            Edge(at=(1, 1), side="right", owner=None),
            Edge(at=(2, 1), side="right", owner=1),
            Edge(at=(3, 0), side="right", owner=0),
            Edge(at=(2, 3), side="top", owner=1),
        ],
        key=str,
    )


def test_choices_name_the_cell_to_click():
    position = ludus.game("wallgame:standard:4x4:short").start()
    choices = {choice.text: choice for choice in position.describe().choices}
    assert len(choices) == len(position.actions)
    assert choices["Ca3"] == Choice(action=33, text="Ca3", kind="cell", at=(1, 0), source=(0, 0))
    assert choices["Mb1"].source == (3, 0)
    assert choices[">b2"] == Choice(action=6, text=">b2", kind="right", at=(2, 1))
    assert choices["^b2"] == Choice(action=21, text="^b2", kind="top", at=(2, 1))
    assert choices["---"].label == "End move"


def test_pieces_have_their_players_as_owners():
    board = ludus.game("wallgame:classic:4x4@5x5").start().describe()
    assert (board.rows, board.columns, board.row_labels) == (4, 4, ["4", "3", "2", "1"])
    assert set(board.pieces) == {
        Piece(at=(0, 0), shape="cat", owner=0),
        Piece(at=(3, 3), shape="home", owner=0),
        Piece(at=(0, 3), shape="cat", owner=1),
        Piece(at=(3, 0), shape="home", owner=1),
    }
    mice = [piece for piece in ludus.game("wallgame:standard:4x4").start().describe().pieces if piece.shape == "mouse"]
    assert [(piece.at, piece.owner) for piece in mice] == [((3, 3), 1), ((3, 0), 0)]


def test_survival_has_one_cat_and_one_mouse():
    pieces = ludus.game("wallgame:survival:4x4").start().describe().pieces
    assert [(piece.shape, piece.owner) for piece in pieces] == [("mouse", 1), ("cat", 0)]


@pytest.mark.parametrize(
    ("moves", "marked"),
    [
        ([], []),
        (["Cb3"], [(0, 1)]),
        (["Cb3.Cb2"], [(1, 1)]),
        (["^c2.Ca2"], [(1, 0)]),
        (["Cb3", ">a1.>a2"], []),
    ],
)
def test_the_targets_of_the_last_move_are_marked(moves, marked):
    position = ludus.game("wallgame:classic:3x3:short").start()
    for move in moves:
        position = position.play(move)
    assert position.describe().marks == [Mark(at=at, kind="last") for at in marked]


def test_an_unfinished_move_is_marked():
    position = ludus.game("wallgame:classic:3x3").start()
    assert position.play(position.parse("Cb3.>a1")[0]).describe().marks == [Mark(at=(0, 1), kind="last")]


def test_a_capture_is_marked_and_leaves_no_choices():
    over = ludus.game("wallgame:classic:3x3").start().play("Cb2").play("Cb3.>a1").play("Cc1").describe()
    assert Mark(at=(2, 2), kind="win") in over.marks
    assert over.choices == []
