"""Checkpoints: one safetensors file with the weights, and in its header what they are and what they fit."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ludus.errors import BadModel
from ludus.files import write_atomically
from ludus.network.config import SHORT_HORIZONS, NetworkSettings, Shapes

FORMAT = 1
FILE = "model.safetensors"
COUNTER = ".num_batches_tracked"  # torch's own, of no use here


class ModelInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a checkpoint says of itself."""

    name: str
    network: NetworkSettings
    shapes: Shapes
    games: dict[str, str]
    """The games that it was trained on: spec -> behaviour fingerprint of the rules."""
    generation: int = 0
    preset: str = ""
    format: int = FORMAT


class Checkpoint(msgspec.Struct, frozen=True):
    """Weights and what they are."""

    info: ModelInfo
    arrays: dict[str, NDArray[Any]]
    """By torch's names."""


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint atomically; raises Unavailable if the disk refuses."""
    data = save(
        {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()},
        {"ludus": msgspec.json.encode(checkpoint.info).decode()},
    )
    write_atomically(path, data)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint: a .safetensors file, or a directory with `model.safetensors`.

    Raises:
        BadModel: the file is missing, damaged, or not one of Ludus's.
    """
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BadModel(f"{path}: there is no model here (expected {FILE}); train one with `ludus train`.")
    try:
        with safe_open(file, framework="np") as opened:
            header = (opened.metadata() or {}).get("ludus", "")
            arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise BadModel(f"{file}: the file is damaged or no safetensors file ({error}).") from error
    try:
        info = msgspec.json.decode(header, type=ModelInfo)
    except msgspec.DecodeError as error:
        raise BadModel(f"{file}: not a model of this version of Ludus ({error}).") from error
    if info.format != FORMAT:
        raise BadModel(f"{file}: a model of format {info.format}; this Ludus reads format {FORMAT}.")
    if fault := _fault(info, arrays):
        raise BadModel(f"{file}: {fault}; the file does not fit its header, restore it or train the model again.")
    return Checkpoint(info=info, arrays=arrays)


def array_shapes(network: NetworkSettings, shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array that a network of this form needs, by torch's names."""
    planes, height, width = shapes.planes
    body, head = network.channels, network.head_channels
    convolutions = {"stem": (body, planes), "policy.convolution": (head, body), "outcome.convolution": (head, body)}
    for index in range(network.blocks):
        convolutions |= {f"blocks.{index}.{part}": (body, body) for part in ("first", "second")}
    expected: dict[str, tuple[int, ...]] = {}
    for name, (outputs, inputs) in convolutions.items():
        expected[f"{name}.0.weight"] = (outputs, inputs, 3, 3)
        expected |= {f"{name}.1.{part}": (outputs,) for part in ("weight", "bias", "running_mean", "running_var")}
    for name, outputs in (("policy", shapes.num_actions), ("outcome", 3)):
        expected[f"{name}.linear.weight"] = (outputs, head * height * width)
        expected[f"{name}.linear.bias"] = (outputs,)
    for name in network.auxiliary:
        outputs = {"short_values": 3 * len(SHORT_HORIZONS), "moves_left": 1, "maps": shapes.num_maps}
        inputs = (head, 1, 1) if name == "maps" else (head * height * width,)
        expected[f"auxiliary.{name}.weight"] = (outputs.get(name, shapes.num_actions), *inputs)
        expected[f"auxiliary.{name}.bias"] = (outputs.get(name, shapes.num_actions),)
    return expected


def _fault(info: ModelInfo, arrays: dict[str, NDArray[Any]]) -> str:
    expected = array_shapes(info.network, info.shapes)
    found = {name for name in arrays if not name.endswith(COUNTER)}
    if missing := sorted(expected.keys() - found):
        return f"{missing[0]} is missing"
    if strange := sorted(found - expected.keys()):
        return f"{strange[0]} belongs to another network"
    for name, shape in expected.items():
        array = arrays[name]
        if array.shape != shape or array.dtype != np.float32:
            return f"{name} is {array.dtype} of shape {array.shape} instead of float32 of shape {shape}"
        if not np.isfinite(array).all():
            return f"{name} holds numbers that are not finite"
    return ""
