"""Puzzles over HTTP: `GET /api/puzzles[/GAME/ID[/solution]]`, and `POST /api/puzzles/GAME/ID` to try a move."""

from functools import partial
from typing import Annotated

from fastapi import Request

from ludus.site.messages.puzzles import PuzzleGames, PuzzleView, Solution, TryPuzzle, Verdict
from ludus.site.routes.contract import Body, Routes
from ludus.site.safety.callers import address_of
from ludus.site.safety.worker_threads import WorkerThreads
from ludus.site.study.puzzles import Shelf

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def puzzle_routes(shelf: Shelf, threads: WorkerThreads) -> Routes:
    """Return the routes.

    Args:
        shelf: the puzzles.
        threads: where their games are played again.
    """
    routes = Routes()

    @routes.get("/api/puzzles")
    async def games() -> PuzzleGames:
        return shelf.games

    @routes.get("/api/puzzles/{game}/{name}")
    async def puzzle(request: Request, game: str, name: str) -> PuzzleView:
        return await threads.do(address_of(request), partial(shelf.puzzle, game, name))

    @routes.post("/api/puzzles/{game}/{name}")
    async def tried(request: Request, game: str, name: str, move: Annotated[TryPuzzle, Body("move")]) -> Verdict:
        return await threads.do(address_of(request), partial(shelf.judge, game, name, move))

    @routes.get("/api/puzzles/{game}/{name}/solution")
    async def solution(request: Request, game: str, name: str) -> Solution:
        return await threads.do(address_of(request), partial(shelf.solution, game, name))

    return routes
