"""A bot game session: sends one request at a time, and returns the bot's answer or raises an error after a timeout."""

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
    MoverClock,
    Request,
    Response,
    SessionConfig,
    StartGameSession,
)
from ludus.protocol.session import Conversation, Phase
from ludus.site.bots.load import Load

_log = logging.getLogger(__name__)


class BotError(LudusError):
    """A fault for which a bot forfeits its game.

    The text is a predicate without its subject, such as `reported an error`: callers put the bot's name before it.
    """

    def __init__(self, text: str, detail: str = "") -> None:
        """Create the error with a text for players, and a detail for the log."""
        super().__init__(text)
        self.detail = detail


class BotSilentError(BotError):
    """The bot did not answer in time."""


class BotGoneError(LudusError):
    """The bot's client is not connected."""


class Link(Protocol):
    """The part of a bot client's connection that a session uses."""

    client_id: str
    closed: bool
    load: Load
    sessions: dict[str, BotSession]

    def send(self, message: Request) -> None:
        """Queue a message for the bot client."""
        ...

    def answered(self, request: Request, seconds: float) -> None:
        """Record the response time of a request."""
        ...


class BotSession:
    """A bot game session over one connection."""

    def __init__(self, link: Link, bgs_id: str, timeout_s: float) -> None:
        self.link = link
        self.bgs_id = bgs_id
        self.conversation = Conversation()
        self._timeout_s = timeout_s
        self.moves: list[str] = []
        """The moves that the bot has acknowledged."""
        self._answer: asyncio.Future[Response] | None = None

    async def start(self, bot_id: str, config: SessionConfig) -> None:
        """Start the session at the first position of a game; raises the errors of `ask`."""
        await self.ask(StartGameSession(self.bgs_id, bot_id, config))
        self.moves = []

    async def play(self, move: str) -> None:
        """Send the bot the next move; raises the errors of `ask`."""
        await self.ask(ApplyMove(self.bgs_id, len(self.moves), move))
        self.moves.append(move)

    @property
    def waits(self) -> bool:
        """Return whether a request has no answer yet."""
        return self._answer is not None

    async def evaluate(
        self,
        lines: int | UnsetType = UNSET,
        *,
        visits: int | UnsetType = UNSET,
        seconds: float | UnsetType = UNSET,
        clock: MoverClock | UnsetType = UNSET,
    ) -> EvaluateResponse:
        """Request the bot's evaluation of the present position.

        Args:
            lines: the number of best lines to request; UNSET requests none.
            visits: visits of the search; UNSET: those of the bot.
            seconds: time limit of the search, by which the answer may take longer; UNSET: that of the bot.
            clock: the bot's clock, which runs; UNSET: the bot is not to move, or there are no clocks.

        Raises:
            BotGoneError: see `ask`.
            BotError: see `ask`.
        """
        request = EvaluatePosition(
            self.bgs_id, len(self.moves), lines=lines, visits=visits, seconds=seconds, clock=clock
        )
        answer = await self.ask(request, more_s=seconds or 0.0)
        assert isinstance(answer, EvaluateResponse), "`Conversation.answer` accepts no other answer to this request"
        return answer

    async def ask(self, request: Request, more_s: float = 0.0) -> Response:
        """Send a request, and return the bot's answer if it reports success.

        Args:
            request: the request.
            more_s: how much longer than usual the answer may take.

        Raises:
            BotGoneError: the connection is lost.
            BotSilentError: the bot did not answer in time.
            BotError: the bot reported an error.
        """
        if self.link.closed:
            raise BotGoneError(f"{self.link.client_id} is not connected.")
        self.conversation.ask(request)
        self._answer = asyncio.get_running_loop().create_future()
        self.link.sessions[self.bgs_id] = self
        self.link.send(request)
        self.link.load.asked()
        began, seconds = time.perf_counter(), None
        try:
            async with asyncio.timeout(self._timeout_s + more_s):
                answer = await self._answer
            seconds = time.perf_counter() - began
            self.link.answered(request, seconds)
        except TimeoutError:
            raise BotSilentError(f"did not answer within {self._timeout_s + more_s:g} seconds") from None
        finally:
            self.link.load.ended(seconds)
            self._answer = None
        if not answer.success:
            raise BotError("reported an error", answer.error)
        return answer

    def take(self, answer: Response) -> None:
        """Deliver an answer to the waiting request; raises BadMessage if it does not belong to that request."""
        self.conversation.answer(answer)
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def fail(self, error: LudusError) -> None:
        """Raise an error in the request that waits for an answer, if any."""
        if self._answer and not self._answer.done():
            self._answer.set_exception(error)

    async def end(self) -> None:
        """End the session, and send the bot `end_game_session` if the protocol allows it in this state."""
        try:
            if self.conversation.phase is Phase.IDLE:
                await self.ask(EndGameSession(self.bgs_id))
            elif self.conversation.phase is not Phase.ABSENT and not self.link.closed:
                self.link.send(EndGameSession(self.bgs_id))
        except (BotError, BotGoneError) as error:
            _log.info("The bot did not confirm the end of session %s: %s", self.bgs_id, error)
        finally:
            self.link.sessions.pop(self.bgs_id, None)
