"""The optimiser of a training: AdamW, SGD with Nesterov momentum or Muon, with weight decay and gradient clipping."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from ludus.learner.muon import Muon
from ludus.learner.settings import LearnerSettings
from ludus.learner.team import Team

FIELDS: dict[type[torch.optim.Optimizer], set[str]] = {  # names of a parameter's saved tensors, by optimiser
    Muon: {"momentum_buffer"},
    torch.optim.SGD: {"momentum_buffer"},
    torch.optim.AdamW: {"step", "exp_avg", "exp_avg_sq"},
}


class Optimiser:
    """Combines torch optimisers, weight decay and gradient clipping."""

    def __init__(self, network: nn.Module, settings: LearnerSettings, team: Team) -> None:
        """Assign the network's parameters to optimisers; gradients are averaged over the team."""
        self._settings, self._team = settings, team
        self._parameters = list(network.parameters())
        self._decayed = [parameter for parameter in self._parameters if parameter.ndim > 1]
        rate, momentum = settings.learning_rate, settings.momentum
        hidden = [
            parameter
            for name, parameter in network.named_parameters()
            if settings.optimiser == "muon" and name.startswith("blocks.") and parameter.ndim == 4
        ]
        taken = {id(parameter) for parameter in hidden}
        others = [parameter for parameter in self._parameters if id(parameter) not in taken]
        self._parts: list[torch.optim.Optimizer] = [Muon(hidden, lr=rate, momentum=momentum)] if hidden else []
        if settings.optimiser == "sgd":
            self._parts.append(torch.optim.SGD(others, lr=rate, momentum=momentum, nesterov=momentum > 0.0))
        else:
            self._parts.append(torch.optim.AdamW(others, lr=rate, betas=(momentum, 0.999), weight_decay=0.0))

    def step(self, loss: torch.Tensor, *, rate: float, momentum: float) -> torch.Tensor:
        """Do one optimisation step on `loss` []; return the gradient norm [] before clipping."""
        for part in self._parts:
            part.zero_grad(set_to_none=True)
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
        for part in self._parts:
            for group in part.param_groups:
                group["lr"] = rate
                if "betas" in group:
                    group["betas"] = (momentum, group["betas"][1])
                else:
                    group["momentum"] = momentum
            part.step()
        return norm

    def state(self) -> dict[str, torch.Tensor]:
        """Return the optimisers' saved tensors by name."""
        return {
            f"{number}/{index}/{field}": tensor
            for number, part in enumerate(self._parts)
            for index, fields in part.state_dict()["state"].items()
            for field, tensor in fields.items()
            if tensor is not None
        }

    def restore(self, tensors: dict[str, torch.Tensor]) -> None:
        """Restore tensors from `state`; raises ValueError or RuntimeError if they are from another optimiser."""
        states: list[dict[int, dict[str, Any]]] = [{} for _ in self._parts]
        for name, tensor in tensors.items():
            number, index, field = name.split("/")
            if int(number) >= len(states):
                raise ValueError(f"there is no optimiser {number}")
            states[int(number)].setdefault(int(index), {})[field] = tensor
        for part, state in zip(self._parts, states, strict=True):
            parameters = [parameter for group in part.param_groups for parameter in group["params"]]
            for index, fields in state.items():
                if fields.keys() != FIELDS[type(part)]:
                    raise ValueError(f"parameter {index} has a state of {', '.join(fields)}")
                for field, tensor in fields.items():
                    if tensor.ndim and tensor.shape != parameters[index].shape:
                        raise ValueError(f"{field} of parameter {index} has shape {tuple(tensor.shape)}")
                    if tensor.ndim:  # use the parameter's memory layout, otherwise every step would be slow
                        fields[field] = torch.empty_like(parameters[index], dtype=tensor.dtype).copy_(tensor)
            part.load_state_dict(part.state_dict() | {"state": state})
