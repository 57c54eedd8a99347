"""Grades count moves that keep the outcome; impossible positions are refused."""

import numpy as np
import pytest

import ludus
from ludus.arena import solved as solved_module
from ludus.arena.share import interval_of
from ludus.arena.solved import Grade, grade_positions
from ludus.errors import BadInput
from ludus.games.connect4.solved import SolvedColumns
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.search.settings import SearchSettings

CONNECT4 = ludus.game("connect4")


def solved(moves, scores, columns):
    """Return a solved position of Connect Four."""
    return SolvedColumns(moves, scores, columns).position()


POSITIONS = [  # columns that keep the outcome for the side to move
    solved("414141", [-1, -1, -1, 18, -1, -1, -1], [3]),  # column 4 wins at once
    solved("4141416", [18, -2, -2, -2, -2, -2, -2], [0]),  # column 1 wins at once
    solved("41414", [-18, -18, -18, -1, -18, -18, -18], [3]),  # all but column 4 lose at once
    solved("", [-2, -1, 0, 1, 0, -1, -2], [3]),  # only the middle column wins on the empty board
    solved("12", [1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]),  # as if all columns were equal
]


class Column:
    """A player that always chooses one column."""

    name = "column"

    def __init__(self, column):
        self.column, self.seen = column, 0

    def choose(self, game, states):
        self.seen += len(states)
        return np.full(len(states), self.column, np.int16)


def test_moves_that_keep_the_outcome_are_counted():
    middle = Column(3)
    grade = grade_positions(CONNECT4, middle, POSITIONS)
    assert middle.seen == 5
    assert grade == Grade(kept=4, positions=5, decisive_kept=3, decisive=4, drawn_kept=0, drawn=0)
    assert grade.share == 0.8
    assert grade.interval == interval_of(4, 5)
    assert str(grade).startswith(
        "80.0% (95% interval: 37.6% to 96.4%) of 5 moves keep the outcome; 75.0% of the 4 where"
    )
    assert grade.as_dict()["decisive_share"] == 0.75


def test_progress_is_reported_and_portions_change_nothing(monkeypatch):
    heard = []
    monkeypatch.setattr(solved_module, "PORTION", 2)
    portioned = grade_positions(CONNECT4, Column(3), POSITIONS, lambda *said: heard.append(said))
    assert heard == [("positions", 2, 5), ("positions", 4, 5), ("positions", 5, 5)]
    monkeypatch.undo()
    assert portioned == grade_positions(CONNECT4, Column(3), POSITIONS)


def test_draws_that_are_kept_are_counted_apart():
    drawn = solved("22", [-3, 0, -1, 0, -2, -1, -2], [1, 3])
    grade = grade_positions(CONNECT4, Column(3), [*POSITIONS[:2], drawn])
    assert (grade.drawn_kept, grade.drawn) == (1, 1)
    assert str(grade).endswith("; 66.7% of the 3 where the choice matters; 100.0% of the 1 in drawn positions")
    assert grade_positions(CONNECT4, Column(0), [drawn]).as_dict()["drawn_share"] == 0.0


def test_a_search_finds_a_win_in_one_move():
    player = SearchPlayer("search", UniformEvaluator(Shapes.of(CONNECT4)), SearchSettings(cache_entries=0), visits=300)
    assert grade_positions(CONNECT4, player, POSITIONS[:3]).kept == 3
    assert grade_positions(CONNECT4, Column(6), POSITIONS[:3]).kept == 0


def test_a_position_matters_if_a_move_can_throw_it_away():
    assert [each.is_decisive for each in POSITIONS] == [True, True, True, True, False]
    assert not solved("444444", [1, 1, 1, None, 1, 1, 1], [0, 1, 2, 4, 5, 6]).is_decisive, "full columns do not count"


@pytest.mark.parametrize("moves", ["8", "0", "x", "1111111", "12121212", "4141414"])
def test_an_impossible_position_is_reported(moves):
    with pytest.raises(BadInput, match=rf"^Solved position '{moves}' .*\.$"):
        grade_positions(CONNECT4, Column(3), [solved(moves, [0] * 7, [3])])
