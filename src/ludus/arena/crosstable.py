"""The table of a league: everyone's rating, and the scores against each other that it rests on."""

from collections.abc import Mapping, Sequence

import msgspec

from ludus.rating import MatchScore, Rating, rate
from ludus.rating.elo import tally


class Crosstable(msgspec.Struct, frozen=True):
    """Ratings, best first, and who scored what against whom."""

    ratings: list[Rating]
    scores: list[list[float | None]]  # [P, P]
    """Share of the points that the player of the row scored against that of the column; None: they never met."""

    def rows(self) -> list[list[str]]:
        """Return the table as text, a row for each player: rank, name, Elo, error, games, score, scores against all."""
        return [
            [
                str(rank),
                rating.name,
                f"{rating.elo:+.0f}",
                f"±{rating.error:.0f}",
                str(rating.games),
                f"{rating.score:.0%}",
                *("" if score is None else f"{score:.0%}" for score in scores),
            ]
            for rank, (rating, scores) in enumerate(zip(self.ratings, self.scores, strict=True), start=1)
        ]


def crosstable(
    results: Sequence[MatchScore], *, anchor: str, anchor_elo: float = 0.0, fixed: Mapping[str, float] | None = None
) -> Crosstable:
    """Return the table of all `results`, with ratings relative to the anchors; parameters and errors are `rate`'s."""
    ratings = rate(results, anchor=anchor, anchor_elo=anchor_elo, fixed=fixed)
    points, games = tally(results)
    names = [rating.name for rating in ratings]
    scores = [
        [points[row, column] / games[row, column] if games.get((row, column)) else None for column in names]
        for row in names
    ]
    return Crosstable(ratings, scores)
