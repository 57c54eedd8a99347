"""The HTTP routes of the training run that a site grows: its progress, sample games, pause and resumption.

Everybody may watch.  Only requests from the site's own machine, and those with the operator's token, may pause and
resume the run.
"""

from functools import partial
from typing import Protocol

from fastapi import Request

from ludus.site.faults import NotHere, NotYours
from ludus.site.messages.training import SampleGame, Training, TrainingRun
from ludus.site.routes.contract import UNKEPT, Answer, Routes
from ludus.site.routes.operations import is_operator
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.limits import address_of

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.


class Grown(Protocol):
    """A training run beside the site."""

    def run(self) -> TrainingRun:
        """Return the run's progress, without reading files."""
        ...

    def sample(self, generation: int, number: int) -> SampleGame:
        """Return a sample game of a finished generation, numbered from 0; called in a worker thread.

        Raises:
            NotHere: there is no such game.
            BadRecord: its games are damaged.
        """
        ...

    def pause(self) -> None:
        """Stop training; nothing is lost."""
        ...

    def resume(self) -> None:
        """Train on."""
        ...


def training_routes(grown: Grown | None, threads: WorkerThreads, operator_token: str | None) -> Routes:
    """Return the routes of a training run.

    Args:
        grown: the run; None: the site grows none.
        threads: the worker threads that read sample games.
        operator_token: the secret that lets other machines pause and resume the run; None: they may not.
    """
    routes = Routes()

    def told(request: Request) -> Answer[Training]:
        run = grown.run() if grown else None
        return Answer(Training(run, grown is not None and is_operator(request, operator_token)), headers=UNKEPT)

    def controlled(request: Request) -> Grown:
        if not is_operator(request, operator_token):
            raise NotYours("Only the site's operator may do that: from the site's own machine, or with a token.")
        return there()

    def there() -> Grown:
        if grown is None:
            raise NotHere("This site grows no training run.")
        return grown

    @routes.get("/api/training")
    async def training(request: Request) -> Answer[Training]:
        return told(request)

    @routes.post("/api/training/pause")
    async def pause(request: Request) -> Answer[Training]:
        controlled(request).pause()
        return told(request)

    @routes.post("/api/training/resume")
    async def resume(request: Request) -> Answer[Training]:
        controlled(request).resume()
        return told(request)

    @routes.get("/api/training/games/{generation}/{number}")
    async def sample(request: Request, generation: str, number: str) -> SampleGame:
        run = there()
        if not (generation + number).isdecimal() or len(generation + number) > 8:
            raise NotHere("This generation has no such game.")
        return await threads.do(address_of(request), partial(run.sample, int(generation), int(number)))

    return routes
