"""The rule of the training window: which shards a generation trains on."""

import math
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ludus.config import AtLeastOne, Settings, Share
from ludus.errors import BadRecord
from ludus.store.shard import read_header


class WindowRule(Settings, frozen=True, kw_only=True):
    """The size of the training window: a share of the generations, or a number of positions that grows slowly.

    A growing window drops the first, weak generations soon and keeps more of the later ones, which differ less.
    """

    by: Literal["generations", "positions"] = "generations"
    """Unit of the window's size: `generations` (as in Deep-Wallwars) or `positions` (as in KataGo)."""
    shortest: AtLeastOne = 4
    """Smallest window, in generations; also used with `by = "positions"`."""
    share: Share = 0.5
    """Window size as a share of the generations so far."""
    longest: AtLeastOne = 20
    """Largest window, in generations."""
    positions: AtLeastOne = 250_000
    """Number of positions c up to which the window holds all positions (KataGo: 250000)."""
    exponent: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)] = 0.75
    """Exponent of the window size: c * (1 + growth * ((all / c)^exponent - 1) / exponent) (KataGo: 0.75)."""
    growth: Share = 0.4
    """Growth of the window per new position when it begins to drop positions (KataGo: 0.4)."""

    def __post_init__(self) -> None:
        """Check that `shortest` is not larger than `longest`; raises ValueError."""
        super().__post_init__()
        if self.shortest > self.longest:
            raise ValueError("the window needs shortest <= longest")

    def length(self, generation: int) -> int:
        """Return the window's size in generations, for a generation counted from 0 and including itself."""
        shared = math.ceil(self.share * (generation + 1) - 1e-9)  # rounding: 0.56 * 25 gives 14.000000000000002
        return min(max(self.shortest, shared), self.longest)

    def size(self, num_positions: int) -> int:
        """Return the window's size in positions, given the number of positions so far.

        Source: Wu, "Accelerating self-play learning in Go" (2019), appendix C.
        """
        if num_positions <= self.positions:
            return num_positions
        past = (num_positions / self.positions) ** self.exponent - 1.0
        return min(num_positions, round(self.positions * (1.0 + self.growth * past / self.exponent)))


def shard_path(directory: Path, generation: int, index: int) -> Path:
    """Return the path of a shard; `generation` and `index` count from 0."""
    return directory / f"gen-{generation:04}-{index:04}.shard"


def all_shards(directory: Path) -> list[tuple[int, Path]]:
    """Return all shards of a folder with their generations, oldest first."""
    found: list[tuple[int, int, Path]] = []
    for path in directory.glob("gen-*.shard"):
        if name := re.fullmatch(r"gen-(\d+)-(\d+)\.shard", path.name):
            found.append((int(name[1]), int(name[2]), path))
    return [(number, path) for number, _, path in sorted(found)]


def window_shards(directory: Path, generation: int, rule: WindowRule) -> list[Path]:
    """Return the shards that a generation trains on, oldest first: its own, and those of earlier generations.

    Only whole shards are taken, so a window counted in positions may be larger than its rule says by up to a shard, and
    has at least `shortest` generations.

    Raises:
        BadRecord: one of these generations has no shard; or positions are counted, and a shard's header is damaged.
    """
    found = [(number, path) for number, path in all_shards(directory) if number <= generation]
    if rule.by == "generations":
        oldest = max(0, generation - rule.length(generation) + 1)
        taken = [(number, path) for number, path in found if number >= oldest]
    else:
        taken = _newest(found, generation, rule)
        oldest = taken[0][0] if taken else generation
    there = {number for number, _ in taken}
    for number in range(oldest, generation + 1):
        if number not in there:
            raise BadRecord(f"{shard_path(directory, number, 0)}: the shard is missing; restore it from a backup.")
    return [path for _, path in taken]


def _newest(found: list[tuple[int, Path]], generation: int, rule: WindowRule) -> list[tuple[int, Path]]:
    """Return the newest shards with enough positions for the rule, with their generations, oldest first."""
    lengths = [read_header(path).num_positions for _, path in found]
    left = rule.size(sum(lengths))
    taken: list[tuple[int, Path]] = []
    for (number, path), length in zip(reversed(found), reversed(lengths), strict=True):
        if left <= 0 and number <= generation - rule.shortest:
            break
        taken.append((number, path))
        left -= length
    return taken[::-1]
