"""GPU-only code: a batch of fixed shape as one CUDA graph, and convolutions fused with the operations that follow."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import torch

WARM_UPS = 3  # runs before a graph is captured, in which libraries choose algorithms and allocators get memory
TIMED_RUNS = 30

Answer = tuple[torch.Tensor, torch.Tensor]
Convolve = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None], torch.Tensor]


class GraphedBatch:
    """A batch captured as a CUDA graph: copies planes to the GPU, evaluates them and copies the result back."""

    def __init__(
        self, judge: Callable[[torch.Tensor], Answer], device: torch.device, planes: torch.Tensor, answer: Answer
    ) -> None:
        """Capture the graph.

        Args:
            judge: computes logits and outcomes from planes on the device, without synchronizing with it.
            device: a GPU.
            planes: pinned memory, read by every launch.  # [B, C, H, W]
            answer: pinned memory for logits [B, A] and outcomes [B, 3], written by every launch.
        """
        self._device, self._host = device, (planes, answer)  # must outlive any batch in flight
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
            # Other threads may launch graphs meanwhile: thread-local mode captures only this thread's calls.
            with torch.cuda.graph(self._graph, stream=self._stream, capture_error_mode="thread_local"):
                run()

    def __del__(self) -> None:
        """Wait for the batch in flight, because it writes into memory that is about to be freed."""
        if hasattr(self, "_done"):
            self._done.synchronize()

    def launch(self) -> None:
        """Start the batch."""
        with torch.cuda.device(self._device), torch.cuda.stream(self._stream):
            self._graph.replay()
            self._done.record()

    def wait(self) -> None:
        """Sleep until the batch is done, without the GIL."""
        self._done.synchronize()


def fastest_convolution(plain: Convolve, device: torch.device, dtype: torch.dtype, shape: tuple[int, ...]) -> Convolve:
    """Return `plain` or cuDNN's convolution fused with bias, sum and rectifier, whichever is faster on this device.

    On small boards each of these operations costs a good part of the convolution, because GPU memory bandwidth is the
    limit.  cuDNN supports fusion only for some types and devices, and it is not always faster, so both are measured.

    Args:
        plain: the rectified convolution of x with weight and bias; a residual, if any, is added before the rectifier.
        device: the device; a CPU always gets `plain`.
        dtype: data type of all tensors.
        shape: shape of x in most convolutions.  # [B, C, H, W]
    """
    if device.type != "cuda":
        return plain
    with torch.cuda.device(device), torch.inference_mode(), _measured():
        x = torch.rand(shape, device=device).to(dtype, memory_format=torch.channels_last)
        weight = torch.rand((shape[1], shape[1], 3, 3), device=device) / shape[1]
        arguments = (x, weight.to(dtype, memory_format=torch.channels_last), x[0, :, 0, 0].clone(), x)
        try:
            agrees = torch.allclose(fused(*arguments), plain(*arguments), rtol=0.02)
        except RuntimeError:  # no cuDNN engine supports this case
            return plain
        return min((plain, fused), key=lambda each: _milliseconds(each, arguments)) if agrees else plain


def fused(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, residual: torch.Tensor | None = None
) -> torch.Tensor:
    """Return the result of cuDNN's fused convolution; raises RuntimeError if it is not supported."""
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
    """Let cuDNN choose its algorithms by benchmark."""
    return torch.backends.cudnn.flags(enabled=True, benchmark=True)
