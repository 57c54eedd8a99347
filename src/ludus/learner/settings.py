"""Learner settings of presets."""

from typing import Annotated, Literal

import msgspec

from ludus.config import AtLeastOne, AtLeastZero, NotNegative, Positive, Settings, Share
from ludus.store.rule import WindowRule


class LossWeights(Settings, frozen=True):
    """Weights of the losses; a head that the network lacks has no loss."""

    policy: NotNegative = 1.0
    """Weight of the policy loss."""
    outcome: NotNegative = 1.0
    """Weight of the loss for win, draw or loss."""
    reply: NotNegative = 0.15
    """Weight of the loss for the opponent's next action (KataGo: 0.15)."""
    short_values: NotNegative = 0.3
    """Weight of the loss for the search's values some actions later."""
    moves_left: NotNegative = 0.1
    """Weight of the loss for the number of remaining actions."""
    maps: NotNegative = 0.3
    """Weight of the loss for the final maps, if the game declares them."""


class LearnerSettings(Settings, frozen=True):
    """How a network learns from a window of samples."""

    batch: AtLeastOne = 512
    """Positions per training step."""
    passes: Positive = 4.0
    """Mean number of times that each new position is used while it is in the window (others measured 4-8 as best)."""
    max_steps: AtLeastOne = 4000
    """Maximum number of training steps per generation; an alarm reports when `passes` requests more."""
    optimiser: Literal["adamw", "sgd"] = "adamw"
    """`adamw`, or `sgd` with Nesterov momentum."""
    momentum: Annotated[float, msgspec.Meta(ge=0.0, lt=1.0)] = 0.9
    """Momentum of sgd, and first beta of adamw; `one-cycle` ignores it."""
    schedule: Literal["constant", "cosine", "one-cycle", "plateau"] = "cosine"
    """`constant`; `cosine` over the run; `one-cycle` per generation; `plateau`: lower the rate when the loss stalls."""
    learning_rate: Positive = 2e-3
    """Rate at the start of the run; the highest rate of `one-cycle`."""
    final_learning_rate: Positive = 2e-4
    """Final rate of `cosine`; lowest rate of `plateau`."""
    warm_up: AtLeastZero = 50
    """Steps at the start of each generation in which the rate rises from 0; `one-cycle` ignores it."""
    plateau_patience: AtLeastOne = 4
    """Generations without a lower loss before `plateau` drops the rate."""
    plateau_factor: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)] = 0.3
    """Factor of each drop of the rate."""
    weight_decay: NotNegative = 1e-4
    """Weight decay; biases and normalisation are excluded."""
    decay: Literal["decoupled", "l2"] = "decoupled"
    """`decoupled` shrinks weights apart from the gradient (as AdamW); `l2` adds half their squared norm to the loss."""
    gradient_norm: float = 5.0
    """Norm to which larger gradients are scaled down."""
    averaging: Annotated[float, msgspec.Meta(ge=0.0, lt=1.0)] = 0.99
    """Decay per step of the weights' moving average, which is used for play (0: no average)."""
    batch_norm_batches: AtLeastZero = 8
    """Batches that measure the averaged network's normalisation after training (0: average the statistics)."""
    value_mix: Share = 0.5
    """Share of the search's value in the outcome target; the rest is the game's result (Deep-Wallwars: 0.5)."""
    validation: Annotated[float, msgspec.Meta(ge=0.0, le=0.5)] = 0.05
    """Share of the games that is held out to measure the loss on unseen games.

    The game's number decides, so small generations may have none: at 0.05, those of fewer than 44 games.
    """
    validation_batches: AtLeastZero = 8
    """Maximum number of batches of held-out positions, taken from the newest games."""
    surprise: Share = 0.0
    """Share of the sampling weight that is distributed by the search's surprise (KataGo: 0.5)."""
    deduplicate: bool = False
    """Draw all copies of a position together as often as a single one; other positions are drawn more often,
    since `passes` counts all copies."""
    symmetries: bool = True
    """Whether each drawn position is turned by a random symmetry of the game."""
    dropout: Annotated[float, msgspec.Meta(ge=0.0, lt=1.0)] = 0.0
    """Share of the heads' features that each training step sets to 0 (alpha-zero-general: 0.3); play uses all."""
    precision: Literal["auto", "bf16", "f32"] = "auto"
    """`auto`: bf16 if the hardware is faster with it."""
    processes: AtLeastZero = 1
    """Processes that learn together, each with a GPU and a share of every batch (0: one per GPU)."""
    compile: bool = False
    """Compile the network with torch: half a minute per generation, for faster steps."""
    weights: LossWeights = LossWeights()
    window: WindowRule = WindowRule()

    def __post_init__(self) -> None:
        """Check that the settings are usable together; raises ValueError."""
        super().__post_init__()
        if not self.gradient_norm > 0.0:  # infinite: gradients stay as they are
            raise ValueError(f"gradient_norm must be above 0, and is {self.gradient_norm}")
        if self.processes and self.batch % self.processes:
            raise ValueError("processes must divide batch")
        if self.processes != 1 and self.compile:
            raise ValueError("compile needs processes = 1: the sums over processes are not compiled")

    def steps_asked(self, new_positions: float) -> int:
        """Return the number of training steps that use each new position `passes` times; ignores `max_steps`.

        Args:
            new_positions: sum of the weights of the new positions, including those of held-out games.
        """
        return max(1, round(self.passes * new_positions * (1.0 - self.validation) / self.batch))
