"""The optimiser Muon: momentum with orthogonalised matrices; each step changes all directions of a layer equally.

Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks" (2024).  Steps are scaled as in Liu et
al., "Muon is scalable for LLM training" (2025), so that AdamW's learning rates and weight decay apply.  Convolutions
[O, I, 3, 3] become matrices [O, 9 I], which torch's own Muon does not support; it also computes in bf16, which is slow
on CPUs without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch

ROUNDS = 5
A, B, C = 3.4445, -4.7750, 2.0315  # coefficients of a x + b x^3 + c x^5, which drives singular values towards 1


def orthogonal(matrices: torch.Tensor) -> torch.Tensor:
    """Return approximately U V^T for each matrix U S V^T of a stack [K, M, N]; singular values become 0.7 to 1.2."""
    tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if tall else matrices
    if x.device.type == "cuda":
        x = x.bfloat16()
    x = x / (x.flatten(1).norm(dim=1).clamp(min=1e-7)[:, None, None])
    for _ in range(ROUNDS):
        square = x @ x.mT  # [K, M, M], M the smaller side
        x = A * x + (B * square + C * square @ square) @ x
    return (x.mT if tall else x).to(matrices.dtype)


class Muon(torch.optim.Optimizer):
    """The optimiser Muon; it orthogonalises all parameters of one shape together."""

    def __init__(self, parameters: Iterable[torch.nn.Parameter], *, lr: float, momentum: float) -> None:
        """Store the parameters, each with two or more dimensions."""
        super().__init__(parameters, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Update the parameters; `closure` must be None and exists for torch's interface."""
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
        scale = 0.2 * max(moves.shape[1:]) ** 0.5  # makes entries as large as AdamW's on average
        for parameter, move in zip(parameters, moves, strict=True):
            parameter.sub_(move.view(parameter.shape), alpha=rate * scale)
