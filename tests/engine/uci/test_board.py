"""The board of a chess engine follows games that continue after Ludus' rules have ended them."""

import pytest

from ludus.engine.uci.board import UciBoard
from ludus.errors import IllegalMove
from ludus.games.chess.engines.uci import UciChess
from ludus.games.chess.view import ChessView
from ludus.protocol.uci import SetPosition

SHUFFLE = ["e1d1", "e8d8", "d1e1", "d8e8"]


def after(fen, moves):
    board = UciBoard(UciChess())
    board.follow(SetPosition(fen, moves))
    return board


def test_a_game_may_continue_in_a_dead_position():
    dead = "8/8/8/8/8/4k3/6np/6K1 w - - 0 1"
    board = after(dead, ["g1h2", "g2f4"])
    assert board.any_move() in board.texts(board.legal)
    for moves in (["g1h2", "g2f4", "h2g3"], ["g1h2", "g2f4", "h2g3", "f4h3", "g3h3"]):
        assert board.follow(SetPosition(dead, moves)) is None
        assert board.legal
    with pytest.raises(IllegalMove, match="e2e4 comes after the end of the game"):
        board.follow(SetPosition(dead, ["g1h2", "e2e4"]))


def test_an_unclaimed_repetition_keeps_the_fifty_move_clock():
    board = after("4k3/8/8/8/8/8/R7/4K3 w - - 80 90", 2 * SHUFFLE)
    assert ChessView.read(board.position.state).clock == 88
    assert board.position.outcome is None


def test_unclaimed_fifty_moves_reset_the_clock():
    board = after("4k3/8/8/8/8/8/R7/4K3 w - - 96 90", SHUFFLE)
    assert ChessView.read(board.position.state).clock == 0
    assert board.position.outcome is None


def test_a_move_named_twice_is_searched_once():
    board = after("", ["e2e4"])
    actions, others = board.actions_named(["e7e5", "e7e5", "e2e4", "d7d5", "e7e5"])
    assert (board.texts(actions[:1]), len(actions), others) == (["e7e5"], 2, ["e2e4"])
