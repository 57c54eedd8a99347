"""Lessons and boards without a table over HTTP: `/api/lessons`, `/api/lessons/GAME` and `POST /api/study`."""

import asyncio
from collections.abc import Callable

import msgspec
from fastapi import APIRouter, Request, Response

from ludus.errors import BadInput
from ludus.site import lessons
from ludus.site.messages import MAX_BYTES, Fault
from ludus.site.study import read_line, study


def study_routes(offered: Callable[[], set[str]]) -> APIRouter:
    """Return the routes.

    Args:
        offered: says which games can be played here at the moment; only these and those of the lessons are replayed.
    """
    routes = APIRouter()

    @routes.get("/api/lessons")
    async def titles() -> Response:  # pyright: ignore[reportUnusedFunction] - FastAPI calls it
        return _json(await asyncio.to_thread(lessons.lessons))

    @routes.get("/api/lessons/{game}")
    async def lesson(game: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        try:
            return _json(await asyncio.to_thread(lessons.lesson, game))
        except BadInput as error:
            return _json(Fault(str(error)), 404)

    @routes.post("/api/study")
    async def line(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                return _json(Fault("The line is too long."), 413)
        return _json(await study(read_line(body), offered() | lessons.specs()))

    return routes


def _json(message: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(message), status, media_type="application/json")
