"""Puzzles over HTTP: `GET /api/puzzles[/GAME/ID[/solution]]`, and `POST /api/puzzles/GAME/ID` to try a move."""

from functools import partial

from fastapi import APIRouter, Request, Response

from ludus.site.messages.reading import read_body
from ludus.site.routes.answers import as_json
from ludus.site.safety.callers import address_of
from ludus.site.safety.worker_threads import WorkerThreads
from ludus.site.study.puzzles import Shelf, TryPuzzle

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def puzzle_routes(shelf: Shelf, threads: WorkerThreads) -> APIRouter:
    """Return the routes.

    Args:
        shelf: the puzzles.
        threads: where their games are played again.
    """
    routes = APIRouter()

    @routes.get("/api/puzzles")
    async def games() -> Response:
        return as_json(shelf.games)

    @routes.get("/api/puzzles/{game}/{name}")
    async def puzzle(request: Request, game: str, name: str) -> Response:
        return as_json(await threads.do(address_of(request), partial(shelf.puzzle, game, name)))

    @routes.post("/api/puzzles/{game}/{name}")
    async def tried(request: Request, game: str, name: str) -> Response:
        move = await read_body(request, TryPuzzle, "move")
        return as_json(await threads.do(address_of(request), partial(shelf.judge, game, name, move)))

    @routes.get("/api/puzzles/{game}/{name}/solution")
    async def solution(request: Request, game: str, name: str) -> Response:
        return as_json(await threads.do(address_of(request), partial(shelf.solution, game, name)))

    return routes
