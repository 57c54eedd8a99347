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
from ludus.network.config import NetworkSettings, Shapes

FORMAT = 1
FILE = "model.safetensors"


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
    except (SafetensorError, OSError, ValueError) as error:
        raise BadModel(f"{file}: the file is damaged or no safetensors file ({error}).") from error
    try:
        info = msgspec.json.decode(header, type=ModelInfo)
    except msgspec.DecodeError as error:
        raise BadModel(f"{file}: not a model of this version of Ludus ({error}).") from error
    _check_shapes(file, info, arrays)
    return Checkpoint(info=info, arrays=arrays)


def _check_shapes(file: Path, info: ModelInfo, arrays: dict[str, NDArray[Any]]) -> None:
    planes, height, width = info.shapes.planes
    expected = {
        "stem.0.weight": (info.network.channels, planes, 3, 3),
        "policy.linear.weight": (info.shapes.num_actions, info.network.head_channels * height * width),
        "outcome.linear.weight": (3, info.network.head_channels * height * width),
    }
    for name, shape in expected.items():
        found = arrays[name].shape if name in arrays else "nothing"
        if found != shape:
            raise BadModel(
                f"{file}: {name} should have shape {shape}, found {found}; the file does not fit its header."
            )
