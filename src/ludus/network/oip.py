"""The Open Inference Protocol: the messages that carry batches.

The messages are those published by Triton, which other inference servers also use.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadMessage, Unavailable, with_extra
from ludus.network.config import Shapes
from ludus.network.evaluator import Planes
from ludus.network.tensors import LOGITS, MAPS, OUTCOMES, PLANES, row_shapes

RECEIVES = "grpc.max_receive_message_length"  # gRPC's option for the largest message to receive, in bytes; -1: no limit

try:  # these packages have no type stubs
    grpc: Any = import_module("grpc")
    messages: Any = import_module("tritonclient.grpc.service_pb2")
    stubs: Any = import_module("tritonclient.grpc.service_pb2_grpc")
except ModuleNotFoundError as missing:
    raise Unavailable(
        f"Inference servers use the Open Inference Protocol, which needs an extra: {with_extra('inference')}."
    ) from missing

_TYPES = {"UINT8": np.dtype(np.uint8), "FP32": np.dtype("<f4")}
_NAMES = {kind: name for name, kind in _TYPES.items()}
_NUMBERS = {"UINT8": "uint_contents", "FP32": "fp32_contents"}  # fields of tensors that are not sent as raw bytes


def ask(name: str, planes: Planes, wanted: Sequence[str] = (LOGITS, OUTCOMES)) -> Any:  # noqa: ANN401
    """Build the request to evaluate planes [B, C, H, W]."""
    request = messages.ModelInferRequest(model_name=name)
    _append(request.inputs, request.raw_input_contents, {PLANES: planes})
    request.outputs.extend(messages.ModelInferRequest.InferRequestedOutputTensor(name=each) for each in wanted)
    return request


def answer(request: Any, version: str, arrays: Mapping[str, NDArray[Any]]) -> Any:  # noqa: ANN401
    """Build the response to a request, with the given tensors."""
    response = messages.ModelInferResponse(model_name=request.model_name, model_version=version, id=request.id)
    _append(response.outputs, response.raw_output_contents, arrays)
    return response


def asked(request: Any, shapes: Shapes, most: int) -> tuple[Planes, list[str]]:  # noqa: ANN401
    """Read a request: planes [B, C, H, W], and the names of the requested tensors.

    Args:
        request: the gRPC message.
        shapes: the input and output shapes of the network.
        most: maximum number of rows in a request.

    Raises:
        BadMessage: the request does not match the network.
    """
    inputs = list(request.inputs)
    if [each.name for each in inputs] != [PLANES]:
        raise BadMessage(f"the request must have exactly one input, {PLANES!r}.")
    (raw,) = _contents(inputs, request.raw_input_contents)
    planes = _read(inputs[0], raw, np.dtype(np.uint8), shapes.planes)
    if not 1 <= len(planes) <= most:
        raise BadMessage(f"{PLANES} has {len(planes)} rows; this server accepts 1 to {most} at once.")
    wanted = [each.name for each in request.outputs] or [LOGITS, OUTCOMES]
    if strange := [each for each in wanted if each not in (LOGITS, OUTCOMES, MAPS)]:
        raise BadMessage(f"there is no output {strange[0]!r}; the outputs are {LOGITS}, {OUTCOMES} and {MAPS}.")
    return planes, wanted


def answered(response: Any, shapes: Shapes, wanted: Sequence[str], rows: int) -> list[NDArray[np.float32]]:  # noqa: ANN401
    """Read the tensors of a response in the order of `wanted`, each [rows, ...].

    Raises:
        BadMessage: a tensor is missing or has other sizes.
    """
    expected, found = row_shapes(shapes), {}
    for tensor, raw in zip(response.outputs, _contents(response.outputs, response.raw_output_contents), strict=True):
        if tensor.name in wanted:
            found[tensor.name] = _read(tensor, raw, _TYPES["FP32"], expected[tensor.name])
    if missing := [name for name in wanted if len(found.get(name, ())) != rows]:
        raise BadMessage(f"the response does not contain {rows} rows of {missing[0]}.")
    return [found[name] for name in wanted]


def metadata(name: str, version: str, shapes: Shapes, *, has_maps: bool) -> Any:  # noqa: ANN401
    """Build the protocol's metadata of a network: its tensors, with the batch as first axis."""
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
    """Return the bytes of each tensor in a message, which sends them as raw bytes or as numbers."""
    if not raw:
        return [_packed(tensor) for tensor in tensors]
    if len(raw) != len(tensors):
        raise BadMessage(f"the message has {len(raw)} raw contents for {len(tensors)} tensors.")
    return list(raw)


def _packed(tensor: Any) -> bytes:  # noqa: ANN401
    """Return the bytes of a tensor that is sent as numbers; empty if its type is not supported."""
    if tensor.datatype not in _TYPES:
        return b""
    numbers = getattr(tensor.contents, _NUMBERS[tensor.datatype])
    try:
        return np.fromiter(numbers, _TYPES[tensor.datatype], len(numbers)).tobytes()
    except OverflowError as error:
        raise BadMessage(f"{tensor.name} contains numbers that are not {tensor.datatype}.") from error


def _read(tensor: Any, raw: bytes, kind: np.dtype[Any], row: tuple[int, ...]) -> NDArray[Any]:  # noqa: ANN401
    """Return a tensor [B, *row] as a view of the message's bytes."""
    shape = tuple(tensor.shape)
    if tensor.datatype != _NAMES[kind] or shape[1:] != row or min(shape) < 0:
        raise BadMessage(
            f"{tensor.name} is {tensor.datatype} {list(shape)} instead of {_NAMES[kind]} {['rows', *row]}."
        )
    if len(raw) != kind.itemsize * math.prod(shape):
        raise BadMessage(f"{tensor.name} has {len(raw)} bytes, which does not match {list(shape)}.")
    return np.frombuffer(raw, kind).reshape(shape)
