"""The optimiser of a training: AdamW or SGD with Nesterov momentum, with weight decay and gradient clipping."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from ludus.learner.settings import LearnerSettings
from ludus.learner.team import Team

FIELDS: dict[type[torch.optim.Optimizer], set[str]] = {  # names of a parameter's saved tensors, by optimiser
    torch.optim.SGD: {"momentum_buffer"},
    torch.optim.AdamW: {"step", "exp_avg", "exp_avg_sq"},
}


class Optimiser:
    """Combines a torch optimiser, weight decay and gradient clipping."""

    def __init__(self, network: nn.Module, settings: LearnerSettings, team: Team) -> None:
        """Optimise the network's parameters; gradients are averaged over the team."""
        self._settings, self._team = settings, team
        self._parameters = list(network.parameters())
        self._decayed = [parameter for parameter in self._parameters if parameter.ndim > 1]
        rate, momentum = settings.learning_rate, settings.momentum
        self._torch: torch.optim.Optimizer
        if settings.optimiser == "sgd":
            self._torch = torch.optim.SGD(self._parameters, lr=rate, momentum=momentum, nesterov=momentum > 0.0)
        else:
            self._torch = torch.optim.AdamW(self._parameters, lr=rate, betas=(momentum, 0.999), weight_decay=0.0)

    def step(self, loss: torch.Tensor, *, rate: float, momentum: float) -> torch.Tensor:
        """Do one optimisation step on `loss` []; return the gradient norm [] before clipping."""
        self._torch.zero_grad(set_to_none=True)
        loss.backward()
        self._team.average([parameter.grad for parameter in self._parameters if parameter.grad is not None])
        gradients = [parameter.grad for parameter in self._decayed if parameter.grad is not None]
        weights = [parameter.detach() for parameter in self._decayed if parameter.grad is not None]
        decay = self._settings.weight_decay
        if decay and self._settings.decay == "l2":
            torch._foreach_add_(gradients, weights, alpha=decay)  # pyright: ignore
        norm = nn.utils.clip_grad_norm_(self._parameters, self._settings.gradient_norm)
        if decay and self._settings.decay == "decoupled":
            torch._foreach_mul_(weights, 1.0 - rate * decay)  # pyright: ignore
        for group in self._torch.param_groups:
            group["lr"] = rate
            if "betas" in group:
                group["betas"] = (momentum, group["betas"][1])
            else:
                group["momentum"] = momentum
        self._torch.step()
        return norm

    def state(self) -> dict[str, torch.Tensor]:
        """Return the optimiser's saved tensors by name."""
        return {
            f"{index}/{field}": tensor
            for index, fields in self._torch.state_dict()["state"].items()
            for field, tensor in fields.items()
            if tensor is not None
        }

    def restore(self, tensors: dict[str, torch.Tensor]) -> None:
        """Restore tensors from `state`; raises ValueError or RuntimeError if they are from another optimiser."""
        states: dict[int, dict[str, Any]] = {}
        for name, tensor in tensors.items():
            index, field = name.split("/")
            states.setdefault(int(index), {})[field] = tensor
        for index, fields in states.items():
            if fields.keys() != FIELDS[type(self._torch)]:
                raise ValueError(f"parameter {index} has a state of {', '.join(fields)}")
            for field, tensor in fields.items():
                if tensor.ndim and tensor.shape != self._parameters[index].shape:
                    raise ValueError(f"{field} of parameter {index} has shape {tuple(tensor.shape)}")
                if tensor.ndim:  # use the parameter's memory layout, otherwise every step would be slow
                    fields[field] = torch.empty_like(self._parameters[index], dtype=tensor.dtype).copy_(tensor)
        self._torch.load_state_dict(self._torch.state_dict() | {"state": states})
