"""Grades a player on tactical puzzles of a game: it must find all moves of the solution.

Any other move that wins the game at once is accepted, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.match import MatchPlayer
from ludus.arena.share import interval_of, share_of, share_text
from ludus.errors import BadInput
from ludus.games.game import Game, Position
from ludus.games.puzzle import turn_is_over
from ludus.games.registry import about
from ludus.games.solved import TacticPuzzle
from ludus.progress import Tell

BAND = 400  # width of the rating bands
PORTION = 200  # puzzles solved concurrently, between two progress reports


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


def read_puzzles(game: Game, path: Path, *, theme: str = "", most: int = 0) -> list[TacticPuzzle]:
    """Read puzzles from a file in the format of the game.

    Args:
        game: a game that brings a format of puzzles.
        path: the file.
        theme: read only puzzles of this theme (empty: all).
        most: read only the first `most` puzzles (0: all).

    Raises:
        BadInput: the game brings no format, the file cannot be read, a line is wrong, or no puzzle remains.
    """
    read = about(game.name).read_tactics
    if not read:
        raise BadInput(f"{path}: {game.name} brings no format of puzzles.")
    chosen = (puzzle for puzzle in read(path) if not theme or theme in puzzle.themes)
    puzzles = list(itertools.islice(chosen, most or None))
    if not puzzles:
        raise BadInput(f"{path}: contains no puzzle" + (f" of the theme {theme}." if theme else "."))
    return puzzles


def grade_puzzles(
    game: Game, player: MatchPlayer, puzzles: Sequence[TacticPuzzle], tell: Tell = lambda *_: None
) -> Tactics:
    """Let the player solve all puzzles, many concurrently.

    Args:
        game: the game of the puzzles.
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
    turns, at = dict(enumerate(begun)), 1  # the positions at which the player's turns begin
    while turns:
        going_on: dict[int, Position] = {}
        for index, after in _play_turns(game, player, turns).items():
            puzzle = puzzles[index]
            is_right = after.state.tobytes() == _played(turns[index], puzzle, puzzle.moves[at]).state.tobytes()
            if not is_right and not _is_won(after, turns[index].to_play):
                continue
            is_solved = at + 1 >= len(puzzle.moves) or after.outcome is not None
            answers[index] = _Answer(is_begun_well=True, is_solved=is_solved)
            if not is_solved:
                going_on[index] = _reply(after, puzzle, puzzle.moves[at + 1])
        turns = going_on
        at += 2
    return answers


def _play_turns(game: Game, player: MatchPlayer, turns: Mapping[int, Position]) -> dict[int, Position]:
    """Let the player play a whole turn from each position; return the positions after the turns."""
    now, unfinished = dict(turns), list(turns)
    while unfinished:
        states: NDArray[np.uint64] = np.stack([now[index].state.view(np.uint64) for index in unfinished])  # [K, W]
        for index, action in zip(unfinished, player.choose(game, states).tolist(), strict=True):
            now[index] = now[index].play(action)
        unfinished = [index for index in unfinished if not turn_is_over(turns[index], now[index])]
    return now


def _begin(game: Game, puzzle: TacticPuzzle) -> Position:
    try:
        start = game.start(puzzle.setup)
    except BadInput as error:
        raise BadInput(f"{puzzle}: {error}") from error
    return _reply(start, puzzle, puzzle.moves[0])


def _reply(position: Position, puzzle: TacticPuzzle, move: str) -> Position:
    """Return the position after a move of the opponent."""
    after = _played(position, puzzle, move)
    if after.outcome:
        raise BadInput(f"{puzzle}: the opponent's {move} ends the game, so there is nothing to solve; remove it.")
    return after


def _played(position: Position, puzzle: TacticPuzzle, move: str) -> Position:
    try:
        return position.play(move)
    except BadInput as error:
        raise BadInput(f"{puzzle}: {error}") from error


def _is_won(position: Position, player: int) -> bool:
    return position.outcome is not None and position.outcome.winner == player
