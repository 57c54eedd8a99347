"""The measured levels of a model, for bots and UCI_Elo: Elo ratings from matches, in a file beside the model."""

from __future__ import annotations

import itertools
import logging
import math
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludus import shipped
from ludus.engine.level import Level, read_level
from ludus.errors import BadInput, BadModel
from ludus.files import without_mark, write_atomically
from ludus.network.checkpoint import Checkpoint, weights_fingerprint

_log = logging.getLogger(__name__)

FILE = "levels.json"
NEAR = 0.1  # fraction of a step within which `evenly` takes a measured level instead of an interpolated one


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One measured level and its rating."""

    level: str
    """The level in the notation of `ludus engine bgs --level`."""
    elo: int
    """Rating relative to the anchor."""
    error: int
    """Half the width of the 95 % interval."""
    step: int | None = None
    """Elo above the next weaker level; None for the weakest level."""
    step_error: int | None = None
    """Half the width of the step's 95 % interval; often far less than the errors of the two levels."""


class Yardstick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rating of a level on a scale that people know, from a match with a player whose rating is known."""

    level: str
    """A level of the ladder, or one between two of them."""
    elo: int
    error: int
    """Half the width of the match's 95 % interval."""
    source: str
    """The opponent and its rating, in a few words for people."""


class Strength(NamedTuple):
    """A rating, with half the width of its 95 % interval."""

    elo: int
    error: int


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measured levels of a model, the weakest first."""

    weights: str
    """Fingerprint of the measured network."""
    pairs: int
    """Pairs of games that each two opponents played."""
    levels: list[Rung]
    anchor: str = "random"
    """The player whose Elo is 0."""
    yardstick: Yardstick | None = None
    """What places the ladder on a scale that people know; `ludus levels` does not measure it."""

    def __post_init__(self) -> None:
        """Check the levels; raises ValueError if the Elo falls, or BadInput if a level cannot be read."""
        if not self.levels or any(low.elo > high.elo for low, high in itertools.pairwise(self.levels)):
            raise ValueError("a ladder needs one or more levels, in order of Elo")
        self.levels_of()
        if self.yardstick:
            self._place_of(read_level(self.yardstick.level))

    def levels_of(self) -> list[Level]:
        """Return the levels without their ratings."""
        return [read_level(rung.level) for rung in self.levels]

    @property
    def lowest(self) -> int:
        """The lowest measured Elo."""
        return self.levels[0].elo

    @property
    def highest(self) -> int:
        """The highest measured Elo."""
        return self.levels[-1].elo

    def strengths(self) -> list[Strength]:
        """Return the rating of each level: on the yardstick's scale, or relative to the anchor without one.

        The error of a level adds up the yardstick's and those of the steps between that level and the yardstick's.
        """
        known = self.yardstick
        if known is None:
            return [Strength(rung.elo, rung.error) for rung in self.levels]
        place = self._place_of(read_level(known.level))
        nearest, share = round(place), place - math.floor(place)
        below, above = self.levels[math.floor(place)].elo, self.levels[math.ceil(place)].elo
        shift = known.elo - round((1.0 - share) * below + share * above)

        def error(number: int) -> int:
            steps = self.levels[min(number, nearest) + 1 : max(number, nearest) + 1]
            return round(math.hypot(known.error, *(rung.step_error or 0 for rung in steps)))

        return [Strength(rung.elo + shift, error(number)) for number, rung in enumerate(self.levels)]

    def _place_of(self, level: Level) -> float:
        """Return a level's index among the levels, with a fraction between two; raises ValueError if it is outside."""
        visits = [each.visits for each in self.levels_of()]
        for number in reversed(range(len(visits))):
            if visits[number] == level.visits:
                return number
            if number and visits[number - 1] < level.visits < visits[number]:
                low, high = math.log(visits[number - 1]), math.log(visits[number])
                return number - 1 + (math.log(level.visits) - low) / (high - low)
        raise ValueError(f"the level {level} of the yardstick is not between those of the ladder")

    def level_at(self, elo: int) -> Level:
        """Return the level for an Elo rating, interpolated between two rungs.

        The logarithm of visits and the temperature change linearly; other fields are those of the stronger rung.
        Beyond the measured range, the nearest rung is returned.
        """
        elo = max(self.lowest, min(self.highest, elo))
        above = next(index for index, rung in enumerate(self.levels) if rung.elo >= elo)
        below = max(0, above - 1)
        span = self.levels[above].elo - self.levels[below].elo
        share = (elo - self.levels[below].elo) / span if span else 1.0
        low, high = (read_level(self.levels[index].level) for index in (below, above))
        return msgspec.structs.replace(
            high,
            visits=round(math.exp((1.0 - share) * math.log(low.visits) + share * math.log(high.visits))),
            temperature=(1.0 - share) * low.temperature + share * high.temperature,
        )

    def evenly(self, count: int) -> list[Level]:
        """Return levels at even steps of Elo from the lowest to the highest: measured if near, else interpolated.

        Args:
            count: number of levels, at least 2.
        """
        step = (self.highest - self.lowest) / (count - 1)
        found: list[Level] = []
        for place in range(count):
            elo = round(self.lowest + place * step)
            rung = min(self.levels, key=lambda rung, elo=elo: abs(rung.elo - elo))
            if abs(rung.elo - elo) <= NEAR * step:
                found.append(read_level(rung.level))
            else:
                level = self.level_at(elo)
                found.append(msgspec.structs.replace(level, temperature=round(level.temperature, 2)))
        return found


def read_ladder(folder: Path, checkpoint: Checkpoint) -> Ladder | None:
    """Return the measured levels of the model in `folder` (or of a shipped model's name), or None if there are none.

    Levels that were measured with other weights are ignored with a warning.

    Raises:
        BadModel: the file is damaged.
    """
    path = shipped.model(folder) / FILE
    try:
        ladder = msgspec.json.decode(without_mark(path.read_bytes()), type=Ladder)
    except (FileNotFoundError, NotADirectoryError):  # also if the model is not in a folder of its own
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, BadInput) as error:
        raise BadModel(f"{path}: cannot be read ({error}); delete it, or run `ludus levels` again.") from error
    beside = weights_fingerprint(checkpoint)
    if ladder.weights == beside:
        return ladder
    _log.warning(
        "%s: the levels are ignored, since they belong to weights %s and the model has weights %s; run `ludus levels` "
        "again.",
        path,
        ladder.weights,
        beside,
    )
    return None


def write_ladder(folder: Path, ladder: Ladder) -> None:
    """Write the measured levels beside the model; raises Unavailable if they cannot be written."""
    write_atomically(folder / FILE, msgspec.json.format(msgspec.json.encode(ladder), indent=2) + b"\n")
