"""Lessons and boards without a table over HTTP: `/api/lessons[/GAME]`, `POST /api/study[/evaluation|/kit|/arrange]`."""

from collections.abc import Awaitable, Callable, Set
from functools import partial

from fastapi import APIRouter, Request, Response

from ludus.errors import BadInput
from ludus.site.bots.bots import Bots
from ludus.site.evaluation.line import LineJudge
from ludus.site.faults import NotHere
from ludus.site.messages.reading import read_body
from ludus.site.routes.answers import as_json
from ludus.site.safety.callers import address_of
from ludus.site.safety.worker_threads import WorkerThreads
from ludus.site.study import lessons
from ludus.site.study.arranging.arrange import arrange, kit
from ludus.site.study.arranging.kit import Arrangement
from ludus.site.study.study import Line, replay
from ludus.site.study.weight import check_spec

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def study_routes(
    bots: Bots, spelt: Callable[[str], Awaitable[str | None]], threads: WorkerThreads, puzzles: Set[str]
) -> APIRouter:
    """Return the routes.

    Args:
        bots: who judges positions.
        spelt: returns a game's name as this site spells it, None if it cannot be played here; only games that can be,
            those of the lessons and those of `puzzles` are replayed.
        threads: where.
        puzzles: games that there are puzzles of.
    """
    routes, judge = APIRouter(), LineJudge(bots, threads)
    offered = lessons.specs() | puzzles

    async def name_of(spec: str) -> str:
        """Return a game's name; raise BadInput if it is not played here: other games are not loaded for strangers."""
        check_spec(spec)
        name = spec if spec in offered else await spelt(spec)
        if name is None:
            raise BadInput(f"{spec!r} is not played here.")
        return name

    async def line_of(request: Request) -> Line:
        asked = await read_body(request, Line, "line")
        return asked.model_copy(update={"spec": await name_of(asked.spec)})

    @routes.get("/api/lessons")
    async def titles(request: Request) -> Response:
        return as_json(await threads.do(address_of(request), lessons.lessons))

    @routes.get("/api/lessons/{game}")
    async def lesson(request: Request, game: str) -> Response:
        try:
            return as_json(await threads.do(address_of(request), partial(lessons.lesson, game)))
        except BadInput as error:
            raise NotHere(str(error)) from error

    @routes.post("/api/study")
    async def line(request: Request) -> Response:
        return as_json(await threads.do(address_of(request), partial(replay, await line_of(request))))

    @routes.post("/api/study/evaluation")
    async def evaluation(request: Request) -> Response:
        return as_json(await judge.judge(await line_of(request), address_of(request)))

    @routes.post("/api/study/kit")
    async def pieces(request: Request) -> Response:
        return as_json(await threads.do(address_of(request), partial(kit, await line_of(request))))

    @routes.post("/api/study/arrange")
    async def arranged(request: Request) -> Response:
        asked = await read_body(request, Arrangement, "position")
        made = asked.model_copy(update={"spec": await name_of(asked.spec)})
        return as_json(await threads.do(address_of(request), partial(arrange, made)))

    return routes
