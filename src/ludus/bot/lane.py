"""One session of an engine: sends one request at a time, and rebuilds the session after a restart of the engine."""

import asyncio

from ludus.bot.pipe import Pipe
from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    GameSessionEnded,
    Request,
    Response,
    StartGameSession,
    failure,
)


class SessionLane:
    """The request queue and the history of one session.

    Attributes:
        lock: held by the request in progress; the others wait in order of arrival.
        users: number of requests in progress or waiting.
        start: the request that opened the session; None if it is not open.
        moves: moves made in the session.
        pipe: the conversation with the process that has the session; None if no process has it.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.start: StartGameSession | None = None
        self.moves: list[str] = []
        self.pipe: Pipe | None = None

    def note(self, request: Request, answer: Response, pipe: Pipe) -> None:
        """Update the history after a request that the process behind `pipe` has answered."""
        if isinstance(request, EndGameSession):
            self.start, self.moves, self.pipe = None, [], None
        elif isinstance(request, StartGameSession) and answer.success:
            self.start, self.moves, self.pipe = request, [], pipe
        elif isinstance(request, ApplyMove) and answer.success:
            self.moves.append(request.move)

    async def carry_over(self, request: Request, pipe: Pipe) -> Response | None:
        """Rebuild the session before a request if another process has it, or one that has ended.

        Args:
            request: the request to send next.
            pipe: the conversation with the process that gets the request.

        Returns:
            A response in place of the request, if the session has ended or cannot be rebuilt; else None.
        """
        if self.start is None or self.pipe is pipe or isinstance(request, StartGameSession):
            return None
        if isinstance(request, EndGameSession):
            return GameSessionEnded(request.bgs_id, success=True)  # the session ended with its process
        steps = [self.start, *(ApplyMove(request.bgs_id, ply, move) for ply, move in enumerate(self.moves))]
        for step in steps:
            answer = await pipe.exchange(step)
            if answer is None:
                return None  # this process has ended too
            if not answer.success:
                return failure(request, f"The session cannot be rebuilt: {answer.error}", len(self.moves))
        self.pipe = pipe
        return None
