"""The settings of training, as presets state them."""

from typing import Annotated, Literal

import msgspec

from ludus.config import AtLeastOne, AtLeastZero, NotNegative, Positive, Settings, Share
from ludus.store.rule import WindowRule


class LossWeights(Settings, frozen=True):
    """What each loss counts in their sum; those of auxiliary heads count where the network has the head."""

    policy: NotNegative = 1.0
    """What the search would play."""
    outcome: NotNegative = 1.0
    """Win, draw or loss."""
    reply: NotNegative = 0.15
    """The opponent's next action (KataGo: 0.15)."""
    soft: NotNegative = 1.0
    """The policy target at a high temperature (KataGo: 8, Sayuri: 0.1)."""
    short_values: NotNegative = 0.3
    """What searches a few actions later thought."""
    moves_left: NotNegative = 0.1
    """How long the game still lasts."""
    maps: NotNegative = 0.3
    """What became of the cells, where the game declares it."""


class LearnerSettings(Settings, frozen=True):
    """How a network learns from the window."""

    batch: AtLeastOne = 512
    """Positions of a training step."""
    passes: Positive = 4.0
    """How often each new position is used, on average, in the generations that see it (others measured 4-8 best)."""
    max_steps: AtLeastOne = 4000
    """Most training steps of a generation; where `passes` asks for more, an alarm says so."""
    optimiser: Literal["adamw", "sgd", "muon"] = "adamw"
    """`adamw`, `sgd` (with Nesterov's momentum), or `muon` for the body's convolutions and `adamw` for the rest."""
    momentum: Annotated[float, msgspec.Meta(ge=0.0, lt=1.0)] = 0.9
    """Of sgd and muon, and the first beta of adamw; `one-cycle` has its own."""
    schedule: Literal["constant", "cosine", "one-cycle", "plateau"] = "cosine"
    """`constant` stays, `cosine` falls over the run, `one-cycle` in a generation, `plateau` drops on a still loss."""
    learning_rate: Positive = 2e-3
    """At the start of the run; of `one-cycle`, the highest."""
    final_learning_rate: Positive = 2e-4
    """Of `cosine` at the end of the run; of `plateau`, the lowest."""
    warm_up: AtLeastZero = 50
    """Steps of a generation in which the rate rises from 0: the window has changed; `one-cycle` rises by itself."""
    plateau_patience: AtLeastOne = 4
    """Generations without a lower loss after which `plateau` drops the rate."""
    plateau_factor: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = 0.3
    """What the rate is multiplied by in a drop."""
    weight_decay: NotNegative = 1e-4
    """On weights only, not on biases and normalisation."""
    decay: Literal["decoupled", "l2"] = "decoupled"
    """`decoupled` shrinks weights beside the gradient (as AdamW); `l2` is a loss, half their squares (as the seeds)."""
    gradient_norm: float = 5.0
    """Larger gradients are scaled down to this norm."""
    averaging: Annotated[float, msgspec.Meta(ge=0.0, lt=1.0)] = 0.99
    """Decay of the moving average of the weights, a step; the average is what plays (0: none)."""
    batch_norm_batches: AtLeastZero = 8
    """Batches on which the average's own normalisation is measured after training (0: statistics are averaged, too)."""
    value_mix: Share = 0.5
    """Share of the search's value in the outcome target; the rest is the game's result (Deep-Wallwars: 0.5)."""
    validation: Annotated[float, msgspec.Meta(ge=0.0, le=0.5)] = 0.05
    """Share of the games that is never trained on, and tells how well the network does on what it has not seen; a
    game's number decides, so that small generations may have none: at 0.05 those of fewer than 44 games."""
    validation_batches: AtLeastZero = 8
    """Most batches that validate, of the newest games."""
    surprise: Share = 0.0
    """Share of the positions' weights that goes to those that surprised the search (KataGo: 0.5)."""
    deduplicate: bool = False
    """Whether equal positions of the window are drawn as often as one, all together; others more often, for `passes`
    counts all."""
    precision: Literal["auto", "bf16", "f32"] = "auto"
    """`auto`: bf16 where the hardware is faster in it."""
    processes: AtLeastZero = 1
    """Processes that learn together, each with a share of every batch and a GPU of its own (0: one for each GPU)."""
    compile: bool = False
    """Whether torch compiles the network: half a minute at the start of each generation, for faster steps."""
    weights: LossWeights = LossWeights()
    window: WindowRule = WindowRule()

    def __post_init__(self) -> None:
        """Refuse numbers that nothing can be learned with."""
        super().__post_init__()
        if not self.gradient_norm > 0.0:  # infinite: gradients stay as they are
            raise ValueError(f"gradient_norm must be above 0, and is {self.gradient_norm}")
        if self.processes and self.batch % self.processes:
            raise ValueError("processes must divide batch")
        if self.processes != 1 and self.compile:
            raise ValueError("compile needs processes = 1: the sums over processes are not compiled")

    def steps_asked(self, new_positions: float) -> int:
        """Return how many steps use new positions `passes` times, those that validate left out, with no limit.

        Args:
            new_positions: the sum of their weights.
        """
        return max(1, round(self.passes * new_positions * (1.0 - self.validation) / self.batch))
