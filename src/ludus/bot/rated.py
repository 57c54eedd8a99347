"""The levels of a model, as matches have measured them: the file beside it, which bots and the site go by."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ludus.engine.level import Level, read_level
from ludus.errors import BadInput, BadModel
from ludus.files import write_atomically

FILE = "levels.json"


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One level and its rating."""

    level: str
    """As `ludus engine bgs --level` takes it."""
    elo: float
    """Where 0 is the player of random actions."""
    error: float
    """Half the width of the 95 % interval."""


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The levels of a model, the gentlest first."""

    generation: int
    """Of the model that was measured."""
    pairs: int
    """Pairs of games of any two that met."""
    levels: list[Rung]

    def levels_of(self) -> list[Level]:
        """Return the levels; raises BadInput if one is not written as levels are."""
        return [read_level(rung.level) for rung in self.levels]


def read_ladder(folder: Path, generation: int) -> Ladder | None:
    """Return the measured levels of the model in `folder`, or None where there are none of this generation.

    Raises:
        BadModel: the file is damaged.
    """
    path = folder / FILE
    try:
        ladder = msgspec.json.decode(path.read_bytes(), type=Ladder)
        ladder.levels_of()
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, BadInput) as error:
        raise BadModel(f"{path}: cannot be read ({error}); remove it, or measure anew with `ludus levels`.") from error
    return ladder if ladder.generation == generation and ladder.levels else None


def write_ladder(folder: Path, ladder: Ladder) -> None:
    """Write the measured levels beside the model; raises Unavailable if the disk refuses."""
    write_atomically(folder / FILE, msgspec.json.format(msgspec.json.encode(ladder), indent=2) + b"\n")
