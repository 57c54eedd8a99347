"""Grades count moves that keep the outcome; faulty files are refused with the line."""

import gzip
import json

import numpy as np
import pytest

import ludus
from ludus.arena import solved as solved_module
from ludus.arena.share import interval_of
from ludus.arena.solved import Grade, Solved, grade_positions, read_solved
from ludus.errors import BadInput
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.search.settings import SearchSettings

CONNECT4 = ludus.game("connect4")

POSITIONS = [  # columns that keep the outcome for the side to move
    Solved("414141", [-1, -1, -1, 18, -1, -1, -1], [3]),  # column 4 wins at once
    Solved("4141416", [18, -2, -2, -2, -2, -2, -2], [0]),  # column 1 wins at once
    Solved("41414", [-18, -18, -18, -1, -18, -18, -18], [3]),  # all but column 4 lose at once
    Solved("", [-2, -1, 0, 1, 0, -1, -2], [3]),  # only the middle column wins on the empty board
    Solved("12", [1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]),  # as if all columns were equal
]


class Column:
    """A player that always chooses one column."""

    name = "column"

    def __init__(self, column):
        self.column, self.seen = column, 0

    def choose(self, game, states):
        self.seen += len(states)
        return np.full(len(states), self.column, np.int16)


def write(path, lines):
    data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines) + b"\n"
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def as_line(solved):
    return {"moves": solved.moves, "scores": solved.scores, "optimal_outcome": solved.optimal_outcome, "id": 3}


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
    drawn = Solved("22", [-3, 0, -1, 0, -2, -1, -2], [1, 3])
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
    assert not Solved("444444", [1, 1, 1, None, 1, 1, 1], [0, 1, 2, 4, 5, 6]).is_decisive, "full columns do not count"


@pytest.mark.parametrize("name", ["solved.jsonl", "solved.jsonl.gz"])
def test_positions_are_read_from_a_file(tmp_path, name):
    assert read_solved(write(tmp_path / name, map(as_line, POSITIONS))) == POSITIONS


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"",
        {"moves": "1"},
        {"moves": 1, "scores": [0] * 7, "optimal_outcome": [1]},
        {"moves": "1", "scores": [0] * 6, "optimal_outcome": [1]},
        {"moves": "1", "scores": [0] * 7, "optimal_outcome": [7]},
        {"moves": "1", "scores": [0] * 7, "optimal_outcome": []},
        {"moves": "1", "scores": [None] + [0] * 6, "optimal_outcome": [0]},
    ],
    ids=str,
)
def test_a_wrong_line_is_reported(tmp_path, line):
    path = write(tmp_path / "solved.jsonl", [as_line(POSITIONS[0]), line, as_line(POSITIONS[1])])
    with pytest.raises(BadInput, match=r"solved\.jsonl, line 2: .*\.$"):
        read_solved(path)


def test_a_line_that_is_not_text_is_reported(tmp_path):
    path = tmp_path / "solved.jsonl"
    path.write_bytes(b'{"moves": "\xff", "scores": [0, 0, 0, 0, 0, 0, 0], "optimal_outcome": [1]}\n')
    with pytest.raises(BadInput, match=r"solved\.jsonl, line 1: .*\.$"):
        read_solved(path)


def test_an_unreadable_file_is_reported(tmp_path):
    whole = write(tmp_path / "solved.jsonl.gz", map(as_line, POSITIONS)).read_bytes()
    for data in (whole[:-12], whole[:30] + b"\x00\xff" * 20 + whole[70:], b"plain text", b""):
        (tmp_path / "solved.jsonl.gz").write_bytes(data)
        with pytest.raises(BadInput, match=r"solved\.jsonl\.gz: .*\.$"):
            read_solved(tmp_path / "solved.jsonl.gz")
    for missing in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(BadInput, match="cannot be read"):
            read_solved(missing)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with pytest.raises(BadInput, match="contains no positions"):
        read_solved(tmp_path / "empty.jsonl")


@pytest.mark.parametrize("moves", ["8", "0", "x", "1111111", "12121212", "4141414"])
def test_an_impossible_position_is_reported(moves):
    solved = [Solved(moves, [0] * 7, [3])]
    with pytest.raises(BadInput, match=rf"^Solved position '{moves}' .*\.$"):
        grade_positions(CONNECT4, Column(3), solved)
