"""A team: processes that learn one network together, each with its share of the rows of every batch.

A step of the team is the step that one process would take with the whole batch: whatever is a mean over rows (losses,
gradients, the statistics of normalisation) is taken over the shares of all.  Every process keeps all weights and moves
them alike.  PyTorch's collectives carry the numbers, by gloo between processors and by NCCL between GPUs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import distributed

from ludus.errors import BadPreset, Unavailable
from ludus.learner.settings import LearnerSettings

Tensors = dict[str, torch.Tensor]


class Team:
    """What a process knows of those that learn with it; alone, all that is shared is its own."""

    def __init__(self, number: int = 0, size: int = 1) -> None:
        """Take a number, 0 to `size` - 1; with more than one, torch's process group is there already."""
        self.number, self.size = number, size
        self.device = torch.device("cuda", number) if torch.cuda.is_available() else torch.device("cpu")

    @property
    def is_first(self) -> bool:
        """Return whether this process writes what the team has learned."""
        return self.number == 0

    def total(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the sum of the processes' tensors of one shape; gradients flow through it to all of them."""
        return tensor if self.size == 1 else _Total.apply(tensor)  # pyright: ignore[reportReturnType]

    @torch.no_grad()
    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replace tensors, which the processes have in one order and shape, by their means over the processes."""
        if self.size == 1 or not tensors:
            return
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])  # one message in place of many
        distributed.all_reduce(flat)
        flat /= self.size
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.reshape(tensor.shape))

    @torch.no_grad()
    def shares(self, counts: Mapping[str, torch.Tensor]) -> Tensors:
        """Return this process's part of how many rows [] count in the whole batch, by name; one at least counts.

        A sum over a process's rows, divided by this, averages over the processes to the mean over the whole batch.
        """
        whole = self.total(torch.stack(list(counts.values()))).clamp(min=1.0) / self.size
        return dict(zip(counts, whole.unbind(), strict=True))

    def of_first(self, number: float) -> float:
        """Return the first process's number."""
        if self.size == 1:
            return number
        said = torch.tensor([number], dtype=torch.float64, device=self.device)
        distributed.broadcast(said, 0)
        return float(said)


class _Total(torch.autograd.Function):
    """A sum over processes, whose gradient is the sum of their gradients."""

    @staticmethod
    def forward(_context: Any, tensor: torch.Tensor) -> torch.Tensor:  # noqa: ANN401 - torch's own
        return _sum(tensor)

    @staticmethod
    def backward(_context: Any, gradient: torch.Tensor) -> torch.Tensor:  # noqa: ANN401 # pyright: ignore[reportIncompatibleMethodOverride]
        return _sum(gradient)


def _sum(tensor: torch.Tensor) -> torch.Tensor:
    summed = tensor.detach().clone(memory_format=torch.contiguous_format)
    distributed.all_reduce(summed)
    return summed


def team_size(settings: LearnerSettings) -> int:
    """Return how many processes learn together on this machine; raises Unavailable if it has too few GPUs."""
    gpus = torch.cuda.device_count()
    if settings.processes > gpus > 0:
        raise Unavailable(
            f"learner.processes is {settings.processes}, and each needs a GPU of its own, of which this machine has "
            f"{gpus}; lower it, or set 0 for all that there are."
        )
    return settings.processes or max(1, gpus)


def check_shares(settings: LearnerSettings, size: int) -> None:
    """Raise BadPreset if so many processes cannot share out the rows of a batch evenly."""
    if settings.batch % size:
        raise BadPreset(
            f"learner.batch is {settings.batch}, which {size} processes cannot share evenly; choose a multiple of "
            "them, or another learner.processes."
        )


@contextmanager
def joined(number: int, size: int, meeting: Path) -> Generator[Team]:
    """Meet the other processes, and part from them at the end.

    Args:
        number: of this process, 0 to `size` - 1.
        size: how many there are.
        meeting: a file that does not exist yet, at which they find one another.
    """
    team = Team(number, size)
    if team.device.type == "cuda":
        torch.cuda.set_device(team.device)
    elif sys.platform == "linux":
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")  # they share a machine, whatever its name means
    distributed.init_process_group(
        "nccl" if team.device.type == "cuda" else "gloo", init_method=meeting.as_uri(), rank=number, world_size=size
    )
    try:
        yield team
    finally:
        distributed.destroy_process_group()
