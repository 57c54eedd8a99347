"""The settings of training, as presets state them."""

import math
from typing import Literal

import msgspec

from ludus.store.rule import WindowRule


class LossWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each loss counts in their sum; those of auxiliary heads count where the network has the head."""

    policy: float = 1.0
    """What the search would play."""
    outcome: float = 1.0
    """Win, draw or loss."""
    reply: float = 0.15
    """The opponent's next action (KataGo: 0.15)."""
    soft: float = 1.0
    """The policy target at a high temperature (KataGo: 8, Sayuri: 0.1)."""
    short_values: float = 0.3
    """What searches a few actions later thought."""
    moves_left: float = 0.1
    """How long the game still lasts."""
    maps: float = 0.3
    """What became of the cells, where the game declares it."""

    def __post_init__(self) -> None:
        """Refuse weights that turn a loss round."""
        for name in self.__struct_fields__:
            if not 0.0 <= getattr(self, name) < math.inf:
                raise ValueError(f"the weight {name} must be 0 or more")


class LearnerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network learns from the window."""

    batch: int = 512
    """Positions of a training step."""
    passes: float = 4.0
    """How often each new position is used, on average, in the generations that see it (others measured 4-8 best)."""
    max_steps: int = 4000
    """Most training steps of a generation; where `passes` asks for more, an alarm says so."""
    optimiser: Literal["adamw", "sgd", "muon"] = "adamw"
    """`adamw`, `sgd` (with Nesterov's momentum), or `muon` for the body's convolutions and `adamw` for the rest."""
    momentum: float = 0.9
    """Of sgd and muon, and the first beta of adamw; `one-cycle` has its own."""
    schedule: Literal["constant", "cosine", "one-cycle", "plateau"] = "cosine"
    """`constant` stays, `cosine` falls over the run, `one-cycle` in a generation, `plateau` drops on a still loss."""
    learning_rate: float = 2e-3
    """At the start of the run; of `one-cycle`, the highest."""
    final_learning_rate: float = 2e-4
    """Of `cosine` at the end of the run; of `plateau`, the lowest."""
    warm_up: int = 50
    """Steps of a generation in which the rate rises from 0: the window has changed; `one-cycle` rises by itself."""
    plateau_patience: int = 4
    """Generations without a lower loss after which `plateau` drops the rate."""
    plateau_factor: float = 0.3
    """What the rate is multiplied by in a drop."""
    weight_decay: float = 1e-4
    """On weights only, not on biases and normalisation."""
    decay: Literal["decoupled", "l2"] = "decoupled"
    """`decoupled` shrinks weights beside the gradient (as AdamW); `l2` is a loss, half their squares (as the seeds)."""
    gradient_norm: float = 5.0
    """Larger gradients are scaled down to this norm."""
    averaging: float = 0.99
    """Decay of the moving average of the weights, a step; the average is what plays (0: none)."""
    batch_norm_batches: int = 8
    """Batches on which the average's own normalisation is measured after training (0: statistics are averaged, too)."""
    value_mix: float = 0.5
    """Share of the search's value in the outcome target; the rest is the game's result (Deep-Wallwars: 0.5)."""
    validation: float = 0.05
    """Share of the games that is never trained on, and tells how well the network does on what it has not seen; a
    game's number decides, so that small generations may have none: at 0.05 those of fewer than 44 games."""
    validation_batches: int = 8
    """Most batches that validate, of the newest games."""
    surprise: float = 0.0
    """Share of the positions' weights that goes to those that surprised the search (KataGo: 0.5)."""
    deduplicate: bool = False
    """Whether equal positions of the window are drawn as often as one, all together; others more often, for `passes`
    counts all."""
    precision: Literal["auto", "bf16", "f32"] = "auto"
    """`auto`: bf16 where the hardware is faster in it."""
    processes: int = 1
    """Processes that learn together, each with a share of every batch and a GPU of its own (0: one for each GPU)."""
    compile: bool = False
    """Whether torch compiles the network: half a minute at the start of each generation, for faster steps."""
    weights: LossWeights = LossWeights()
    window: WindowRule = WindowRule()

    def __post_init__(self) -> None:
        """Refuse numbers that nothing can be learned with."""
        if self.batch < 1 or self.max_steps < 1 or not 0.0 < self.passes < math.inf:
            raise ValueError("batch and max_steps must be 1 or more, and passes above 0")
        if not (0.0 < self.learning_rate < math.inf and 0.0 < self.final_learning_rate < math.inf):
            raise ValueError("learning_rate and final_learning_rate must be above 0")
        if not (0.0 <= self.weight_decay < math.inf and self.gradient_norm > 0.0):
            raise ValueError("weight_decay must be 0 or more, and gradient_norm above 0")
        if not (0.0 <= self.averaging < 1.0 and 0.0 <= self.momentum < 1.0):
            raise ValueError("averaging must be 0 or more and below 1, and momentum as well")
        if not (0.0 <= self.value_mix <= 1.0 and 0.0 <= self.surprise <= 1.0 and 0.0 <= self.validation <= 0.5):
            raise ValueError("value_mix and surprise must be between 0 and 1, validation between 0 and 0.5")
        if not (self.plateau_patience >= 1 and 0.0 < self.plateau_factor < 1.0):
            raise ValueError("plateau_patience must be 1 or more, and plateau_factor between 0 and 1")
        if self.processes < 0 or (self.processes and self.batch % self.processes):
            raise ValueError("processes must be 0 or more, and divide batch")
        if self.processes != 1 and self.compile:
            raise ValueError("compile needs processes = 1: the sums over processes are not compiled")
        if min(self.warm_up, self.batch_norm_batches, self.validation_batches) < 0:
            raise ValueError("warm_up, batch_norm_batches and validation_batches must be 0 or more")

    def steps_asked(self, new_positions: float) -> int:
        """Return how many steps use new positions `passes` times, those that validate left out, with no limit.

        Args:
            new_positions: the sum of their weights.
        """
        return max(1, round(self.passes * new_positions * (1.0 - self.validation) / self.batch))
