"""The window's rule: which generations' shards a generation trains on."""

import math
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ludus.config import AtLeastOne, Settings, Share
from ludus.errors import BadRecord
from ludus.store.shard import read_header


class WindowRule(Settings, frozen=True, kw_only=True):
    """How much of the past the window holds: a share of the generations, or a number of positions that grows slowly.

    A window that grows forgets the first, weak generations soon and keeps more of the later ones, which differ less.
    """

    by: Literal["generations", "positions"] = "generations"
    """What is counted: `generations` (as Deep-Wallwars), or `positions` (as KataGo)."""
    shortest: AtLeastOne = 4
    """Generations, while there are that many; `by` positions, too."""
    share: Share = 0.5
    """Of the generations played so far."""
    longest: AtLeastOne = 20
    """Generations."""
    positions: AtLeastOne = 250_000
    """Positions c from which on the window holds fewer than there are (KataGo: 250000)."""
    exponent: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)] = 0.75
    """How it grows: c * (1 + growth * ((all / c)^exponent - 1) / exponent) (KataGo: 0.75)."""
    growth: Share = 0.4
    """Positions that the window grows by for each new one, at first (KataGo: 0.4)."""

    def __post_init__(self) -> None:
        """Refuse bounds that exclude each other."""
        super().__post_init__()
        if self.shortest > self.longest:
            raise ValueError("the window needs shortest <= longest")

    def length(self, generation: int) -> int:
        """Return how many generations, `generation` (counted from 0) included, the window holds at most."""
        shared = math.ceil(self.share * (generation + 1) - 1e-9)  # 0.56 of 25 is 14.000000000000002 to a computer
        return min(max(self.shortest, shared), self.longest)

    def size(self, num_positions: int) -> int:
        """Return how many of the newest `num_positions` the window holds, when positions are counted.

        Source: Wu, "Accelerating self-play learning in Go" (2019), appendix C.
        """
        if num_positions <= self.positions:
            return num_positions
        past = (num_positions / self.positions) ** self.exponent - 1.0
        return min(num_positions, round(self.positions * (1.0 + self.growth * past / self.exponent)))


def shard_path(directory: Path, generation: int, index: int) -> Path:
    """Return the file of shard `index` of a generation; both count from 0."""
    return directory / f"gen-{generation:04}-{index:04}.shard"


def all_shards(directory: Path) -> list[tuple[int, Path]]:
    """Return all shards with their generations, in order."""
    found: list[tuple[int, int, Path]] = []
    for path in directory.glob("gen-*.shard"):
        if name := re.fullmatch(r"gen-(\d+)-(\d+)\.shard", path.name):
            found.append((int(name[1]), int(name[2]), path))
    return [(number, path) for number, _, path in sorted(found)]


def window_shards(directory: Path, generation: int, rule: WindowRule) -> list[Path]:
    """Return the shards that `generation` trains on, oldest first: its own and those of the generations before it.

    Shards are taken whole, so a window that counts positions holds up to a shard more than its rule says, and no fewer
    than its `shortest` generations.

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
            raise BadRecord(f"{shard_path(directory, number, 0)}: is missing; restore it from a backup.")
    return [path for _, path in taken]


def _newest(found: list[tuple[int, Path]], generation: int, rule: WindowRule) -> list[tuple[int, Path]]:
    """Return the newest shards that hold as many positions as the rule wants, with their generations."""
    lengths = [read_header(path).num_positions for _, path in found]
    left = rule.size(sum(lengths))
    taken: list[tuple[int, Path]] = []
    for (number, path), length in zip(reversed(found), reversed(lengths), strict=True):
        if left <= 0 and number <= generation - rule.shortest:
            break
        taken.append((number, path))
        left -= length
    return taken[::-1]
