"""Search settings, as presets and players specify them."""

import math
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

MAX_VISITS = 10_000_000
"""Upper limit on the visits of a root, beyond what memory can hold."""
MAX_LEAVES = 1024
MAX_CACHE_ENTRIES = 1 << 30
LOWEST_TEMPERATURE = 0.1
"""Lower limit on `root_temperature`: the powers of priors stay within single precision for any number of actions."""


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of PUCT, score = value + cpuct * prior * sqrt(parent visits) / (1 + visits), and of self-play's root."""

    cpuct: float = 2.0
    """Weight of the prior (Deep-Wallwars: 2.0)."""
    cpuct_base: float = 0.0
    """Growth of the weight with visits: log((visits + base + 1) / base) is added (AlphaZero: 19652); 0 = constant."""
    fpu_reduction: float = 0.2
    """How far the value of an unvisited child is assumed to be below its parent's."""
    policy_temperature: float = 1.5
    """Flattens a network's priors in play: prior^(1/temperature) (lc0: 1.36); self-play uses the priors unchanged."""
    leaves: int = 1
    """Most leaves of one tree in a batch; more than 1 costs a little strength but fills the batches of few trees."""
    choice: Literal["visits", "bound"] = "bound"
    """How the best action is chosen: by visits, or by the lower confidence bound of its value (KataGo: LCB)."""
    proofs: bool = True
    """Whether proved outcomes are propagated up from the ends of games (Winands et al., 2008)."""
    foresight: bool = True
    """Whether leaves use outcomes that the rules foresee; requires `proofs`, and no temperature in play."""
    root_symmetries: int = 1
    """Symmetries over which a root's policy is averaged in play, at most as many as the game has (KataGo: 8)."""
    cache_entries: int = 200_000
    """Positions in the evaluation cache; 0 = no cache."""
    noise_share: float = 0.25
    """Share of Dirichlet noise in the root's priors in self-play (AlphaZero: 0.25)."""
    noise_alpha: float = 0.3
    """Concentration of the noise for each action (AlphaZero: about 10 / legal actions)."""
    noise_shaped: float = 0.0
    """Share of the concentration that is given to the more likely actions (KataGo: 0.5)."""
    root_temperature: float = 1.0
    """Flattens the root's priors in self-play, prior^(1/temperature) (KataGo: 1.25 early, 1.1 late)."""
    forced_playouts: float = 0.0
    """Forced visits of each root action in self-play: sqrt(this * prior * visits); not in targets (KataGo: 2)."""
    gumbel_actions: int = 0
    """Root actions that sequential halving considers in self-play (mctx: 16); 0 = PUCT.

    Replaces noise, `root_temperature` and `forced_playouts`.
    """
    gumbel_visits: float = 50.0
    """Weight of values against the policy, in visits (Gumbel AlphaZero: c_visit = 50)."""
    gumbel_scale: float = 1.0
    """Weight of values, in [0, 1], against the policy's logits (Gumbel AlphaZero: c_scale = 1)."""

    def __post_init__(self) -> None:
        """Reject values that no search can use."""
        if not (0.0 <= self.cpuct < math.inf and math.isfinite(self.fpu_reduction)):
            raise ValueError("cpuct must be 0 or more, and fpu_reduction a number")
        if not 0.0 <= self.cpuct_base < math.inf:
            raise ValueError("cpuct_base must be 0 or more")
        if not (0.0 <= self.noise_share <= 1.0 and 0.0 < self.noise_alpha < math.inf):
            raise ValueError("noise_share must be between 0 and 1, and noise_alpha above 0")
        if not (0.0 <= self.noise_shaped <= 1.0 and LOWEST_TEMPERATURE <= self.root_temperature < math.inf):
            raise ValueError(f"noise_shaped must be between 0 and 1, and root_temperature {LOWEST_TEMPERATURE} or more")
        if not 0.0 < self.policy_temperature < math.inf:
            raise ValueError("policy_temperature must be above 0")
        if not 0.0 <= self.forced_playouts < math.inf:
            raise ValueError("forced_playouts must be 0 or more")
        if not (1 <= self.leaves <= MAX_LEAVES and self.root_symmetries >= 1):
            raise ValueError(f"leaves must be 1 to {MAX_LEAVES}, and root_symmetries 1 or more")
        if not 0 <= self.cache_entries <= MAX_CACHE_ENTRIES:
            raise ValueError(f"cache_entries must be 0 to {MAX_CACHE_ENTRIES}")
        if self.gumbel_actions < 0 or not (0.0 <= self.gumbel_visits < math.inf and 0.0 < self.gumbel_scale < math.inf):
            raise ValueError("gumbel_actions and gumbel_visits must be 0 or more, and gumbel_scale above 0")

    def parameters(self, max_visits: int, symmetries: int = 1) -> "SearchParameters":
        """Return these settings in the form that compiled code takes.

        Args:
            max_visits: largest visit count of a root.
            symmetries: number of symmetries that all games of the trees have.
        """
        visits = np.arange(max_visits + self.leaves + 2, dtype=np.float64)
        settings: dict[str, Any] = msgspec.structs.asdict(self)
        settings |= {
            "root_symmetries": min(self.root_symmetries, symmetries),
            "foresight": self.proofs and self.foresight,
        }
        return SearchParameters(
            **settings,
            exploration=self._exploration(visits),
            inverse=1.0 / np.maximum(1.0, visits),
            by_bound=self.choice == "bound",
        )

    def _exploration(self, visits: NDArray[np.float64]) -> NDArray[np.float64]:
        rate = np.full(len(visits), float(self.cpuct))
        if self.cpuct_base > 0.0:
            rate += _log((visits + self.cpuct_base + 1.0) / self.cpuct_base)
        return rate * np.sqrt(visits)


def _log(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return natural logarithms, from sums and products alone, so that every processor and browser gets the same bits.

    Its error is a few units in the last place.  `web/engine/src/module.ts` has the same steps.
    """
    part, power = np.frexp(numbers)
    is_low = part < math.sqrt(0.5)
    part, power = np.where(is_low, 2.0 * part, part), np.where(is_low, power - 1, power)
    ratio = (part - 1.0) / (part + 1.0)  # at most 0.172, so thirteen terms of the series suffice
    total = np.zeros_like(numbers)
    for term in range(25, 0, -2):
        total = total * (ratio * ratio) + 2.0 / term
    return power * math.log(2.0) + ratio * total


class SearchParameters(SearchSettings, frozen=True, kw_only=True):
    """Search settings as compiled code takes them, with tables of values that every node needs."""

    exploration: NDArray[np.float64]  # [T] weight of a prior at a node with that many visits; T - 1 = most visits
    inverse: NDArray[np.float64]  # [T] 1 / visits: a lookup is faster than a division
    by_bound: bool
