"""One session at an engine: one question at a time, and what it takes to rebuild it in another process."""

import asyncio
from collections.abc import Awaitable, Callable

from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    GameSessionEnded,
    Request,
    Response,
    StartGameSession,
    failure,
)

Exchange = Callable[[Request], Awaitable[Response | None]]
"""Asks a process; None: it has ended."""


class SessionLane:
    """A session's questions and its history.

    Attributes:
        lock: held by the question that is being asked; the others wait for it in their order.
        users: questions that are asked or wait.
        start: how the session began; None: it is not open.
        moves: those that were made in it.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.start: StartGameSession | None = None
        self.moves: list[str] = []
        self._life = 0  # of the process that knows it

    def note(self, request: Request, answer: Response, life: int) -> None:
        """Remember what an answer means for the history."""
        if isinstance(request, EndGameSession):
            self.start, self.moves = None, []
        elif isinstance(request, StartGameSession) and answer.success:
            self.start, self.moves, self._life = request, [], life
        elif isinstance(request, ApplyMove) and answer.success:
            self.moves.append(request.move)

    async def carry_over(self, request: Request, life: int, exchange: Exchange) -> Response | None:
        """Rebuild the session before a question if the process is a new one.

        Args:
            request: what is to be asked.
            life: the number of the process.
            exchange: asks it.

        Returns:
            The answer, if the question is not to be asked any more.
        """
        if self.start is None or self._life == life or isinstance(request, StartGameSession):
            return None
        if isinstance(request, EndGameSession):
            return GameSessionEnded(request.bgs_id, success=True)  # it ended with its process
        steps = [self.start, *(ApplyMove(request.bgs_id, ply, move) for ply, move in enumerate(self.moves))]
        for step in steps:
            answer = await exchange(step)
            if answer is None:
                return None  # this process has ended as well
            if not answer.success:
                return failure(request, f"The session cannot be rebuilt: {answer.error}", len(self.moves))
        self._life = life
        return None
