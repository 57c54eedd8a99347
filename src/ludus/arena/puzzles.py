"""Grades a player on chess puzzles in the form of Lichess's files: are all moves of the solution found?

A line of the CSV file: PuzzleId, FEN, Moves (UCI, the opponent's first), Rating, ..., Themes, ...; the names stand in
the first line.  As there, any mate is right where mate is the solution.
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

BAND = 400  # of ratings that are counted together
PORTION = 200  # puzzles that are solved side by side, so that it can be told how far it is
NEEDED = ("FEN", "Moves", "Rating", "Themes")


class TacticPuzzle(msgspec.Struct, frozen=True):
    """A position with the moves that win."""

    name: str
    fen: str
    moves: tuple[str, ...]
    """The opponent's move that leads to the position, then by turns the player's and the opponent's."""
    rating: int
    themes: tuple[str, ...]
    line: int
    """Of the file, where it ends; counted from 1."""

    def __str__(self) -> str:
        """Say which it is."""
        return f"Puzzle {self.name} (line {self.line})"


class Tactics(msgspec.Struct, frozen=True):
    """How many puzzles were solved."""

    solved: int
    puzzles: int
    first_right: int
    """Puzzles of which the first move was right."""
    bands: dict[int, tuple[int, int]]
    """Solved and all puzzles whose rating is this number or up to `BAND` above."""

    @property
    def share(self) -> float:
        """Return the share that was solved."""
        return share_of(self.solved, self.puzzles)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return interval_of(self.solved, self.puzzles)

    def as_dict(self) -> dict[str, object]:
        """Return the numbers for JSON."""
        return msgspec.to_builtins(self) | {"share": self.share, "interval": self.interval}

    def __str__(self) -> str:
        """Say it in a line."""
        bands = ", ".join(f"{low}+: {solved}/{count}" for low, (solved, count) in sorted(self.bands.items()))
        first = share_of(self.first_right, self.puzzles)
        return (
            f"{share_text(self.solved, self.puzzles)} of {self.puzzles} puzzles solved; "
            f"first move right in {first:.1%}; by rating {bands}"
        )


class _Answer(NamedTuple):
    """What a player made of a puzzle."""

    is_begun_well: bool = False
    """Whether the first move was right."""
    is_solved: bool = False


def read_puzzles(path: Path, *, theme: str = "", most: int = 0) -> list[TacticPuzzle]:
    """Read a file of puzzles.

    Args:
        path: the file.
        theme: only those of this theme, such as `mateIn1` (empty: all).
        most: so many from the beginning (0: all).

    Raises:
        BadInput: it cannot be read, a line is wrong, or no puzzle is left.
    """
    try:
        rows = csv.DictReader(io.StringIO(path.read_text("utf-8-sig")))
        missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
        if missing:
            raise BadInput(f"{path}, line 1: has no column {', '.join(missing)}; a file of Lichess's puzzles has.")
        puzzles: list[TacticPuzzle] = []
        for row in rows:
            try:
                puzzle = _puzzle(row, rows.line_num)
            except (ValueError, TypeError, AttributeError) as error:
                raise BadInput(f"{path}, line {rows.line_num}: is no puzzle ({error}).") from error
            if not theme or theme in puzzle.themes:
                puzzles.append(puzzle)
            if most and len(puzzles) == most:
                break
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: cannot be read ({error}).") from error
    if not puzzles:
        raise BadInput(f"{path}: holds no puzzle" + (f" of the theme {theme}." if theme else "."))
    return puzzles


def _puzzle(row: dict[str, str], line: int) -> TacticPuzzle:
    moves = tuple(row["Moves"].split())
    if not moves or len(moves) % 2:
        raise ValueError("it needs an answer to each of the opponent's moves")
    return TacticPuzzle(
        row.get("PuzzleId", ""), row["FEN"], moves, int(row["Rating"]), tuple(row["Themes"].split()), line
    )


def grade_puzzles(
    game: Game, player: MatchPlayer, puzzles: Sequence[TacticPuzzle], tell: Tell = lambda *_: None
) -> Tactics:
    """Let the player solve every puzzle, many side by side.

    Args:
        game: chess.
        player: who chooses the moves.
        puzzles: what is to be solved.
        tell: hears now and then how many puzzles are done.

    Raises:
        BadInput: a puzzle's own moves are illegal, or the opponent's end the game.
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
    """Return how the player answers puzzles, side by side, from the positions in which they begin."""
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
    """Return the position after a move of the opponent's, in which the player is to move."""
    try:
        after = position.play(move)
    except BadInput as error:
        raise BadInput(f"{puzzle}: {error}") from error
    if after.outcome:
        raise BadInput(f"{puzzle}: the opponent's {move} ends the game, so that nothing is to be solved; leave it out.")
    return after


def _is_mate(position: Position) -> bool:
    return position.outcome is not None and position.outcome.winner is not None
