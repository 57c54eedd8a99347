"""How an engine plays at a given Elo: visits and temperatures whose strength was measured, and what lies between."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec

from ludus.engine.level import Level
from ludus.errors import BadInput

FILE = "strength.json"
"""Beside a model: what was measured of it."""


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A measured level."""

    elo: int
    visits: int
    temperature: float = 0.0


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Measured levels of one model, by rising strength."""

    rungs: tuple[Rung, ...]
    anchor: str
    """Against whom, and how, they were measured."""

    def __post_init__(self) -> None:
        """Refuse a ladder that does not rise."""
        if len(self.rungs) < 2 or any(
            low.elo >= high.elo for low, high in zip(self.rungs, self.rungs[1:], strict=False)
        ):
            raise ValueError("a ladder has two rungs or more, with rising elo")
        if min(rung.visits for rung in self.rungs) < 1 or min(rung.temperature for rung in self.rungs) < 0.0:
            raise ValueError("visits are 1 or more, temperatures 0 or more")

    @property
    def lowest(self) -> int:
        """The lowest Elo that was measured."""
        return self.rungs[0].elo

    @property
    def highest(self) -> int:
        """The highest Elo that was measured."""
        return self.rungs[-1].elo

    def level(self, elo: int) -> Level:
        """Return how hard to try: between two rungs, visits by their logarithm, and temperatures, change evenly."""
        elo = max(self.lowest, min(self.highest, elo))
        above = next(index for index, rung in enumerate(self.rungs) if rung.elo >= elo)
        low, high = self.rungs[max(0, above - 1)], self.rungs[above]
        share = 1.0 if low is high else (elo - low.elo) / (high.elo - low.elo)
        visits = math.exp((1.0 - share) * math.log(low.visits) + share * math.log(high.visits))
        temperature = (1.0 - share) * low.temperature + share * high.temperature
        return Level(visits=round(visits), temperature=temperature)


def read_ladder(folder: Path) -> Ladder | None:
    """Return what was measured of the model in a folder, if anything was; raises BadInput if that cannot be read."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Ladder)
    except (msgspec.MsgspecError, OSError) as error:
        raise BadInput(f"{path}: {error}.") from error
