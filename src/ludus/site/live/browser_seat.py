"""A bot's side of one game that the page of its opponent thinks for: what the page gets to search, and what it played.

The site keeps no engine for such a bot and cannot check that its moves are the engine's; it checks that they are legal.
Nothing happens until the page answers: the bot's clock stands, and the bot never forfeits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludus.errors import IllegalMove
from ludus.games.game import Position
from ludus.site.bots.in_browser import BrowserBots, DeviceEngine
from ludus.site.database.records import GameRow
from ludus.site.messages.page import BrowserBotInfo, DevicePosition
from ludus.site.table.table import CHANGED, Table

VISITS_PER_S = 3000
"""More visits in a second than a browser's search reaches; a bot that is given seconds has room for them."""
FINISHING_VISITS = 100
"""Visits of a search for the rest of a move that the search before it left unfinished, as in engines."""

Tell = Callable[[Position, DeviceEngine], DevicePosition]
Read = Callable[[Position, DeviceEngine, Sequence[int]], list[int]]


class BrowserSeat:
    """The seat of a bot that thinks in its opponent's browser."""

    def __init__(self, bots: BrowserBots, row: GameRow, side: int, tell: Tell, read: Read) -> None:
        """Create the seat of a game's side.

        Args:
            bots: the bots that think in browsers.
            row: the game.
            side: the bot's side.
            tell: returns a position of the game as an engine takes it.
            read: returns actions of an engine in the numbers of the game; raises IllegalMove.
        """
        self.side = side
        self._tell, self._read = tell, read
        self._bots, self._name, self._bot_ms = bots, row.seats[side].bot or "", row.bot_ms
        self._board = row.variant, row.width, row.height
        self._told: tuple[Position, DevicePosition] | None = None  # the latest one, since states are sent often

    @property
    def _engine(self) -> DeviceEngine | None:
        return self._bots.engine(self._name, *self._board)

    def info(self, table: Table) -> BrowserBotInfo:
        """Return what the opponent's page needs to think for the bot."""
        bot, engine = self._bots.find(self._name), self._engine
        if bot is None or engine is None:
            return BrowserBotInfo(self.side)
        is_rest = table.staged > 0
        visits, seconds = bot.visits, bot.seconds
        if self._bot_ms is not None:
            seconds = self._bot_ms / 1000
            visits = round(VISITS_PER_S * seconds)
        return BrowserBotInfo(
            self.side,
            engine.manifest,
            min(visits, FINISHING_VISITS) if is_rest else visits,
            seconds,
            0.0 if is_rest else bot.temperature_at(len(table.moves)),
            self._position(table.position, engine) if table.to_play == self.side else None,
            table.ply,
        )

    def _position(self, position: Position, engine: DeviceEngine) -> DevicePosition:
        if self._told is None or self._told[0] is not position or self._told[1].manifest != engine.manifest:
            self._told = position, self._tell(position, engine)
        return self._told[1]

    def played(self, table: Table, actions: list[int], ply: int, now: int) -> Table:
        """Return the table after actions that the page has found, all of one move or its first ones.

        Args:
            table: the game's table.
            actions: the actions, in the numbers of the engine.
            ply: the number of actions in the position that was searched.
            now: the time in milliseconds.

        Raises:
            IllegalMove: it is not the bot's turn, the position has changed, or an action is illegal.
        """
        if table.to_play != self.side or ply != table.ply:
            raise IllegalMove(CHANGED)
        engine = self._engine
        if engine is None:
            raise IllegalMove("The bot is not ready on this site now. Wait, or end the game without a result.")
        return table.play_actions(self.side, self._read(table.position, engine, actions), ply, now)
