"""The PyTorch evaluator: for GPUs, and on CPUs an alternative to check other evaluators against.

It computes in bf16 if that is fast, channels-last, with folded weights.  On a GPU each lane replays its own CUDA graph
(`ludus.network.cuda`); on a CPU a batch is evaluated in `submit`.
"""

import math
import threading

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ludus.cores import usable_cores
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.cuda import Convolve, GraphedBatch, fastest_convolution
from ludus.network.evaluator import Arrays, Logits, Maps, Outcomes, Planes, check_finite
from ludus.network.fold import fold
from ludus.network.forward import WIDTH_CENTRE, WIDTH_RANGE, compute, compute_maps
from ludus.network.openvino import best_precision as cpu_precision

TYPICAL_BATCH = 256  # batch size for which the fastest convolution is chosen
PRECISIONS = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}

Tensors = dict[str, tuple[torch.Tensor, torch.Tensor]]  # weight and bias of each layer
Constants = dict[tuple[tuple[int, ...], bytes], torch.Tensor]  # by shape and bytes


def set_threads(threads: int) -> None:
    """Set the CPU threads of this process's tensors; 0: torch's default, at most one per core that may be used."""
    torch.set_num_threads(threads or min(torch.get_num_threads(), usable_cores()))


def best_precision(device: str) -> str:
    """Return `bf16` if the device is faster in it, else `f32`."""
    if torch.device(device).type == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "f32"
    return cpu_precision()


def convolve(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, residual: torch.Tensor | None) -> torch.Tensor:
    """Return the rectified convolution of x [B, I, H, W]; `residual` [B, O, H, W] is added before the rectifier."""
    y = functional.conv2d(x, weight, bias, padding=1)
    return (y if residual is None else y.add_(residual)).relu_()


class TorchEvaluator:
    """A network on one device; all lanes share the weights."""

    def __init__(
        self,
        arrays: Arrays,
        settings: NetworkSettings,
        shapes: Shapes,
        *,
        device: str = "cpu",
        precision: str | None = None,
        threads: int = 0,
        name: str = "The network",
    ) -> None:
        """Load the weights onto the device.

        Args:
            arrays: the checkpoint's weights, by torch's names.
            settings: the form of the network.
            shapes: input and policy shapes.
            device: `cpu`, `cuda`, `cuda:1`, ...; use one process for each GPU.
            precision: `bf16`, `f16` or `f32` (default: `best_precision(device)`).
            threads: CPU threads for one batch; see `set_threads`.
            name: name of the model, for error messages.
        """
        set_threads(threads)
        self.settings, self.shapes, self.name = settings, shapes, name
        self.device = torch.device(device)
        self.lock = threading.Lock()  # held while a batch starts, and while weights that graphs use are replaced
        self._dtype = PRECISIONS[precision or best_precision(device)]
        self._weights = self._bring(arrays)
        self._constants: Constants = {}
        self._indices = torch.tensor(shapes.action_indices(), device=self.device)  # [A], or empty for linear heads
        body = (TYPICAL_BATCH, settings.channels, *shapes.planes[1:])  # [B, channels, H, W]
        self._convolve = fastest_convolution(convolve, self.device, self._dtype, body)

    def load(self, arrays: Arrays) -> None:
        """Load other weights; the next batch uses only these."""
        fresh = self._bring(arrays)
        if self.device.type == "cpu":
            self._weights = fresh
            return
        with self.lock, torch.inference_mode():  # graphs read the weights from fixed addresses
            torch.cuda.synchronize(self.device)
            for name, tensors in self._weights.items():
                for old, new in zip(tensors, fresh[name], strict=True):
                    old.copy_(new)
            torch.cuda.synchronize(self.device)

    def lane(self, batch: int) -> "TorchLane":
        """Return a new lane for batches of at most `batch` rows; on a GPU all its batches have exactly that size."""
        return TorchLane(self, batch)

    def judge(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits [B, A] and outcome probabilities [B, 3], float32, for byte planes [B, C, H, W]."""
        x = planes.to(self._dtype, memory_format=torch.channels_last)
        logits, outcomes = compute(self._operations(x), self.settings, self.shapes, x)
        return logits.float(), outcomes

    def maps(self, planes: Planes) -> Maps | None:
        """Return the predicted final maps; None if the network has no such head."""
        if "maps" not in self.settings.auxiliary:
            return None
        with self.lock, torch.inference_mode():
            x = torch.from_numpy(planes).to(self.device, self._dtype, memory_format=torch.channels_last)
            found = compute_maps(self._operations(x), self.settings, self.shapes, x)
        return found.cpu().numpy().reshape(-1, self.shapes.num_maps, *self.shapes.planes[1:])

    def _operations(self, x: torch.Tensor) -> "TensorOperations":
        return TensorOperations(self._weights, self._convolve, self.shapes, self._indices, x, self._constants)

    def _bring(self, arrays: Arrays) -> Tensors:
        tensors: Tensors = {}
        for name, layer in fold(arrays, self.settings, self.shapes).items():
            weight, bias = torch.from_numpy(layer.weight.copy()), torch.from_numpy(layer.bias.copy())
            if name in self.settings.board_readers:  # the input of the head is channels-last
                weight = weight.permute(0, 2, 3, 1).reshape(len(bias), -1)  # [outputs, H W head_channels]
            if weight.ndim == 2:
                weight = weight.to(self.device, self._dtype)
            else:
                weight = weight.to(self.device, self._dtype, memory_format=torch.channels_last)
            tensors[name] = weight, bias.to(self.device, self._dtype)
        return tensors


class TensorOperations:
    """Operations on tensors in channels-last order."""

    def __init__(
        self,
        weights: Tensors,
        convolve: Convolve,
        shapes: Shapes,
        indices: torch.Tensor,
        planes: torch.Tensor,
        constants: Constants,
    ) -> None:
        """Store the weights and planes; the mask, if the game declares one, is a plane of `planes`."""
        self._weights, self._convolve, self._indices, self._planes = weights, convolve, indices, planes
        self._constants = constants
        number, size = shapes.mask_plane, shapes.planes[1] * shapes.planes[2]
        self._mask = None if number is None else planes[:, number : number + 1]  # [B, 1, H, W]
        self._cells = None if self._mask is None else self._mask.sum((2, 3), dtype=torch.float32)  # [B, 1]
        self._size = float(size)

    def rectified(self, x: torch.Tensor, layer: str, residual: torch.Tensor | None = None) -> torch.Tensor:
        """Compute the operation of this name in `Operations`, as all methods of this class do."""
        return self._convolve(x, *self._weights[layer], residual)

    def convolved(self, x: torch.Tensor, layer: str) -> torch.Tensor:  # noqa: D102
        weight, bias = self._weights[layer]
        return functional.conv2d(x, weight, bias, padding=1)

    def pointwise(self, x: torch.Tensor, layer: str) -> torch.Tensor:  # noqa: D102
        return functional.conv2d(x, *self._weights[layer]).flatten(1)

    def linear(self, x: torch.Tensor, layer: str) -> torch.Tensor:  # noqa: D102
        return functional.linear(x, *self._weights[layer])

    def whole(self, x: torch.Tensor, layer: str) -> torch.Tensor:  # noqa: D102
        return self.linear(x.permute(0, 2, 3, 1).reshape(len(x), -1), layer)  # [B, H W head_channels]

    def split(self, x: torch.Tensor, layer: str) -> tuple[torch.Tensor, torch.Tensor]:  # noqa: D102
        changed = len(self._weights[layer][1])
        return x[:, :changed], x[:, changed:]

    def relu(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return torch.relu(x)

    def sigmoid(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return torch.sigmoid(x)

    def softmax(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return torch.softmax(x.float(), 1)

    def mean(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        total = self.keep(x).sum((2, 3), dtype=torch.float32)
        return (total / (self._size if self._cells is None else self._cells)).to(x.dtype)

    def pool(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        average = self.mean(x)
        side = math.sqrt(self._size) if self._cells is None else self._cells.sqrt()
        width = (side - WIDTH_CENTRE) / WIDTH_RANGE
        return torch.cat([average, (average * width).to(x.dtype), self.keep(x).amax((2, 3))], 1)

    def add(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return x + _spread(y, x)

    def times(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return x * _spread(y, x)

    def keep(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return x if self._mask is None else x * self._mask

    def chosen(self, parts: list[torch.Tensor]) -> torch.Tensor:  # noqa: D102
        return torch.cat(parts, 1)[:, self._indices]

    def tanh(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return torch.tanh(x)

    def affine(self, x: torch.Tensor, factor: float, shift: float) -> torch.Tensor:  # noqa: D102
        return factor * x + shift

    def weighed(self, x: torch.Tensor, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> torch.Tensor:  # noqa: D102
        return x @ self._constant(weight) + self._constant(bias)

    def _constant(self, array: NDArray[np.float32]) -> torch.Tensor:
        """Return an array on the device, cached because graph capture does not allow copies from the host."""
        key = array.shape, array.tobytes()
        if key not in self._constants:
            self._constants[key] = torch.from_numpy(array).to(self._planes.device)
        return self._constants[key]

    def likely(self, x: torch.Tensor, maps: int) -> torch.Tensor:  # noqa: D102
        chances = torch.sigmoid(x.float())
        return chances if self._mask is None else chances * self._mask.float().flatten(1).repeat(1, maps)

    def per_point(self, x: torch.Tensor) -> torch.Tensor:  # noqa: D102
        return x.sum(1, keepdim=True) / (self._size if self._cells is None else self._cells)

    def seen(self) -> torch.Tensor:  # noqa: D102
        total = self.keep(self._planes).sum((2, 3), dtype=torch.float32)
        return total / (self._size if self._cells is None else self._cells)


def _spread(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Append axes for the cells to y if only x has them."""
    return y[:, :, None, None] if y.ndim < x.ndim else y


class TorchLane:
    """Buffers on the host, and on a GPU the CUDA graph that reads and writes them."""

    def __init__(self, evaluator: TorchEvaluator, batch: int) -> None:
        """Allocate the buffers."""
        self._evaluator = evaluator
        is_gpu = evaluator.device.type == "cuda"
        self._planes = torch.zeros((batch, *evaluator.shapes.planes), dtype=torch.uint8, pin_memory=is_gpu)
        self._answer = (
            torch.zeros((batch, evaluator.shapes.num_actions), pin_memory=is_gpu),
            torch.zeros((batch, 3), pin_memory=is_gpu),
        )
        self.planes: Planes = self._planes.numpy()
        self._count = 0
        self._graph: GraphedBatch | None = None
        if is_gpu:
            with evaluator.lock:
                self._graph = GraphedBatch(evaluator.judge, evaluator.device, self._planes, self._answer)

    def submit(self, count: int) -> None:
        """Start to evaluate `count` rows; on a CPU, evaluate them now."""
        self._count = count
        if self._graph is not None:
            with self._evaluator.lock:
                self._graph.launch()
            return
        with torch.inference_mode():
            for whole, part in zip(self._answer, self._evaluator.judge(self._planes[:count]), strict=True):
                whole[:count] = part

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the results are not finite."""
        if self._graph is not None:
            self._graph.wait()
        logits, outcomes = (tensor.numpy() for tensor in self._answer)
        check_finite(self._evaluator.name, logits[: self._count], outcomes[: self._count])
        return logits, outcomes
