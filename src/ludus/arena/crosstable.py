"""League tables: the players' ratings, and their scores against each other."""

from collections.abc import Mapping, Sequence

import msgspec

from ludus.rating import MatchScore, Rating, rate
from ludus.rating.elo import tally


class Crosstable(msgspec.Struct, frozen=True):
    """Ratings, best first, with the score of each player against each other one."""

    ratings: list[Rating]
    scores: list[list[float | None]]  # [P, P]
    """Share of the points that the row's player scored against the column's; None: they never met."""

    def rows(self) -> list[list[str]]:
        """Return the table's rows as text: rank, name, Elo, error, games, score, and scores against all players."""
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
    """Return the table of all `results`, with ratings relative to the anchors; arguments and errors as in `rate`."""
    ratings = rate(results, anchor=anchor, anchor_elo=anchor_elo, fixed=fixed)
    points, games = tally(results)
    names = [rating.name for rating in ratings]
    scores = [
        [points[row, column] / games[row, column] if games.get((row, column)) else None for column in names]
        for row in names
    ]
    return Crosstable(ratings, scores)
