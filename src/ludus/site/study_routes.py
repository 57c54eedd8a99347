"""Lessons and boards without a table over HTTP: `/api/lessons[/GAME]`, `POST /api/study[/evaluation|/kit|/arrange]`."""

import asyncio
from collections.abc import Callable

from fastapi import APIRouter, Request, Response

from ludus.errors import BadInput
from ludus.site import lessons
from ludus.site.answers import as_json
from ludus.site.arranging.arrange import arrange, kit
from ludus.site.arranging.kit import Arrangement
from ludus.site.bots import Bots
from ludus.site.evaluation.line import LineJudge
from ludus.site.faults import NotHere
from ludus.site.reading import read_body
from ludus.site.study import Line, must_be_known, study


def study_routes(bots: Bots, offers: Callable[[str], bool]) -> APIRouter:
    """Return the routes.

    Args:
        bots: who judges positions.
        offers: says whether a game can be played here; only such ones and those of the lessons are replayed.
    """
    routes, judge = APIRouter(), LineJudge(bots)

    def known(spec: str) -> bool:
        return spec in lessons.specs() or offers(spec)

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
        asked = await read_body(request, Line, "line")
        must_be_known(asked.spec, known)
        return as_json(await study(asked))

    @routes.post("/api/study/evaluation")
    async def evaluation(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = await read_body(request, Line, "line")
        must_be_known(asked.spec, known)
        return as_json(await judge.judge(asked))

    @routes.post("/api/study/kit")
    async def pieces(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = await read_body(request, Line, "line")
        must_be_known(asked.spec, known)
        return as_json(await asyncio.to_thread(kit, asked))

    @routes.post("/api/study/arrange")
    async def arranged(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = await read_body(request, Arrangement, "position")
        must_be_known(asked.spec, known)
        return as_json(await asyncio.to_thread(arrange, asked))

    return routes
