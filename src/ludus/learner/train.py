"""The learner: training steps on a window, and its state between generations."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ludus.cores import usable_cores
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
from ludus.network.torch import best_precision, set_threads
from ludus.seeding import stream
from ludus.store import Window

Arrays = dict[str, NDArray[Any]]
Tensors = dict[str, torch.Tensor]

CHECK_EVERY = 10  # steps between checks of the losses, which make a GPU wait


class Learner:
    """A network in training, with its averaged weights and optimiser state."""

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
        """Create a network with random weights.

        Args:
            games: the games of the run, which share planes and actions.
            network: settings of the network.
            settings: settings of the training.
            seed: determines the random weights.
            threads: CPU threads, see `set_threads`; too many beside other work can slow it down tenfold.
            team: processes that train together (default: this one only); all must make the same calls in the same
                order.

        Raises:
            BadPreset: the team cannot divide batches evenly.
        """
        set_threads(threads)
        self._games, self._settings, self._team = games, settings, team or Team()
        check_shares(settings, self._team.size)
        torch.manual_seed(seed)
        self._device = self._team.device
        self.shapes = Shapes.of(games[0])
        self._network = Network(network, self.shapes).to(self._device, memory_format=torch.channels_last)  # pyright: ignore
        self._heads = torch.compile(self._network.heads) if settings.compile else self._network.heads
        self._average = Average(self._network, settings.averaging)
        self._network.drop_out(settings.dropout)  # not from the average, which only plays
        for layer in self._network.modules():
            if isinstance(layer, MaskedNorm) and self._team.size > 1:
                layer.total = self._team.total
        # With a GPU, the CPU is free to make rows; CPU training needs its cores for the steps.
        self._row_threads = (threads or usable_cores()) if self._device.type == "cuda" else 1
        self._optimiser = Optimiser(self._network, settings, self._team)
        self._num_steps, self._plateau = 0, Plateau()
        wanted = best_precision(str(self._device)) if settings.precision == "auto" else settings.precision
        self._autocast = torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=wanted == "bf16")

    def begin(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Start from the given weights; training heads that `arrays` lack keep their random weights."""
        with torch.no_grad():
            for module in (self._network, self._average.network):
                for name, tensor in module.state_dict().items():
                    if name in arrays:
                        tensor.copy_(torch.from_numpy(np.array(arrays[name])).reshape(tensor.shape))

    def window(self) -> Window:
        """Return an empty window with the sampling settings of the learner."""
        settings = self._settings
        return Window(validation=settings.validation, surprise=settings.surprise, deduplicate=settings.deduplicate)

    def steps_for(self, new_positions: float) -> int:
        """Return the number of training steps for new positions with this sum of weights."""
        return min(self._settings.max_steps, self._settings.steps_asked(new_positions))

    def arrays(self) -> Arrays:
        """Return the averaged weights, which are used for play, by torch's names."""
        return {name: _array(tensor.float()) for name, tensor in self._average.network.state_dict().items()}

    def state(self) -> Arrays:
        """Return copies of all arrays that `restore` needs."""
        tensors = {f"average/{name}": tensor for name, tensor in self._average.network.state_dict().items()}
        tensors |= {f"network/{name}": tensor for name, tensor in self._network.state_dict().items()}
        tensors |= {f"optimiser/{name}": tensor for name, tensor in self._optimiser.state().items()}
        plateau = np.array([self._plateau.best, self._plateau.waited, self._plateau.drops])
        arrays = {name: _array(tensor) for name, tensor in tensors.items()}
        return {"num_steps": np.array([self._num_steps]), "plateau": plateau, **arrays}

    def restore(self, arrays: Arrays) -> None:
        """Restore arrays from `state`; raises BadRecord if they are from another network or optimiser."""
        try:
            self._restore(arrays)
        except (KeyError, ValueError, IndexError, RuntimeError) as error:  # torch's errors for wrong shapes or names
            raise BadRecord(
                "The learner's state does not match the network or optimiser; restore the file or start a new run."
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
        """Do `steps` training steps on positions drawn from `window`.

        The steps of a generation may be done in several calls.  The last call (`done + steps` reaches `of`) also
        measures the normalisation of the averaged network and its losses on held-out games.

        Args:
            window: the samples; it may have grown since the last call.
            steps: number of steps.
            progress: finished share of the run, for schedules that span it.
            seed: determines the draws; each call needs a different one.
            done: earlier steps of this generation.
            of: all steps of this generation (0: `steps` are all).
            heads_only: freeze the body and its normalisation, as after a change of board.
            on_step: called with (finished steps, all steps) of this generation.

        Raises:
            BadPreset: the training diverged.
        """
        of, rng = of or done + steps, stream(seed, "learner")
        drawer, begun = self._drawer(window), time.perf_counter()
        sums: Tensors = {}
        self._network.requires_grad_(True).train()
        torch.manual_seed((seed + self._team.number) % 2**63)  # for dropout, which a continued run repeats
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
            symmetries=self._settings.symmetries,
            threads=self._row_threads,
        )

    def _share(self, drawer: Drawer, window: Window, rng: np.random.Generator) -> Tensors:
        """Return this process's rows of the next batch."""
        places = window.draw(self._settings.batch, rng)
        return self._tensors(drawer.draw(places, rng, number=self._team.number, of=self._team.size))

    def _tensors(self, batch: Batch) -> Tensors:
        tensors = {name: torch.from_numpy(array) for name, array in batch._asdict().items()}
        if self._device.type == "cuda":  # pinned memory allows copies during GPU work
            torch.cuda.set_device(self._device)  # otherwise the feed's thread would use the first GPU
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
            taught = targets["policy"].sum(1)  # [B] 1 after a full search
            value = expected(heads.outcome.float()) * (1.0 - 2.0 * targets["mover"].float())  # [B] from player 0's view
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
                f"The loss became NaN or infinite at step {step} of {of}: lower learner.learning_rate in a new run, "
                "which may `start` from this one's last model."
            )

    def _settle(self, window: Window, drawer: Drawer, seed: int, *, heads_only: bool) -> dict[str, float]:
        """Measure the averaged network's normalisation; return its losses on held-out games, empty without any."""
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
