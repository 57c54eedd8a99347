"""The Dots and Boxes example: its laws, repeated turns, and lines on the border of the board."""

from pathlib import Path

import pytest

import ludus
from ludus.games.check.run import check
from ludus.games.drawing import draw

GAME = ludus.game(str(Path(__file__).parents[2] / "examples" / "dots.py"))


def after(*moves):
    position = GAME.start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.full
def test_the_example_keeps_every_law():
    assert check(GAME, games=10).breach is None


def test_a_player_who_closes_a_box_moves_again():
    position = after("ha1", "va1", "vb1")
    assert position.to_play == 1
    position = position.play("ha2")
    assert position.to_play == 1
    assert draw(position.describe()).splitlines() == [
        " ---",
        "| o | .   .",
        " ---",
        "  .   .   .",
        "",
        "  .   .   .",
    ]
    assert position.play("hc4").to_play == 0


def test_a_line_may_close_two_boxes():
    position = after("ha1", "va1", "ha2", "hb1", "hb2", "vc1", "vb1")
    assert [(piece.at, piece.owner) for piece in position.describe().pieces] == [((0, 0), 0), ((0, 1), 0)]


def test_lines_on_the_border_have_choices_on_the_border():
    where = {choice.text: (choice.kind, choice.at) for choice in GAME.start().describe().choices}
    assert where["ha1"] == ("top", (0, 0))
    assert where["hc4"] == ("top", (3, 2))
    assert where["va3"] == ("right", (2, -1))
    assert where["vd1"] == ("right", (0, 2))


def test_five_boxes_of_nine_win():
    position = GAME.start()
    for line in [f"h{column}{row}" for row in (1, 2, 3, 4) for column in "abc"]:
        position = position.play(line)
    for row, owner in ((1, 1), (2, 0)):  # the second line of a row closes its boxes, and its player starts the next row
        for line in "abcd":
            assert not position.outcome
            position = position.play(f"v{line}{row}")
        assert [piece.owner for piece in position.describe().pieces][3 * row - 3 :] == [owner] * 3
    position = position.play("va3").play("vb3")
    assert not position.outcome
    assert position.play("vc3").outcome.winner == 1
