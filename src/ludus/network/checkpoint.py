"""Checkpoints: one safetensors file with the weights and a header that holds metadata and a checksum.

Weights have 32 bits, or 16 bits in a file for distribution; in memory they always have 32.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ludus import shipped
from ludus.errors import BadModel
from ludus.files import write_atomically
from ludus.network.config import SHORT_HORIZONS, NetworkSettings, Shapes
from ludus.paths import in_game, lasting
from ludus.trust import found

FORMAT = 1
FILE = "model.safetensors"
COUNTER = ".num_batches_tracked"  # torch adds this counter; evaluators do not need it


class Difference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mean and largest difference of a number over positions."""

    mean: float
    largest: float


class Differences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far evaluations of positions are from those in f32."""

    value: Difference
    """Absolute difference of the value, which is from -1 to 1."""
    policy: Difference
    """Total variation distance of the policies over legal actions, which is from 0 to 1."""
    same_best: float
    """Share of positions in which the best legal action is the same."""


class Int8(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The precision int8 of a model: the layers that compute in it, and how it was checked (`ludus.network.int8`)."""

    ranges: dict[str, float]
    """Convolutions of the body that compute in int8 -> their largest input; larger inputs are clipped to it."""
    weights: str
    """Fingerprint of the weights that were checked; with other weights, this record is not used."""
    positions: int
    """Number of positions of its own games on which it was checked."""
    differences: Differences
    processor: str
    commit: str


class ModelInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metadata of a checkpoint: the network's form, its games and its origin."""

    name: str
    network: NetworkSettings
    shapes: Shapes
    games: dict[str, str]
    """The games it was trained on: spec -> behaviour fingerprint of the rules.  A file has absolute paths of games."""
    generation: int = 0
    preset: str = ""
    ancestors: tuple[str, ...] = ()
    """The networks it was derived from by surgery, the most recent first."""
    format: int = FORMAT
    int8: Int8 | msgspec.UnsetType = msgspec.UNSET
    """How to compute in int8; unset, and absent from files, for a model that was not accepted in this precision."""

    def lineage(self) -> tuple[str, ...]:
        """Return the ancestors of a network that is derived from this one."""
        _, height, width = self.shapes.planes
        form = f"{self.network.blocks}x{self.network.channels}, {height}x{width}"
        return (f"{self.name}, generation {self.generation} ({form})", *self.ancestors)


class Checkpoint(msgspec.Struct, frozen=True):
    """The weights of a network and their metadata."""

    info: ModelInfo
    arrays: dict[str, NDArray[Any]]
    """Weights by torch's names."""


class _Header(msgspec.Struct, frozen=True):
    """The only metadata entry of a file: with two, their order and thus the file's bytes would vary."""

    info: msgspec.Raw
    """A `ModelInfo` in JSON."""
    blake2b: str
    """Checksum of the metadata and the weights as written, because safetensors has none."""


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint atomically; raises Unavailable if the file cannot be written."""
    arrays = {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()}
    info = msgspec.Raw(msgspec.json.encode(_with_games(checkpoint.info, lasting)))
    header = _Header(info, digest_of(arrays, bytes(info)).hex())
    write_atomically(path, save(arrays, {"ludus": msgspec.json.encode(header).decode()}))


def halve(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint with 16-bit weights for saving; raises BadModel if a weight is too large for 16 bits."""
    with np.errstate(over="ignore"):
        arrays = {
            name: array.astype(np.float16) for name, array in checkpoint.arrays.items() if not name.endswith(COUNTER)
        }
    if name := next((name for name, array in arrays.items() if not np.isfinite(array).all()), ""):
        raise BadModel(f"{checkpoint.info.name}: {name} has numbers too large for 16 bits; keep the model as it is.")
    return msgspec.structs.replace(checkpoint, arrays=arrays)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint, and find the files of its games.

    Args:
        path: a .safetensors file, a directory with `model.safetensors`, or the name of a shipped model.

    Raises:
        BadModel: the file is missing, damaged, or not a Ludus model.
    """
    path = shipped.model(path)
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BadModel(_missing(path))
    try:
        with safe_open(file, framework="np") as opened:
            text = (opened.metadata() or {}).get("ludus", "")
            written = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise BadModel(f"{file}: the file is damaged or not a safetensors file ({error}).") from error
    try:
        header = msgspec.json.decode(text, type=_Header)
        info = msgspec.json.decode(header.info, type=ModelInfo)
    except msgspec.DecodeError as error:
        raise BadModel(f"{file}: not a model of this version of Ludus ({error}).") from error
    if info.format != FORMAT:
        raise BadModel(f"{file}: the model has format {info.format}; this version of Ludus reads format {FORMAT}.")
    arrays = {name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in written.items()}
    if fault := _fault(info, arrays):
        raise BadModel(f"{file}: {fault}; the weights do not fit the header, restore it or train the model again.")
    if header.blake2b != digest_of(written, bytes(header.info)).hex():
        raise BadModel(f"{file}: the checksum is wrong, so the file is damaged; restore it or train the model again.")
    return Checkpoint(info=_with_games(info, partial(found, file=file)), arrays=arrays)


def _with_games(info: ModelInfo, change: Callable[[str], str]) -> ModelInfo:
    """Return metadata with the paths of the games' files changed."""
    games = {in_game(spec, change): rules for spec, rules in info.games.items()}
    return msgspec.structs.replace(info, games=games)


def _missing(path: Path) -> str:
    """Return the error for a missing model at `path`, with a remedy."""
    if path.suffix != ".safetensors":
        inside = [*path.glob("*.safetensors"), *path.glob("models/*.safetensors"), *path.glob(f"*/{FILE}")]
        newest = max(inside, key=lambda file: file.stat().st_mtime, default=None)
        remedy = f"the newest model in it is {newest}" if newest else "train one with `ludus train`"
        return f"{path}: there is no model here (expected {FILE}); {remedy}."
    beside = [found.name for found in path.parent.glob("*.safetensors")]
    if not beside:
        return f"{path}: there is no such file, and no model next to it; train one with `ludus train`."
    return f"{path}: there is no such file; the newest model next to it is {max(beside)}."  # names hold generations


def weights_fingerprint(checkpoint: Checkpoint) -> str:
    """Return 16 hexadecimal digits that identify the weights, to label stored evaluations."""
    return digest_of(checkpoint.arrays, msgspec.json.encode(checkpoint.info.network), size=8).hex()


def array_shapes(network: NetworkSettings, shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array in a network of this form, by torch's names."""
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
    """Return the shape of every layer without normalization in the heads, including auxiliary heads."""
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
        if name == "reply":
            add_actions("auxiliary.reply")
        elif name == "maps":
            found["auxiliary.maps"] = (shapes.num_maps, head, 1, 1)
        else:
            outputs = 1 if name == "moves_left" else 3 * len(SHORT_HORIZONS)
            found[f"auxiliary.{name}"] = (outputs, features)
    return found


def digest_of(arrays: Mapping[str, NDArray[Any]], header: bytes = b"", *, size: int = 16) -> bytes:
    """Return a hash of `size` bytes over named arrays and a header."""
    digest = hashlib.blake2b(header, digest_size=size)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


def _fault(info: ModelInfo, arrays: dict[str, NDArray[Any]]) -> str:
    if info.int8 and (fault := _fault_of_int8(info.int8, info.network)):
        return fault
    expected = array_shapes(info.network, info.shapes)
    found = {name for name in arrays if not name.endswith(COUNTER)}
    if missing := sorted(expected.keys() - found):
        return f"{missing[0]} is missing"
    if strange := sorted(found - expected.keys()):
        return f"{strange[0]} is not part of this network"
    for name, shape in expected.items():
        array = arrays[name]
        if array.shape != shape or array.dtype != np.float32:
            return f"{name} is {array.dtype} of shape {array.shape} instead of float32 of shape {shape}"
        if not np.isfinite(array).all():
            return f"{name} contains numbers that are not finite"
    return ""


def _fault_of_int8(int8: Int8, network: NetworkSettings) -> str:
    convolutions = {f"blocks.{index}.{part}" for index in range(network.blocks) for part in ("first", "second")}
    if strange := sorted(int8.ranges.keys() - convolutions):
        return f"{strange[0]} is not a convolution that can compute in int8"
    for layer, largest in int8.ranges.items():
        if not (0.0 < largest < math.inf):
            return f"the range of {layer} in int8 is {largest:g}, which is not a finite number above 0"
    return ""
