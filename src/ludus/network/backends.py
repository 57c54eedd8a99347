"""Evaluators by backend name, as settings and commands use them: `openvino`, `torch`, `cuda`, `cuda:1`, ..."""

from contextlib import suppress
from importlib.util import find_spec

from ludus.errors import BadInput, Unavailable
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, NetworkEvaluator


def available() -> list[str]:
    """Return the backends of this machine, the one that is expected to be fastest first."""
    found = [name for name in ("openvino", "torch") if find_spec(name)]
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
        backend: `openvino` or `torch` (processors), or a GPU: `cuda`, `cuda:1`, ...
        arrays: the checkpoint's weights, by torch's names.
        settings: the form of the network.
        shapes: the input and output shapes of the network.
        streams: number of threads that will submit batches at the same time; on a CPU, each gets one core.
        threads: CPU threads that share one batch, for `torch`.
        precision: `bf16`, `f16` or `f32` (default: bf16 if the device is fast in it, else f32).
        name: name of the model, for error messages.

    Raises:
        BadInput: there is no such backend or precision.
        Unavailable: this machine has no such device.
    """
    if not is_backend(backend):
        raise BadInput(f"There is no backend {backend!r}; there are openvino, torch, cuda and cuda:NUMBER.")
    if precision not in (None, "bf16", "f16", "f32"):
        raise BadInput(f"There is no precision {precision!r}; there are bf16, f16 and f32.")
    kind, _, number = backend.partition(":")
    if kind == "openvino":
        from ludus.network.openvino import OpenVinoEvaluator

        return OpenVinoEvaluator(arrays, settings, shapes, streams=streams, precision=precision, name=name)
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
    kind, colon, number = name.partition(":")
    return kind in ("openvino", "torch", "cuda") and (not colon or (kind == "cuda" and number.isdecimal()))


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
    name, info = devices(device)[0], checkpoint.info
    if name != "openvino":
        with suppress(Unavailable):
            return open_evaluator(name, checkpoint.arrays, info.network, info.shapes, threads=threads, name=info.name)
    from ludus.network.openvino import evaluator_of  # optional, like all backends

    return evaluator_of(checkpoint, threads=threads)


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
    info = checkpoint.info
    return [
        open_evaluator(name, checkpoint.arrays, info.network, info.shapes, streams=streams, name=info.name)
        for name in devices(device)
    ]
