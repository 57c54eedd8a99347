"""A network run by OpenVINO: the fast evaluator on CPUs, built from the checkpoint's arrays without torch or ONNX.

New weights cost some 50 ms: the graph is written down directly.  It takes batches of any size: each position costs the
same in all of them, but a new size costs a few milliseconds and a megabyte once (measured in docs/methods.md), so that
large batches are padded a little.  bf16 where the processor has it, else f32.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops

from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, Logits, Outcomes, Planes, check_finite
from ludus.network.fold import Layer, fold


@lru_cache(maxsize=1)
def _core() -> ov.Core:
    return ov.Core()


def best_precision() -> str:
    """Return `bf16` if this processor computes with it natively, else `f32`."""
    return "bf16" if "BF16" in _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES") else "f32"


class OpenVinoEvaluator:
    """A compiled network, whose lanes each have an inference request; threads may share it.

    A batch is judged by OpenVINO's own threads between `submit` and `answer`; `streams` of them are judged at once.
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
        name: str = "The network",
    ) -> None:
        """Build and compile the graph.

        Args:
            arrays: the checkpoint, by torch's names.
            settings: what the network is made of.
            shapes: input and policy shapes.
            streams: batches that are judged at the same time.
            threads: processor threads for each of them.
            precision: `bf16`, `f16` or `f32` (default: `best_precision()`).
            name: of the model, for errors.
        """
        self.settings, self.shapes, self.name = settings, shapes, name
        self._options = {
            "INFERENCE_PRECISION_HINT": precision or best_precision(),
            "INFERENCE_NUM_THREADS": streams * threads,
            "NUM_STREAMS": streams,
            "ENABLE_CPU_PINNING": False,  # two evaluators must not share a core while another is idle
        }
        self.load(arrays)

    def load(self, arrays: Arrays) -> None:
        """Compile the graph with other weights; lanes take it up with their next batch."""
        graph = _graph(fold(arrays, self.settings, self.shapes), self.settings, self.shapes)
        self.compiled = _core().compile_model(graph, "CPU", self._options)

    def lane(self, batch: int) -> "OpenVinoLane":
        """Return a new lane for batches of at most `batch` rows."""
        return OpenVinoLane(self, batch)


class OpenVinoLane:
    """An inference request and its input."""

    def __init__(self, evaluator: OpenVinoEvaluator, batch: int) -> None:
        """Allocate the input; OpenVINO owns it, since a batch may be in flight when the lane is dropped."""
        self._evaluator = evaluator
        self._input = ov.Tensor(ov.Type.u8, ov.Shape([batch, *evaluator.shapes.planes]))
        self.planes: Planes = self._input.data
        self.planes[:] = 0
        self._compiled: ov.CompiledModel | None = None  # that the request belongs to
        self._request: Any = None
        self._count = 0

    def submit(self, count: int) -> None:
        """Start to judge `count` rows."""
        if self._compiled is not self._evaluator.compiled:
            self._compiled = self._evaluator.compiled
            self._request = self._compiled.create_infer_request()
        self._count, size = count, min(padded(count), len(self.planes))
        self._request.set_input_tensor(ov.Tensor(self._input, [0, 0, 0, 0], [size, *self._evaluator.shapes.planes]))
        self._request.start_async()

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the answers are no numbers."""
        self._request.wait()
        logits, outcomes = (self._request.get_output_tensor(index).data for index in range(2))
        check_finite(self._evaluator.name, logits[: self._count], outcomes[: self._count])
        return logits, outcomes


def padded(count: int) -> int:
    """Return the size of the batch that `count` rows are judged in: 32 sizes for each doubling, no larger by 1/32."""
    grain = 1 << max(0, count.bit_length() - 6)
    return -(-count // grain) * grain


def evaluator_of(checkpoint: Checkpoint, *, streams: int = 1, threads: int = 1) -> OpenVinoEvaluator:
    """Return the evaluator of a checkpoint for so many batches at once, with `threads` processor threads for each."""
    info = checkpoint.info
    return OpenVinoEvaluator(
        checkpoint.arrays, info.network, info.shapes, streams=streams, threads=threads, name=info.name
    )


def _graph(layers: dict[str, Layer], settings: NetworkSettings, shapes: Shapes) -> ov.Model:
    planes = ops.parameter([-1, *shapes.planes], np.uint8, name="planes")
    x = ops.relu(_convolution(ops.convert(planes, np.float32), layers["stem"]))
    for index in range(settings.blocks):
        inner = ops.relu(_convolution(x, layers[f"blocks.{index}.first"]))
        x = ops.relu(ops.add(x, _convolution(inner, layers[f"blocks.{index}.second"])))
    policy = _head(x, layers, "policy")
    outcome = ops.softmax(_head(x, layers, "outcome"), 1)
    return ov.Model([policy, outcome], [planes], "ludus")  # pyright: ignore[reportGeneralTypeIssues] - its stubs


def _convolution(x: Any, layer: Layer) -> Any:  # noqa: ANN401 - OpenVINO's nodes are untyped
    y = ops.convolution(x, ops.constant(np.ascontiguousarray(layer.weight)), [1, 1], [1, 1], [1, 1], [1, 1])
    return ops.add(y, ops.constant(layer.bias.reshape(1, -1, 1, 1)))


def _head(x: Any, layers: dict[str, Layer], name: str) -> Any:  # noqa: ANN401
    x = ops.relu(_convolution(x, layers[f"{name}.convolution"]))
    linear = layers[f"{name}.linear"]
    weight = np.ascontiguousarray(linear.weight.reshape(len(linear.bias), -1))  # [outputs, head_channels H W]
    flat = ops.reshape(x, ops.constant(np.array([0, weight.shape[1]], np.int64)), special_zero=True)
    return ops.add(ops.matmul(flat, ops.constant(weight), False, True), ops.constant(linear.bias))
