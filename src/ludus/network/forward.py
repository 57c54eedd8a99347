"""The forward pass of the network, written once for all evaluators; each backend supplies the operations.

Axes: B positions, C channels, H rows, W columns, F features, A actions.  `Network` in `model.py` is the reference.
"""

from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludus.network.config import SIDES, NetworkSettings, Shapes
from ludus.network.fold import MAPS

WIDTH_CENTRE, WIDTH_RANGE = 14.0, 10.0  # a second copy of the pooled mean is scaled by (width - 14) / 10 (KataGo)

T = TypeVar("T")


class Operations(Protocol[T]):
    """Tensor operations of a backend; layers have the names of `ludus.network.fold`."""

    def rectified(self, x: T, layer: str, residual: T | None = None) -> T:
        """Return the rectified 3x3 convolution of x [B, C, H, W]; a residual, if any, is added before the rectifier."""
        ...

    def convolved(self, x: T, layer: str) -> T:
        """Return the 3x3 convolution of x [B, C, H, W]."""
        ...

    def pointwise(self, x: T, layer: str) -> T:
        """Return the 1x1 convolution of x [B, C, H, W], flattened to [B, outputs H W]."""
        ...

    def linear(self, x: T, layer: str) -> T:
        """Return the linear layer of x [B, F]."""
        ...

    def whole(self, x: T, layer: str) -> T:
        """Return the linear layer over all cells of x [B, C, H, W]."""
        ...

    def split(self, x: T, layer: str) -> tuple[T, T]:
        """Split the channels of x [B, C, H, W] into those that the pooling layer changes and those that it pools."""
        ...

    def relu(self, x: T) -> T:
        """Return x rectified."""
        ...

    def sigmoid(self, x: T) -> T:
        """Return 1 / (1 + exp(-x))."""
        ...

    def softmax(self, x: T) -> T:
        """Return the softmax over each row of x [B, F]."""
        ...

    def mean(self, x: T) -> T:
        """Return the mean of x over the cells of the board, [B, C]."""
        ...

    def pool(self, x: T) -> T:
        """Return mean, mean scaled by the board's width, and maximum over the cells of the board, [B, 3 C]."""
        ...

    def add(self, x: T, y: T) -> T:
        """Return x + y elementwise; y may be [B, C] if x is [B, C, H, W]."""
        ...

    def times(self, x: T, y: T) -> T:
        """Return x * y elementwise; y may be [B, C] if x is [B, C, H, W]."""
        ...

    def keep(self, x: T) -> T:
        """Return x [B, C, H, W] with zeros outside the board, if there is a mask."""
        ...

    def chosen(self, parts: list[T]) -> T:
        """Concatenate the logits [B, F] of all parts and select those of the actions, [B, A]."""
        ...

    def tanh(self, x: T) -> T:
        """Return the hyperbolic tangent."""
        ...

    def affine(self, x: T, factor: float, shift: float) -> T:
        """Return factor * x + shift elementwise."""
        ...

    def weighed(self, x: T, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> T:
        """Return the product of x [B, F] and constant weights [F, O], plus a bias [O], in full precision."""
        ...

    def likely(self, x: T, maps: int) -> T:
        """Return probabilities [B, M H W] for flat logits of `maps` maps, 0 outside the board, in full precision."""
        ...

    def per_point(self, x: T) -> T:
        """Return the sum of each row of x [B, F] divided by the number of points on the board, [B, 1]."""
        ...

    def seen(self) -> T:
        """Return the mean of each input plane over the cells of the board, in full precision: [B, C]."""
        ...


def compute(ops: Operations[T], settings: NetworkSettings, shapes: Shapes, planes: T) -> tuple[T, T]:
    """Return policy logits [B, A] and outcome probabilities [B, 3] for planes [B, C, H, W]."""
    x = _body(ops, settings, planes)
    policy, outcome = (ops.keep(ops.rectified(x, f"{head}.convolution")) for head in ("policy", "outcome"))
    if settings.heads == "linear":
        logits = _read(ops, settings, policy, "policy")
        shares = ops.softmax(_read(ops, settings, outcome, "outcome"))
    else:
        hidden = ops.relu(ops.linear(ops.pool(outcome), "outcome.hidden"))
        logits, shares = _actions(ops, shapes, policy), ops.softmax(ops.linear(hidden, "outcome.linear"))
    return logits, _with_end(ops, settings, shapes, outcome, shares) if settings.end_share else shares


def compute_maps(ops: Operations[T], settings: NetworkSettings, shapes: Shapes, planes: T) -> T:
    """Return the predicted final maps as probabilities [B, M H W] for planes [B, C, H, W]."""
    outcome = ops.keep(ops.rectified(_body(ops, settings, planes), "outcome.convolution"))
    return ops.likely(ops.pointwise(outcome, MAPS), shapes.num_maps)


def _body(ops: Operations[T], settings: NetworkSettings, planes: T) -> T:
    x = ops.keep(ops.rectified(ops.keep(planes), "stem"))
    for index in range(settings.blocks):
        x = _block(ops, settings, f"blocks.{index}", settings.pooled(index) > 0, x)
    return x


def _with_end(ops: Operations[T], settings: NetworkSettings, shapes: Shapes, outcome: T, shares: T) -> T:
    """Return outcome probabilities [B, 3] mixed with the score predicted by the final maps, after cbaduk.

    The predicted score (komi included) is multiplied by its certainty 2/N sum (p - 1/2)^2, which equals
    1 - 2/N sum p (1 - p), where p are the probabilities that each of the N points belongs to the mover or the opponent.
    """
    owned = ops.likely(ops.pointwise(outcome, MAPS), shapes.num_maps)  # [B, 2 H W]
    sides = np.repeat(np.array(SIDES, np.float32), shapes.planes[1] * shapes.planes[2])  # [2 H W]
    nothing, half = np.zeros(1, np.float32), np.float32(0.5 * settings.end_share)
    handed = ops.weighed(ops.seen(), np.array(shapes.score_weights, np.float32)[:, None], nothing)  # [B, 1]
    score = ops.add(ops.weighed(owned, sides[:, None], nothing), handed)
    sure = ops.affine(ops.per_point(ops.times(owned, ops.affine(owned, -1.0, 1.0))), -2.0, 1.0)
    value = ops.tanh(ops.affine(ops.times(score, sure), 1.0 / settings.end_points, 0.0))  # -1 (lost) to 1 (won)
    end = ops.weighed(value, np.array([[half, 0.0, -half]], np.float32), np.array([half, 0.0, half], np.float32))
    return ops.add(ops.affine(shares, 1.0 - settings.end_share, 0.0), end)


def _block(ops: Operations[T], settings: NetworkSettings, name: str, pools: bool, x: T) -> T:
    if pools:
        y, seen = ops.split(ops.convolved(x, f"{name}.first"), f"{name}.pool")
        y = ops.relu(ops.add(y, ops.linear(ops.pool(ops.keep(ops.relu(seen))), f"{name}.pool")))
    else:
        y = ops.rectified(x, f"{name}.first")
    y = ops.keep(y)
    if not settings.squeeze:
        return ops.keep(ops.rectified(y, f"{name}.second", x))
    y = ops.convolved(y, f"{name}.second")
    gate = ops.linear(ops.relu(ops.linear(ops.mean(y), f"{name}.squeeze")), f"{name}.excite")
    return ops.keep(ops.relu(ops.add(x, ops.times(y, ops.sigmoid(gate)))))


def _read(ops: Operations[T], settings: NetworkSettings, cells: T, head: str) -> T:
    if not settings.hidden:
        return ops.whole(cells, f"{head}.linear")
    return ops.linear(ops.relu(ops.whole(cells, f"{head}.hidden")), f"{head}.linear")


def _actions(ops: Operations[T], shapes: Shapes, cells: T) -> T:
    whole = ops.pool(cells)
    cells = ops.keep(ops.relu(ops.add(cells, ops.linear(whole, "policy.spread"))))
    parts: list[T] = []
    if shapes.num_layers:
        parts.append(ops.pointwise(cells, "policy.actions.cells"))
    if shapes.num_placeless:
        parts.append(ops.linear(whole, "policy.actions.placeless"))
    return ops.chosen(parts)
