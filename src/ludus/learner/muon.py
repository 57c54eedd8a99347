"""Muon: momentum whose matrices are made orthogonal, so that a step moves every direction of a layer alike.

Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks" (2024); the scale of a step is that of
Liu et al., "Muon is scalable for LLM training" (2025), at which AdamW's learning rates and weight decay fit.
Convolutions [O, I, 3, 3] are taken as matrices [O, 9 I]; torch's own Muon refuses them, and computes in bf16, which
processors without it only imitate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch

ROUNDS = 5
A, B, C = 3.4445, -4.7750, 2.0315  # the polynomial a x + b x^3 + c x^5, which drives singular values towards 1


def orthogonal(matrices: torch.Tensor) -> torch.Tensor:
    """Return U V^T for each matrix U S V^T of a stack [K, M, N], roughly: singular values come out at 0.7 to 1.2."""
    tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if tall else matrices
    if x.device.type == "cuda":
        x = x.bfloat16()
    x = x / (x.flatten(1).norm(dim=1).clamp(min=1e-7)[:, None, None])
    for _ in range(ROUNDS):
        square = x @ x.mT  # [K, M, M], the smaller side
        x = A * x + (B * square + C * square @ square) @ x
    return (x.mT if tall else x).to(matrices.dtype)


class Muon(torch.optim.Optimizer):
    """The optimiser; parameters of one shape are made orthogonal together."""

    def __init__(self, parameters: Iterable[torch.nn.Parameter], *, lr: float, momentum: float) -> None:
        """Take the parameters, each of two or more dimensions."""
        super().__init__(parameters, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Move the parameters; `closure` is there for torch's interface alone."""
        assert closure is None, "Muon takes no closure"
        for group in self.param_groups:
            shapes: dict[tuple[int, ...], list[torch.nn.Parameter]] = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    shapes.setdefault(tuple(parameter.shape), []).append(parameter)
            for parameters in shapes.values():
                self._move(parameters, group["lr"], group["momentum"])

    def _move(self, parameters: list[torch.nn.Parameter], rate: float, momentum: float) -> None:
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        buffers: list[torch.Tensor] = []
        for parameter in parameters:
            state = self.state[parameter]
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = torch.zeros_like(parameter)
            buffers.append(state["momentum_buffer"])
        torch._foreach_lerp_(buffers, gradients, 1.0 - momentum)  # pyright: ignore
        ahead = [gradient.lerp(buffer, momentum) for gradient, buffer in zip(gradients, buffers, strict=True)]
        moves = orthogonal(torch.stack([each.flatten(1) for each in ahead]))  # [K, O, 9 I]
        scale = 0.2 * max(moves.shape[1:]) ** 0.5  # entries as large as AdamW's on average
        for parameter, move in zip(parameters, moves, strict=True):
            parameter.sub_(move.view(parameter.shape), alpha=rate * scale)
