"""Evaluators by backend name, as settings and commands use them.

`openvino` and `torch` run on processors, `cuda`, `cuda:1`, ... on NVIDIA's GPUs by PyTorch; `onnxruntime` runs on
processors, and with the name of a provider (`onnxruntime:directml`) on GPUs of all makers.
"""

from contextlib import suppress
from typing import NamedTuple

from ludus.errors import BadInput, Unavailable, is_installed, need
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, NetworkEvaluator


class Provider(NamedTuple):
    """An execution provider of ONNX Runtime: its name there, and the package that has it."""

    name: str
    package: str


PROVIDERS = {
    "": Provider("CPUExecutionProvider", "onnxruntime"),
    "cuda": Provider("CUDAExecutionProvider", "onnxruntime-gpu"),
    "directml": Provider("DmlExecutionProvider", "onnxruntime-directml"),
    "coreml": Provider("CoreMLExecutionProvider", "onnxruntime"),  # on macOS
    "rocm": Provider("ROCMExecutionProvider", "onnxruntime-rocm"),
    "migraphx": Provider("MIGraphXExecutionProvider", "onnxruntime-migraphx"),
}
"""The providers by their names in `onnxruntime:PROVIDER`; without a name, the processor."""
PRECISIONS = ("bf16", "f16", "f32")
PLAY_PRECISIONS = ("auto", "int8")
"""Precisions that depend on the model, besides `PRECISIONS` (`open_of`)."""
KNOWN = (
    f"openvino, torch, cuda, cuda:NUMBER, onnxruntime and onnxruntime:PROVIDER ({', '.join(filter(None, PROVIDERS))})"
)


def available() -> list[str]:
    """Return the backends of this machine, the one that is expected to be fastest first.

    Those of ONNX Runtime are what is installed; whether there is a device shows when one is opened.
    """
    found = [name for name in ("openvino", "torch") if is_installed(name)]
    if is_installed("onnx") and is_installed("onnxruntime"):
        import onnxruntime

        installed = onnxruntime.get_available_providers()
        found += [_with(key) for key, provider in PROVIDERS.items() if provider.name in installed]
    if "torch" in found:
        import torch  # slow to import: about a second

        gpus = range(torch.cuda.device_count())
        return ["cuda" if number == 0 else f"cuda:{number}" for number in gpus] + found
    return found


def open_evaluator(
    backend: str,
    arrays: Arrays,
    settings: NetworkSettings,
    shapes: Shapes,
    *,
    streams: int = 1,
    threads: int = 1,
    precision: str | None = None,
    name: str = "The network",
) -> NetworkEvaluator:
    """Open an evaluator for a network.

    Args:
        backend: `openvino`, `torch` or `onnxruntime` (processors), `cuda`, `cuda:1`, ... or `onnxruntime:PROVIDER`.
        arrays: the checkpoint's weights, by torch's names.
        settings: the form of the network.
        shapes: the input and output shapes of the network.
        streams: number of threads that will submit batches at the same time; on a CPU, each gets one core.
        threads: CPU threads that share one batch.
        precision: `bf16`, `f16` or `f32` (None: bf16 if the device is fast in it, else f32).
        name: name of the model, for error messages.

    Raises:
        BadInput: there is no such backend or precision.
        Unavailable: this machine has no such device, or a package is not installed.
    """
    if not is_backend(backend):
        raise BadInput(f"There is no backend {backend!r}; there are {KNOWN}.")
    if precision not in (None, *PRECISIONS):
        raise BadInput(f"There is no precision {precision!r}; there are bf16, f16 and f32.")
    kind, _, number = backend.partition(":")
    if kind == "openvino":
        from ludus.network.openvino import OpenVinoEvaluator

        return OpenVinoEvaluator(
            arrays, settings, shapes, streams=streams, threads=threads, precision=precision, name=name
        )
    if kind == "onnxruntime":
        if precision not in (None, "f32"):
            raise BadInput(f"ONNX Runtime computes in f32; name another backend for {precision}.")
        from ludus.network.onnxruntime import OnnxRuntimeEvaluator

        provider, package = PROVIDERS[number]
        return OnnxRuntimeEvaluator(
            arrays,
            settings,
            shapes,
            provider=provider,
            package=package,
            streams=streams,
            threads=threads,
            name=name,
        )
    need("torch")
    import torch

    from ludus.network.torch import TorchEvaluator

    if kind == "torch":
        return TorchEvaluator(arrays, settings, shapes, threads=threads, precision=precision, name=name)
    gpu = int(number or 0)
    if gpu >= torch.cuda.device_count():
        raise Unavailable(
            f"{backend}: this machine has no such GPU, or PyTorch was installed without it; try openvino."
        )
    return TorchEvaluator(arrays, settings, shapes, device=f"cuda:{gpu}", precision=precision, name=name)


def is_backend(name: str) -> bool:
    """Return whether `name` is a valid name of a backend, on any machine."""
    kind, _, part = name.partition(":")
    return name in ("openvino", "torch", "cuda", *map(_with, PROVIDERS)) or (kind == "cuda" and part.isdecimal())


def _with(provider: str) -> str:
    """Return the name of the backend that uses a provider of ONNX Runtime."""
    return f"onnxruntime:{provider}" if provider else "onnxruntime"


def devices(device: str) -> list[str]:
    """Return the backends for a preset's `device`; `auto` means all GPUs, or the CPU if there is none."""
    gpus = [name for name in available() if name.startswith("cuda")]
    return (gpus or ["openvino"]) if device == "auto" else [device]


def open_for_one(device: str, checkpoint: Checkpoint, *, threads: int) -> NetworkEvaluator:
    """Open an evaluator for one batch at a time: on one GPU, or with many threads of the CPU.

    Args:
        device: as for `open_evaluators`.  The first of several GPUs is used, or the CPU if there is no GPU, as on the
        first machine of a cluster.
        checkpoint: the network.
        threads: CPU threads that share the batch, if there is no GPU.
    """
    name = devices(device)[0]
    with suppress(Unavailable):
        return open_of(checkpoint, name, threads=threads)
    return open_of(checkpoint, threads=threads)


def open_of(
    checkpoint: Checkpoint,
    backend: str = "openvino",
    *,
    streams: int = 1,
    threads: int = 1,
    precision: str | None = None,
) -> NetworkEvaluator:
    """Open an evaluator for a checkpoint; arguments and errors as in `open_evaluator`.

    Besides, `precision` may be `int8`, for a model that was accepted in it, or `auto`: int8 if the model was accepted
    in it and it is measured to be faster here, else the default.

    Raises:
        BadInput: int8 is asked of another backend than `openvino`.
        BadModel: int8 is asked of a model that was not accepted in it.
    """
    info = checkpoint.info
    if precision in PLAY_PRECISIONS and backend == "openvino":
        from ludus.network.int8 import open_fastest, open_in_int8

        return (open_in_int8 if precision == "int8" else open_fastest)(checkpoint, streams=streams, threads=threads)
    if precision == "int8":
        raise BadInput(f"int8 runs on the backend openvino, not on {backend}; name openvino, or another precision.")
    return open_evaluator(
        backend,
        checkpoint.arrays,
        info.network,
        info.shapes,
        streams=streams,
        threads=threads,
        precision=None if precision == "auto" else precision,
        name=info.name,
    )


def open_evaluators(device: str, checkpoint: Checkpoint, *, streams: int) -> list[NetworkEvaluator]:
    """Open the evaluators of a checkpoint on the devices that a preset names.

    Args:
        device: `auto` (all GPUs of this machine, or its CPU if there is none), or the name of one backend.
        checkpoint: the network.
        streams: number of threads that will submit batches.

    Raises:
        BadInput: there is no such backend.
        Unavailable: this machine has no such device.
    """
    return [open_of(checkpoint, name, streams=streams) for name in devices(device)]
