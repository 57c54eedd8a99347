"""Grades a player on chess puzzles from Lichess files: it must find all moves of the solution.

Columns of the CSV file, named in its first line: PuzzleId, FEN, Moves (UCI, the opponent's first), Rating, ..., Themes,
... .  As on Lichess, any mate is accepted where the solution mates.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.match import MatchPlayer
from ludus.arena.share import interval_of, share_of, share_text
from ludus.errors import BadInput
from ludus.games.game import Game, Position
from ludus.progress import Tell

BAND = 400  # width of the rating bands
PORTION = 200  # puzzles solved concurrently, between two progress reports
NEEDED = ("FEN", "Moves", "Rating", "Themes")


class TacticPuzzle(msgspec.Struct, frozen=True):
    """A position and the moves that win it."""

    name: str
    fen: str
    moves: tuple[str, ...]
    """The opponent's move that leads to the puzzle, then alternately the player's and the opponent's moves."""
    rating: int
    themes: tuple[str, ...]
    line: int
    """Last line of the puzzle in the file, counted from 1."""

    def __str__(self) -> str:
        """Return the puzzle's name and line."""
        return f"Puzzle {self.name} (line {self.line})"


class Tactics(msgspec.Struct, frozen=True):
    """Counts of solved puzzles."""

    solved: int
    puzzles: int
    first_right: int
    """Puzzles with a correct first move."""
    bands: dict[int, tuple[int, int]]
    """Maps the lower end of each rating band to (solved, all) puzzles; a band is `BAND` wide."""

    @property
    def share(self) -> float:
        """Return the share of the puzzles that were solved."""
        return share_of(self.solved, self.puzzles)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return interval_of(self.solved, self.puzzles)

    def as_dict(self) -> dict[str, object]:
        """Return the counts, share and interval for JSON."""
        return msgspec.to_builtins(self) | {"share": self.share, "interval": self.interval}

    def __str__(self) -> str:
        """Return a summary in one line."""
        bands = ", ".join(f"{low}+: {solved}/{count}" for low, (solved, count) in sorted(self.bands.items()))
        first = share_of(self.first_right, self.puzzles)
        return (
            f"{share_text(self.solved, self.puzzles)} of {self.puzzles} puzzles solved; "
            f"first move right in {first:.1%}; by rating {bands}"
        )


class _Answer(NamedTuple):
    """A player's result on a puzzle."""

    is_begun_well: bool = False
    """Whether the first move was correct."""
    is_solved: bool = False


def read_puzzles(path: Path, *, theme: str = "", most: int = 0) -> list[TacticPuzzle]:
    """Read puzzles from a file.

    Args:
        path: the file.
        theme: read only puzzles of this theme, such as `mateIn1` (empty: all).
        most: read only the first `most` puzzles (0: all).

    Raises:
        BadInput: the file cannot be read, a line is wrong, or no puzzle remains.
    """
    try:
        rows = csv.DictReader(io.StringIO(path.read_text("utf-8-sig")))
        missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
        if missing:
            raise BadInput(f"{path}, line 1: lacks the column {', '.join(missing)} of Lichess's puzzle files.")
        puzzles: list[TacticPuzzle] = []
        for row in rows:
            try:
                puzzle = _puzzle(row, rows.line_num)
            except (ValueError, TypeError, AttributeError) as error:
                raise BadInput(f"{path}, line {rows.line_num}: not a valid puzzle ({error}).") from error
            if not theme or theme in puzzle.themes:
                puzzles.append(puzzle)
            if most and len(puzzles) == most:
                break
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: cannot be read ({error}).") from error
    if not puzzles:
        raise BadInput(f"{path}: contains no puzzle" + (f" of the theme {theme}." if theme else "."))
    return puzzles


def _puzzle(row: dict[str, str], line: int) -> TacticPuzzle:
    moves = tuple(row["Moves"].split())
    if not moves or len(moves) % 2:
        raise ValueError("each move of the opponent needs a reply")
    return TacticPuzzle(
        row.get("PuzzleId", ""), row["FEN"], moves, int(row["Rating"]), tuple(row["Themes"].split()), line
    )


def grade_puzzles(
    game: Game, player: MatchPlayer, puzzles: Sequence[TacticPuzzle], tell: Tell = lambda *_: None
) -> Tactics:
    """Let the player solve all puzzles, many concurrently.

    Args:
        game: chess.
        player: the player to grade.
        puzzles: the puzzles to solve.
        tell: called regularly with the number of finished puzzles.

    Raises:
        BadInput: a move of a puzzle is illegal, or a move of the opponent ends the game.
    """
    game.compile()
    begun = [_begin(game, puzzle) for puzzle in puzzles]
    answers: list[_Answer] = []
    for first in range(0, len(puzzles), PORTION):
        answers += _solve(game, player, puzzles[first : first + PORTION], begun[first : first + PORTION])
        tell("puzzles", len(answers), len(puzzles))
    bands: dict[int, tuple[int, int]] = {}
    for puzzle, answer in zip(puzzles, answers, strict=True):
        low = puzzle.rating // BAND * BAND
        right, count = bands.get(low, (0, 0))
        bands[low] = right + answer.is_solved, count + 1
    solved, first_right = sum(each.is_solved for each in answers), sum(each.is_begun_well for each in answers)
    return Tactics(solved, len(puzzles), first_right, bands)


def _solve(
    game: Game, player: MatchPlayer, puzzles: Sequence[TacticPuzzle], begun: Sequence[Position]
) -> list[_Answer]:
    """Let the player solve puzzles concurrently, from their starting positions; return its results."""
    answers = [_Answer() for _ in puzzles]
    open_ones, at = dict(enumerate(begun)), 1
    while open_ones:
        indices = list(open_ones)
        states: NDArray[np.uint64] = np.stack([open_ones[index].state.view(np.uint64) for index in indices])  # [K, W]
        chosen = player.choose(game, states)  # [K]
        going_on: dict[int, Position] = {}
        for index, action in zip(indices, chosen.tolist(), strict=True):
            puzzle, before = puzzles[index], open_ones[index]
            after = before.play(action)
            if before.text(action) != puzzle.moves[at] and not _is_mate(after):
                continue
            is_solved = at + 1 >= len(puzzle.moves) or after.outcome is not None
            answers[index] = _Answer(is_begun_well=True, is_solved=is_solved)
            if not is_solved:
                going_on[index] = _reply(after, puzzle, puzzle.moves[at + 1])
        open_ones = going_on
        at += 2
    return answers


def _begin(game: Game, puzzle: TacticPuzzle) -> Position:
    try:
        start = game.start(puzzle.fen)
    except BadInput as error:
        raise BadInput(f"{puzzle}: {error}") from error
    return _reply(start, puzzle, puzzle.moves[0])


def _reply(position: Position, puzzle: TacticPuzzle, move: str) -> Position:
    """Return the position after a move of the opponent."""
    try:
        after = position.play(move)
    except BadInput as error:
        raise BadInput(f"{puzzle}: {error}") from error
    if after.outcome:
        raise BadInput(f"{puzzle}: the opponent's {move} ends the game, so there is nothing to solve; remove it.")
    return after


def _is_mate(position: Position) -> bool:
    return position.outcome is not None and position.outcome.winner is not None
