"""Asks a bot for the missing evaluations of a game's positions, in one session, as long as somebody watches.

Like `BotPlayer` it plans nothing: each step looks at what is missing.
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
    """The bar cannot be filled now; `code` is the protocol's word for why."""

    def __init__(self, code: Trouble, text: str) -> None:
        """Take the protocol's code, and a sentence."""
        super().__init__(text)
        self.code: Trouble = code


def analysing_bot(bots: Bots, game: LiveGame) -> tuple[BotKey, BotConfig] | None:
    """Return the official bot that evaluates this game's positions best; None without one."""
    row = game.row
    return able_bot(bots, row.game, row.variant, row.width, row.height)


def able_bot(bots: Bots, game: str, variant: str, width: int, height: int) -> tuple[BotKey, BotConfig] | None:
    """Return the official bot that evaluates best on a board: one for analysis, else the strongest; or None."""
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
    """Return the positions without an evaluation, by moves made."""
    return [ply for ply in range(len(game.table.moves) + 1) if ply not in game.evaluations]


class Analyst:
    """Fills in the missing evaluations of one game."""

    def __init__(self, game: LiveGame, bots: Bots) -> None:
        self._game = game
        self._bots = bots
        self._wake = asyncio.Event()
        self._session: BotSession | None = None

    def wake(self) -> None:
        """Look again: the game has changed."""
        self._wake.set()

    async def run(self) -> None:
        """Ask until the game is over and nothing is missing; raises UnfilledError if no bot can go on."""
        try:
            while True:
                self._wake.clear()
                if not await self._step():
                    if self._game.table.over:
                        return
                    await self._wake.wait()
        except BotGoneError as error:
            raise UnfilledError("BOT_DISCONNECTED", "The bot that evaluates lost its connection.") from error
        except BotError as error:
            code: Trouble = "TIMEOUT" if "did not answer" in str(error) else "INVALID_POSITION"
            raise UnfilledError(code, f"The bot that evaluates {error}.") from error
        finally:
            await asyncio.shield(self._end())

    async def _step(self) -> bool:
        """Take one step; return False if there is nothing to do."""
        game, session, moves = self._game, self._session, [move.text for move in self._game.table.moves]
        wanted, known = missing(game), len(session.moves) if session else 0
        if not wanted:
            return False
        if len(moves) in wanted and game.table.position.outcome:  # the rules know best, and bots need not know it
            game.note_evaluation(len(moves), Evaluation(game.table.position.outcome.value, ""))
        elif session is None:
            await self._start()
        elif moves[:known] != session.moves or known > wanted[-1]:
            await self._end()
        elif known in wanted:
            answer = await session.evaluate()
            if [move.text for move in game.table.moves[:known]] == session.moves:  # not taken back meanwhile
                game.note_evaluation(known, Evaluation(answer.evaluation, answer.best_move))
        else:
            await session.play(moves[known])
        return True

    async def _start(self) -> None:
        found = analysing_bot(self._bots, self._game)
        link = self._bots.find(found[0]) if found else None
        if found is None or link is None:
            raise UnfilledError("NOT_CONNECTED", "No bot that evaluates is attached.")
        row = self._game.row
        bgs_id = f"{row.id}_{secrets.token_hex(4)}"  # who opens the bar again does not wait for an older session's end
        self._session = BotSession(link[0], bgs_id, self._bots.settings.request_timeout_s)
        config = SessionConfig(row.variant, row.width, row.height, row.setup, row.game)
        await self._session.start(found[0].bot_id, config)

    async def _end(self) -> None:
        session, self._session = self._session, None
        if session:
            await session.end()
