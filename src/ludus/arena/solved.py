"""Grades a player on solved positions of Connect Four: how many of its moves keep the game-theoretic outcome.

The file has one JSON object per line: `moves` (columns 1-7), `scores` (exact score of each column for the side to move,
null if it is full), `optimal_outcome` (columns 0-6 that keep the win, draw or loss).
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.match import MatchPlayer
from ludus.arena.share import interval_of, share_of, share_text
from ludus.errors import BadInput, IllegalMove
from ludus.games.game import Game
from ludus.progress import Tell

COLUMNS = 7
PORTION = 200  # positions searched concurrently, between two progress reports


class Solved(msgspec.Struct, frozen=True):
    """A solved position; other fields of the file are ignored."""

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
            raise ValueError(f"needs {COLUMNS} scores, and optimal_outcome with columns that are not full")

    @property
    def is_decisive(self) -> bool:
        """Return whether some legal column changes the outcome."""
        return len(self.optimal_outcome) < sum(score is not None for score in self.scores)

    @property
    def is_drawn(self) -> bool:
        """Return whether perfect play draws."""
        return max(score for score in self.scores if score is not None) == 0


class Grade(msgspec.Struct, frozen=True):
    """Counts of moves that keep the outcome."""

    kept: int
    positions: int
    decisive_kept: int
    decisive: int
    drawn_kept: int
    drawn: int

    @property
    def share(self) -> float:
        """Return the share of all positions in which the outcome was kept."""
        return share_of(self.kept, self.positions)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return interval_of(self.kept, self.positions)

    def as_dict(self) -> dict[str, object]:
        """Return the counts and shares for JSON."""
        return {
            "kept": self.kept,
            "positions": self.positions,
            "share": self.share,
            "interval": self.interval,
            "decisive_kept": self.decisive_kept,
            "decisive": self.decisive,
            "decisive_share": share_of(self.decisive_kept, self.decisive),
            "drawn_kept": self.drawn_kept,
            "drawn": self.drawn,
            "drawn_share": share_of(self.drawn_kept, self.drawn),
        }

    def __str__(self) -> str:
        """Return a summary in one line."""
        parts = [f"{share_text(self.kept, self.positions)} of {self.positions} moves keep the outcome"]
        for kept, number, which in (
            (self.decisive_kept, self.decisive, "where the choice matters"),
            (self.drawn_kept, self.drawn, "in drawn positions"),
        ):
            if number:
                parts.append(f"{share_of(kept, number):.1%} of the {number} {which}")
        return "; ".join(parts)


def read_solved(path: Path) -> list[Solved]:
    """Read solved positions from a file, possibly gzipped; raises BadInput with the faulty line."""
    try:
        data = path.read_bytes()
        lines = (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (EOFError, zlib.error) as error:
        raise BadInput(f"{path}: the compressed file is damaged ({error}).") from error
    solved: list[Solved] = []
    for number, line in enumerate(lines, 1):
        try:
            solved.append(msgspec.json.decode(line, type=Solved))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}, line {number}: {error}.") from error
    if not solved:
        raise BadInput(f"{path}: contains no positions.")
    return solved


def kept_in(game: Game, player: MatchPlayer, solved: list[Solved], tell: Tell = lambda *_: None) -> NDArray[np.bool_]:
    """Let the player choose a move in each position; return which moves keep the outcome.

    Args:
        game: Connect Four.
        player: the player to grade.
        solved: the positions.
        tell: called regularly with the number of finished positions.

    Returns:
        whether the outcome is kept.  # [K]

    Raises:
        BadInput: a position is illegal or finished.
    """
    states = np.stack([_state(game, each.moves) for each in solved])  # [K, W]
    chosen: list[int] = []
    for first in range(0, len(solved), PORTION):
        chosen += player.choose(game, states[first : first + PORTION]).tolist()
        tell("positions", len(chosen), len(solved))
    return np.array([action in each.optimal_outcome for action, each in zip(chosen, solved, strict=True)], bool)


def grade_positions(game: Game, player: MatchPlayer, solved: list[Solved], tell: Tell = lambda *_: None) -> Grade:
    """Let the player choose a move in each position, and count the kept outcomes; arguments as in `kept_in`."""
    kept = kept_in(game, player, solved, tell)
    decisive = np.array([each.is_decisive for each in solved], bool)
    drawn = np.array([each.is_drawn for each in solved], bool)
    return Grade(
        kept=int(kept.sum()),
        positions=len(solved),
        decisive_kept=int((kept & decisive).sum()),
        decisive=int(decisive.sum()),
        drawn_kept=int((kept & drawn).sum()),
        drawn=int(drawn.sum()),
    )


def _state(game: Game, moves: str) -> NDArray[np.uint64]:
    """Return the state after `moves` as words [W]."""
    position = game.start()
    try:
        for column in moves:
            position = position.play(int(column) - 1)
    except (ValueError, IllegalMove) as error:
        raise BadInput(f"Solved position {moves!r} cannot be reached ({error}).") from error
    if position.outcome:
        raise BadInput(f"Solved position {moves!r} is a finished game.")
    return position.state.view(np.uint64)
