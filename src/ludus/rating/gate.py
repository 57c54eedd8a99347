"""The gate: decides whether a new network replaces the old one; off by default, since runs get stronger without it."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from ludus.config import Settings
from ludus.rating.sprt import MOST_PAIRS, SHARES, Elo, Sprt


class GateTest(Sprt, frozen=True):
    """The sequential test of a gate."""

    elo1: Elo = 35.0
    """Elo difference of the alternative hypothesis; 35 Elo are 55 % of the points."""


class GateSettings(Settings, frozen=True):
    """The result that a new network needs in a match against the old one; the first network always passes."""

    kind: Literal["off", "score", "sprt"] = "off"
    """`score`: a share of the points in `match.pairs` pairs; `sprt`: a sequential test, which may end early."""
    score: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = 0.55
    """Share of the points, 0 to 1, needed by `score`."""
    most_pairs: Annotated[int, msgspec.Meta(ge=1, le=MOST_PAIRS)] = 400
    """Maximum number of pairs in a sequential test; an undecided network does not pass."""
    sprt: GateTest = GateTest()
    """The test of the kind `sprt`."""

    def __post_init__(self) -> None:
        """Check that the test can be passed; raises ValueError otherwise."""
        super().__post_init__()
        if self.kind == "sprt" and self.most_pairs < self.sprt.fewest_pairs:
            raise ValueError(
                f"most_pairs = {self.most_pairs} is too few: even winning every game needs "
                f"{self.sprt.fewest_pairs} pairs in this test; give at least that many, or a larger sprt.elo1"
            )

    def passes(self, pairs: Sequence[int], *, is_last: bool) -> bool | None:
        """Return whether the new network passes; None: more pairs are needed.

        Args:
            pairs: numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points for the new network.
            is_last: no more pairs will be played; an undecided sequential test then fails.
        """
        if self.kind == "off":
            return True
        if self.kind == "sprt":
            verdict = self.sprt.verdict(pairs)
            return False if verdict is None and is_last else None if verdict is None else verdict == "better"
        if not is_last:
            return None
        points = sum(count * share for count, share in zip(pairs, SHARES, strict=True))
        return points >= self.score * sum(pairs) - 1e-9 and points > 0  # with a margin for rounding
