"""One bot game session: one request at a time, each answered in time or failed with a reason."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

from msgspec import UNSET, UnsetType

from ludus.errors import LudusError
from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    EvaluatePosition,
    EvaluateResponse,
    Request,
    Response,
    SessionConfig,
    StartGameSession,
)
from ludus.protocol.session import Conversation, Phase

_log = logging.getLogger(__name__)


class BotError(LudusError):
    """A fault that costs a bot its game; the text is for people, to follow the bot's name, `detail` for the log."""

    def __init__(self, text: str, detail: str = "") -> None:
        """Take a text for people, and a detail for the log."""
        super().__init__(text)
        self.detail = detail


class BotGoneError(LudusError):
    """The bot's client has no connection."""


class Link(Protocol):
    """What a session needs of a bot client's connection."""

    client_id: str
    closed: bool
    sessions: dict[str, BotSession]

    def send(self, message: Request) -> None:
        """Queue a message."""
        ...

    def answered(self, request: Request, seconds: float) -> None:
        """Note how long an answer took."""
        ...


class BotSession:
    """One bot game session on one link."""

    def __init__(self, link: Link, bgs_id: str, timeout_s: float) -> None:
        self.link = link
        self.bgs_id = bgs_id
        self.conversation = Conversation()
        self._timeout_s = timeout_s
        self.moves: list[str] = []
        """Those that the bot has been told."""
        self._answer: asyncio.Future[Response] | None = None

    async def start(self, bot_id: str, config: SessionConfig) -> None:
        """Begin at the first position of a game; raises as `ask` does."""
        await self.ask(StartGameSession(self.bgs_id, bot_id, config))

    async def play(self, move: str) -> None:
        """Tell the bot one move more; raises as `ask` does."""
        await self.ask(ApplyMove(self.bgs_id, len(self.moves), move))
        self.moves.append(move)

    async def evaluate(self, lines: int | UnsetType = UNSET) -> EvaluateResponse:
        """Return the bot's evaluation of the position, with so many lines; raises as `ask` does."""
        answer = await self.ask(EvaluatePosition(self.bgs_id, len(self.moves), lines=lines))
        assert isinstance(answer, EvaluateResponse), "the table of answers says so"
        return answer

    async def ask(self, request: Request) -> Response:
        """Send a request and return the bot's answer, which is one of success.

        Raises:
            BotGoneError: the connection is lost.
            BotError: no answer in time, or an answer without success.
        """
        if self.link.closed:
            raise BotGoneError(f"{self.link.client_id} is not connected.")
        self.conversation.ask(request)
        self._answer = asyncio.get_running_loop().create_future()
        self.link.sessions[self.bgs_id] = self
        self.link.send(request)
        began = time.perf_counter()
        try:
            answer = await asyncio.wait_for(self._answer, self._timeout_s)
            self.link.answered(request, time.perf_counter() - began)
        except TimeoutError:
            raise BotError(f"did not answer within {self._timeout_s:g} seconds") from None
        finally:
            self._answer = None
        if not answer.success:
            raise BotError("reported an error", answer.error)
        return answer

    def take(self, answer: Response) -> None:
        """Take the bot's answer; raises BadMessage if it was not asked for."""
        self.conversation.answer(answer)
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def fail(self, error: LudusError) -> None:
        """Fail the request that waits for an answer."""
        if self._answer and not self._answer.done():
            self._answer.set_exception(error)

    async def end(self) -> None:
        """Tell the bot that the session ends, as far as its state allows."""
        try:
            if self.conversation.phase is Phase.IDLE:
                await self.ask(EndGameSession(self.bgs_id))
            elif self.conversation.phase is not Phase.ABSENT and not self.link.closed:
                self.link.send(EndGameSession(self.bgs_id))
        except (BotError, BotGoneError) as error:
            _log.info("Session %s did not end politely: %s", self.bgs_id, error)
        finally:
            self.link.sessions.pop(self.bgs_id, None)
