"""The training objective: a loss for each head, and their weighted sum.

Axes: B rows of a batch, A actions, K horizons, M maps, H rows, W columns.
"""

from collections.abc import Collection, Mapping

import torch
from torch.nn import functional

from ludus.learner.settings import LossWeights
from ludus.network.blocks import mean
from ludus.network.model import Heads

Targets = Mapping[str, torch.Tensor]  # fields of `Batch` by name


def policy_loss(logits: torch.Tensor, target: torch.Tensor, rows: torch.Tensor | None = None) -> torch.Tensor:
    """Return the cross-entropy [] of logits [B, A] and policies [B, A]; rows of zeros are ignored.

    The sum is divided by `rows` [] (default: the number of non-zero rows, at least 1).
    """
    taught = target.sum().clamp(min=1.0) if rows is None else rows
    return -(target * torch.log_softmax(logits, 1)).sum() / taught


def outcome_loss(raw: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the loss [] of a value head for target chances of win, draw and loss [B, 3].

    It is the cross-entropy for logits [B, 3], or the squared error of the tanh for a scalar [B, 1].
    """
    if raw.shape[1] == 1:
        return (expected(raw) - (target[:, 0] - target[:, 2])).square().mean()
    return -(target * torch.log_softmax(raw, 1)).sum(1).mean()


def expected(raw: torch.Tensor) -> torch.Tensor:
    """Return the mover's expected outcome [B], predicted by logits [B, 3] or a scalar [B, 1]."""
    if raw.shape[1] == 1:
        return torch.tanh(raw[:, 0])
    chances = torch.softmax(raw, 1)
    return chances[:, 0] - chances[:, 2]


def short_values_loss(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy [] of logits [B, K, 3] and chances [B, K, 3]."""
    return -(target * torch.log_softmax(logits, 2)).sum(2).mean()


def moves_left_loss(said: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the Huber loss [] of predicted and true logarithms of the numbers of moves left [B]."""
    return functional.huber_loss(said, target)


def maps_loss(
    logits: torch.Tensor,
    target: torch.Tensor,
    known: torch.Tensor,
    rows: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the mean binary cross-entropy [] per cell of logits [B, M, H, W], over rows with `known` [B] = 1.

    The sum over rows is divided by `rows` [] (default: the number of known rows, at least 1).  With a `mask`
    [B, 1, H, W], only the cells of the board count.
    """
    cells = functional.binary_cross_entropy_with_logits(logits, target, reduction="none").mean(1, keepdim=True)
    each = mean(cells, mask)[:, 0]  # [B]
    return (each * known).sum() / (known.sum().clamp(min=1.0) if rows is None else rows)


def rows_of(targets: Targets, auxiliary: Collection[str]) -> dict[str, torch.Tensor]:
    """Return the number of rows [] with a target, for each head whose target some rows lack."""
    rows = {"policy": targets["policy"].sum()}
    if "reply" in auxiliary:
        rows["reply"] = targets["reply"].sum()
    if "maps" in auxiliary:
        rows["maps"] = targets["maps_known"].sum()
    return rows


def losses_of(
    heads: Heads,
    targets: Targets,
    rows: Mapping[str, torch.Tensor] | None = None,
    mask: torch.Tensor | None = None,
) -> dict[str, torch.Tensor]:
    """Return the loss [] of each head by name.

    Args:
        heads: output of the network.
        targets: training targets.
        rows: divisor [] of each loss whose target some rows lack (default: the rows with a target, at least 1).
        mask: cells of the boards, if the game declares a mask.  # [B, 1, H, W]
    """
    rows = rows or {}
    found = {
        "policy": policy_loss(heads.policy.float(), targets["policy"], rows.get("policy")),
        "outcome": outcome_loss(heads.outcome.float(), targets["outcome"]),
    }
    for name, raw in heads.auxiliary.items():
        logits = raw.float()
        if name == "reply":
            found[name] = policy_loss(logits, targets["reply"], rows.get("reply"))
        elif name == "short_values":
            found[name] = short_values_loss(logits, targets["short_values"])
        elif name == "moves_left":
            found[name] = moves_left_loss(logits, targets["moves_left"])
        else:
            found[name] = maps_loss(logits, targets["maps"].float(), targets["maps_known"], rows.get("maps"), mask)
    return found


def total(losses: Mapping[str, torch.Tensor], weights: LossWeights) -> torch.Tensor:
    """Return the weighted sum [] of losses."""
    return torch.stack([getattr(weights, name) * loss for name, loss in losses.items()]).sum()


def entropy(policies: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Return the mean entropy [] in nats of the policies [B, A], over the rows with `rows` [B] = 1 (others 0)."""
    each = torch.special.entr(policies).sum(1)  # [B]
    return (each * rows).sum() / rows.sum().clamp(min=1.0)
