"""Plays the bot's side of one game: keeps the bot's session in step with the table, and puts its moves on the board.

The table may change at any time: a person moves, takes back, resigns.  So nothing is scheduled; the conductor looks
again and again at the difference between the table and the session, and takes the one step that makes it smaller.  An
undo, or a bot that comes back after a lost connection, is a session that is not the beginning of the game any more:
it is ended and built again from the moves.
"""

import asyncio
import logging
from typing import Protocol

from ludus.errors import BadInput, LudusError
from ludus.protocol.bgs import ApplyMove, EvaluatePosition, EvaluateResponse, SessionConfig, StartGameSession
from ludus.site.bots import BotError, BotGoneError, BotKey, Bots, BotSession
from ludus.site.table import Table

_log = logging.getLogger(__name__)


class Audience(Protocol):
    """The people at a table."""

    def changed(self) -> None:
        """Show them the table anew."""
        ...

    def tell(self, message: str) -> None:
        """Tell them something in a sentence."""
        ...


class Conductor:
    """The bot's side of one game; `run` lasts as long as the game."""

    def __init__(
        self, table: Table, audience: Audience, bots: Bots, key: BotKey, bgs_id: str, config: SessionConfig
    ) -> None:
        """Prepare to play.

        Args:
            table: the game.
            audience: is told of every change.
            bots: where the bot is found.
            key: which bot.
            bgs_id: the session's name, that of the game.
            config: how the bot is told of the game.
        """
        self._table = table
        self._audience = audience
        self._bots = bots
        self._key = key
        self._bgs_id = bgs_id
        self._config = config
        self._wake = asyncio.Event()
        self._session: BotSession | None = None
        self._applied: list[str] = []  # the moves that the session knows
        self._best: str | None = None  # the bot's choice after these moves

    def wake(self) -> None:
        """Look again: the table or the bots have changed."""
        self._wake.set()

    async def run(self) -> None:
        """Play until the game is over; whatever the bot does, it ends with a result."""
        self._bots.listeners.add(self.wake)
        try:
            while not self._table.over:
                self._wake.clear()
                try:
                    if not await self._step():
                        await self._wake.wait()
                except BotGoneError:
                    await self._await_return()
        except BotError as fault:
            self._forfeit(f"{self._table.bot_name} {fault}", fault.detail)
        except LudusError as error:
            self._forfeit(f"{self._table.bot_name} cannot go on", str(error))
        except Exception:  # noqa: BLE001 - a game ends with a result, whatever happens
            _log.exception("Game %s: the conductor failed.", self._bgs_id)
            self._forfeit("the site made a mistake")
        finally:
            self._bots.listeners.discard(self.wake)
        await self._end_session()

    async def _step(self) -> bool:
        """Take one step towards agreement of session and table; return False if there is nothing to do."""
        moves = [move.text for move in self._table.moves]
        known = len(self._applied)
        if self._session is not None and self._session.link.closed:
            raise BotGoneError(f"{self._key} lost its connection.")
        if self._session is None:
            await self._start_session()
        elif moves[:known] != self._applied:
            await self._end_session()
        elif self._needs_evaluation(known, len(moves)):
            await self._evaluate(known)
        elif known < len(moves):
            await self._apply(moves[known])
        elif self._table.bot_to_play:
            self._play_best()
        else:
            return False
        return True

    def _needs_evaluation(self, known: int, num_moves: int) -> bool:
        to_choose = known == num_moves and self._table.bot_to_play and self._best is None
        return to_choose or self._table.evaluation_after(known) is None

    async def _start_session(self) -> None:
        found = self._bots.find(self._key)
        if found is None:
            raise BotGoneError(f"{self._key} is not attached.")
        session = BotSession(found[0], self._bgs_id, self._bots.settings.request_timeout_s)
        self._session, self._applied, self._best = session, [], None
        await session.ask(StartGameSession(self._bgs_id, self._key.bot_id, self._config))

    async def _end_session(self) -> None:
        session, self._session, self._applied, self._best = self._session, None, [], None
        if session:
            await session.end()

    async def _apply(self, move: str) -> None:
        assert self._session is not None, "moves are applied to a session"
        await self._session.ask(ApplyMove(self._bgs_id, len(self._applied), move))
        self._applied.append(move)
        self._best = None

    async def _evaluate(self, known: int) -> None:
        assert self._session is not None, "positions are evaluated in a session"
        answer = await self._session.ask(EvaluatePosition(self._bgs_id, known))
        assert isinstance(answer, EvaluateResponse), "the table of answers says so"
        self._best = answer.best_move
        if [move.text for move in self._table.moves[:known]] == self._applied:
            self._table.note_evaluation(known, answer.evaluation)
            self._audience.changed()

    def _play_best(self) -> None:
        assert self._best is not None, "a bot to play has been evaluated"
        try:
            self._table.play_move(self._table.bot, self._best)
        except BadInput as error:
            raise BotError(f"answered with a move that may not be played: {self._best[:40]!r}", str(error)) from error
        self._audience.changed()

    async def _await_return(self) -> None:
        """Wait for the bot to attach again; raise BotError when the grace is over."""
        self._session = None
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._bots.settings.disconnect_grace_s
        if self._bots.find(self._key) is None:
            grace = self._bots.settings.disconnect_grace_s
            self._audience.tell(f"{self._table.bot_name} lost its connection; the game waits {grace:g} seconds for it.")
        while self._bots.find(self._key) is None and not self._table.over:
            self._wake.clear()
            try:
                await asyncio.wait_for(self._wake.wait(), max(0.0, deadline - clock()))
            except TimeoutError:
                raise BotError("lost its connection and did not come back") from None

    def _forfeit(self, reason: str, detail: str = "") -> None:
        _log.warning("Game %s is lost by bot %s: %s. %s", self._bgs_id, self._key, reason, detail)
        if not self._table.over:
            self._table.resign(self._table.bot, reason)
            self._audience.changed()
