"""The gate: whether a new network takes the old one's place; off by default, since strength comes without it."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from ludus.config import Settings
from ludus.rating.sprt import MOST_PAIRS, SHARES, Elo, Sprt


class GateTest(Sprt, frozen=True):
    """The sequential test of a gate."""

    elo1: Elo = 35.0
    """The difference that is looked for: 0.55 of the points are 35 Elo."""


class GateSettings(Settings, frozen=True):
    """What a new network must show in a match against the old one; the first of a run plays in any case."""

    kind: Literal["off", "score", "sprt"] = "off"
    """`score`: a share of the points in `match.pairs` pairs; `sprt`: a sequential test, which ends its match early."""
    score: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = 0.55
    """Share of the points, 0 to 1, with the kind `score`."""
    most_pairs: Annotated[int, msgspec.Meta(ge=1, le=MOST_PAIRS)] = 400
    """Most pairs of games of a sequential test; a network about which it is undecided by then does not pass."""
    sprt: GateTest = GateTest()
    """The test, with the kind `sprt`."""

    def __post_init__(self) -> None:
        """Refuse a test that nobody can pass."""
        super().__post_init__()
        if self.kind == "sprt" and self.most_pairs < self.sprt.fewest_pairs:
            raise ValueError(
                f"most_pairs = {self.most_pairs} lets nobody pass: even who wins every game needs "
                f"{self.sprt.fewest_pairs} pairs in this test; give so many or more, or a larger sprt.elo1"
            )

    def passes(self, pairs: Sequence[int], *, is_last: bool) -> bool | None:
        """Return whether the new network passes; None: play on.

        Args:
            pairs: how many pairs of games scored 0, 1/2, 1, 3/2 and 2 points for the new network.
            is_last: no more pairs will be played; a sequential test that is not decided by then is not passed.
        """
        if self.kind == "off":
            return True
        if self.kind == "sprt":
            verdict = self.sprt.verdict(pairs)
            return False if verdict is None and is_last else None if verdict is None else verdict == "better"
        if not is_last:
            return None
        points = sum(count * share for count, share in zip(pairs, SHARES, strict=True))
        return points >= self.score * sum(pairs) - 1e-9 and points > 0  # 55 of 100 points are 55 %
