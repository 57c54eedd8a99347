"""The settings of training, as presets state them."""

import math

import msgspec

from ludus.store.window import WindowRule


class LearnerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network learns from the window."""

    batch: int = 512
    """Positions of a training step."""
    passes: float = 4.0
    """How often each new position is used, on average, in the generations that see it (others measured 4-8 best)."""
    max_steps: int = 4000
    """Most training steps of a generation."""
    learning_rate: float = 2e-3
    """Of AdamW at the start of the run; falls as a cosine over the preset's generations."""
    final_learning_rate: float = 2e-4
    """At the end of the run."""
    weight_decay: float = 1e-4
    """Decoupled, on weights only."""
    averaging: float = 0.99
    """Decay of the moving average of the weights, a step; the average is what plays (0: none)."""
    value_mix: float = 0.5
    """Share of the search's value in the outcome target; the rest is the game's result (Deep-Wallwars: 0.5)."""
    gradient_norm: float = 5.0
    """Larger gradients are scaled down to this norm."""
    window: WindowRule = WindowRule()
    """Which generations are trained on."""

    def __post_init__(self) -> None:
        """Refuse numbers that nothing can be learned with."""
        if self.batch < 1 or self.max_steps < 1 or not 0.0 < self.passes < math.inf:
            raise ValueError("batch and max_steps must be 1 or more, and passes above 0")
        if not (0.0 < self.learning_rate < math.inf and 0.0 < self.final_learning_rate < math.inf):
            raise ValueError("learning_rate and final_learning_rate must be above 0")
        if not (0.0 <= self.weight_decay < math.inf and self.gradient_norm > 0.0):
            raise ValueError("weight_decay must be 0 or more, and gradient_norm above 0")
        if not (0.0 <= self.averaging < 1.0 and 0.0 <= self.value_mix <= 1.0):
            raise ValueError("averaging must be 0 or more and below 1, and value_mix between 0 and 1")
