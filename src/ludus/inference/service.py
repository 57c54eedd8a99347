"""The gRPC service of the Open Inference Protocol: passes requests to batchers and returns their results.

gRPC rejects other parts of the protocol, such as shared memory and loading models by request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from ludus.errors import BadMessage, LudusError, Unavailable
from ludus.inference.batcher import Batcher
from ludus.network.config import Shapes
from ludus.network.evaluator import Forecaster, Maps, Planes
from ludus.network.oip import answer, asked, grpc, messages, metadata, stubs
from ludus.network.tensors import LOGITS, MAPS, OUTCOMES
from ludus.version import __version__

MOST_ROWS = 4096  # per request
FORECASTS = 64  # maximum number of waiting requests for final maps, which are not batched together
VERSION = "1"  # always this version: other weights are another model

_Base: Any = stubs.GRPCInferenceServiceServicer


class Served(msgspec.Struct, frozen=True):
    """A served network."""

    shapes: Shapes
    batcher: Batcher
    forecaster: Forecaster | None
    """Predicts final maps; None: the network has no such head."""


class Service(_Base):
    """The gRPC service of a set of networks; its methods run in one event loop."""

    def __init__(self, networks: Mapping[str, Served]) -> None:
        """Set the networks by their served names."""
        self._networks = networks
        self._forecasts = 0

    async def ServerLive(self, _request: object, _context: object) -> Any:  # noqa: N802, ANN401 - the protocol's name
        """Return that the process is alive."""
        return messages.ServerLiveResponse(live=True)

    async def ServerReady(self, _request: object, _context: object) -> Any:  # noqa: N802, ANN401
        """Return that all networks are loaded; the server listens only then."""
        return messages.ServerReadyResponse(ready=True)

    async def ModelReady(self, request: Any, _context: object) -> Any:  # noqa: N802, ANN401
        """Return whether a network is loaded."""
        return messages.ModelReadyResponse(ready=self._has(request.name, request.version))

    async def ServerMetadata(self, _request: object, _context: object) -> Any:  # noqa: N802, ANN401
        """Return the server's name and version."""
        return messages.ServerMetadataResponse(name="ludus", version=__version__)

    async def ModelMetadata(self, request: Any, context: Any) -> Any:  # noqa: N802, ANN401
        """Return the names and shapes of a network's tensors."""
        served = await self._find(request.name, request.version, context)
        return metadata(request.name, VERSION, served.shapes, has_maps=served.forecaster is not None)

    async def RepositoryIndex(self, _request: object, _context: object) -> Any:  # noqa: N802, ANN401
        """Return a list of the networks."""
        index = messages.RepositoryIndexResponse
        return index(models=[index.ModelIndex(name=name, version=VERSION, state="READY") for name in self._networks])

    async def ModelInfer(self, request: Any, context: Any) -> Any:  # noqa: N802, ANN401
        """Evaluate the positions of a request."""
        name = request.model_name
        served = await self._find(name, request.model_version, context)
        try:
            planes, wanted = asked(request, served.shapes, MOST_ROWS)
            found: dict[str, Any] = {}
            if LOGITS in wanted or OUTCOMES in wanted:
                judged = await asyncio.wrap_future(served.batcher.ask(planes))
                found |= zip((LOGITS, OUTCOMES), judged, strict=True)
            if MAPS in wanted:
                if served.forecaster is None:
                    raise BadMessage(f"{name} does not predict final maps.")
                found[MAPS] = await self._forecast(served.forecaster, planes)
        except BadMessage as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except Unavailable as error:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        except LudusError as error:
            await context.abort(grpc.StatusCode.INTERNAL, str(error))
        else:
            return answer(request, VERSION, {each: found[each] for each in wanted})

    async def _forecast(self, forecaster: Forecaster, planes: Planes) -> Maps | None:
        if self._forecasts >= FORECASTS:
            raise Unavailable(f"{self._forecasts} requests for final maps are already waiting; use another server.")
        self._forecasts += 1
        try:
            return await asyncio.to_thread(forecaster.maps, planes)
        finally:
            self._forecasts -= 1

    def _has(self, name: str, version: str) -> bool:
        return name in self._networks and version in ("", VERSION)

    async def _find(self, name: str, version: str, context: Any) -> Served:  # noqa: ANN401
        if not self._has(name, version):
            there = ", ".join(self._networks)
            wanted = f"{name} (version {version})" if version else name
            await context.abort(grpc.StatusCode.NOT_FOUND, f"it does not serve {wanted}; it serves {there}.")
        return self._networks[name]
