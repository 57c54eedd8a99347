"""Grades a player on solved positions of a game: how many of its moves keep the game-theoretic outcome."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.match import MatchPlayer
from ludus.arena.share import interval_of, share_of, share_text
from ludus.errors import BadInput
from ludus.games.game import Game, Position
from ludus.games.solved import SolvedPosition
from ludus.progress import Tell

PORTION = 200  # positions searched concurrently, between two progress reports


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


def kept_in(
    game: Game, player: MatchPlayer, solved: Sequence[SolvedPosition], tell: Tell = lambda *_: None
) -> NDArray[np.bool_]:
    """Let the player choose a move in each position; return which moves keep the outcome.

    Args:
        game: the game of the positions.
        player: the player to grade.
        solved: the positions.
        tell: called regularly with the number of finished positions.

    Returns:
        whether the outcome is kept.  # [K]

    Raises:
        BadInput: a position is illegal or finished.
    """
    begun = [_begin(game, each) for each in solved]
    states = np.stack([position.state.view(np.uint64) for position in begun])  # [K, W]
    chosen: list[int] = []
    for first in range(0, len(solved), PORTION):
        chosen += player.choose(game, states[first : first + PORTION]).tolist()
        tell("positions", len(chosen), len(solved))
    kept = [position.text(action) in each.right for position, action, each in zip(begun, chosen, solved, strict=True)]
    return np.array(kept, bool)


def grade_positions(
    game: Game, player: MatchPlayer, solved: Sequence[SolvedPosition], tell: Tell = lambda *_: None
) -> Grade:
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


def _begin(game: Game, solved: SolvedPosition) -> Position:
    """Return the position to grade in."""
    try:
        position = game.start(solved.setup)
        for move in solved.moves:
            position = position.play(move)
    except BadInput as error:
        raise BadInput(f"Solved position {solved.name!r} cannot be reached ({error}).") from error
    if position.outcome:
        raise BadInput(f"Solved position {solved.name!r} is a finished game.")
    return position
