"""A team of processes that train one network, each with a share of every batch.

The team's step equals one process's step with the whole batch: all means over rows (losses, gradients, batch
normalisation) are taken over all processes.  Each process keeps all weights and changes them in the same way.  PyTorch
collectives exchange the numbers, by gloo between CPUs and NCCL between GPUs.
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
    """A process's connection to its team; a team of one shares nothing."""

    def __init__(self, number: int = 0, size: int = 1) -> None:
        """Set the process's index, 0 to `size` - 1; for `size` above 1, torch's process group must exist."""
        self.number, self.size = number, size
        self.device = torch.device("cuda", number) if torch.cuda.is_available() else torch.device("cpu")

    @property
    def is_first(self) -> bool:
        """Return whether this process saves the results."""
        return self.number == 0

    def total(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the sum of a tensor over the processes; gradients flow to all of them."""
        return tensor if self.size == 1 else _Total.apply(tensor)  # pyright: ignore[reportReturnType]

    @torch.no_grad()
    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replace each tensor by its mean over the processes, which must all pass the same shapes in the same order."""
        if self.size == 1 or not tensors:
            return
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])  # one message instead of many
        distributed.all_reduce(flat)
        flat /= self.size
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.reshape(tensor.shape))

    @torch.no_grad()
    def shares(self, counts: Mapping[str, torch.Tensor]) -> Tensors:
        """Return the divisor [] of each loss, by name, from this process's numbers of rows.

        If every process divides its sum of losses by this number, the mean of the quotients over the processes is the
        mean loss of the whole batch.
        """
        whole = self.total(torch.stack(list(counts.values()))).clamp(min=1.0) / self.size
        return dict(zip(counts, whole.unbind(), strict=True))

    def of_first(self, number: float) -> float:
        """Send the first process's number to all processes and return it."""
        if self.size == 1:
            return number
        said = torch.tensor([number], dtype=torch.float64, device=self.device)
        distributed.broadcast(said, 0)
        return float(said)


class _Total(torch.autograd.Function):
    """A differentiable sum over processes."""

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
    """Return the number of processes that learn together; raises Unavailable if this machine has too few GPUs."""
    gpus = torch.cuda.device_count()
    if settings.processes > gpus > 0:
        raise Unavailable(
            f"learner.processes is {settings.processes}, and each needs its own GPU, but this machine has "
            f"{gpus}; lower it, or set 0 to use all GPUs."
        )
    return settings.processes or max(1, gpus)


def check_shares(settings: LearnerSettings, size: int) -> None:
    """Raise BadPreset if `size` processes cannot divide a batch evenly."""
    if settings.batch % size:
        raise BadPreset(
            f"learner.batch is {settings.batch}, which {size} processes cannot share evenly; choose a multiple of "
            "that number, or another learner.processes."
        )


@contextmanager
def joined(number: int, size: int, meeting: Path) -> Generator[Team]:
    """Join the processes of a team, and leave them at the end of the context.

    Args:
        number: index of this process, 0 to `size` - 1.
        size: number of processes.
        meeting: path of a file that torch creates to connect the processes; it must not exist yet.
    """
    team = Team(number, size)
    if team.device.type == "cuda":
        torch.cuda.set_device(team.device)
    elif sys.platform == "linux":
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")  # loopback is enough on one machine
    distributed.init_process_group(
        "nccl" if team.device.type == "cuda" else "gloo", init_method=meeting.as_uri(), rank=number, world_size=size
    )
    try:
        yield team
    finally:
        distributed.destroy_process_group()
