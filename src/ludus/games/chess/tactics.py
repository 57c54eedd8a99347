"""Reads puzzles of chess from the CSV files of Lichess.

Columns of the file, named in its first line: PuzzleId, FEN, Moves (UCI, the opponent's first), Rating, ..., Themes,
... .
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ludus.errors import BadInput
from ludus.games.solved import TacticPuzzle

NEEDED = ("FEN", "Moves", "Rating", "Themes")


def read_tactics(path: Path) -> Iterator[TacticPuzzle]:
    """Yield the puzzles of a file.

    Raises:
        BadInput: the file cannot be read, or a line is wrong.
    """
    try:
        rows = csv.DictReader(io.StringIO(path.read_text("utf-8-sig")))
        missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
        if missing:
            raise BadInput(f"{path}, line 1: lacks the column {', '.join(missing)} of Lichess's puzzle files.")
        for row in rows:
            try:
                puzzle = _puzzle(row, rows.line_num)
            except (ValueError, TypeError, AttributeError) as error:
                raise BadInput(f"{path}, line {rows.line_num}: not a valid puzzle ({error}).") from error
            yield puzzle
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: cannot be read ({error}).") from error


def _puzzle(row: dict[str, str], line: int) -> TacticPuzzle:
    moves = tuple(row["Moves"].split())
    if not moves or len(moves) % 2:
        raise ValueError("each move of the opponent needs a reply")
    return TacticPuzzle(
        row.get("PuzzleId", ""), row["FEN"], moves, int(row["Rating"]), tuple(row["Themes"].split()), line
    )
