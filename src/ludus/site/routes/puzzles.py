"""The HTTP routes of puzzles: their lists, tries and solutions, ratings, and the puzzle of the day."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from fastapi import Request, Response

from ludus.errors import Unavailable
from ludus.site.faults import TooOften
from ludus.site.messages.puzzles import (
    DailyPuzzle,
    GaveUp,
    NextPuzzle,
    PuzzleGames,
    PuzzleView,
    RatedTry,
    Solution,
    SolverRating,
    TryPuzzle,
    Verdict,
)
from ludus.site.people.people import People
from ludus.site.people.solving import Solving, solver_of
from ludus.site.people.visitors import Visitor
from ludus.site.routes.contract import UNKEPT, Answer, Body, Routes
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.limits import AddressLimiter, RateLimit, address_of
from ludus.site.safety.settings import SafetySettings
from ludus.site.study.puzzles import Shelf

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

TRIES = RateLimit(most=60, per_s=0.5)
"""Tries per address; each stays in the database."""


def puzzle_routes(  # noqa: C901 - a list of routes
    people: Callable[[], People],
    shelf: Shelf,
    threads: WorkerThreads,
    safety: SafetySettings,
    clock: Callable[[], float],
) -> Routes:
    """Return the routes of puzzles.

    Args:
        people: returns the visitors and the ratings; raises Unavailable before the site is open.
        shelf: the puzzles.
        threads: the worker threads that replay games.
        safety: the addresses without limits.
        clock: returns seconds from an arbitrary start.
    """
    routes, tries, unlimited = Routes(), AddressLimiter(TRIES, clock), safety.exempt()

    async def rated(request: Request, game: str, name: str, *, right: bool) -> tuple[Visitor | None, RatedTry | None]:
        """Rate a try, unless it is not the first one; without a database, puzzles are judged and not rated."""
        if wait_s := 0.0 if address_of(request) in unlimited else tries.take(address_of(request)):
            raise TooOften.of_address("answers to puzzles came", wait_s)
        first = shelf.first(game, name)
        try:
            visitor = await people().visitors.who(request)
            found = await people().solving.tried(solver_of(visitor), game, name, first, right=right)
        except Unavailable:
            return None, None
        if found is None:
            return visitor, None
        change = round(found.after.rating.rating) - round(found.before.rating.rating)
        return visitor, RatedTry(_told(found.after), change, round(found.puzzle.rating))

    def remember(request: Request, visitor: Visitor | None, answer: Response) -> None:
        """Set the cookie to which a guest's rating belongs."""
        if visitor:
            people().visitors.set_cookies(answer, visitor, secure=request.url.scheme == "https")

    @routes.get("/api/puzzles")
    async def games() -> PuzzleGames:
        return shelf.games

    @routes.get("/api/puzzle-of-the-day")
    async def daily(request: Request) -> DailyPuzzle:
        return await threads.do(address_of(request), partial(shelf.daily, datetime.now(UTC).date()))

    @routes.get("/api/puzzles/{game}")
    async def following(request: Request, game: str, after: str = "") -> Answer[NextPuzzle]:
        visitor, firsts = await people().visitors.who(request), shelf.firsts(game)
        solver = solver_of(visitor)
        found = await people().solving.next_of(solver, game, firsts, after if after in firsts else "")
        assert found, "a game on the shelf has a puzzle"
        return Answer(NextPuzzle(found, _told(await people().solving.of(solver, game))), headers=UNKEPT)

    @routes.get("/api/puzzles/{game}/{name}")
    async def puzzle(request: Request, game: str, name: str) -> PuzzleView:
        return await threads.do(address_of(request), partial(shelf.puzzle, game, name))

    @routes.post("/api/puzzles/{game}/{name}")
    async def tried(
        request: Request, game: str, name: str, move: Annotated[TryPuzzle, Body("move")]
    ) -> Answer[Verdict]:
        judged = await threads.do(address_of(request), partial(shelf.judge, game, name, move))
        visitor, told = await rated(request, game, name, right=judged.right)
        answer = Answer(Verdict(judged.right, judged.move, told), headers=UNKEPT)
        remember(request, visitor, answer)
        return answer

    @routes.post("/api/puzzles/{game}/{name}/given-up")
    async def given_up(request: Request, game: str, name: str) -> Answer[GaveUp]:
        visitor, told = await rated(request, game, name, right=False)
        answer = Answer(GaveUp(told), headers=UNKEPT)
        remember(request, visitor, answer)
        return answer

    @routes.get("/api/puzzles/{game}/{name}/solution")
    async def solution(request: Request, game: str, name: str) -> Solution:
        return await threads.do(address_of(request), partial(shelf.solution, game, name))

    return routes


def _told(solving: Solving) -> SolverRating:
    rating = solving.rating
    return SolverRating(round(rating.rating), round(rating.deviation), solving.tries, solving.solved)
