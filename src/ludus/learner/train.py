"""The learner: training steps on a window, and the state between them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ludus.errors import BadPreset, BadRecord
from ludus.games.game import Game
from ludus.learner.average import Average
from ludus.learner.batch import Drawer
from ludus.learner.feed import Feed
from ludus.learner.losses import Losses
from ludus.learner.objective import entropy, expected, losses_of, rows_of, total
from ludus.learner.optimiser import Optimiser
from ludus.learner.rows import Batch
from ludus.learner.schedule import Plateau, learning_rate, momentum
from ludus.learner.settings import LearnerSettings
from ludus.learner.team import Team, check_shares
from ludus.learner.validate import validate
from ludus.network.blocks import MaskedNorm
from ludus.network.config import SHORT_HORIZONS, NetworkSettings, Shapes
from ludus.network.model import Network
from ludus.network.torch import best_precision
from ludus.seeding import stream
from ludus.store import Window

Arrays = dict[str, NDArray[Any]]
Tensors = dict[str, torch.Tensor]

CHECK_EVERY = 10  # steps between looks at the losses, each of which makes a GPU wait


class Learner:
    """A network in training: weights, their moving average, and the optimiser's state."""

    def __init__(
        self,
        games: Sequence[Game],
        network: NetworkSettings,
        settings: LearnerSettings,
        seed: int,
        *,
        threads: int = 0,
        team: Team | None = None,
    ) -> None:
        """Draw fresh weights.

        Args:
            games: the games of the run, which share their planes and actions.
            network: what the network is made of.
            settings: how it learns.
            seed: names the weights.
            threads: processor threads (0: as torch decides; too many beside other work slow it down tenfold).
            team: the processes that learn the same together (default: this one alone); each does all that this one
                does, in the same order.

        Raises:
            BadPreset: the team cannot share out the rows of a batch evenly.
        """
        if threads:
            torch.set_num_threads(threads)
        self._games, self._settings, self._team = games, settings, team or Team()
        check_shares(settings, self._team.size)
        torch.manual_seed(seed)
        self._device = self._team.device
        self.shapes = Shapes.of(games[0])
        self._network = Network(network, self.shapes).to(self._device, memory_format=torch.channels_last)  # pyright: ignore
        self._heads = torch.compile(self._network.heads) if settings.compile else self._network.heads
        self._average = Average(self._network, settings.averaging)
        for layer in self._network.modules():
            if isinstance(layer, MaskedNorm) and self._team.size > 1:
                layer.total = self._team.total
        # Beside a GPU the processor has nothing else to do; steps of its own need all of its cores.
        self._row_threads = (threads or os.cpu_count() or 1) if self._device.type == "cuda" else 1
        self._optimiser = Optimiser(self._network, settings, self._team)
        self._num_steps, self._plateau = 0, Plateau()
        wanted = best_precision(str(self._device)) if settings.precision == "auto" else settings.precision
        self._autocast = torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=wanted == "bf16")

    def begin(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Begin with the weights of another network; what `arrays` leave out (heads of the training) stays as drawn."""
        with torch.no_grad():
            for module in (self._network, self._average.network):
                for name, tensor in module.state_dict().items():
                    if name in arrays:
                        tensor.copy_(torch.from_numpy(np.array(arrays[name])).reshape(tensor.shape))

    def window(self) -> Window:
        """Return a window of nothing that draws as the settings say."""
        settings = self._settings
        return Window(validation=settings.validation, surprise=settings.surprise, deduplicate=settings.deduplicate)

    def steps_for(self, new_positions: float) -> int:
        """Return how many steps a generation takes whose new positions have weights of this sum."""
        return min(self._settings.max_steps, self._settings.steps_asked(new_positions))

    def arrays(self) -> Arrays:
        """Return the weights that play: the moving average, by torch's names."""
        return {name: _array(tensor.float()) for name, tensor in self._average.network.state_dict().items()}

    def state(self) -> Arrays:
        """Return everything that the next step needs, as named arrays of their own memory."""
        tensors = {f"average/{name}": tensor for name, tensor in self._average.network.state_dict().items()}
        tensors |= {f"network/{name}": tensor for name, tensor in self._network.state_dict().items()}
        tensors |= {f"optimiser/{name}": tensor for name, tensor in self._optimiser.state().items()}
        plateau = np.array([self._plateau.best, self._plateau.waited, self._plateau.drops])
        arrays = {name: _array(tensor) for name, tensor in tensors.items()}
        return {"num_steps": np.array([self._num_steps]), "plateau": plateau, **arrays}

    def restore(self, arrays: Arrays) -> None:
        """Continue from what `state` returned; raises BadRecord if that belongs to another network or optimiser."""
        try:
            self._restore(arrays)
        except (KeyError, ValueError, IndexError, RuntimeError) as error:  # what torch says of what does not fit
            raise BadRecord(
                "The learner's state does not fit the network or the optimiser; restore the file or start anew."
            ) from error

    def _restore(self, arrays: Arrays) -> None:
        tensors = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
        for prefix, module in (("network", self._network), ("average", self._average.network)):
            for name, tensor in module.state_dict().items():
                tensor.copy_(tensors[f"{prefix}/{name}"].reshape(tensor.shape))
        self._num_steps = int(arrays["num_steps"][0])
        best, waited, drops = arrays["plateau"]
        self._plateau = Plateau(float(best), int(waited), int(drops))
        prefix = "optimiser/"
        self._optimiser.restore(
            {name[len(prefix) :]: each for name, each in tensors.items() if name.startswith(prefix)}
        )

    def learn(
        self,
        window: Window,
        *,
        steps: int,
        progress: float,
        seed: int,
        done: int = 0,
        of: int = 0,
        heads_only: bool = False,
        on_step: Callable[[int, int], None] = lambda _done, _all: None,
    ) -> Losses:
        """Take `steps` training steps on positions drawn from `window`.

        The steps of a generation may be taken in portions.  With the last one (`done + steps` reaches `of`) the weights
        that play are made ready: their normalisation is measured, and they are tried on the games that validate.

        Args:
            window: where the positions lie; it may have grown since the last portion.
            steps: how many.
            progress: share of the run that is over, for schedules that span it.
            seed: names the draws; another one for each portion.
            done: steps of this generation that were taken before.
            of: steps of this generation (0: these are all).
            heads_only: whether the body is frozen, with its normalisation, as after a change of board.
            on_step: told (steps of this generation done, steps in all).

        Raises:
            BadPreset: the training diverged.
        """
        of, rng = of or done + steps, stream(seed, "learner")
        drawer, begun = self._drawer(window), time.perf_counter()
        sums: Tensors = {}
        self._network.requires_grad_(True).train()
        if heads_only:
            self._network.train_heads()
        with Feed(lambda: self._share(drawer, window, rng), steps) as feed:
            for step, batch in enumerate(feed, done):
                seen = self._step(batch, step, of, progress)
                sums = {name: sums[name] + value for name, value in seen.items()} if sums else seen
                if (step + 1) % CHECK_EVERY == 0 or step + 1 == done + steps:
                    self._check(sums, step + 1, of)
                on_step(step + 1, of)
        self._team.average(list(sums.values()))
        means = {name: float(value) / max(1, steps) for name, value in sums.items()}
        waited = feed.waited_s / max(1e-9, time.perf_counter() - begun)
        named = {name: means.pop(name) for name in list(means) if name in self._network.settings.auxiliary}
        tried: dict[str, float] = {}
        if done + steps >= of and steps:
            tried = self._settle(window, drawer, seed, heads_only=heads_only)
            loss = tried or {"policy": means["policy"], "outcome": means["outcome"]}
            self._plateau.see(self._team.of_first(loss["policy"] + loss["outcome"]), self._settings.plateau_patience)
        return Losses(
            **{"policy": 0.0, "outcome": 0.0, "gradient_norm": 0.0} | means,
            steps=steps,
            validation_policy=tried.get("policy"),
            validation_outcome=tried.get("outcome"),
            auxiliary=named,
            data_wait_share=waited,
        )

    def _drawer(self, window: Window) -> Drawer:
        return Drawer(
            self._games,
            window,
            value_mix=self._settings.value_mix,
            auxiliary=self._network.settings.auxiliary,
            horizons=SHORT_HORIZONS,
            threads=self._row_threads,
        )

    def _share(self, drawer: Drawer, window: Window, rng: np.random.Generator) -> Tensors:
        """Return this process's rows of the next batch."""
        places = window.draw(self._settings.batch, rng)
        return self._tensors(drawer.draw(places, rng, number=self._team.number, of=self._team.size))

    def _tensors(self, batch: Batch) -> Tensors:
        tensors = {name: torch.from_numpy(array) for name, array in batch._asdict().items()}
        if self._device.type == "cuda":  # from pinned memory, copies go on while the GPU computes
            torch.cuda.set_device(self._device)  # the feed's thread would pin for the first GPU
            return {name: tensor.pin_memory() for name, tensor in tensors.items()}
        return tensors

    def _on_device(self, batch: Tensors) -> Tensors:
        moved = {name: tensor.to(self._device, non_blocking=True) for name, tensor in batch.items()}
        return moved | {"planes": moved["planes"].contiguous(memory_format=torch.channels_last)}

    def _step(self, batch: Tensors, step: int, of: int, progress: float) -> Tensors:
        targets, settings = self._on_device(batch), self._settings
        with self._autocast:
            heads = self._heads(targets["planes"])
        rows = self._team.shares(rows_of(targets, self._network.settings.auxiliary))
        losses = losses_of(heads, targets, rows, self._network.mask(targets["planes"]))
        norm = self._optimiser.step(
            total(losses, settings.weights),
            rate=learning_rate(settings, progress=progress, step=step, total=of, drops=self._plateau.drops),
            momentum=momentum(settings, step=step, total=of),
        )
        self._num_steps += 1
        self._average.follow(self._num_steps)
        with torch.no_grad():
            taught = targets["policy"].sum(1)  # [B] 1 where the search was a full one
            value = expected(heads.outcome.float()) * (1.0 - 2.0 * targets["mover"].float())  # [B] seen by player 0
            return {name: loss.detach().double() for name, loss in losses.items()} | {
                "gradient_norm": norm.double(),
                "policy_entropy": entropy(torch.softmax(heads.policy.float(), 1), taught).double(),
                "target_entropy": entropy(targets["policy"], taught).double(),
                "value_mean": value.mean().double(),
                "value_std": value.std(correction=0).double(),
            }

    def _check(self, sums: Tensors, step: int, of: int) -> None:
        if not torch.isfinite(torch.stack(list(sums.values()))).all():
            raise BadPreset(
                f"The loss was no number at step {step} of {of}: lower learner.learning_rate in a new run, which may "
                "`start` from this one's last model."
            )

    def _settle(self, window: Window, drawer: Drawer, seed: int, *, heads_only: bool) -> dict[str, float]:
        """Measure the average's normalisation, and return its losses on the games that validate, if there are any."""
        settings, rng = self._settings, stream(seed, "settle")
        if settings.batch_norm_batches:
            self._average.measure(
                (
                    self._on_device(self._tensors(drawer.draw(window.draw(settings.batch, rng), rng)))["planes"]
                    for _ in range(settings.batch_norm_batches)
                ),
                self._autocast,
                heads_only=heads_only,
            )
        places = window.validation(settings.batch * settings.validation_batches, stream(seed, "validation"))
        chunks = np.array_split(places, -(-len(places) // settings.batch)) if len(places) else []
        batches = (self._on_device(self._tensors(drawer.draw(chunk, rng))) for chunk in chunks)
        return validate(self._average.network, batches, self._autocast)


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    return tensor.detach().cpu().numpy().copy()
