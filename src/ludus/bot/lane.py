"""One session of an engine: sends one request at a time, and rebuilds the session after a restart of the engine."""

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
"""Sends a request to a process; returns None if the process has ended."""


class SessionLane:
    """The request queue and the history of one session.

    Attributes:
        lock: held by the request in progress; the others wait in order of arrival.
        users: number of requests in progress or waiting.
        start: the request that opened the session; None if it is not open.
        moves: moves made in the session.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.start: StartGameSession | None = None
        self.moves: list[str] = []
        self._life = 0  # number of the process that has this session

    def note(self, request: Request, answer: Response, life: int) -> None:
        """Update the history after an answered request."""
        if isinstance(request, EndGameSession):
            self.start, self.moves = None, []
        elif isinstance(request, StartGameSession) and answer.success:
            self.start, self.moves, self._life = request, [], life
        elif isinstance(request, ApplyMove) and answer.success:
            self.moves.append(request.move)

    async def carry_over(self, request: Request, life: int, exchange: Exchange) -> Response | None:
        """Rebuild the session before a request if the engine was restarted.

        Args:
            request: the request to send next.
            life: number of the running process.
            exchange: sends a request to that process.

        Returns:
            A response in place of the request, if the session has ended or cannot be rebuilt; else None.
        """
        if self.start is None or self._life == life or isinstance(request, StartGameSession):
            return None
        if isinstance(request, EndGameSession):
            return GameSessionEnded(request.bgs_id, success=True)  # the session ended with its process
        steps = [self.start, *(ApplyMove(request.bgs_id, ply, move) for ply, move in enumerate(self.moves))]
        for step in steps:
            answer = await exchange(step)
            if answer is None:
                return None  # the new process has ended too
            if not answer.success:
                return failure(request, f"The session cannot be rebuilt: {answer.error}", len(self.moves))
        self._life = life
        return None
