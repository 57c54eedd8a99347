"""A network run by OpenVINO: the fast evaluator on CPUs, built from the checkpoint's arrays without torch or ONNX.

New weights cost some 50 ms: the graph is written down directly, batch normalisation folded into the convolutions.
bf16 where the processor has it (measured in docs/methods.md), else f32.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops

from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, Logits, Outcomes, Planes, check_finite

EPSILON = 1e-5  # of torch's batch normalisation


@lru_cache(maxsize=1)
def _core() -> ov.Core:
    return ov.Core()


def best_precision() -> str:
    """Return `bf16` if this processor computes with it natively, else `f32`."""
    return "bf16" if "BF16" in _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES") else "f32"


class OpenVinoEvaluator:
    """A compiled network, whose lanes each have an inference request."""

    def __init__(
        self,
        arrays: Arrays,
        settings: NetworkSettings,
        shapes: Shapes,
        *,
        threads: int = 1,
        precision: str | None = None,
        name: str = "The network",
    ) -> None:
        """Build and compile the graph.

        Args:
            arrays: the checkpoint, by torch's names.
            settings: what the network is made of.
            shapes: input and policy shapes.
            threads: processor threads for one inference.
            precision: `bf16`, `f16` or `f32` (default: `best_precision()`).
            name: of the model, for errors.
        """
        self.settings, self.shapes, self.name = settings, shapes, name
        self._options = {
            "INFERENCE_PRECISION_HINT": precision or best_precision(),
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
            "ENABLE_CPU_PINNING": False,  # two one-thread evaluators must not share a core
        }
        self.load(arrays)

    def load(self, arrays: Arrays) -> None:
        """Compile the graph with other weights; lanes take it up with their next batch."""
        self.compiled = _core().compile_model(_graph(arrays, self.settings, self.shapes), "CPU", self._options)

    def lane(self, batch: int) -> "OpenVinoLane":
        """Return a new lane for batches of at most `batch` rows."""
        return OpenVinoLane(self, batch)


class OpenVinoLane:
    """An inference request and its input."""

    def __init__(self, evaluator: OpenVinoEvaluator, batch: int) -> None:
        """Allocate the input."""
        self._evaluator = evaluator
        self.planes: Planes = np.zeros((batch, *evaluator.shapes.planes), np.uint8)
        self._compiled: ov.CompiledModel | None = None  # that the request belongs to
        self._request: Any = None
        self._count = 0

    def submit(self, count: int) -> None:
        """Start to judge `count` rows; they are padded to a few sizes, since each new size costs a compilation."""
        if self._compiled is not self._evaluator.compiled:
            self._compiled = self._evaluator.compiled
            self._request = self._compiled.create_infer_request()
        self._count = count
        rows = self.planes[: min(bucket(count), len(self.planes))]
        self._request.set_input_tensor(ov.Tensor(rows, shared_memory=True))
        self._request.start_async()

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the answers are no numbers."""
        self._request.wait()
        logits, outcomes = (self._request.get_output_tensor(index).data for index in range(2))
        check_finite(self._evaluator.name, logits[: self._count], outcomes[: self._count])
        return logits, outcomes


def evaluator_of(checkpoint: Checkpoint, *, threads: int = 1) -> OpenVinoEvaluator:
    """Return the evaluator of a checkpoint, with `threads` processor threads for one inference."""
    info = checkpoint.info
    return OpenVinoEvaluator(checkpoint.arrays, info.network, info.shapes, threads=threads, name=info.name)


def bucket(count: int) -> int:
    """Return the batch size that `count` rows are padded to: 1, 2, 4, 8, then multiples of 16, 32, 64 ..."""
    if count <= 16:
        return 1 << (count - 1).bit_length()
    grain = max(16, 1 << ((count - 1).bit_length() - 2))
    return -(-count // grain) * grain


def _graph(arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> ov.Model:
    planes = ops.parameter([-1, *shapes.planes], np.uint8, name="planes")
    x = ops.relu(_convolution(ops.convert(planes, np.float32), arrays, "stem", np.array(shapes.plane_scale)))
    for index in range(settings.blocks):
        inner = ops.relu(_convolution(x, arrays, f"blocks.{index}.first"))
        x = ops.relu(ops.add(x, _convolution(inner, arrays, f"blocks.{index}.second")))
    policy = _head(x, arrays, "policy")
    outcome = ops.softmax(_head(x, arrays, "outcome"), 1)
    return ov.Model([policy, outcome], [planes], "ludus")  # pyright: ignore[reportGeneralTypeIssues] - its stubs


def _convolution(x: Any, arrays: Arrays, name: str, input_scale: Any = 1.0) -> Any:  # noqa: ANN401 - OpenVINO's nodes are untyped
    weight = arrays[f"{name}.0.weight"] * np.reshape(input_scale, (-1, 1, 1))
    scale = arrays[f"{name}.1.weight"] / np.sqrt(arrays[f"{name}.1.running_var"] + EPSILON)
    bias = arrays[f"{name}.1.bias"] - arrays[f"{name}.1.running_mean"] * scale
    folded = ops.constant(np.ascontiguousarray(weight * scale[:, None, None, None], np.float32))
    y = ops.convolution(x, folded, [1, 1], [1, 1], [1, 1], [1, 1])
    return ops.add(y, ops.constant(bias.reshape(1, -1, 1, 1).astype(np.float32)))


def _head(x: Any, arrays: Arrays, name: str) -> Any:  # noqa: ANN401
    x = ops.relu(_convolution(x, arrays, f"{name}.convolution"))
    weight = arrays[f"{name}.linear.weight"]
    flat = ops.reshape(x, ops.constant(np.array([0, weight.shape[1]], np.int64)), special_zero=True)
    y = ops.matmul(flat, ops.constant(weight.astype(np.float32)), False, True)
    return ops.add(y, ops.constant(arrays[f"{name}.linear.bias"].astype(np.float32)))
