"""The network as evaluators compute it, written once: each backend supplies the operations.

Axes: B positions, C channels, H rows, W columns, F features, A actions.  `Network` in `model.py` is the reference.
"""

from typing import Protocol, TypeVar

from ludus.network.config import NetworkSettings, Shapes

WIDTH_CENTRE, WIDTH_RANGE = 14.0, 10.0  # a pooled mean is also seen times (width - 14) / 10 (KataGo)

T = TypeVar("T")


class Operations(Protocol[T]):
    """What a backend can do with its tensors; layers go by the names of `ludus.network.fold`."""

    def rectified(self, x: T, layer: str, residual: T | None = None) -> T:
        """Return the 3x3 convolution of x [B, C, H, W], plus the residual if there is one, rectified."""
        ...

    def convolved(self, x: T, layer: str) -> T:
        """Return the 3x3 convolution of x [B, C, H, W]."""
        ...

    def pointwise(self, x: T, layer: str) -> T:
        """Return the 1x1 convolution of x [B, C, H, W], flat: [B, outputs H W]."""
        ...

    def linear(self, x: T, layer: str) -> T:
        """Return the linear layer of x [B, F]."""
        ...

    def whole(self, x: T, layer: str) -> T:
        """Return the linear layer of all cells of x [B, C, H, W]."""
        ...

    def split(self, x: T, layer: str) -> tuple[T, T]:
        """Return the channels of x [B, C, H, W] that the pooling layer changes, and those that it pools."""
        ...

    def relu(self, x: T) -> T:
        """Return x rectified."""
        ...

    def sigmoid(self, x: T) -> T:
        """Return 1 / (1 + exp(-x))."""
        ...

    def softmax(self, x: T) -> T:
        """Return shares [B, F] of x [B, F]."""
        ...

    def mean(self, x: T) -> T:
        """Return the mean [B, C] over the cells of the board."""
        ...

    def pool(self, x: T) -> T:
        """Return mean, mean by the board's width, and maximum [B, 3 C] over the cells of the board."""
        ...

    def add(self, x: T, y: T) -> T:
        """Return x + y [B, C, H, W], where y may be [B, C]."""
        ...

    def times(self, x: T, y: T) -> T:
        """Return x * y [B, C, H, W], where y is [B, C]."""
        ...

    def keep(self, x: T) -> T:
        """Return x [B, C, H, W] with zeros around the board, if there is a mask."""
        ...

    def chosen(self, parts: list[T]) -> T:
        """Return the logits of the actions [B, A] from the parts' [B, F] logits, one part behind the other."""
        ...


def compute(ops: Operations[T], settings: NetworkSettings, shapes: Shapes, planes: T) -> tuple[T, T]:
    """Return policy logits [B, A] and outcome shares [B, 3] of planes [B, C, H, W]."""
    x = ops.keep(ops.rectified(ops.keep(planes), "stem"))
    for index in range(settings.blocks):
        x = _block(ops, settings, f"blocks.{index}", settings.pooled(index) > 0, x)
    policy, outcome = (ops.keep(ops.rectified(x, f"{head}.convolution")) for head in ("policy", "outcome"))
    if settings.heads == "linear":
        return ops.whole(policy, "policy.linear"), ops.softmax(ops.whole(outcome, "outcome.linear"))
    hidden = ops.relu(ops.linear(ops.pool(outcome), "outcome.hidden"))
    return _actions(ops, shapes, policy), ops.softmax(ops.linear(hidden, "outcome.linear"))


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


def _actions(ops: Operations[T], shapes: Shapes, cells: T) -> T:
    whole = ops.pool(cells)
    cells = ops.keep(ops.relu(ops.add(cells, ops.linear(whole, "policy.spread"))))
    parts: list[T] = []
    if shapes.num_layers:
        parts.append(ops.pointwise(cells, "policy.actions.cells"))
    if shapes.num_placeless:
        parts.append(ops.linear(whole, "policy.actions.placeless"))
    return ops.chosen(parts)
