"""The settings of a search, as presets and players state them."""

import math

import msgspec

from ludus.search.step import Knobs


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """PUCT: score = value + cpuct * prior * sqrt(parent visits) / (1 + visits)."""

    cpuct: float = 2.0
    """Weight of the prior (Deep-Wallwars: 2.0)."""
    fpu_reduction: float = 0.2
    """How much worse than its parent an unvisited child is held to be."""
    noise_share: float = 0.25
    """Share of Dirichlet noise in the root's priors in self-play (AlphaZero: 0.25)."""
    noise_alpha: float = 0.3
    """Concentration of the noise (AlphaZero: about 10 / legal actions)."""
    leaves: int = 1
    """Most leaves of one tree in a batch; more than 1 costs a little strength and fills batches of few trees."""
    cache_entries: int = 200_000
    """Positions whose evaluations a worker remembers; 0 = none."""

    def __post_init__(self) -> None:
        """Refuse numbers that no search can work with."""
        if not (0.0 <= self.cpuct < math.inf and math.isfinite(self.fpu_reduction)):
            raise ValueError("cpuct must be 0 or more, and fpu_reduction a number")
        if not (0.0 <= self.noise_share <= 1.0 and 0.0 < self.noise_alpha < math.inf):
            raise ValueError("noise_share must be between 0 and 1, and noise_alpha above 0")
        if self.leaves < 1 or self.cache_entries < 0:
            raise ValueError("leaves must be 1 or more, and cache_entries 0 or more")

    @property
    def knobs(self) -> Knobs:
        """Return the part that compiled code takes."""
        return Knobs(
            float(self.cpuct),
            float(self.fpu_reduction),
            float(self.noise_share),
            float(self.noise_alpha),
            self.leaves,
        )
