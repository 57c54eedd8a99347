"""The Open Inference Protocol as Ludus speaks it: what a network is called there, and the messages that carry a batch.

The messages are those that Triton publishes, by which its own and other inference servers are asked, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadMessage, Unavailable, with_extra
from ludus.network.checkpoint import Checkpoint, weights_fingerprint
from ludus.network.config import Shapes
from ludus.network.evaluator import Planes

PLANES, LOGITS, OUTCOMES, MAPS = "planes", "logits", "outcomes", "maps"  # the names of tensors
RECEIVES = "grpc.max_receive_message_length"  # gRPC's option for the bytes of a message that one takes; -1: any

try:  # none of these have types
    grpc: Any = import_module("grpc")
    messages: Any = import_module("tritonclient.grpc.service_pb2")
    stubs: Any = import_module("tritonclient.grpc.service_pb2_grpc")
except ModuleNotFoundError as missing:
    raise Unavailable(
        f"Inference servers speak the Open Inference Protocol, which is an extra: {with_extra('inference')}."
    ) from missing

_TYPES = {"UINT8": np.dtype(np.uint8), "FP32": np.dtype("<f4")}
_NAMES = {kind: name for name, kind in _TYPES.items()}
_NUMBERS = {"UINT8": "uint_contents", "FP32": "fp32_contents"}  # where a message holds them if not as raw bytes


def served_name(checkpoint: Checkpoint) -> str:
    """Return what a network is called on servers; it names the very weights, so that no answer is another network's."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", checkpoint.info.name)
    return f"{name}.{weights_fingerprint(checkpoint)}"


def row_shapes(shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the shape of one row of each tensor; the maps are there for networks that have such a head."""
    _, height, width = shapes.planes
    return {
        PLANES: shapes.planes,
        LOGITS: (shapes.num_actions,),
        OUTCOMES: (3,),
        MAPS: (shapes.num_maps, height, width),
    }


def ask(name: str, planes: Planes, wanted: Sequence[str] = (LOGITS, OUTCOMES)) -> Any:  # noqa: ANN401
    """Return the request to judge planes [B, C, H, W]."""
    request = messages.ModelInferRequest(model_name=name)
    _append(request.inputs, request.raw_input_contents, {PLANES: planes})
    request.outputs.extend(messages.ModelInferRequest.InferRequestedOutputTensor(name=each) for each in wanted)
    return request


def answer(request: Any, version: str, arrays: Mapping[str, NDArray[Any]]) -> Any:  # noqa: ANN401
    """Return the response to a request that carries tensors."""
    response = messages.ModelInferResponse(model_name=request.model_name, model_version=version, id=request.id)
    _append(response.outputs, response.raw_output_contents, arrays)
    return response


def asked(request: Any, shapes: Shapes, most: int) -> tuple[Planes, list[str]]:  # noqa: ANN401
    """Read a request: planes [B, C, H, W], and the names of the tensors that are wanted.

    Args:
        request: the message.
        shapes: the network's border.
        most: rows of a request.

    Raises:
        BadMessage: it does not fit the network.
    """
    inputs = list(request.inputs)
    if [each.name for each in inputs] != [PLANES]:
        raise BadMessage(f"the request must hold one input, {PLANES!r}.")
    (raw,) = _contents(inputs, request.raw_input_contents)
    planes = _read(inputs[0], raw, np.dtype(np.uint8), shapes.planes)
    if not 1 <= len(planes) <= most:
        raise BadMessage(f"{PLANES} has {len(planes)} rows; this server takes 1 to {most} at once.")
    wanted = [each.name for each in request.outputs] or [LOGITS, OUTCOMES]
    if strange := [each for each in wanted if each not in (LOGITS, OUTCOMES, MAPS)]:
        raise BadMessage(f"there is no output {strange[0]!r}; there are {LOGITS}, {OUTCOMES} and {MAPS}.")
    return planes, wanted


def answered(response: Any, shapes: Shapes, wanted: Sequence[str], rows: int) -> list[NDArray[np.float32]]:  # noqa: ANN401
    """Read the tensors of a response in the order in which they were wanted, each [rows, ...].

    Raises:
        BadMessage: it does not hold them.
    """
    expected, found = row_shapes(shapes), {}
    for tensor, raw in zip(response.outputs, _contents(response.outputs, response.raw_output_contents), strict=True):
        if tensor.name in wanted:
            found[tensor.name] = _read(tensor, raw, _TYPES["FP32"], expected[tensor.name])
    if missing := [name for name in wanted if len(found.get(name, ())) != rows]:
        raise BadMessage(f"the answer does not hold {rows} rows of {missing[0]}.")
    return [found[name] for name in wanted]


def metadata(name: str, version: str, shapes: Shapes, *, has_maps: bool) -> Any:  # noqa: ANN401
    """Return what the protocol says of a network: its tensors, whose first axis is the batch."""
    tensor, rows = messages.ModelMetadataResponse.TensorMetadata, row_shapes(shapes)
    outputs = [LOGITS, OUTCOMES, *([MAPS] if has_maps else [])]
    return messages.ModelMetadataResponse(
        name=name,
        versions=[version],
        platform="ludus",
        inputs=[tensor(name=PLANES, datatype="UINT8", shape=[-1, *rows[PLANES]])],
        outputs=[tensor(name=each, datatype="FP32", shape=[-1, *rows[each]]) for each in outputs],
    )


def _append(tensors: Any, raw: Any, arrays: Mapping[str, NDArray[Any]]) -> None:  # noqa: ANN401
    for name, array in arrays.items():
        tensors.add(name=name, datatype=_NAMES[array.dtype], shape=array.shape)
        raw.append(array.tobytes())


def _contents(tensors: Any, raw: Any) -> list[bytes]:  # noqa: ANN401
    """Return the bytes of each tensor of a message, which holds them as bytes or as numbers."""
    if not raw:
        return [_packed(tensor) for tensor in tensors]
    if len(raw) != len(tensors):
        raise BadMessage(f"it holds {len(raw)} raw contents for {len(tensors)} tensors.")
    return list(raw)


def _packed(tensor: Any) -> bytes:  # noqa: ANN401
    """Return the bytes of a tensor that a message holds as numbers; none where it is of a type that is not read."""
    if tensor.datatype not in _TYPES:
        return b""
    numbers = getattr(tensor.contents, _NUMBERS[tensor.datatype])
    try:
        return np.fromiter(numbers, _TYPES[tensor.datatype], len(numbers)).tobytes()
    except OverflowError as error:
        raise BadMessage(f"{tensor.name} holds numbers that are no {tensor.datatype}.") from error


def _read(tensor: Any, raw: bytes, kind: np.dtype[Any], row: tuple[int, ...]) -> NDArray[Any]:  # noqa: ANN401
    """Return a tensor [B, *row] without a copy."""
    shape = tuple(tensor.shape)
    if tensor.datatype != _NAMES[kind] or shape[1:] != row or min(shape) < 0:
        raise BadMessage(
            f"{tensor.name} is {tensor.datatype} {list(shape)} instead of {_NAMES[kind]} {['rows', *row]}."
        )
    if len(raw) != kind.itemsize * math.prod(shape):
        raise BadMessage(f"{tensor.name} holds {len(raw)} bytes, which is not {list(shape)}.")
    return np.frombuffer(raw, kind).reshape(shape)
