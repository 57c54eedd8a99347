"""A network as ONNX, for all programs that run this format; written from the checkpoint's arrays, without torch.

The graph has standard operators of an opset that is old enough for browsers (onnxruntime-web).  Weights that 16 bits
hold exactly, as in packed models, are stored in 16 bits; the graph widens them and multiplies them by the scales of
the normalization in 32 bits, which a runtime does once, when it loads the network.  So nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import Unavailable, with_extra
from ludus.files import write_atomically
from ludus.lazy import lazy_property
from ludus.network.checkpoint import Checkpoint, weights_fingerprint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays
from ludus.network.fold import convolutions, factors, fold
from ludus.network.forward import WIDTH_CENTRE, WIDTH_RANGE, compute, compute_maps
from ludus.network.tensors import LOGITS, MAPS, PLANES
from ludus.paths import in_game
from ludus.version import __version__

try:
    from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
except ModuleNotFoundError as missing:
    raise Unavailable(f"ONNX needs an extra: {with_extra('onnx')}.") from missing

OPSET, IR = 17, 8  # of 2022; ONNX Runtime reads it since 1.12
OUTCOME = "outcome"  # name of the tensor [B, 3]
SMALL = 256  # an array with fewer numbers is stored in 32 bits, without a node that widens it


def write_onnx(checkpoint: Checkpoint, path: Path, *, licence: str = "") -> None:
    """Write a network to an ONNX file atomically: `planes` in, `logits` and `outcome` out.

    Planes are bytes [B, C, H, W], logits [B, A] and the outcome's probabilities [B, 3] (win, draw and loss of the
    mover) are float32, for any B.  The file's metadata has `name`, `generation`, `games`, `weights` (the fingerprint)
    and `licence`.

    Args:
        checkpoint: the network.
        path: the file.
        licence: licence of the weights, such as `MIT`; empty: not stated.

    Raises:
        Unavailable: the file cannot be written.
    """
    info = checkpoint.info
    model = network_model(checkpoint.arrays, info.network, info.shapes)
    games = (in_game(spec, lambda file: Path(file).name) for spec in info.games)  # where the file was is private
    card = {"name": info.name, "generation": str(info.generation), "games": ", ".join(games)}
    card |= {"weights": weights_fingerprint(checkpoint)} | ({"licence": licence} if licence else {})
    helper.set_model_props(model, card)
    write_atomically(path, model.SerializeToString(deterministic=True))


def network_model(arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> ModelProto:
    """Return the graph from planes to logits and outcome, for any number of rows."""
    operations = OnnxOperations(arrays, settings, shapes)
    logits, outcome = compute(operations, settings, shapes, operations.planes)
    return operations.model({LOGITS: (logits, (shapes.num_actions,)), OUTCOME: (outcome, (3,))})


def maps_model(arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> ModelProto:
    """Return the graph from planes to the predicted final maps [B, M H W], for a network with this head."""
    operations = OnnxOperations(arrays, settings, shapes)
    maps = compute_maps(operations, settings, shapes, operations.planes)
    _, height, width = shapes.planes
    return operations.model({MAPS: (maps, (shapes.num_maps * height * width,))})


class Value(NamedTuple):
    """A value in the graph."""

    name: str
    rank: int
    """Number of axes."""


class OnnxOperations:
    """Operations that add nodes to an ONNX graph."""

    def __init__(self, arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> None:
        """Begin a graph with the planes as floats; the mask, if the game declares one, is one of them."""
        self._layers = fold(arrays, settings, shapes)
        self._parts = {name: factors(arrays, name, shapes) for name in convolutions(settings)}
        self._shapes = shapes
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []
        self._count = 0
        self.planes = self._node("Cast", [Value(PLANES, 4)], to=TensorProto.FLOAT)
        number = shapes.mask_plane
        self._mask: Value | None = None
        if number is not None:
            bounds = [self._indices([each]) for each in (number, number + 1, 1)]
            self._mask = self._node("Slice", [self.planes, *bounds])

    def model(self, outputs: dict[str, tuple[Value, Sequence[int]]]) -> ModelProto:
        """Return the finished graph.

        Args:
            outputs: by name, the value and the shape of its rows.
        """
        for name, (value, _) in outputs.items():
            self._nodes.append(helper.make_node("Identity", [value.name], [name], name))
        row = ["rows", *self._shapes.planes]
        graph = helper.make_graph(
            self._nodes,
            "ludus",
            [helper.make_tensor_value_info(PLANES, TensorProto.UINT8, row)],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", *shape])
                for name, (_, shape) in outputs.items()
            ],
            self._constants,
        )
        return helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR,
            producer_name="ludus",
            producer_version=__version__,
        )

    def rectified(self, x: Value, layer: str, residual: Value | None = None) -> Value:
        """Add the nodes for the operation of this name in `Operations`, as all methods of this class do."""
        y = self.convolved(x, layer)
        return self.relu(y if residual is None else self._node("Add", [y, residual]))

    def convolved(self, x: Value, layer: str) -> Value:  # noqa: D102
        weight, bias = self._convolution(layer)
        if self._layers[layer][0].shape[1] % 2:  # WebGPU of onnxruntime-web 1.30 computes odd channels wrongly
            ends = self._indices([0, 0, 0, 0, 0, 1, 0, 0])
            x, weight = self._node("Pad", [x, ends]), self._node("Pad", [weight, ends])
        return self._node("Conv", [x, weight, bias], kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def pointwise(self, x: Value, layer: str) -> Value:  # noqa: D102
        return self._flat(self._node("Conv", [x, *self._convolution(layer)], kernel_shape=[1, 1]))

    def linear(self, x: Value, layer: str) -> Value:  # noqa: D102
        weight, bias = self._layers[layer]
        weight = weight.reshape(len(bias), -1)  # [outputs, F]
        return self._node("Gemm", [x, self._stored([weight], weight), self._constant(bias)], transB=1)

    def whole(self, x: Value, layer: str) -> Value:  # noqa: D102
        return self.linear(self._flat(x), layer)

    def split(self, x: Value, layer: str) -> tuple[Value, Value]:  # noqa: D102
        weight, bias = self._layers[layer]
        sizes = [len(bias), weight.shape[1] // 3]  # the pooling layer reads three numbers of each pooled channel
        changed, pooled = self._named(4), self._named(4)
        inputs, outputs = [x.name, self._indices(sizes).name], [changed.name, pooled.name]
        self._nodes.append(helper.make_node("Split", inputs, outputs, changed.name, axis=1))
        return changed, pooled

    def relu(self, x: Value) -> Value:  # noqa: D102
        return self._node("Relu", [x])

    def sigmoid(self, x: Value) -> Value:  # noqa: D102
        return self._node("Sigmoid", [x])

    def softmax(self, x: Value) -> Value:  # noqa: D102
        return self._node("Softmax", [x], axis=1)

    def mean(self, x: Value) -> Value:  # noqa: D102
        return self._node("Div", [self._total(self.keep(x)), self._cells])

    def pool(self, x: Value) -> Value:  # noqa: D102
        average = self.mean(x)
        side = self._node("Sqrt", [self._cells])
        width = self.affine(side, 1.0 / WIDTH_RANGE, -WIDTH_CENTRE / WIDTH_RANGE)
        largest = self._node("ReduceMax", [self.keep(x)], rank=2, axes=[2, 3], keepdims=0)
        return self._node("Concat", [average, self._node("Mul", [average, width]), largest], axis=1)

    def add(self, x: Value, y: Value) -> Value:  # noqa: D102
        return self._node("Add", [x, self._spread(y, x)])

    def times(self, x: Value, y: Value) -> Value:  # noqa: D102
        return self._node("Mul", [x, self._spread(y, x)])

    def keep(self, x: Value) -> Value:  # noqa: D102
        return x if self._mask is None else self._node("Mul", [x, self._mask])

    def chosen(self, parts: list[Value]) -> Value:  # noqa: D102
        logits = self._node("Concat", parts, axis=1) if len(parts) > 1 else parts[0]
        return self._node("Gather", [logits, self._indices(self._shapes.action_indices())], axis=1)

    def tanh(self, x: Value) -> Value:  # noqa: D102
        return self._node("Tanh", [x])

    def affine(self, x: Value, factor: float, shift: float) -> Value:  # noqa: D102
        return self._node("Add", [self._node("Mul", [x, self._numbers(factor)]), self._numbers(shift)])

    def weighed(self, x: Value, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> Value:  # noqa: D102
        return self._node("Gemm", [x, self._constant(weight), self._constant(bias)])

    def likely(self, x: Value, maps: int) -> Value:  # noqa: D102
        chances = self.sigmoid(x)
        if self._mask is None:
            return chances
        masks = self._node("Concat", [self._flat(self._mask)] * maps, axis=1)
        return self._node("Mul", [chances, masks])

    def per_point(self, x: Value) -> Value:  # noqa: D102
        return self._node("Div", [self._node("ReduceSum", [x, self._indices([1])]), self._cells])

    def seen(self) -> Value:  # noqa: D102
        return self.mean(self.planes)

    @lazy_property
    def _cells(self) -> Value:
        """Add the number of cells of the board, [1 or B, 1]."""
        if self._mask is not None:
            return self._total(self._mask)
        return self._numbers([[float(self._shapes.planes[1] * self._shapes.planes[2])]])

    def _total(self, x: Value) -> Value:
        """Add the sum of x [B, C, H, W] over its cells, [B, C]."""
        return self._node("ReduceSum", [x, self._indices([2, 3])], rank=2, keepdims=0)

    def _flat(self, x: Value) -> Value:
        return self._node("Flatten", [x], rank=2, axis=1)

    def _spread(self, y: Value, x: Value) -> Value:
        """Append axes for the cells to y if only x has them."""
        return self._node("Unsqueeze", [y, self._indices([2, 3])], rank=4) if y.rank < x.rank else y

    def _node(self, kind: str, inputs: Sequence[Value], *, rank: int = 0, **attributes: Any) -> Value:  # noqa: ANN401
        """Add a node with one output, whose rank is that of the first input unless another is given."""
        made = self._named(rank or inputs[0].rank)
        self._nodes.append(helper.make_node(kind, [each.name for each in inputs], [made.name], made.name, **attributes))
        return made

    def _named(self, rank: int) -> Value:
        """Return a value with a new name."""
        self._count += 1
        return Value(f"v{self._count}", rank)

    def _convolution(self, layer: str) -> list[Value]:
        """Add the weight and bias of a convolution."""
        weight, bias = self._layers[layer]
        return [self._stored(self._parts.get(layer, [weight]), weight), self._constant(bias)]

    def _stored(self, parts: list[NDArray[np.float32]], whole: NDArray[np.float32]) -> Value:
        """Add a weight: its first part in 16 bits if they hold it, to be multiplied by the others; else the product."""
        with np.errstate(over="ignore"):
            half = parts[0].astype(np.float16)
        if half.size < SMALL or not np.array_equal(half.astype(np.float32), parts[0]):
            return self._constant(whole)
        found = self._node("Cast", [self._constant(half)], rank=whole.ndim, to=TensorProto.FLOAT)
        for part in parts[1:]:
            found = self._node("Mul", [found, self._constant(part)])
        return found

    def _constant(self, array: NDArray[Any]) -> Value:
        made = self._named(array.ndim)
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), made.name))
        return made

    def _numbers(self, numbers: float | list[list[float]]) -> Value:
        return self._constant(np.array(numbers, np.float32))

    def _indices(self, numbers: list[int]) -> Value:
        return self._constant(np.array(numbers, np.int64))
