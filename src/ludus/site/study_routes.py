"""Lessons and boards without a table over HTTP: `/api/lessons`, `/api/lessons/GAME` and `POST /api/study`."""

import asyncio
from collections.abc import Callable

from fastapi import APIRouter, Request, Response

from ludus.errors import BadInput
from ludus.site import lessons
from ludus.site.answers import as_json, body_of
from ludus.site.faults import NotHere
from ludus.site.settings import SiteSettings
from ludus.site.study import read_line, study


def study_routes(settings: SiteSettings, offered: Callable[[], set[str]]) -> APIRouter:
    """Return the routes.

    Args:
        settings: whose pages are welcome.
        offered: says which games can be played here at the moment; only these and those of the lessons are replayed.
    """
    routes = APIRouter()

    @routes.get("/api/lessons")
    async def titles() -> Response:  # pyright: ignore[reportUnusedFunction] - FastAPI calls it
        return as_json(await asyncio.to_thread(lessons.lessons))

    @routes.get("/api/lessons/{game}")
    async def lesson(game: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        try:
            return as_json(await asyncio.to_thread(lessons.lesson, game))
        except BadInput as error:
            raise NotHere(str(error)) from error

    @routes.post("/api/study")
    async def line(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = read_line(await body_of(request, settings))
        return as_json(await study(asked, offered() | lessons.specs()))

    return routes
