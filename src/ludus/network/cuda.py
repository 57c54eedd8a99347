"""What only a GPU does: a batch of fixed shape as one CUDA graph, and convolutions fused with what follows them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import torch

WARM_UPS = 3  # runs before a graph is captured: libraries choose their algorithms, allocators their memory
TIMED_RUNS = 30

Answer = tuple[torch.Tensor, torch.Tensor]
Convolve = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None], torch.Tensor]


class GraphedBatch:
    """Copies planes to the GPU, judges them, copies the answer back: one launch on a stream of its own."""

    def __init__(
        self, judge: Callable[[torch.Tensor], Answer], device: torch.device, planes: torch.Tensor, answer: Answer
    ) -> None:
        """Capture the graph.

        Args:
            judge: logits and outcomes of planes on the device, without waiting for the device.
            device: a GPU.
            planes: pinned, read by every launch.  # [B, C, H, W]
            answer: pinned logits [B, A] and outcomes [B, 3], written by every launch.
        """
        self._device, self._host = device, (planes, answer)  # which must outlive what is in flight
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(device), torch.inference_mode(), _measured():
            self._stream, self._done = torch.cuda.Stream(), torch.cuda.Event(blocking=True)

            def run() -> None:
                found = judge(planes.to(device, non_blocking=True))
                for host, tensor in zip(answer, found, strict=True):
                    host.copy_(tensor, non_blocking=True)

            self._stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self._stream):
                for _ in range(WARM_UPS):
                    run()
            self._stream.synchronize()
            # Other threads may launch graphs meanwhile: only this one's calls are captured, and held to its rules.
            with torch.cuda.graph(self._graph, stream=self._stream, capture_error_mode="thread_local"):
                run()

    def __del__(self) -> None:
        """Wait for what is in flight, which writes into memory that is given back now."""
        if hasattr(self, "_done"):
            self._done.synchronize()

    def launch(self) -> None:
        """Start a batch."""
        with torch.cuda.device(self._device), torch.cuda.stream(self._stream):
            self._graph.replay()
            self._done.record()

    def wait(self) -> None:
        """Sleep until the batch is done, without the GIL."""
        self._done.synchronize()


def fastest_convolution(plain: Convolve, device: torch.device, dtype: torch.dtype, shape: tuple[int, ...]) -> Convolve:
    """Return `plain`, or cuDNN's convolution with bias, sum and rectifier in one kernel, whichever is faster here.

    On small boards each of these, taken by itself, costs a good part of the convolution: the GPU's memory is the limit.
    cuDNN fuses some types on some devices only, and not always to advantage; so it is asked.

    Args:
        plain: the rectified convolution of x with weight and bias, and with a residual added before if there is one.
        device: where; a processor takes `plain`.
        dtype: of all tensors.
        shape: of x in most convolutions.  # [B, C, H, W]
    """
    if device.type != "cuda":
        return plain
    with torch.cuda.device(device), torch.inference_mode(), _measured():
        x = torch.rand(shape, device=device).to(dtype, memory_format=torch.channels_last)
        weight = torch.rand((shape[1], shape[1], 3, 3), device=device) / shape[1]
        arguments = (x, weight.to(dtype, memory_format=torch.channels_last), x[0, :, 0, 0].clone(), x)
        try:
            agrees = torch.allclose(fused(*arguments), plain(*arguments), rtol=0.02)
        except RuntimeError:  # none of cuDNN's engines takes this
            return plain
        return min((plain, fused), key=lambda each: _milliseconds(each, arguments)) if agrees else plain


def fused(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, residual: torch.Tensor | None = None
) -> torch.Tensor:
    """Return cuDNN's fused convolution; RuntimeError where it has none."""
    if residual is None:
        return torch.cudnn_convolution_relu(x, weight, bias, (1, 1), (1, 1), (1, 1), 1)
    return torch.cudnn_convolution_add_relu(x, weight, residual, 1.0, bias, (1, 1), (1, 1), (1, 1), 1)


def _milliseconds(convolve: Convolve, arguments: tuple[torch.Tensor, ...]) -> float:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for run in range(WARM_UPS + TIMED_RUNS):
        if run == WARM_UPS:
            begin.record()
        convolve(*arguments)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


def _measured() -> AbstractContextManager[None]:
    """Let cuDNN choose its algorithms by measurement."""
    return torch.backends.cudnn.flags(enabled=True, benchmark=True)
