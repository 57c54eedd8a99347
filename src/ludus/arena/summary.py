"""Finished games of a match, and the match's result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ludus.rating.elo import MatchScore, elo_of_pairs


class MatchGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished game of a match."""

    game: str
    """Spec of the game, as `ludus.game` takes it."""
    pair: int
    """Number of the pair; both games of a pair have the same opening."""
    first: str
    second: str
    """Names of players 0 and 1."""
    actions: list[int]
    opening: int
    """Number of random actions at the start."""
    winner: str | None
    """Name of the winner; None: a draw."""
    forfeit: str
    """Why the loser forfeited; empty: the game ended by the rules."""
    setup: Any = None
    """Setup of the start position, as `Game.start` takes it; None: the game's default."""

    @property
    def course(self) -> tuple[str, bytes, tuple[int, ...]]:
        """Return the board, the setup and the actions."""
        return self.game, msgspec.json.encode(self.setup), tuple(self.actions)


class MatchResult(msgspec.Struct, frozen=True):
    """The result of a match; wins, draws, losses and Elo are those of `a`."""

    a: str
    b: str
    games: list[str]
    wins: int
    draws: int
    losses: int
    pairs: list[int]
    """Numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points for `a`."""
    lengths: list[int]
    """Number of actions of each game, with openings."""
    forfeits: list[str]
    """One description for each game lost by an illegal action or an error."""
    elo: float
    error: float
    """Half the width of the 95 % interval, from the variance of the pairs' scores."""
    by_game: dict[str, tuple[int, int, int]] = {}
    """Wins, draws and losses of `a` on each board, if there are several."""
    repeats: int = 0
    """Games with the same actions as an earlier one; they add no information, so `error` is too small."""
    sequential: bool = False
    """Whether a sequential test ended the match: score and Elo are overstated, and a run's ratings ignore it."""
    missing: int = 0
    """Games that a record lacks up to its last pair; short games finish first, so the score may be biased."""

    @property
    def score(self) -> float:
        """Return the share of the points that `a` scored, 0 to 1."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)

    @property
    def result(self) -> MatchScore:
        """Return the score, as `ludus.rating.rate` takes it."""
        return MatchScore(self.a, self.b, self.wins, self.draws, self.losses)


def scores(a: str, finished: list[MatchGame]) -> list[int]:
    """Return the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points for `a`; incomplete pairs are ignored."""
    halves: dict[int, list[int]] = {}  # half points of `a` in each game of a pair
    for game in finished:
        halves.setdefault(game.pair, []).append(1 if game.winner is None else 2 * (game.winner == a))
    whole = [sum(points) for points in halves.values() if len(points) == 2]
    return [whole.count(points) for points in range(5)]


def summary(games: Sequence[str], a: str, b: str, finished: list[MatchGame]) -> MatchResult:
    """Return the result of finished games between `a` and `b` on the named boards."""
    counts = scores(a, finished)
    elo, error = elo_of_pairs(counts)
    finished = sorted(finished, key=lambda game: (game.pair, game.first != a))
    return MatchResult(
        a=a,
        b=b,
        games=list(games),
        wins=sum(game.winner == a for game in finished),
        draws=sum(game.winner is None for game in finished),
        losses=sum(game.winner == b for game in finished),
        pairs=counts,
        lengths=[len(game.actions) for game in finished],
        forfeits=[f"{game.game}, pair {game.pair}: {game.forfeit}" for game in finished if game.forfeit],
        elo=elo,
        error=error,
        repeats=len(finished) - len({(game.first, game.course) for game in finished}),
        by_game={game: _tally(a, finished, game) for game in games} if len(games) > 1 else {},
    )


def _tally(a: str, finished: list[MatchGame], game: str) -> tuple[int, int, int]:
    winners = [each.winner for each in finished if each.game == game]
    draws, wins = winners.count(None), winners.count(a)
    return wins, draws, len(winners) - wins - draws
