"""What is minimised: a loss for each head, and their weighted sum.

Axes: B rows of a batch, A actions, K horizons, M maps, H rows, W columns.
"""

from collections.abc import Collection, Mapping

import torch
from torch.nn import functional

from ludus.learner.settings import LossWeights
from ludus.network.blocks import mean
from ludus.network.model import Heads

SOFTNESS = 4.0  # temperature of the soft policy target (KataGo: 4)

Targets = Mapping[str, torch.Tensor]  # `Batch` by its fields' names


def policy_loss(logits: torch.Tensor, target: torch.Tensor, rows: torch.Tensor | None = None) -> torch.Tensor:
    """Return the cross-entropy [] of logits [B, A] against policies [B, A]; rows of zeros teach nothing.

    It is a mean over `rows` [] (default: those that teach, 1 at least).
    """
    taught = target.sum().clamp(min=1.0) if rows is None else rows
    return -(target * torch.log_softmax(logits, 1)).sum() / taught


def outcome_loss(raw: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the loss [] of a value head against chances of win, draw and loss [B, 3].

    Of three logits [B, 3] it is the cross-entropy; of a scalar [B, 1], the squared error of its tanh (the seeds' form).
    """
    if raw.shape[1] == 1:
        return (expected(raw) - (target[:, 0] - target[:, 2])).square().mean()
    return -(target * torch.log_softmax(raw, 1)).sum(1).mean()


def expected(raw: torch.Tensor) -> torch.Tensor:
    """Return the expected outcome [B] for the mover that a value head says, as logits [B, 3] or a scalar [B, 1]."""
    if raw.shape[1] == 1:
        return torch.tanh(raw[:, 0])
    chances = torch.softmax(raw, 1)
    return chances[:, 0] - chances[:, 2]


def soft(target: torch.Tensor) -> torch.Tensor:
    """Return policies [B, A] at a high temperature: in proportion to their fourth roots."""
    roots = target.pow(1.0 / SOFTNESS)
    return roots / roots.sum(1, keepdim=True).clamp(min=1e-9)


def short_values_loss(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy [] of logits [B, K, 3] against chances [B, K, 3]."""
    return -(target * torch.log_softmax(logits, 2)).sum(2).mean()


def moves_left_loss(said: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return Huber's loss [] of logarithms [B]."""
    return functional.huber_loss(said, target)


def maps_loss(
    logits: torch.Tensor,
    target: torch.Tensor,
    known: torch.Tensor,
    rows: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the binary cross-entropy [] a cell of logits [B, M, H, W], over the rows that are `known` [B].

    It is a mean over `rows` [] (default: those that are known, 1 at least), and over the cells of the board, where a
    `mask` [B, 1, H, W] says which these are.
    """
    cells = functional.binary_cross_entropy_with_logits(logits, target, reduction="none").mean(1, keepdim=True)
    each = mean(cells, mask)[:, 0]  # [B]
    return (each * known).sum() / (known.sum().clamp(min=1.0) if rows is None else rows)


def rows_of(targets: Targets, auxiliary: Collection[str]) -> dict[str, torch.Tensor]:
    """Return how many rows [] teach each head that not all rows teach, by name."""
    rows = {"policy": targets["policy"].sum()}
    if "reply" in auxiliary:
        rows["reply"] = targets["reply"].sum()
    if "soft" in auxiliary:
        rows["soft"] = soft(targets["policy"]).sum()
    if "maps" in auxiliary:
        rows["maps"] = targets["maps_known"].sum()
    return rows


def losses_of(
    heads: Heads,
    targets: Targets,
    rows: Mapping[str, torch.Tensor] | None = None,
    mask: torch.Tensor | None = None,
) -> dict[str, torch.Tensor]:
    """Return the loss [] of each head, by name.

    Args:
        heads: what the network says.
        targets: what it is to say.
        rows: how many rows [] each loss is a mean over, where not all teach it (default: those that do, 1 at least).
        mask: of the boards, if the game declares one.  # [B, 1, H, W]
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
        elif name == "soft":
            found[name] = policy_loss(logits, soft(targets["policy"]), rows.get("soft"))
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
    """Return the mean entropy [] in nats of the policies [B, A] in `rows` [B] (1: counts, 0: does not)."""
    each = torch.special.entr(policies).sum(1)  # [B]
    return (each * rows).sum() / rows.sum().clamp(min=1.0)
