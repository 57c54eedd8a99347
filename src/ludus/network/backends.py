"""Evaluators by the names that settings and commands use: `openvino`, `torch`, `cuda`, `cuda:1`, ..."""

from contextlib import suppress
from importlib.util import find_spec

from ludus.errors import BadInput, Unavailable
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays, NetworkEvaluator


def available() -> list[str]:
    """Return the backends of this machine, the one to expect most of first."""
    found = [name for name in ("openvino", "torch") if find_spec(name)]
    if "torch" in found:
        import torch  # takes a second

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
    """Return an evaluator.

    Args:
        backend: `openvino` or `torch` (processors), or a GPU: `cuda`, `cuda:1`, ...
        arrays: the checkpoint, by torch's names.
        settings: what the network is made of.
        shapes: the border to the game.
        streams: how many threads will have batches judged at the same time; on a processor each gets one core.
        threads: of the processor that share one batch, for `torch`.
        precision: `bf16`, `f16` or `f32` (default: bf16 if the device has it, else f32).
        name: of the model, for errors.

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
    """Return whether some machine could have a backend of this name."""
    kind, colon, number = name.partition(":")
    return kind in ("openvino", "torch", "cuda") and (not colon or (kind == "cuda" and number.isdecimal()))


def devices(device: str) -> list[str]:
    """Return the backends that a preset's `device` means: `auto` is all GPUs, or the processor if there is none."""
    gpus = [name for name in available() if name.startswith("cuda")]
    return (gpus or ["openvino"]) if device == "auto" else [device]


def open_for_one(device: str, checkpoint: Checkpoint, *, threads: int) -> NetworkEvaluator:
    """Return the evaluator of whoever has one batch judged at a time: on one GPU, or by many threads of the processor.

    Args:
        device: as for `open_evaluators`; of several GPUs, the first is taken, and the processor where there is none, as
            on the first machine of a cluster.
        checkpoint: the network.
        threads: of the processor that judge the batch, where there is no GPU.
    """
    name, info = devices(device)[0], checkpoint.info
    if name != "openvino":
        with suppress(Unavailable):
            return open_evaluator(name, checkpoint.arrays, info.network, info.shapes, threads=threads, name=info.name)
    from ludus.network.openvino import evaluator_of  # optional, as all backends

    return evaluator_of(checkpoint, threads=threads)


def open_evaluators(device: str, checkpoint: Checkpoint, *, streams: int) -> list[NetworkEvaluator]:
    """Return the evaluators of a checkpoint on the devices that a preset names.

    Args:
        device: `auto` (all GPUs of this machine, or its processor if there is none), or one backend by name.
        checkpoint: the network.
        streams: threads that will have batches judged.

    Raises:
        BadInput: there is no such backend.
        Unavailable: this machine has no such device.
    """
    info = checkpoint.info
    return [
        open_evaluator(name, checkpoint.arrays, info.network, info.shapes, streams=streams, name=info.name)
        for name in devices(device)
    ]
