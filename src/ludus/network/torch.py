"""A network run by PyTorch: the way on GPUs, and on CPUs a second opinion.

Inference in bf16 and channels-last, with folded weights.  On a GPU each lane replays a CUDA graph of its own
(`ludus.network.cuda`); on a CPU a batch is judged when it is submitted.
"""

import threading

import torch
from torch.nn import functional

from ludus.network.config import NetworkSettings, Shapes
from ludus.network.cuda import GraphedBatch, fastest_convolution
from ludus.network.evaluator import Arrays, Logits, Outcomes, Planes, check_finite
from ludus.network.fold import fold
from ludus.network.openvino import best_precision as cpu_precision

TYPICAL_BATCH = 256  # for which the fastest convolution is chosen
PRECISIONS = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}

Tensors = dict[str, tuple[torch.Tensor, torch.Tensor]]  # weight and bias of each layer


def best_precision(device: str) -> str:
    """Return `bf16` if the device computes with it natively, else `f32`."""
    if torch.device(device).type == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "f32"
    return cpu_precision()


def convolve(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, residual: torch.Tensor | None) -> torch.Tensor:
    """Return the rectified convolution of x [B, I, H, W], with `residual` [B, O, H, W] added before."""
    y = functional.conv2d(x, weight, bias, padding=1)
    return (y if residual is None else y.add_(residual)).relu_()


class TorchEvaluator:
    """A network on one device; its lanes share the weights."""

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
        """Bring the weights to the device.

        Args:
            arrays: the checkpoint, by torch's names.
            settings: what the network is made of.
            shapes: input and policy shapes.
            device: `cpu`, `cuda`, `cuda:1`, ...; several GPUs want a process each.
            precision: `bf16`, `f16` or `f32` (default: `best_precision(device)`).
            threads: processor threads for one batch, in all of this process (0: as torch decides).
            name: of the model, for errors.
        """
        if threads:
            torch.set_num_threads(threads)
        self.settings, self.shapes, self.name = settings, shapes, name
        self.device = torch.device(device)
        self.lock = threading.Lock()  # held while a batch is started, and while weights are exchanged under graphs
        self._dtype = PRECISIONS[precision or best_precision(device)]
        self._weights = self._bring(arrays)
        body = (TYPICAL_BATCH, settings.channels, *shapes.planes[1:])  # [B, channels, H, W]
        self._convolve = fastest_convolution(convolve, self.device, self._dtype, body)

    def load(self, arrays: Arrays) -> None:
        """Use other weights: from the next batch on, and for the whole of it."""
        fresh = self._bring(arrays)
        if self.device.type == "cpu":
            self._weights = fresh
            return
        with self.lock, torch.inference_mode():  # graphs read from where the weights lie
            torch.cuda.synchronize(self.device)
            for name, tensors in self._weights.items():
                for old, new in zip(tensors, fresh[name], strict=True):
                    old.copy_(new)
            torch.cuda.synchronize(self.device)

    def lane(self, batch: int) -> "TorchLane":
        """Return a new lane for batches of at most `batch` rows; on a GPU all its batches are that large."""
        return TorchLane(self, batch)

    def judge(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits [B, A] and outcome probabilities [B, 3], float32, for byte planes [B, C, H, W]."""
        weights, run = self._weights, self._convolve
        x = planes.to(self._dtype, memory_format=torch.channels_last)
        x = run(x, *weights["stem"], None)
        for index in range(self.settings.blocks):
            inner = run(x, *weights[f"blocks.{index}.first"], None)
            x = run(inner, *weights[f"blocks.{index}.second"], x)
        heads: list[torch.Tensor] = []
        for head in ("policy", "outcome"):
            y = run(x, *weights[f"{head}.convolution"], None)
            flat = y.permute(0, 2, 3, 1).reshape(len(y), -1)  # [B, H W head_channels]
            heads.append(functional.linear(flat, *weights[f"{head}.linear"]).float())
        return heads[0], torch.softmax(heads[1], 1)

    def _bring(self, arrays: Arrays) -> Tensors:
        tensors: Tensors = {}
        for name, layer in fold(arrays, self.settings, self.shapes).items():
            weight, bias = torch.from_numpy(layer.weight.copy()), torch.from_numpy(layer.bias.copy())
            if name.endswith(".linear"):  # the head's planes arrive channels last
                weight = weight.permute(0, 2, 3, 1).reshape(len(bias), -1)  # [outputs, H W head_channels]
                weight = weight.to(self.device, self._dtype)
            else:
                weight = weight.to(self.device, self._dtype, memory_format=torch.channels_last)
            tensors[name] = weight, bias.to(self.device, self._dtype)
        return tensors


class TorchLane:
    """Buffers on the host, and on a GPU the graph that reads and writes them."""

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
        """Start to judge `count` rows; on a CPU, judge them."""
        self._count = count
        if self._graph is not None:
            with self._evaluator.lock:
                self._graph.launch()
            return
        with torch.inference_mode():
            for whole, part in zip(self._answer, self._evaluator.judge(self._planes[:count]), strict=True):
                whole[:count] = part

    def answer(self) -> tuple[Logits, Outcomes]:
        """Wait for the batch; raises BadModel if the answers are no numbers."""
        if self._graph is not None:
            self._graph.wait()
        logits, outcomes = (tensor.numpy() for tensor in self._answer)
        check_finite(self._evaluator.name, logits[: self._count], outcomes[: self._count])
        return logits, outcomes
