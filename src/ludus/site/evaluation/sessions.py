"""The judge's sessions with engines: kept open for a while, since the tree of a position serves the ones after it."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from ludus.protocol.bgs import SessionConfig
from ludus.site.bots.bots import BotKey, BotLink, Bots
from ludus.site.bots.session import BotSession

MAX_IDLE = 8
"""Sessions that stay open without a search."""
IDLE_S = 20.0
"""How long a session stays open without a search."""


class _OpenSession:
    """An open session of a bot."""

    def __init__(self, session: BotSession, link: BotLink, key: BotKey, config: SessionConfig) -> None:
        self.session, self.link, self.key, self.config = session, link, key, config
        self.timer: asyncio.TimerHandle | None = None

    def fits(self, link: BotLink, key: BotKey, config: SessionConfig, moves: Sequence[str]) -> bool:
        """Return whether a position can be reached from that of the session by further moves."""
        return (self.link, self.key, self.config) == (link, key, config) and [
            *moves[: len(self.session.moves)]
        ] == self.session.moves


class JudgeSessions:
    """All sessions of the judge."""

    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._idle: list[_OpenSession] = []
        self._own: set[BotSession] = set()
        self._ending: set[asyncio.Task[None]] = set()

    def others_wait(self, link: BotLink) -> bool:
        """Return whether a client has an unanswered request of another session than the judge's."""
        return any(session.waits for session in link.sessions.values() if session not in self._own)

    @asynccontextmanager
    async def at(
        self, link: BotLink, key: BotKey, config: SessionConfig, moves: Sequence[str]
    ) -> AsyncGenerator[BotSession]:
        """Use a session at a position: the open one that is nearest to it, or a new one.

        Args:
            link: the connection of the bot's client.
            key: the bot.
            config: the board and the first position.
            moves: the moves from there to the position.

        Raises:
            BotGoneError: see `BotSession.ask`; the session is then dropped.
            BotError: see `BotSession.ask`; the session is then ended.
        """
        mine = self._take(link, key, config, moves)
        session = mine.session
        try:
            if session not in self._own:
                self._own.add(session)
                await session.start(key.bot_id, config)
            for move in moves[len(session.moves) :]:
                await session.play(move)
            yield session
        except BaseException:
            await asyncio.shield(self._end(mine))
            raise
        self._idle.append(mine)
        mine.timer = asyncio.get_running_loop().call_later(IDLE_S, self._drop, mine)
        if len(self._idle) > MAX_IDLE:
            self._drop(self._idle[0])

    def _take(self, link: BotLink, key: BotKey, config: SessionConfig, moves: Sequence[str]) -> _OpenSession:
        fitting = [each for each in self._idle if not each.link.closed and each.fits(link, key, config, moves)]
        if not fitting:
            name = f"judge_{secrets.token_hex(6)}"  # random, so that an older session need not have ended
            session = BotSession(link, name, self._bots.settings.request_timeout_s)
            return _OpenSession(session, link, key, config)
        best = max(fitting, key=lambda each: len(each.session.moves))
        self._idle.remove(best)
        if best.timer:
            best.timer.cancel()
        return best

    def _drop(self, idle: _OpenSession) -> None:
        """End an idle session in the background."""
        self._idle.remove(idle)
        if idle.timer:
            idle.timer.cancel()
        task = asyncio.create_task(self._end(idle), name="end of a judge's session")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _end(self, ended: _OpenSession) -> None:
        try:
            await ended.session.end()
        finally:
            self._own.discard(ended.session)

    async def close(self) -> None:
        """End all idle sessions."""
        for idle in list(self._idle):
            self._drop(idle)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await asyncio.gather(*self._ending, return_exceptions=True)
