"""The OpenVINO evaluator: fast on CPUs, and built from the checkpoint's arrays without torch or ONNX.

Loading new weights takes about 50 ms, because the graph is built directly.  Batches may have any size.  The cost per
position is the same for all sizes, but each new size costs a few milliseconds and a megabyte once (measured in
docs/explanation/findings.md), so large batches are padded a little.  The precision is bf16 if the processor is faster
in it, else f32.  In int8, the named convolutions round their weights and inputs to 8 bits, and the other layers compute
in that precision.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops
from numpy.typing import NDArray

from ludus.kernel import is_fast_in_bf16
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, Logits, Maps, Outcomes, Planes, check_finite
from ludus.network.fold import Layer, fold
from ludus.network.forward import WIDTH_CENTRE, WIDTH_RANGE, compute, compute_maps

Ranges = Mapping[str, float]  # convolutions that compute in int8 -> their largest input


@lru_cache(maxsize=1)
def _core() -> ov.Core:
    return ov.Core()


def best_precision() -> str:
    """Return `bf16` if this processor is faster in it and OpenVINO supports it, else `f32`."""
    known = _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    return "bf16" if "BF16" in known and is_fast_in_bf16() else "f32"


def device_words() -> str:
    """Return OpenVINO's version, its device, and the precision of networks and why."""
    name, precision = str(_core().get_property("CPU", "FULL_DEVICE_NAME")).strip(), best_precision()
    why = "fast here" if precision == "bf16" else "this processor is not faster in bf16"
    return f"OpenVINO {ov.__version__.partition('-')[0]} on {name}, {precision} ({why})"


class OpenVinoEvaluator:
    """A compiled network whose lanes have an inference request each; threads may share it.

    OpenVINO's own threads evaluate a batch between `submit` and `answer`, up to `streams` batches at once.
    """

    def __init__(
        self,
        arrays: Arrays,
        settings: NetworkSettings,
        shapes: Shapes,
        *,
        streams: int = 1,
        threads: int = 1,
        precision: str | None = None,
        ranges: Ranges | None = None,
        name: str = "The network",
    ) -> None:
        """Build and compile the graph.

        Args:
            arrays: the checkpoint's weights, by torch's names.
            settings: the form of the network.
            shapes: input and policy shapes.
            streams: number of batches that are evaluated at the same time.
            threads: CPU threads for each of these batches.
            precision: `bf16`, `f16` or `f32` (default: `best_precision()`).
            ranges: convolutions that compute in int8 instead, with the largest input of each; for these weights only.
            name: name of the model, for error messages.
        """
        self.settings, self.shapes, self.name = settings, shapes, name
        self._floats = precision or best_precision()
        self._options = {
            "INFERENCE_PRECISION_HINT": self._floats,
            "INFERENCE_NUM_THREADS": streams * threads,
            "NUM_STREAMS": streams,
            "ENABLE_CPU_PINNING": False,  # two evaluators must not share a core while another core is idle
        }
        self._compile(arrays, ranges or {})

    def load(self, arrays: Arrays) -> None:
        """Compile the graph with other weights, without int8; lanes use it from their next batch on."""
        self._compile(arrays, {})

    def _compile(self, arrays: Arrays, ranges: Ranges) -> None:
        self.precision = "int8" if ranges else self._floats
        layers = fold(arrays, self.settings, self.shapes)
        graph = _graph(layers, self.settings, self.shapes, ranges)
        self.compiled = _core().compile_model(graph, "CPU", self._options)
        self._layers = layers if "maps" in self.settings.auxiliary else {}
        self._maps: ov.CompiledModel | None = None  # compiled when first needed

    def maps(self, planes: Planes) -> Maps | None:
        """Return the predicted final maps; None if the network has no such head."""
        if not self._layers:
            return None
        if self._maps is None:
            self._maps = _core().compile_model(
                _maps_graph(self._layers, self.settings, self.shapes), "CPU", self._options
            )
        request = self._maps.create_infer_request()
        request.infer([planes])
        return request.get_output_tensor(0).data.reshape(-1, self.shapes.num_maps, *self.shapes.planes[1:]).copy()

    def lane(self, batch: int) -> "OpenVinoLane":
        """Return a new lane for batches of at most `batch` rows."""
        return OpenVinoLane(self, batch)


class OpenVinoLane:
    """An inference request and its input buffer."""

    def __init__(self, evaluator: OpenVinoEvaluator, batch: int) -> None:
        """Allocate the input buffer; OpenVINO owns it, since a batch may be in flight when the lane is dropped."""
        self._evaluator = evaluator
        self._input = ov.Tensor(ov.Type.u8, ov.Shape([batch, *evaluator.shapes.planes]))
        self.planes: Planes = self._input.data
        self.planes[:] = 0
        self._compiled: ov.CompiledModel | None = None  # the model of the current request
        self._request: Any = None
        self._count = 0

    def submit(self, count: int) -> None:
        """Start to evaluate `count` rows."""
        if self._compiled is not self._evaluator.compiled:
            self._compiled = self._evaluator.compiled
            self._request = self._compiled.create_infer_request()
        self._count, size = count, min(padded(count), len(self.planes))
        self._request.set_input_tensor(ov.Tensor(self._input, [0, 0, 0, 0], [size, *self._evaluator.shapes.planes]))
        self._request.start_async()

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the results are not finite."""
        self._request.wait()
        logits, outcomes = (self._request.get_output_tensor(index).data for index in range(2))
        check_finite(self._evaluator.name, logits[: self._count], outcomes[: self._count])
        return logits, outcomes


def padded(count: int) -> int:
    """Return the padded size for a batch of `count` rows: 32 sizes per doubling, so padding adds at most 1/32."""
    grain = 1 << max(0, count.bit_length() - 6)
    return -(-count // grain) * grain


def evaluator_of(checkpoint: Checkpoint, *, streams: int = 1, threads: int = 1) -> OpenVinoEvaluator:
    """Open an evaluator for a checkpoint with `streams` batches at once and `threads` CPU threads for each."""
    info = checkpoint.info
    return OpenVinoEvaluator(
        checkpoint.arrays, info.network, info.shapes, streams=streams, threads=threads, name=info.name
    )


def _begin(layers: dict[str, Layer], shapes: Shapes, ranges: Ranges) -> tuple[Any, Any, "GraphOperations"]:
    """Create the start of a graph: its input, the planes as floats, and the operations that add nodes to it."""
    planes = ops.parameter([-1, *shapes.planes], np.uint8, name="planes")
    x = ops.convert(planes, np.float32)
    return planes, x, GraphOperations(layers, shapes, x, ranges)


def _graph(layers: dict[str, Layer], settings: NetworkSettings, shapes: Shapes, ranges: Ranges) -> ov.Model:
    planes, x, operations = _begin(layers, shapes, ranges)
    policy, outcome = compute(operations, settings, shapes, x)
    return ov.Model([policy, outcome], [planes], "ludus")  # pyright: ignore[reportGeneralTypeIssues] - wrong stubs


def _maps_graph(layers: dict[str, Layer], settings: NetworkSettings, shapes: Shapes) -> ov.Model:
    planes, x, operations = _begin(layers, shapes, {})
    maps = compute_maps(operations, settings, shapes, x)
    return ov.Model([maps], [planes], "ludus-maps")  # pyright: ignore[reportGeneralTypeIssues] - its stubs


def whole_graph(checkpoint: Checkpoint) -> ov.Model:
    """Build a network's graph for other programs: `planes` in; `logits`, `outcomes` and, if it has them, `maps` out.

    Planes are bytes [B, C, H, W]; logits [B, A], outcomes [B, 3] and maps [B, M, H, W] are float32.
    """
    info = checkpoint.info
    layers = fold(checkpoint.arrays, info.network, info.shapes)
    planes, x, operations = _begin(layers, info.shapes, {})
    policy, outcome = compute(operations, info.network, info.shapes, x)
    outputs = {"logits": policy, "outcomes": outcome}
    if "maps" in info.network.auxiliary:
        maps = compute_maps(operations, info.network, info.shapes, x)
        outputs["maps"] = ops.reshape(maps, _indices([-1, info.shapes.num_maps, *info.shapes.planes[1:]]), False)
    planes.output(0).get_tensor().set_names({"planes"})
    for name, node in outputs.items():
        node.output(0).get_tensor().set_names({name})
    return ov.Model(list(outputs.values()), [planes], "ludus")  # pyright: ignore[reportGeneralTypeIssues] - its stubs


def inputs_of_convolutions(checkpoint: Checkpoint, planes: Planes) -> dict[str, NDArray[np.float32]]:
    """Return the inputs [B, C, H, W] of all 3x3 convolutions in f32 for planes [B, C, H, W], by the layers' names."""
    info = checkpoint.info
    start, x, operations = _begin(fold(checkpoint.arrays, info.network, info.shapes), info.shapes, {})
    compute(operations, info.network, info.shapes, x)
    inputs = [*operations.inputs.values()]
    model = ov.Model(inputs, [start], "ludus-inputs")  # pyright: ignore[reportGeneralTypeIssues] - its stubs
    compiled = _core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    found = compiled([planes])
    return {layer: np.array(found[number]) for number, layer in enumerate(operations.inputs)}


class GraphOperations:
    """Operations that add nodes to an OpenVINO graph; the nodes are untyped."""

    def __init__(self, layers: dict[str, Layer], shapes: Shapes, planes: Any, ranges: Ranges) -> None:  # noqa: ANN401
        """Store the weights and planes; the mask, if the game declares one, is a plane of `planes`."""
        self._layers, self._shapes, self._planes, self._ranges = layers, shapes, planes, ranges
        self.inputs: dict[str, Any] = {}
        """The input of each 3x3 convolution so far."""
        number = shapes.mask_plane
        self._mask: Any = None
        self._cells: Any = _numbers([[float(shapes.planes[1] * shapes.planes[2])]])  # [1 or B, 1]
        if number is not None:
            self._mask = ops.slice(planes, _indices([number]), _indices([number + 1]), _indices([1]), _indices([1]))
            self._cells = ops.reduce_sum(self._mask, _indices([2, 3]))

    def rectified(self, x: Any, layer: str, residual: Any = None) -> Any:  # noqa: ANN401
        """Add the nodes for the operation of this name in `Operations`, as all methods of this class do."""
        y = self.convolved(x, layer)
        return ops.relu(y if residual is None else ops.add(residual, y))

    def convolved(self, x: Any, layer: str) -> Any:  # noqa: ANN401, D102
        weight, bias = self._layers[layer]
        weights = ops.constant(np.ascontiguousarray(weight))
        self.inputs[layer] = x
        if (largest := self._ranges.get(layer)) is not None:
            x, weights = _inputs_in_int8(x, largest), _weights_in_int8(weights, weight)
        y = ops.convolution(x, weights, [1, 1], [1, 1], [1, 1], [1, 1])
        return ops.add(y, ops.constant(bias.reshape(1, -1, 1, 1)))

    def pointwise(self, x: Any, layer: str) -> Any:  # noqa: ANN401, D102
        weight, bias = self._layers[layer]
        y = ops.convolution(x, ops.constant(np.ascontiguousarray(weight)), [1, 1], [0, 0], [0, 0], [1, 1])
        return self._flat(ops.add(y, ops.constant(bias.reshape(1, -1, 1, 1))))

    def linear(self, x: Any, layer: str) -> Any:  # noqa: ANN401, D102
        weight, bias = self._layers[layer]
        weight = np.ascontiguousarray(weight.reshape(len(bias), -1))  # [outputs, F]
        return ops.add(ops.matmul(x, ops.constant(weight), False, True), ops.constant(bias))

    def whole(self, x: Any, layer: str) -> Any:  # noqa: ANN401, D102
        return self.linear(self._flat(x), layer)

    def split(self, x: Any, layer: str) -> tuple[Any, Any]:  # noqa: ANN401, D102
        changed = len(self._layers[layer].bias)
        parts = ops.variadic_split(x, ops.constant(1, np.int64), _indices([changed, -1]))
        return parts.output(0), parts.output(1)

    def relu(self, x: Any) -> Any:  # noqa: ANN401, D102
        return ops.relu(x)

    def sigmoid(self, x: Any) -> Any:  # noqa: ANN401, D102
        return ops.sigmoid(x)

    def softmax(self, x: Any) -> Any:  # noqa: ANN401, D102
        return ops.softmax(x, 1)

    def mean(self, x: Any) -> Any:  # noqa: ANN401, D102
        return ops.divide(ops.reduce_sum(self.keep(x), _indices([2, 3])), self._cells)

    def pool(self, x: Any) -> Any:  # noqa: ANN401, D102
        average = self.mean(x)
        width = ops.divide(ops.subtract(ops.sqrt(self._cells), _numbers(WIDTH_CENTRE)), _numbers(WIDTH_RANGE))
        largest = ops.reduce_max(self.keep(x), _indices([2, 3]))
        return ops.concat([average, ops.multiply(average, width), largest], 1)

    def add(self, x: Any, y: Any) -> Any:  # noqa: ANN401, D102
        return ops.add(x, _spread(y, x))

    def times(self, x: Any, y: Any) -> Any:  # noqa: ANN401, D102
        return ops.multiply(x, _spread(y, x))

    def keep(self, x: Any) -> Any:  # noqa: ANN401, D102
        return x if self._mask is None else ops.multiply(x, self._mask)

    def chosen(self, parts: list[Any]) -> Any:  # noqa: ANN401, D102
        logits = ops.concat(parts, 1) if len(parts) > 1 else parts[0]
        indices = self._shapes.action_indices()
        return ops.gather(logits, _indices(indices), ops.constant(1, np.int64))

    def tanh(self, x: Any) -> Any:  # noqa: ANN401, D102
        return ops.tanh(x)

    def affine(self, x: Any, factor: float, shift: float) -> Any:  # noqa: ANN401, D102
        return ops.add(ops.multiply(x, _numbers(factor)), _numbers(shift))

    def weighed(self, x: Any, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> Any:  # noqa: ANN401, D102
        # OpenVINO would compute a matrix product and the nodes before it in bf16 if that is fast.
        products = ops.multiply(ops.unsqueeze(x, _indices([2])), ops.constant(weight[None]))  # [B, F, O]
        return ops.add(ops.reduce_sum(products, _indices([1])), ops.constant(bias))

    def likely(self, x: Any, maps: int) -> Any:  # noqa: ANN401, D102
        chances = ops.sigmoid(x)
        if self._mask is None:
            return chances
        return ops.multiply(chances, ops.concat([self._flat(self._mask)] * maps, 1))

    def per_point(self, x: Any) -> Any:  # noqa: ANN401, D102
        return ops.divide(ops.reduce_sum(x, _indices([1]), keep_dims=True), self._cells)

    def seen(self) -> Any:  # noqa: ANN401, D102
        return self.mean(self._planes)

    def _flat(self, x: Any) -> Any:  # noqa: ANN401
        return ops.reshape(x, _indices([0, -1]), special_zero=True)


def _inputs_in_int8(x: Any, largest: float) -> Any:  # noqa: ANN401
    """Round rectified values to 256 steps from 0 to `largest`."""
    low, high = _numbers(0.0), _numbers(largest)
    return ops.fake_quantize(x, low, high, low, high, 256)


def _weights_in_int8(weights: Any, values: NDArray[np.float32]) -> Any:  # noqa: ANN401
    """Round a convolution's weights to 255 steps from -w to w, where w is the largest weight of each output."""
    largest = np.maximum(np.abs(values).max((1, 2, 3), keepdims=True), np.finfo(np.float32).tiny)
    low, high = ops.constant(-largest), ops.constant(largest)
    return ops.fake_quantize(weights, low, high, low, high, 255)


def _spread(y: Any, x: Any) -> Any:  # noqa: ANN401
    """Append axes for the cells to y if only x has them."""
    return ops.unsqueeze(y, _indices([2, 3])) if _rank(y) < _rank(x) else y


def _rank(x: Any) -> int:  # noqa: ANN401
    """Return the number of axes of a node or one of its outputs."""
    shape = x.get_partial_shape() if hasattr(x, "get_partial_shape") else x.get_output_partial_shape(0)
    return shape.rank.get_length()


def _indices(numbers: list[int]) -> Any:  # noqa: ANN401
    return ops.constant(np.array(numbers, np.int64))


def _numbers(numbers: float | list[list[float]]) -> Any:  # noqa: ANN401
    return ops.constant(np.array(numbers, np.float32))
