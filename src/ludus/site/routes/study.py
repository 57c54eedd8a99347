"""The HTTP routes of lessons, study boards and arranged positions."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, TypeVar

import msgspec
from fastapi import Request

from ludus.errors import BadInput
from ludus.games.about import Kit
from ludus.protocol.bgs import SessionConfig
from ludus.protocol.spec import setting_of
from ludus.site.archive.openings import OpeningBook
from ludus.site.archive.replay import link_with
from ludus.site.archive.texts import text_of
from ludus.site.catalogue.engines import DeviceEngines
from ludus.site.evaluation.device import evaluations_of, view_for_devices
from ludus.site.evaluation.judge import SiteJudge
from ludus.site.evaluation.line import LineJudge
from ludus.site.messages.archive import OpeningsView, TreeLink
from ludus.site.messages.study import (
    Arrangement,
    FoundOnLine,
    JudgedLine,
    Lesson,
    Lessons,
    LineEvaluation,
    SharedTree,
    StudyLine,
    StudyTree,
    StudyView,
    WordedEvaluations,
)
from ludus.site.routes.connected import while_connected
from ludus.site.routes.contract import Body, Routes, TextFile, as_file
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.limits import address_of
from ludus.site.study.arrange import arrange, kit
from ludus.site.study.lessons import Classroom
from ludus.site.study.puzzles import Shelf
from ludus.site.study.weight import check_spec

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

_AnyLine = TypeVar("_AnyLine", bound=StudyLine)
Line = Annotated[StudyLine, Body("line")]


def study_routes(
    judge: SiteJudge,
    spelt: Callable[[str], Awaitable[str | None]],
    threads: WorkerThreads,
    classroom: Classroom,
    shelf: Shelf,
    book: OpeningBook,
    engines: DeviceEngines,
) -> Routes:
    """Return the routes of lessons, study boards and arranged positions.

    Args:
        judge: judges positions.
        spelt: returns the site's spelling of a game's name; None if the site does not offer the game. Games of
            lessons and puzzles are allowed as well.
        threads: the worker threads that replay games.
        classroom: the lessons.
        shelf: the puzzles.
        book: the openings of the site's games.
        engines: the engines that visitors' browsers can run.
    """
    routes, lines = Routes(), LineJudge(judge, threads)
    offered = classroom.specs | shelf.specs

    async def name_of(spec: str) -> str:
        """Return the site's spelling of a game's name; raise BadInput for games that the site does not offer."""
        check_spec(spec)
        name = spec if spec in offered else await spelt(spec)
        if name is None:
            raise BadInput(f"This site does not offer the game {spec!r}.")
        return name

    async def played_here(asked: _AnyLine) -> _AnyLine:
        return asked.model_copy(update={"spec": await name_of(asked.spec)})

    @routes.post("/api/study")
    async def line(request: Request, asked: Line) -> StudyView:
        found = partial(view_for_devices, await played_here(asked), engines)
        shown = await threads.do(address_of(request), found)
        config = SessionConfig(shown.variant, shown.board.columns, shown.board.rows, game=shown.game)
        chosen = judge.chosen(config)
        return msgspec.structs.replace(shown, judge=chosen.bot.name if chosen else "")

    @routes.post("/api/study/words")
    async def words(request: Request, asked: Annotated[FoundOnLine, Body("line")]) -> WordedEvaluations:
        worded = partial(evaluations_of, await played_here(asked), engines)
        return WordedEvaluations(await threads.do(address_of(request), worded))

    @routes.post("/api/study/text")
    async def text(request: Request, asked: Annotated[StudyTree, Body("tree")]) -> TextFile:
        spec = await name_of(asked.spec)
        told, suffix = await threads.do(address_of(request), partial(text_of, asked.nodes, spec, asked.setup))
        return as_file(told, f"{setting_of(spec).game}-analysis.{suffix}")

    @routes.post("/api/study/link")
    async def link(request: Request, asked: Annotated[SharedTree, Body("tree")]) -> TreeLink:
        spec = await name_of(asked.spec)
        return await threads.do(address_of(request), partial(link_with, asked, spec))

    @routes.post("/api/study/evaluation")
    async def evaluation(request: Request, asked: Annotated[JudgedLine, Body("line")]) -> LineEvaluation:
        judging = lines.judge(await played_here(asked), address_of(request))
        return await while_connected(request, judging)

    @routes.post("/api/study/openings")
    async def openings(request: Request, asked: Line) -> OpeningsView:
        return await book.look_up(await played_here(asked), address_of(request))

    @routes.post("/api/study/kit")
    async def pieces(request: Request, asked: Line) -> Kit:
        return await threads.do(address_of(request), partial(kit, await played_here(asked)))

    @routes.post("/api/study/arrange")
    async def arranged(request: Request, asked: Annotated[Arrangement, Body("position")]) -> StudyView:
        made = asked.model_copy(update={"spec": await name_of(asked.spec)})
        return await threads.do(address_of(request), partial(arrange, made))

    _add_lessons(routes, classroom, threads)
    return routes


def _add_lessons(routes: Routes, classroom: Classroom, threads: WorkerThreads) -> None:
    @routes.get("/api/lessons")
    async def titles(request: Request) -> Lessons:
        return await threads.do(address_of(request), classroom.lessons)

    @routes.get("/api/lessons/{game}")
    async def lesson(request: Request, game: str) -> Lesson:
        return await threads.do(address_of(request), partial(classroom.lesson, game))
