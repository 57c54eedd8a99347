"""Serves the files of exported engines, which browsers may always keep: other contents get another folder."""

import re

from fastapi import APIRouter
from starlette.responses import FileResponse, Response

from ludus.site.catalogue.engines import PREFIX, DeviceEngines
from ludus.site.faults import NotHere

# pyright: reportUnusedFunction=false
# FastAPI calls the handler.

TYPES = {
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".onnx": "application/octet-stream",
    ".md": "text/markdown; charset=utf-8",
}
"""The types of files that are served, by ending."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+@-]{0,199}")
UNCHANGING = {"Cache-Control": "public, max-age=31536000, immutable"}


def engine_routes(engines: DeviceEngines) -> APIRouter:
    """Return the route of the files of exported engines."""
    routes = APIRouter()

    @routes.get(PREFIX + "/{folder}/{name}", include_in_schema=False)
    async def file(folder: str, name: str) -> Response:
        place = engines.folder(folder)
        kind = TYPES.get("." + name.rpartition(".")[2])
        if place is None or kind is None or not _NAME.fullmatch(name) or not (place / name).is_file():
            raise NotHere("The site has no such file of an engine.")
        return FileResponse(place / name, headers=UNCHANGING, media_type=kind)

    return routes
