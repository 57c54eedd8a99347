"""A network run by OpenVINO: the fast evaluator on CPUs, built from the checkpoint's arrays without torch or ONNX.

New weights cost some 50 ms: the graph is written down directly, batch normalisation folded into the convolutions.
bf16 where the processor has it (measured in docs/methods.md), else f32.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops
from numpy.typing import NDArray

from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Logits, Outcomes, Planes

EPSILON = 1e-5  # of torch's batch normalisation

Arrays = Mapping[str, NDArray[np.float32]]


@lru_cache(maxsize=1)
def _core() -> ov.Core:
    return ov.Core()


def best_precision() -> str:
    """Return `bf16` if this processor computes with it natively, else `f32`."""
    return "bf16" if "BF16" in _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES") else "f32"


class OpenVinoEvaluator:
    """A compiled network with its own inference request; use one for each worker thread."""

    def __init__(
        self,
        arrays: Arrays,
        settings: NetworkSettings,
        shapes: Shapes,
        *,
        threads: int = 1,
        precision: str | None = None,
    ) -> None:
        """Build and compile the graph.

        Args:
            arrays: the checkpoint, by torch's names.
            settings: what the network is made of.
            shapes: input and policy shapes.
            threads: processor threads for one inference.
            precision: `bf16`, `f16` or `f32` (default: `best_precision()`).
        """
        self._shapes = shapes
        options = {
            "INFERENCE_PRECISION_HINT": precision or best_precision(),
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
            "ENABLE_CPU_PINNING": False,  # two one-thread evaluators must not share a core
        }
        self._request = _core().compile_model(_graph(arrays, settings, shapes), "CPU", options).create_infer_request()
        self._padded: dict[int, Planes] = {}

    def evaluate(self, planes: Planes, count: int) -> tuple[Logits, Outcomes]:
        """Run the network; batches are padded to a few sizes, since each new size costs a compilation."""
        size = bucket(count)
        if size <= len(planes):
            batch = planes[:size]
        else:
            batch = self._padded.setdefault(size, np.zeros((size, *self._shapes.planes), np.float32))
            batch[:count] = planes[:count]
        self._request.infer([ov.Tensor(batch, shared_memory=True)], share_outputs=True)
        return self._request.get_output_tensor(0).data, self._request.get_output_tensor(1).data


def evaluator_of(checkpoint: Checkpoint, *, threads: int = 1) -> OpenVinoEvaluator:
    """Return the evaluator of a checkpoint, with `threads` processor threads for one inference."""
    info = checkpoint.info
    return OpenVinoEvaluator(checkpoint.arrays, info.network, info.shapes, threads=threads)


def bucket(count: int) -> int:
    """Return the batch size that `count` rows are padded to: 1, 2, 4, 8, then multiples of 16, 32, 64 ..."""
    if count <= 16:
        return 1 << (count - 1).bit_length()
    grain = max(16, 1 << ((count - 1).bit_length() - 2))
    return -(-count // grain) * grain


def _graph(arrays: Arrays, settings: NetworkSettings, shapes: Shapes) -> ov.Model:
    planes = ops.parameter([-1, *shapes.planes], np.float32, name="planes")
    x = ops.relu(_convolution(planes, arrays, "stem"))
    for index in range(settings.blocks):
        inner = ops.relu(_convolution(x, arrays, f"blocks.{index}.first"))
        x = ops.relu(ops.add(x, _convolution(inner, arrays, f"blocks.{index}.second")))
    policy = _head(x, arrays, "policy")
    outcome = ops.softmax(_head(x, arrays, "outcome"), 1)
    return ov.Model([policy, outcome], [planes], "ludus")  # pyright: ignore[reportGeneralTypeIssues] - its stubs


def _convolution(x: Any, arrays: Arrays, name: str) -> Any:  # noqa: ANN401 - OpenVINO's nodes are untyped
    weight = arrays[f"{name}.0.weight"]
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
