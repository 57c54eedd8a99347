"""The board of a Gomoku engine knows whose stone comes next, also where a manager has set it up unevenly."""

import pytest

from ludus.errors import IllegalMove
from ludus.games.gomoku.engines.gomocup.board import BLACK, WHITE, GomocupBoard
from ludus.games.gomoku.engines.gomocup.protocol import OPPONENT, OWN


def test_the_opponent_of_an_uneven_board_keeps_its_colour():
    board = GomocupBoard(15)
    board.set_up((((7, 7), OPPONENT), ((8, 8), OPPONENT)))
    colours = []
    for point in ((0, 0), (1, 1), (2, 2), (3, 3)):
        colours.append(board.to_play)
        board.put(point, board.to_play)
    assert colours == [WHITE, BLACK, WHITE, BLACK]
    board.take((3, 3))
    assert board.to_play == BLACK


def test_a_board_that_was_refused_changes_nothing_of_whose_turn_it_is():
    board = GomocupBoard(15)
    board.set_up((((7, 7), OPPONENT), ((8, 8), OPPONENT)))
    with pytest.raises(IllegalMove, match="0,0 is taken"):
        board.set_up((((0, 0), OWN), ((0, 0), OPPONENT)))
    assert (len(board.stones), board.to_play) == (2, WHITE)
    board.set_up((((0, 0), OWN), ((1, 1), OPPONENT)))
    assert board.to_play == BLACK
