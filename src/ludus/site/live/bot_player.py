"""Plays a bot's side of one game: keeps the bot's session in step with the table, and plays the bot's moves.

The table may change at any time, when a person moves, takes back or resigns.  Therefore nothing is scheduled: each step
compares the moves that the session knows with those of the table, and reduces the difference.  If the session has moves
that the table has not, as after a takeback, or if the connection was lost, a new session replays the game's moves.
"""

from __future__ import annotations

import asyncio
import logging

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.protocol.bgs import MoverClock, SessionConfig
from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, BotLink, Bots
from ludus.site.bots.session import BotError, BotGoneError, BotSession, BotSilentError
from ludus.site.live.broadcast import Event, Notice, Stall
from ludus.site.live.game import LiveGame
from ludus.site.table.clock import Clock, TimeControl
from ludus.site.table.table import Table, TableResult

_log = logging.getLogger(__name__)


ENDLESS = 10_000_000
"""More visits than a bot reaches within the seconds that it was given."""


def mover_clock(clock: Clock, control: TimeControl, side: int, now: int) -> MoverClock:
    """Return the clock of a side as bots are told it."""
    left, overtime = clock.left_at(now)[side], control.overtime
    if overtime is None:
        return MoverClock(left, control.increment_ms)
    periods = clock.periods_at(side, control, now)
    in_main = left - periods * overtime.ms
    if in_main > 0:
        return MoverClock(in_main, 0, overtime.ms, periods, period_moves=overtime.moves)
    moves = overtime.moves - clock.played_at(side, control, now)
    return MoverClock(left - (periods - 1) * overtime.ms, 0, overtime.ms, periods, moves, overtime.moves)


class BotPlayer:
    """The player of a bot's side in one game; `run` ends with the game."""

    def __init__(self, game: LiveGame, side: int, bots: Bots, bgs_id: str, grace_s: float) -> None:
        """Create the player; `run` starts it.

        Args:
            game: the game.
            side: the bot's side.
            bots: the attached bots.
            bgs_id: the id of the bot game session.
            grace_s: how long the game waits for the bot if it is not attached at the start.
        """
        row = game.row
        self._game = game
        self._side = side
        self._bots = bots
        self._bgs_id = bgs_id
        self._grace_s = grace_s
        self._config = SessionConfig(row.variant, row.width, row.height, row.setup, row.game)
        client_id, _, bot_id = (game.seats[side].bot or "").partition(":")
        self._key = BotKey(client_id, bot_id)
        self._name = game.seats[side].name
        self._is_watched_only = all(seat.kind == "bot" for seat in game.seats)
        self._wake = asyncio.Event()
        self._session: BotSession | None = None
        self._best: str | None = None  # the bot's best move in the session's position
        self._find()

    def _hear(self, _game: LiveGame, _event: Event) -> None:
        self._wake.set()

    @property
    def _to_play(self) -> bool:
        return self._game.table.to_play == self._side

    async def run(self) -> None:
        """Play until the game is over; if the bot fails or stays silent for too long, it forfeits the game."""
        self._bots.listeners.add(self._wake.set)
        self._game.listeners.append(self._hear)
        try:
            while not self._game.table.over:
                self._wake.clear()
                try:
                    if not await self._step():
                        self._end_stall()
                        await self._wake.wait()
                except BotGoneError:
                    await self._await_return()
                except BotSilentError:
                    await self._ask_again()
        except BotError as fault:
            await self._forfeit(f"{self._name} {fault}", fault.detail)
        except Unavailable as error:  # the site is shutting down; the game continues after the restart
            _log.info("The bot player of session %s stops: %s", self._bgs_id, error)
        except LudusError as error:
            await self._forfeit(f"{self._name} cannot go on", str(error))
        except Exception:  # noqa: BLE001 - a programming error must not leave the game without a result
            _log.exception("The bot player of session %s failed.", self._bgs_id)
            await self._forfeit("the site made a mistake")
        finally:
            self._bots.listeners.discard(self._wake.set)
            self._game.listeners.remove(self._hear)
            await asyncio.shield(self._end_session())  # also after an eviction, because engines limit their sessions

    async def _step(self) -> bool:
        """Do one step that brings the session closer to the table; return False if there is nothing to do."""
        session, moves = self._session, [move.text for move in self._game.table.moves]
        if session is None:
            await self._start_session()
            return True
        if session.link.closed:
            raise BotGoneError(f"{self._key} lost its connection.")
        known = len(session.moves)
        to_choose = known == len(moves) and self._to_play and self._best is None
        if moves[:known] != session.moves:
            await self._end_session()
        elif to_choose:
            await self._choose(session)
        elif known < len(moves):
            await session.play(moves[known])
            self._best = None
        elif self._to_play:
            if self._is_watched_only and known:  # show spectators the other bot's move first
                await asyncio.sleep(self._bots.settings.stand_s)
            await self._play_best(session)
        else:
            return False
        return True

    def _find(self) -> tuple[BotLink, BotConfig] | None:
        """Return the attached bot, and note its strength; None if it is not attached."""
        found = self._bots.find(self._key)
        if found:
            self._game.strengths[self._side] = found[1].strength, found[1].strength_source
        return found

    async def _start_session(self) -> None:
        found = self._find()
        if found is None:
            raise BotGoneError(f"{self._key} is not attached.")
        self._grace_s = self._bots.settings.disconnect_grace_s
        self._session = BotSession(found[0], self._bgs_id, self._bots.settings.request_timeout_s)
        self._best = None
        await self._session.start(self._key.bot_id, self._config)

    async def _end_session(self) -> None:
        session, self._session, self._best = self._session, None, None
        if session:
            await session.end()

    async def _choose(self, session: BotSession) -> None:
        """Ask for the bot's move, within its clock and for as long as its opponent has chosen."""
        table, bot_ms = self._game.table, self._game.row.bot_ms
        clock: MoverClock | UnsetType = UNSET
        if table.clock and table.control:
            clock = mover_clock(table.clock, table.control, self._side, self._game.now())
        visits, seconds = (UNSET, UNSET) if bot_ms is None else (ENDLESS, bot_ms / 1000)
        self._best = (await session.evaluate(visits=visits, seconds=seconds, clock=clock)).best_move
        self._end_stall()

    async def _play_best(self, session: BotSession) -> None:
        assert self._best is not None, "`_step` evaluates a position before it plays the bot's move"
        best = self._best

        known = [*session.moves]

        def play(table: Table, now: int) -> Table:
            if table.over or table.to_play != self._side or [move.text for move in table.moves] != known:
                return table  # a takeback or a resignation came first
            return table.play(self._side, best, now)

        try:
            await self._game.play(play)
        except BadInput as error:
            raise BotError(f"answered with a move that may not be played: {best[:40]!r}", str(error)) from error

    async def _ask_again(self) -> None:
        """Begin a new session after an unanswered request; raise BotError after the grace period.

        The client may have replaced the engine meanwhile.
        """
        await self._end_session()
        now, settings = self._game.now(), self._bots.settings
        asked, until = now - round(1000 * settings.request_timeout_s), now + round(1000 * settings.answer_grace_s)
        new = Stall(gone=False, since=asked, until=until)
        stall = self._game.stalls.get(self._side, new)
        if now >= stall.until:
            raise BotError(f"did not answer within {(now - stall.since) / 1000:.3g} seconds")
        if stall is new or stall.gone:
            self._game.stall(self._side, replace(new, since=stall.since))

    async def _await_return(self) -> None:
        """Wait for the bot to attach again; raise BotError after the grace period."""
        self._session = None
        begun, told_after = self._game.now(), self._bots.settings.absence_told_s
        until = begun + round(1000 * self._grace_s)
        if told_after < self._grace_s:
            if await self._is_back_by(begun + round(1000 * told_after)):
                return
            self._game.stall(self._side, Stall(gone=True, since=begun, until=until))
            left = self._grace_s - told_after
            self._game.publish(Notice(f"{self._name} lost its connection. The game waits {left:.0f} seconds for it."))
        while not await self._is_back_by(until):
            stall = self._game.stalls.get(self._side)
            if stall is None or stall.until <= until:
                raise BotError("lost its connection and did not come back")
            until = stall.until  # its opponent has chosen to wait

    async def _is_back_by(self, deadline: int) -> bool:
        """Wait until the bot is attached or the game is over; return False if `deadline` comes first."""
        while self._bots.find(self._key) is None and not self._game.table.over:
            self._wake.clear()
            left_ms = deadline - self._game.now()
            try:
                async with asyncio.timeout(max(0.0, left_ms / 1000)):
                    await self._wake.wait()
            except TimeoutError:
                return False
        return True

    def _end_stall(self) -> None:
        if self._side in self._game.stalls:
            self._game.stall(self._side, None)

    async def _forfeit(self, reason: str, detail: str = "") -> None:
        _log.warning("Game %s is lost by bot %s: %s. %s", self._bgs_id, self._key, reason, detail)
        result = TableResult(1 - self._side, reason)
        await self._game.do(lambda table, now: table if table.over else table.ended(result, now))
