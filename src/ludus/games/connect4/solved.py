"""Reads files of solved positions of Connect Four.

The file has one JSON object per line: `moves` (columns 1-7), `scores` (exact score of each column for the side to move,
null if it is full), `optimal_outcome` (columns 0-6 that keep the win, draw or loss).
"""

import gzip
import zlib
from pathlib import Path

import msgspec
import numpy as np

from ludus.errors import BadInput
from ludus.files import without_mark
from ludus.games.connect4.layout import COLUMNS
from ludus.games.solved import SolvedPosition


class SolvedColumns(msgspec.Struct, frozen=True):
    """A line of the file; its other fields are ignored."""

    moves: str
    """Played columns from the start position, counted from 1."""
    scores: list[int | None]
    """Score of each column for the side to move; None if it is full."""
    optimal_outcome: list[int]
    """Columns that keep the win, draw or loss, counted from 0."""

    def __post_init__(self) -> None:
        """Check the columns; raises ValueError."""
        legal = {column for column, score in enumerate(self.scores) if score is not None}
        if len(self.scores) != COLUMNS or not self.optimal_outcome or not legal.issuperset(self.optimal_outcome):
            raise ValueError(f"it needs {COLUMNS} scores, and optimal_outcome must list columns that are not full")

    def position(self) -> SolvedPosition:
        """Return the position in the form that all games share."""
        scores = {column: score for column, score in enumerate(self.scores) if score is not None}
        return SolvedPosition(
            name=self.moves,
            moves=tuple(self.moves),
            value=int(np.sign(max(scores.values()))),
            right=tuple(str(column + 1) for column in self.optimal_outcome),
            wrong=tuple(str(column + 1) for column in scores if column not in self.optimal_outcome),
        )


def read_columns(path: Path) -> list[SolvedColumns]:
    """Read the lines of a file, possibly gzipped; raises BadInput with the faulty line."""
    try:
        data = path.read_bytes()
        lines = without_mark(gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (EOFError, zlib.error) as error:
        raise BadInput(f"{path}: the compressed file is damaged ({error}).") from error
    solved: list[SolvedColumns] = []
    for number, line in enumerate(lines, 1):
        try:
            solved.append(msgspec.json.decode(line, type=SolvedColumns))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}, line {number}: {error}.") from error
    if not solved:
        raise BadInput(f"{path}: contains no positions.")
    return solved


def read_solved(path: Path) -> list[SolvedPosition]:
    """Read solved positions from a file, possibly gzipped; raises BadInput with the faulty line."""
    return [each.position() for each in read_columns(path)]
