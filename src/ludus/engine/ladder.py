"""The levels of a model, as matches have measured them: the file beside it, by which bots and UCI_Elo go."""

from __future__ import annotations

import itertools
import logging
import math
from pathlib import Path

import msgspec

from ludus.engine.level import Level, read_level
from ludus.errors import BadInput, BadModel
from ludus.files import write_atomically
from ludus.network.checkpoint import Checkpoint, weights_fingerprint

_log = logging.getLogger(__name__)

FILE = "levels.json"
NEAR = 0.1  # of a step: a level that is measured beats one between two that is a little more even


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One level and its rating."""

    level: str
    """As `ludus engine bgs --level` takes it."""
    elo: int
    """Where the anchor is 0."""
    error: int
    """Half the width of the 95 % interval."""
    step: int | None = None
    """How much Elo it is above the level below; None: it is the gentlest."""
    step_error: int | None = None
    """Half the width of the step's 95 % interval: it may be far less than the errors of the two levels."""


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The levels of a model, the gentlest first."""

    weights: str
    """Fingerprint of the network that was measured."""
    pairs: int
    """Pairs of games of any two that met."""
    levels: list[Rung]
    anchor: str = "random"
    """The player whose Elo is 0."""

    def __post_init__(self) -> None:
        """Refuse a ladder that does not rise; raises ValueError, or BadInput if a level is not written as they are."""
        if not self.levels or any(low.elo > high.elo for low, high in itertools.pairwise(self.levels)):
            raise ValueError("a ladder has a level or more, by rising Elo")
        self.levels_of()

    def levels_of(self) -> list[Level]:
        """Return the levels."""
        return [read_level(rung.level) for rung in self.levels]

    @property
    def lowest(self) -> int:
        """The lowest Elo that was measured."""
        return self.levels[0].elo

    @property
    def highest(self) -> int:
        """The highest Elo that was measured."""
        return self.levels[-1].elo

    def level_at(self, elo: int) -> Level:
        """Return how hard to try: between two rungs, visits by their logarithm, and temperatures, change evenly.

        All else is as at the rung above; outside of what was measured the nearest rung is it.
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
        """Return levels from the lowest to the highest in even steps of Elo: a rung where one is near, else between.

        Args:
            count: how many, 2 at least.
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
    """Return the measured levels of the model that was loaded from `folder`, or None where there are none of it.

    Levels of other weights are not the model's: a warning in the log says so.

    Raises:
        BadModel: the file is damaged.
    """
    path = folder / FILE
    try:
        ladder = msgspec.json.decode(path.read_bytes(), type=Ladder)
    except (FileNotFoundError, NotADirectoryError):  # a model that lies in no folder of its own has none
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, BadInput) as error:
        raise BadModel(f"{path}: cannot be read ({error}); remove it, or measure anew with `ludus levels`.") from error
    beside = weights_fingerprint(checkpoint)
    if ladder.weights == beside:
        return ladder
    _log.warning(
        "%s: holds the levels of weights %s, and the model beside it has weights %s; they do not count, measure anew "
        "with `ludus levels`.",
        path,
        ladder.weights,
        beside,
    )
    return None


def write_ladder(folder: Path, ladder: Ladder) -> None:
    """Write the measured levels beside the model; raises Unavailable if the disk refuses."""
    write_atomically(folder / FILE, msgspec.json.format(msgspec.json.encode(ladder), indent=2) + b"\n")
