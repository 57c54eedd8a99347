"""The analyst of an evaluation bar: requests the missing evaluations of a game's positions from a bot.

It keeps no plan: each step looks at which evaluations are missing.  It uses one bot session while the bar is open.
"""

import asyncio
import logging
import secrets

from ludus.errors import LudusError
from ludus.protocol.bgs import SessionConfig
from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, Bots
from ludus.site.bots.session import BotError, BotGoneError, BotSession
from ludus.site.database.records import Evaluation
from ludus.site.live.game import LiveGame
from ludus.site.messages.evaluation import Trouble

_log = logging.getLogger(__name__)


class UnfilledError(LudusError):
    """Raised when no bot can fill the evaluation bar; `code` is the reason as the protocol names it."""

    def __init__(self, code: Trouble, text: str) -> None:
        """Create the error with the protocol's code and a message for the user."""
        super().__init__(text)
        self.code: Trouble = code


def analysing_bot(bots: Bots, game: LiveGame) -> tuple[BotKey, BotConfig] | None:
    """Return the official bot that should evaluate this game's positions, see `able_bot`; None if there is none."""
    row = game.row
    return able_bot(bots, row.game, row.variant, row.width, row.height)


def able_bot(bots: Bots, game: str, variant: str, width: int, height: int) -> tuple[BotKey, BotConfig] | None:
    """Return the official bot that should evaluate a game: one meant for analysis, else the strongest; or None."""
    able: list[tuple[bool, int, BotKey, BotConfig]] = []
    for key, bot, official in bots.all():
        support = bot.variants.get(variant) if bot.game == game else None
        if official and support and support.plays(width, height):
            able.append((bot.analysis, bot.list_order if bot.list_order is not None else -1, key, bot))
    if not able:
        return None
    best = max(able, key=lambda entry: entry[:3])
    return best[2], best[3]


def missing(game: LiveGame) -> list[int]:
    """Return the positions of a game that have no evaluation, by their number of moves."""
    return [ply for ply in range(len(game.table.moves) + 1) if ply not in game.evaluations]


class Analyst:
    """Requests the missing evaluations of one game from a bot."""

    def __init__(self, game: LiveGame, bots: Bots) -> None:
        self._game = game
        self._bots = bots
        self._wake = asyncio.Event()
        self._session: BotSession | None = None

    def wake(self) -> None:
        """Look for missing evaluations again, after the game has changed."""
        self._wake.set()

    async def run(self) -> None:
        """Request evaluations until the game is over and none is missing; raises UnfilledError if no bot can."""
        try:
            while True:
                self._wake.clear()
                if not await self._step():
                    if self._game.table.over:
                        return
                    await self._wake.wait()
        except BotGoneError as error:
            raise UnfilledError("BOT_DISCONNECTED", "The analysis bot lost its connection.") from error
        except BotError as error:
            code: Trouble = "TIMEOUT" if "did not answer" in str(error) else "INVALID_POSITION"
            raise UnfilledError(code, f"The analysis bot {error}.") from error
        finally:
            await asyncio.shield(self._end())

    async def _step(self) -> bool:
        """Do one step: evaluate a position, play a move in the session, or start or end a session.

        Returns:
            False if no evaluation is missing.
        """
        game, session, moves = self._game, self._session, [move.text for move in self._game.table.moves]
        wanted, known = missing(game), len(session.moves) if session else 0
        if not wanted:
            return False
        if len(moves) in wanted and game.table.position.outcome:  # the outcome is exact, so no bot is needed
            game.note_evaluation(len(moves), Evaluation(game.table.position.outcome.value, ""))
        elif session is None:
            await self._start()
        elif moves[:known] != session.moves or known > wanted[-1]:
            await self._end()
        elif known in wanted:
            answer = await session.evaluate()
            if [move.text for move in game.table.moves[:known]] == session.moves:  # no move was taken back meanwhile
                game.note_evaluation(known, Evaluation(answer.evaluation, answer.best_move))
        else:
            await session.play(moves[known])
        return True

    async def _start(self) -> None:
        found = analysing_bot(self._bots, self._game)
        link = self._bots.find(found[0]) if found else None
        if found is None or link is None:
            raise UnfilledError("NOT_CONNECTED", "No analysis bot is connected.")
        row = self._game.row
        bgs_id = f"{row.id}_{secrets.token_hex(4)}"  # random, so that an older session need not have ended
        self._session = BotSession(link[0], bgs_id, self._bots.settings.request_timeout_s)
        config = SessionConfig(row.variant, row.width, row.height, row.setup, row.game)
        await self._session.start(found[0].bot_id, config)

    async def _end(self) -> None:
        session, self._session = self._session, None
        if session:
            await session.end()
