"""Predictions of a position are computed once, however often an analysis reports them."""

import numpy as np
import pytest

import ludus
from ludus.games.go.engines.gtp.board import GtpBoard
from ludus.games.go.engines.gtp.forecast import Forecast
from ludus.players.judging import ownership


class StonesOwn:
    """A network that predicts the owner of each point from the stone on it, and counts evaluated positions."""

    def __init__(self):
        self.asked = 0

    def maps(self, planes):
        self.asked += len(planes)
        return planes[:, :2].astype(np.float32)  # the mover's stones, the opponent's


@pytest.fixture
def board():
    board = GtpBoard(lambda size, rules: ludus.game(f"go:{size}x{size}"), 5, "tromp-taylor", 6.5)
    for player, move in ((0, "B1"), (1, "A1"), (1, "C3")):
        board.play(player, board.read_vertex(move))
    return board


def test_a_network_predicts_the_lead_after_each_candidate(board):
    actions = [board.read_vertex(move) for move in ("D4", "A2", "pass")]
    forecast = Forecast(StonesOwn(), board.ready(0), 1)
    assert forecast.lead == 1 - 2 - 6.5
    assert list(forecast.leads(actions).values()) == [2 - 2 - 6.5, 2 - 1 - 6.5, 1 - 2 - 6.5], "A2 captures a stone"
    assert Forecast(object(), board.ready(0), 1).leads(actions) == {}
    board.play(0, board.read_vertex("pass"))
    forecast = Forecast(StonesOwn(), board.ready(1), 1)
    assert list(forecast.leads(actions)) == actions[:2], "the second pass ends the game"
    assert forecast.leads(actions[2:]) == {}


def test_a_network_evaluates_each_position_once(board):
    network = StonesOwn()
    forecast, actions = Forecast(network, board.ready(0), 1), board.ready(0).actions
    assert network.asked == 0
    for _ in range(2):
        assert (forecast.owners.shape, len(forecast.leads(actions[:3]))) == ((5, 5), 3)
        assert network.asked == 1 + 3
    assert list(forecast.leads(actions[1:5])) == actions[1:5]
    assert network.asked == 1 + 5, "only new candidates are evaluated"


def test_a_long_analysis_evaluates_each_position_once(desk_of):
    network = StonesOwn()
    desk = desk_of(waits=True, evaluator=network)
    desk.ask("kata-analyze b interval 20 ownership true")
    limits, news, _, seat = desk.asked[0]
    for _ in range(3):
        news.tell(seat.thought(limits))
        desk.work()
    assert network.asked == 1 + 3, "the board, and each candidate"
    assert [line.startswith("info move A9 ") for line in desk.said] == [False, True, True, True]
    assert len(set(desk.said[1:])) == 1


def test_a_long_analysis_makes_playouts_once(desk_of, monkeypatch):
    made, played_out = [], ownership.played_out

    def counted(*arguments, **options):
        made.append(played_out(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(ownership, "played_out", counted)
    desk = desk_of(waits=True)
    desk.ask("kata-analyze b interval 20 ownership true")
    limits, news, _, seat = desk.asked[0]
    for _ in range(3):
        news.tell(seat.thought(limits))
        desk.work()
    assert len(made) == 1


def test_points_are_predicted_with_the_given_side_to_move(board):
    seen = []

    class Sees(StonesOwn):
        def maps(self, planes):
            seen.append(planes[0, 8].max() > 0)  # plane 8: the mover is Black
            return super().maps(planes)

    for player in (0, 1):
        owners = Forecast(Sees(), board.ready(player), 1).owners
        assert owners[4, :2].tolist() == [-1.0, 1.0], "seen by Black for both movers"
    assert seen == [True, False]
