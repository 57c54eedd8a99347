"""The games of a match as they are reported, and what came out of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ludus.rating.elo import MatchScore, elo_of_pairs


class MatchGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """One game of a match, as it is reported when it ends."""

    game: str
    """As `ludus.game` takes it."""
    pair: int
    """Games of one pair begin with the same opening."""
    first: str
    second: str
    """Names of players 0 and 1."""
    actions: list[int]
    opening: int
    """How many of the actions were drawn at random."""
    winner: str | None
    """A name; None: a draw."""
    forfeit: str
    """Why the loser lost without the rules' saying so; empty otherwise."""
    setup: Any = None
    """What the game began with, as `Game.start` takes it; None: the game's own start."""

    @property
    def course(self) -> tuple[str, bytes, tuple[int, ...]]:
        """Return the board, how the game began on it, and what was played."""
        return self.game, msgspec.json.encode(self.setup), tuple(self.actions)


class MatchResult(msgspec.Struct, frozen=True):
    """What came out of a match; wins, draws, losses and Elo are those of `a`."""

    a: str
    b: str
    games: list[str]
    wins: int
    draws: int
    losses: int
    pairs: list[int]
    """How many pairs of games scored 0, 1/2, 1, 3/2 and 2 points for `a`."""
    lengths: list[int]
    """Actions of each game, openings included."""
    forfeits: list[str]
    """One sentence for each game lost by an illegal action or an error."""
    elo: float
    error: float
    """Half the width of the 95 % interval, from the spread of the pairs."""
    by_game: dict[str, tuple[int, int, int]] = {}
    """Wins, draws and losses of `a` on each board, where there are several."""
    repeats: int = 0
    """Games that went like one before, action by action: they say nothing new, and `error` is too small for them."""
    sequential: bool = False
    """Its own games decide how many there are: score and Elo are overstated, and ratings of a run leave it out."""
    missing: int = 0
    """Games that a record lacks, of pairs up to its last: short games end first, so that its score may mislead."""

    @property
    def score(self) -> float:
        """Return the share of the points that `a` scored, 0 to 1."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)

    @property
    def result(self) -> MatchScore:
        """Return what `ludus.rating.rate` takes."""
        return MatchScore(self.a, self.b, self.wins, self.draws, self.losses)


def scores(a: str, finished: list[MatchGame]) -> list[int]:
    """Return how many pairs scored 0, 1/2, 1, 3/2 and 2 points for `a`; half pairs of a broken-off match are none."""
    halves: dict[int, list[int]] = {}  # half points that `a` scored in each game
    for game in finished:
        halves.setdefault(game.pair, []).append(1 if game.winner is None else 2 * (game.winner == a))
    whole = [sum(points) for points in halves.values() if len(points) == 2]
    return [whole.count(points) for points in range(5)]


def summary(games: Sequence[str], a: str, b: str, finished: list[MatchGame]) -> MatchResult:
    """Return the result of the games of a match between `a` and `b` on the boards of these names."""
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
