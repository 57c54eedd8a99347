"""The learner: one generation's training steps on the window, and its state between generations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ludus.errors import BadPreset, BadRecord
from ludus.games.game import Game
from ludus.learner.batch import draw_batch
from ludus.learner.losses import Losses
from ludus.learner.settings import LearnerSettings
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import Network
from ludus.seeding import stream
from ludus.store.samples import Samples

Arrays = dict[str, NDArray[Any]]


class Learner:
    """A network in training: weights, their moving average, and the optimiser's state."""

    def __init__(
        self, games: Sequence[Game], network: NetworkSettings, settings: LearnerSettings, seed: int, *, threads: int = 0
    ) -> None:
        """Draw fresh weights.

        Args:
            games: the games of the run, which share their planes and actions.
            network: what the network is made of.
            settings: how it learns.
            seed: names the weights.
            threads: processor threads (0: as torch decides; too many beside other work slow it down tenfold).
        """
        if threads:
            torch.set_num_threads(threads)
        self._games, self._settings = games, settings
        torch.manual_seed(seed)
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self.shapes = Shapes.of(games[0])
        self._network = Network(network, self.shapes).to(self._device, memory_format=torch.channels_last)  # pyright: ignore
        self._average = {name: tensor.detach().clone() for name, tensor in self._network.state_dict().items()}
        self._num_steps = 0
        weights = [p for p in self._network.parameters() if p.ndim > 1]
        others = [p for p in self._network.parameters() if p.ndim <= 1]
        self._optimiser = torch.optim.AdamW(
            [{"params": weights, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}],
            lr=settings.learning_rate,
        )

    def arrays(self) -> Arrays:
        """Return the weights that play: the moving average, by torch's names."""
        return {name: tensor.float().cpu().numpy().copy() for name, tensor in self._average.items()}

    def state(self) -> Arrays:
        """Return everything that the next generation needs, as named arrays of their own memory."""
        tensors = {f"average/{name}": tensor for name, tensor in self._average.items()}
        tensors |= {f"network/{name}": tensor for name, tensor in self._network.state_dict().items()}
        for index, entry in self._optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser/{index}/{name}": tensor for name, tensor in entry.items()}
        arrays = {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}
        return {"num_steps": np.array([self._num_steps]), **arrays}

    def restore(self, arrays: Arrays) -> None:
        """Continue from what `state` returned; raises BadRecord if that belongs to another network."""
        try:
            self._restore(arrays)
        except (KeyError, ValueError, RuntimeError) as error:  # what torch says of a state that does not fit
            raise BadRecord("The learner's state does not fit the network; restore the file or start anew.") from error

    def _restore(self, arrays: Arrays) -> None:
        tensors = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
        for prefix, state in (("network", self._network.state_dict()), ("average", self._average)):
            for name, tensor in state.items():
                tensor.copy_(tensors[f"{prefix}/{name}"].reshape(tensor.shape))
        self._num_steps = int(arrays["num_steps"][0])
        optimiser = self._optimiser.state_dict()
        for name, tensor in tensors.items():
            if name.startswith("optimiser/"):
                _, index, field = name.split("/")
                optimiser["state"].setdefault(int(index), {})[field] = tensor
        self._optimiser.load_state_dict(optimiser)

    def learn(
        self,
        samples: Samples,
        *,
        steps: int,
        progress: float,
        seed: int,
        on_step: Callable[[int, int], None] = lambda _done, _all: None,
    ) -> Losses:
        """Take `steps` training steps on positions drawn from `samples`.

        Args:
            samples: the window.
            steps: how many.
            progress: share of the run that is over, which sets the learning rate.
            seed: names the draws.
            on_step: told (steps done, steps in all).

        Raises:
            BadPreset: the training diverged.
        """
        settings, rng = self._settings, stream(seed, "learner")
        span = settings.learning_rate - settings.final_learning_rate
        rate = settings.final_learning_rate + span * 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress)))
        self._network.train()
        order = np.zeros(0, np.int64)
        sums = np.zeros(3)
        for step in range(steps):
            for group in self._optimiser.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 50)  # a short warm-up: the window has changed
            if len(order) < settings.batch:
                order = np.concatenate([order, rng.permutation(len(samples))])
            indices, order = order[: settings.batch], order[settings.batch :]
            sums += self._step(samples, indices, rng)
            if not np.isfinite(sums).all():
                raise BadPreset(f"The loss was no number at step {step + 1} of {steps}: lower learner.learning_rate.")
            on_step(step + 1, steps)
        policy, outcome, norm = (float(mean) for mean in sums / max(1, steps))
        return Losses(policy=policy, outcome=outcome, gradient_norm=norm, steps=steps)

    def _step(self, samples: Samples, indices: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        batch = draw_batch(self._games, samples, indices, self._settings.value_mix, rng)
        planes = torch.from_numpy(batch.planes).to(self._device, memory_format=torch.channels_last)
        policy, outcome = (torch.from_numpy(array).to(self._device) for array in (batch.policy, batch.outcome))
        with torch.autocast(self._device, dtype=torch.bfloat16):
            policy_logits, outcome_logits = self._network(planes)
        taught = policy.sum(1)  # [B] 1 where the search was a full one
        policy_loss = -(policy * torch.log_softmax(policy_logits.float(), 1)).sum() / taught.sum().clamp(min=1.0)
        outcome_loss = -(outcome * torch.log_softmax(outcome_logits.float(), 1)).sum(1).mean()
        self._optimiser.zero_grad(set_to_none=True)
        (policy_loss + outcome_loss).backward()
        norm = torch.nn.utils.clip_grad_norm_(self._network.parameters(), self._settings.gradient_norm)
        self._optimiser.step()
        self._follow()
        return np.array([float(each.detach()) for each in (policy_loss, outcome_loss, norm)])

    def _follow(self) -> None:
        self._num_steps += 1
        decay = min(self._settings.averaging, self._num_steps / (self._num_steps + 10))  # forget the first weights soon
        for name, tensor in self._network.state_dict().items():
            if tensor.dtype.is_floating_point:
                self._average[name].lerp_(tensor.detach(), 1.0 - decay)
            else:
                self._average[name].copy_(tensor)
