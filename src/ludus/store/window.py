"""The sliding window: which generations' shards a generation trains on."""

import math
import re
from pathlib import Path

import msgspec


class WindowRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many generations the window holds: a share of those that exist, within bounds.

    A window that grows forgets the first, weak generations soon and keeps more of the later ones, which differ less.
    """

    shortest: int = 4
    """Generations, while there are that many."""
    share: float = 0.5
    """Of the generations played so far."""
    longest: int = 20
    """Generations."""

    def __post_init__(self) -> None:
        """Refuse a window that holds nothing."""
        if not 1 <= self.shortest <= self.longest:
            raise ValueError("the window needs 1 <= shortest <= longest")
        if not 0.0 <= self.share <= 1.0:
            raise ValueError("the window's share must be between 0 and 1")

    def length(self, generation: int) -> int:
        """Return how many generations, `generation` (counted from 0) included, the window holds."""
        return min(max(self.shortest, math.ceil(self.share * (generation + 1))), self.longest)


def shard_path(directory: Path, generation: int, index: int) -> Path:
    """Return the file of shard `index` of a generation; both count from 0."""
    return directory / f"gen-{generation:04}-{index:04}.shard"


def shards_of(directory: Path, generation: int) -> list[Path]:
    """Return the shards of one generation in order of their index."""
    return window(directory, generation, WindowRule(shortest=1, longest=1))


def window(directory: Path, generation: int, rule: WindowRule) -> list[Path]:
    """Return the shards that `generation` trains on, oldest first: its own and those of the generations before it."""
    found: list[tuple[int, int, Path]] = []
    for path in directory.glob("gen-*.shard"):
        if name := re.fullmatch(r"gen-(\d+)-(\d+)\.shard", path.name):
            found.append((int(name[1]), int(name[2]), path))
    oldest = generation - rule.length(generation) + 1
    return [path for number, _, path in sorted(found) if oldest <= number <= generation]
