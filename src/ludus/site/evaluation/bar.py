"""Evaluation bars: one for each watched game, with an analyst that requests missing evaluations."""

import asyncio
import logging
from collections.abc import Callable

from ludus.errors import LudusError
from ludus.site.bots.bots import Bots
from ludus.site.evaluation.analyst import Analyst, UnfilledError, analysing_bot, missing
from ludus.site.faults import Close, NotHere
from ludus.site.live.broadcast import Changed, Evaluated, Event, Outgoing, encode
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.evaluation import (
    BarAccepted,
    BarMessage,
    BarPending,
    BarTrouble,
    Handshake,
    Rejection,
    history,
    update,
)
from ludus.site.operations.logs import context_of_game

_log = logging.getLogger(__name__)

MAX_ANALYSTS = 32
"""Most games that have an analyst at a time."""
MAX_WATCHERS = 200
"""Most watchers of one bar."""


class RejectedError(LudusError):
    """Raised when a handshake is rejected; `code` is the reason as the protocol names it."""

    def __init__(self, code: Rejection, text: str) -> None:
        """Create the error with the protocol's code and a message for the user."""
        super().__init__(text)
        self.code: Rejection = code


class BarWatcher(Outgoing):
    """The queue of outgoing messages for one socket that watches an evaluation bar."""

    def __init__(self, bar: "Bar") -> None:
        super().__init__()
        self.bar = bar
        self._whole = True
        self._fresh = set(bar.game.evaluations)
        self.send(encode(BarAccepted()))
        if bar.filling and bar.game.table.moves:
            self.send(encode(BarPending(len(bar.game.table.moves))))

    def learn(self, plies: set[int]) -> None:
        """Queue updates for these plies."""
        self._fresh |= plies
        self.wake.set()

    def begin_anew(self) -> None:
        """Queue the whole history, since sent evaluations have become invalid."""
        self._whole = True
        self.wake.set()

    def take(self) -> list[str]:
        """Return the queued messages; a history is sent once it is complete, and updates are sent before that."""
        known, texts = self.bar.game.evaluations, super().take()
        if self._whole and not self.bar.filling:
            texts.append(encode(history(known)))
            self._whole = False
        else:
            texts += [encode(update(ply, known[ply])) for ply in sorted(self._fresh & known.keys())]
        self._fresh = set()
        return texts


class Bar:
    """The evaluation bar of one game; it listens to the game while it has watchers."""

    def __init__(self, game: LiveGame, bots: Bots, address: str, must_have_room: Callable[[str], None]) -> None:
        """Create the bar of a game, without watchers.

        Args:
            game: the game to evaluate.
            bots: the attached bots.
            address: the address that opened the bar; "" for the site itself.
            must_have_room: raises RejectedError if the address may not have another analyst.
        """
        self.game = game
        self.address = address
        """The address whose limit of analyses this bar counts towards."""
        self.watchers: set[BarWatcher] = set()
        self._bots = bots
        self._must_have_room = must_have_room
        self._told = dict(game.evaluations)
        self._analyst: Analyst | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def analyses(self) -> bool:
        """Return whether its analyst is running."""
        return self._task is not None and not self._task.done()

    @property
    def filling(self) -> bool:
        """Return whether evaluations are missing and a bot is computing them."""
        return bool(missing(self.game)) and (self.analyses or plays_bot(self.game))

    def watch(self) -> BarWatcher:
        """Add a watcher."""
        if not self.watchers:
            self.game.listeners.append(self._hear)
        watcher = BarWatcher(self)
        self.watchers.add(watcher)
        return watcher

    def begin(self, address: str) -> None:
        """Start an analyst on behalf of an address, unless none is needed; raises RejectedError if too many run."""
        if self.analyses or plays_bot(self.game):
            return
        self._must_have_room(address)
        self.address = address
        self._analyst = Analyst(self.game, self._bots)
        name, context = f"analyst of game {self.game.id}", context_of_game(self.game.id)
        self._task = asyncio.create_task(self._analyse(self._analyst), name=name, context=context)

    async def close(self, goodbye: Close | None = None) -> None:
        """Stop listening to the game, stop the analyst, and close all sockets if `goodbye` is given."""
        if self._hear in self.game.listeners:
            self.game.listeners.remove(self._hear)
        for watcher in self.watchers:
            if goodbye:
                watcher.close(goodbye)
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _hear(self, _game: LiveGame, event: Event) -> None:
        known = self.game.evaluations
        if isinstance(event, Changed) and not known.items() >= self._told.items():
            for watcher in self.watchers:
                watcher.begin_anew()
        elif isinstance(event, Changed | Evaluated):
            fresh = {ply for ply, found in known.items() if self._told.get(ply) != found}
            for watcher in self.watchers if fresh else ():
                watcher.learn(fresh)
        self._told = dict(known)
        if self._analyst:
            self._analyst.wake()
        if isinstance(event, Changed) and (self._analyst or event.after.over) and missing(self.game):
            try:  # the playing bot may not have evaluated the last position, or an earlier analyst may have failed
                self.begin(self.address)
            except RejectedError as error:
                self._tell(BarTrouble("NOT_CONNECTED", str(error)))

    async def _analyse(self, analyst: Analyst) -> None:
        try:
            await analyst.run()
        except UnfilledError as error:
            _log.info("Game %s: %s", self.game.id, error)
            self._tell(BarTrouble(error.code, str(error)))
        except LudusError as error:
            self._tell(BarTrouble("INTERNAL_ERROR", str(error)))
        except Exception:  # noqa: BLE001 - watchers must get a message in any case
            _log.exception("Game %s: its evaluation failed.", self.game.id)
            self._tell(BarTrouble("INTERNAL_ERROR", "Internal error of the site."))

    def _tell(self, message: BarMessage) -> None:
        for watcher in self.watchers:
            watcher.note(encode(message))


def plays_bot(game: LiveGame) -> bool:
    """Return whether a bot is playing against a person in this game; it then evaluates every position."""
    kinds = {seat.kind for seat in game.seats}
    return not game.table.over and kinds == {"bot", "person"}


class Bars:
    """The open evaluation bars of a site, by game."""

    def __init__(self, live_games: LiveGames, bots: Bots) -> None:
        self._live_games = live_games
        self._bots = bots
        self._unlimited = bots.settings.safety.exempt()
        self._bars: dict[str, Bar] = {}

    def __len__(self) -> int:
        """Return the number of open bars."""
        return len(self._bars)

    async def enter(self, game_id: str, wish: Handshake, address: str = "") -> BarWatcher:
        """Add a watcher to a game's bar, and open the bar if necessary.

        Args:
            game_id: the game.
            wish: the client's handshake; it must state the game and board correctly.
            address: the client's address as a key for limits; "" for the site itself.

        Raises:
            RejectedError: the game cannot be evaluated, or a limit is reached.
            Unavailable: the database cannot be read.
        """
        try:
            game = await self._live_games.find(game_id, address)
        except NotHere:
            raise RejectedError("GAME_NOT_FOUND", "This site has no such game.") from None
        row = game.row
        if (wish.game, wish.variant, wish.board_width, wish.board_height) != (
            row.game,
            row.variant,
            row.width,
            row.height,
        ):
            raise RejectedError("UNSUPPORTED_VARIANT", "This game has another variant or board than requested.")
        if row.rated and not game.table.over:
            raise RejectedError("RATED_PLAYER", "This game is rated; evaluations are shown only after its end.")
        if game.table.waiting:
            raise RejectedError("NO_BOT", "The game has not begun; try again when it has two players.")
        bar = self._bars.get(game.id)
        if bar is None or bar.game is not game:
            bar = Bar(game, self._bots, address, self._must_have_room)
        if len(bar.watchers) >= MAX_WATCHERS:
            raise RejectedError("INTERNAL_ERROR", "Too many people are watching this evaluation; try again later.")
        if not plays_bot(game) and not bar.analyses and (missing(game) or not game.table.over):
            if analysing_bot(self._bots, game) is None:
                raise RejectedError("NO_BOT", "No connected bot can evaluate this game; try again later.")
            bar.begin(address)
        self._bars[game.id] = bar
        return bar.watch()

    def _must_have_room(self, address: str) -> None:
        busy = [bar for bar in self._bars.values() if bar.analyses]
        if len(busy) >= MAX_ANALYSTS:
            raise RejectedError("NO_BOT", "Too many games are being evaluated; try again in a minute.")
        most = self._bots.settings.safety.max_analyses
        if address not in self._unlimited and sum(bar.address == address for bar in busy) >= most:
            raise RejectedError(
                "NO_BOT", f"{most} games are already being evaluated for your address; close one first."
            )

    async def leave(self, watcher: BarWatcher) -> None:
        """Remove a watcher, and close its bar if no watcher is left."""
        bar = watcher.bar
        bar.watchers.discard(watcher)
        if not bar.watchers:
            if self._bars.get(bar.game.id) is bar:
                del self._bars[bar.game.id]
            await bar.close()

    async def close(self, goodbye: Close) -> None:
        """Close all bars and their sockets."""
        await asyncio.gather(*(bar.close(goodbye) for bar in list(self._bars.values())))
