"""Checkpoints: one safetensors file with the weights, and in its header what they are, what they fit, and a checksum.

A file has numbers of 32 bits, or of 16 bits where a model is handed on; in memory they are always of 32.
"""

import hashlib
from collections.abc import Mapping
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
    ancestors: tuple[str, ...] = ()
    """What it has grown from by surgery, the nearest first."""
    format: int = FORMAT

    def lineage(self) -> tuple[str, ...]:
        """Return the ancestors of a network that grows from this one."""
        _, height, width = self.shapes.planes
        form = f"{self.network.blocks}x{self.network.channels}, {height}x{width}"
        return (f"{self.name}, generation {self.generation} ({form})", *self.ancestors)


class Checkpoint(msgspec.Struct, frozen=True):
    """Weights and what they are."""

    info: ModelInfo
    arrays: dict[str, NDArray[Any]]
    """By torch's names."""


class _Header(msgspec.Struct, frozen=True):
    """The one text in a file's header: two would be written in any order, and the same model has the same bytes."""

    info: msgspec.Raw
    """A `ModelInfo`."""
    blake2b: str
    """Of it and the weights, as they are written: safetensors has no checksum."""


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint atomically; raises Unavailable if the disk refuses."""
    arrays = {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()}
    info = msgspec.Raw(msgspec.json.encode(checkpoint.info))
    header = _Header(info, digest_of(arrays, bytes(info)).hex())
    write_atomically(path, save(arrays, {"ludus": msgspec.json.encode(header).decode()}))


def halve(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint with numbers of 16 bits, to be saved; raises BadModel if one is too large for them."""
    with np.errstate(over="ignore"):
        arrays = {
            name: array.astype(np.float16) for name, array in checkpoint.arrays.items() if not name.endswith(COUNTER)
        }
    if name := next((name for name, array in arrays.items() if not np.isfinite(array).all()), ""):
        raise BadModel(f"{checkpoint.info.name}: {name} holds numbers that 16 bits cannot; keep the model as it is.")
    return msgspec.structs.replace(checkpoint, arrays=arrays)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint: a .safetensors file, or a directory with `model.safetensors`.

    Raises:
        BadModel: the file is missing, damaged, or not one of Ludus's.
    """
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BadModel(_missing(path))
    try:
        with safe_open(file, framework="np") as opened:
            text = (opened.metadata() or {}).get("ludus", "")
            written = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise BadModel(f"{file}: the file is damaged or no safetensors file ({error}).") from error
    try:
        header = msgspec.json.decode(text, type=_Header)
        info = msgspec.json.decode(header.info, type=ModelInfo)
    except msgspec.DecodeError as error:
        raise BadModel(f"{file}: not a model of this version of Ludus ({error}).") from error
    if info.format != FORMAT:
        raise BadModel(f"{file}: a model of format {info.format}; this Ludus reads format {FORMAT}.")
    arrays = {name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in written.items()}
    if fault := _fault(info, arrays):
        raise BadModel(f"{file}: {fault}; the file does not fit its header, restore it or train the model again.")
    if header.blake2b != digest_of(written, bytes(header.info)).hex():
        raise BadModel(f"{file}: does not have its checksum, so it was damaged; restore it or train the model again.")
    return Checkpoint(info=info, arrays=arrays)


def _missing(path: Path) -> str:
    """Return that there is no model at `path`, with the remedy."""
    if path.suffix != ".safetensors":
        inside = [*path.glob("*.safetensors"), *path.glob("models/*.safetensors"), *path.glob(f"*/{FILE}")]
        newest = max(inside, key=lambda file: file.stat().st_mtime, default=None)
        remedy = f"the newest model in it is {newest}" if newest else "train one with `ludus train`"
        return f"{path}: there is no model here (expected {FILE}); {remedy}."
    beside = [found.name for found in path.parent.glob("*.safetensors")]
    if not beside:
        return f"{path}: there is no such file, and no model beside it; train one with `ludus train`."
    return f"{path}: there is no such file; the newest model there is {max(beside)}."  # generations are in the names


def weights_fingerprint(checkpoint: Checkpoint) -> str:
    """Return 16 hexadecimal digits that change with any weight: whose evaluations a file holds."""
    return digest_of(checkpoint.arrays, msgspec.json.encode(checkpoint.info.network), size=8).hex()


def array_shapes(network: NetworkSettings, shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array that a network of this form needs, by torch's names."""
    expected: dict[str, tuple[int, ...]] = {}
    body, head = network.channels, network.head_channels
    convolutions = {"stem": (body, shapes.planes[0]), "policy.convolution": (head, body)}
    convolutions["outcome.convolution"] = (head, body)
    linear: dict[str, tuple[int, ...]] = {}
    for index in range(network.blocks):
        name, pooled = f"blocks.{index}", network.pooled(index)
        convolutions |= {f"{name}.first": (body, body), f"{name}.second": (body, body - pooled)}
        if pooled:
            linear[f"{name}.pool"] = (body - pooled, 3 * pooled)
        if network.squeeze:
            inner = body // network.squeeze
            linear |= {f"{name}.squeeze": (inner, body), f"{name}.excite": (body, inner)}
    for name, (outputs, inputs) in convolutions.items():
        expected[f"{name}.0.weight"] = (outputs, inputs, 3, 3)
        expected |= {f"{name}.1.{part}": (outputs,) for part in ("weight", "bias", "running_mean", "running_var")}
    linear |= _head_shapes(network, shapes)
    expected |= {f"{name}.weight": shape for name, shape in linear.items()}
    return expected | {f"{name}.bias": shape[:1] for name, shape in linear.items()}


def _head_shapes(network: NetworkSettings, shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the shape of every layer without normalisation in the heads, auxiliary ones included."""
    body, head = network.channels, network.head_channels
    cells = head * shapes.planes[1] * shapes.planes[2]
    flat = network.hidden or cells
    found: dict[str, tuple[int, ...]] = {}

    def add_actions(name: str) -> None:
        if network.heads == "linear":
            found[name.replace("actions", "linear")] = (shapes.num_actions, flat)
            return
        if shapes.num_layers:
            found[f"{name}.cells"] = (shapes.num_layers, head, 1, 1)
        if shapes.num_placeless:
            found[f"{name}.placeless"] = (shapes.num_placeless, 3 * head)

    add_actions("policy.actions")
    features = flat
    if network.hidden:
        found |= dict.fromkeys(network.board_readers, (network.hidden, cells))
    if network.heads == "size-free":
        features = body
        found |= {"policy.spread": (head, 3 * head), "outcome.hidden": (body, 3 * head)}
    found["outcome.linear"] = (network.num_outcomes, features)
    for name in network.auxiliary:
        if name in ("reply", "soft"):
            add_actions(f"auxiliary.{name}")
        elif name == "maps":
            found["auxiliary.maps"] = (shapes.num_maps, head, 1, 1)
        else:
            outputs = 1 if name == "moves_left" else 3 * len(SHORT_HORIZONS)
            found[f"auxiliary.{name}"] = (outputs, features)
    return found


def digest_of(arrays: Mapping[str, NDArray[Any]], header: bytes = b"", *, size: int = 16) -> bytes:
    """Return `size` bytes that change with any bit of named arrays, or of a header."""
    digest = hashlib.blake2b(header, digest_size=size)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


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
