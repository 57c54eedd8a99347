"""Solved positions of Connect Four are read from files; faulty files are refused with the line."""

import gzip
import json

import pytest

from ludus.errors import BadInput
from ludus.games.connect4.solved import SolvedColumns, read_columns, read_solved
from ludus.games.solved import SolvedPosition

POSITIONS = [  # columns that keep the outcome for the side to move
    SolvedColumns("414141", [-1, -1, -1, 18, -1, -1, -1], [3]),  # column 4 wins at once
    SolvedColumns("4141416", [18, -2, -2, -2, -2, -2, -2], [0]),  # column 1 wins at once
    SolvedColumns("41414", [-18, -18, -18, -1, -18, -18, -18], [3]),  # all but column 4 lose at once
    SolvedColumns("", [-2, -1, 0, 1, 0, -1, -2], [3]),  # only the middle column wins on the empty board
    SolvedColumns("12", [1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]),  # as if all columns were equal
]


def write(path, lines):
    data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines) + b"\n"
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def as_line(solved):
    return {"moves": solved.moves, "scores": solved.scores, "optimal_outcome": solved.optimal_outcome, "id": 3}


@pytest.mark.parametrize("name", ["solved.jsonl", "solved.jsonl.gz"])
def test_positions_are_read_from_a_file(tmp_path, name):
    assert read_columns(write(tmp_path / name, map(as_line, POSITIONS))) == POSITIONS


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
        read_columns(path)


def test_a_line_that_is_not_text_is_reported(tmp_path):
    path = tmp_path / "solved.jsonl"
    path.write_bytes(b'{"moves": "\xff", "scores": [0, 0, 0, 0, 0, 0, 0], "optimal_outcome": [1]}\n')
    with pytest.raises(BadInput, match=r"solved\.jsonl, line 1: .*\.$"):
        read_columns(path)


def test_an_unreadable_file_is_reported(tmp_path):
    whole = write(tmp_path / "solved.jsonl.gz", map(as_line, POSITIONS)).read_bytes()
    for data in (whole[:-12], whole[:30] + b"\x00\xff" * 20 + whole[70:], b"plain text", b""):
        (tmp_path / "solved.jsonl.gz").write_bytes(data)
        with pytest.raises(BadInput, match=r"solved\.jsonl\.gz: .*\.$"):
            read_columns(tmp_path / "solved.jsonl.gz")
    for missing in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(BadInput, match="cannot be read"):
            read_columns(missing)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with pytest.raises(BadInput, match="contains no positions"):
        read_columns(tmp_path / "empty.jsonl")


def test_a_line_becomes_a_position_of_the_general_form(tmp_path):
    line = {"moves": "22", "scores": [-3, 0, None, 0, -2, -1, -2], "optimal_outcome": [1, 3]}
    (found,) = read_solved(write(tmp_path / "solved.jsonl", [line]))
    assert found == SolvedPosition("22", ("2", "2"), value=0, right=("2", "4"), wrong=("1", "5", "6", "7"))
    assert found.is_drawn
    assert found.is_decisive
    lost, won = (SolvedColumns("", [score] * 7, [0]).position() for score in (-3, 12))
    assert (lost.value, won.value) == (-1, 1)
