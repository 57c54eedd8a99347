"""All games that are being played or can still be looked at, and the people who look."""

import asyncio
import hmac
import logging
import secrets
from collections import deque
from collections.abc import Callable

import msgspec

from ludus.errors import BadInput, Unavailable
from ludus.protocol.bgs import BotConfig
from ludus.site.bots import BotKey, Bots
from ludus.site.catalogue import Offer, find_offer, session_config, table_game, title_of
from ludus.site.conductor import Conductor
from ludus.site.messages import Act, ErrorMessage, NewGame, PlayMessage, Rematch, RematchMessage, Resign, Seat, Undo
from ludus.site.settings import SiteSettings
from ludus.site.table import Table

_log = logging.getLogger(__name__)


class Watcher:
    """One open page: what waits to be sent to it.  States are not queued; a slow page gets the latest one."""

    def __init__(self, you: int | None) -> None:
        self.you = you
        self.stale = True
        self.closing = False
        self.notes: deque[ErrorMessage | RematchMessage] = deque(maxlen=16)
        self.wake = asyncio.Event()

    def refresh(self) -> None:
        """Send the state anew."""
        self.stale = True
        self.wake.set()

    def note(self, message: ErrorMessage | RematchMessage) -> None:
        """Send a message."""
        self.notes.append(message)
        self.wake.set()

    def close(self) -> None:
        """Close the page's socket."""
        self.closing = True
        self.wake.set()


class LiveGame:
    """A table with its audience and the bot's conductor."""

    def __init__(self, table: Table, key: BotKey, offer: Offer, clock: Callable[[], float]) -> None:
        self.id = secrets.token_urlsafe(6)
        self.token = secrets.token_urlsafe(16)
        self.table = table
        self.key = key
        self.offer = offer
        self.watchers: set[Watcher] = set()
        self.visited = False
        self.last_change = clock()
        self.rematch: LiveGame | None = None
        self.conductor: Conductor | None = None
        self.task: asyncio.Task[None] | None = None
        self._clock = clock

    def side_of(self, token: str | None) -> int | None:
        """Return the side that a token sits on; None for a spectator, who has none.

        Raises:
            BadInput: a token, but not this game's.
        """
        if token is None:
            return None
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            raise BadInput("This seat belongs to somebody else; open the game without a token to watch it.")
        return self.table.human

    def changed(self) -> None:
        """Show the table anew, and let the bot look at it."""
        self.last_change = self._clock()
        for watcher in self.watchers:
            watcher.refresh()
        if self.conductor:
            self.conductor.wake()

    def tell(self, message: str) -> None:
        """Tell everybody something in a sentence."""
        for watcher in self.watchers:
            watcher.note(ErrorMessage(message))


class Hall:
    """The games by id."""

    def __init__(self, bots: Bots, settings: SiteSettings, clock: Callable[[], float]) -> None:
        """Open the hall.

        Args:
            bots: who can be played.
            settings: limits and times.
            clock: seconds; only differences matter.
        """
        self.games: dict[str, LiveGame] = {}
        self._bots = bots
        self._settings = settings
        self._clock = clock

    @property
    def num_playing(self) -> int:
        """Return how many games are not over."""
        return sum(not game.table.over for game in self.games.values())

    def open(self, new_game: NewGame) -> Seat:
        """Set up a table and return the guest's seat; raises BadInput or Unavailable."""
        client_id, _, bot_id = new_game.bot.partition(":")
        key = BotKey(client_id, bot_id)
        bot, offer = find_offer(self._bots, key, new_game.spec)
        side = secrets.randbelow(2) if new_game.side is None else new_game.side
        game = self._open(bot, key, offer, side)
        return Seat(game.id, game.token)

    def find(self, game_id: str) -> LiveGame:
        """Return a game; raises BadInput."""
        game = self.games.get(game_id)
        if game is None:
            raise BadInput("There is no such game here; finished games are kept for a few minutes only.")
        return game

    def watch(self, game_id: str, token: str | None) -> tuple[LiveGame, Watcher]:
        """Let somebody in who opens a game, to a seat or as a spectator; raises BadInput or Unavailable."""
        game = self.find(game_id)
        watcher = Watcher(game.side_of(token))
        if len(game.watchers) >= self._settings.max_watchers:
            raise Unavailable("Too many people are watching this game; try again later.")
        game.watchers.add(watcher)
        game.visited = True
        return game, watcher

    def hear(self, game: LiveGame, watcher: Watcher, message: PlayMessage) -> None:
        """Do what a page asks; raises BadInput or Unavailable, and then nothing has changed."""
        if watcher.you is None:
            raise BadInput("You are watching; only the players can do that.")
        match message:
            case Act():
                game.table.act(watcher.you, message.action, message.ply)
                game.changed()
            case Undo():
                game.table.undo()
                game.changed()
            case Resign():
                game.table.resign(watcher.you)
                game.changed()
            case Rematch():
                following = self._rematch(game)
                watcher.note(RematchMessage(following.id, following.token))

    def sweep(self) -> None:
        """Drop the games whose time is over; there are never more finished ones than tables."""
        now, kept = self._clock(), self._settings
        for game in list(self.games.values()):
            age = now - game.last_change
            limit = kept.idle_kept_s if game.visited else kept.unvisited_kept_s
            if age > (kept.finished_kept_s if game.table.over else limit) and (game.table.over or not game.watchers):
                self._drop(game)
        finished = sorted((game for game in self.games.values() if game.table.over), key=lambda game: game.last_change)
        for game in finished[: max(0, len(finished) - kept.max_games)]:
            self._drop(game)

    async def close(self) -> None:
        """Stop all games at once."""
        tasks = [game.task for game in self.games.values() if game.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for game in list(self.games.values()):
            self._drop(game)

    def _open(self, bot: BotConfig, key: BotKey, offer: Offer, human: int) -> LiveGame:
        self.sweep()
        if self.num_playing >= self._settings.max_games:
            raise Unavailable(f"All {self._settings.max_games} tables are taken; try again in a few minutes.")
        position = table_game(offer.spec).start()
        table = Table(offer.spec, title_of(offer.spec), position, human, bot.name, self._settings.max_plies)
        game = LiveGame(table, key, offer, self._clock)
        config = session_config(bot, offer, position.game.setup(position.state))
        game.conductor = Conductor(table, game, self._bots, key, game.id, config)
        game.task = asyncio.create_task(game.conductor.run(), name=f"game {game.id}")
        self.games[game.id] = game
        return game

    def _rematch(self, game: LiveGame) -> LiveGame:
        if not game.table.over:
            raise BadInput("The game is not over yet.")
        if game.rematch is None or game.rematch.id not in self.games:
            bot, offer = find_offer(self._bots, game.key, game.offer.spec)
            game.rematch = self._open(bot, game.key, offer, 1 - game.table.human)
        return game.rematch

    def _drop(self, game: LiveGame) -> None:
        if not game.table.over:
            game.table.resign(game.table.human, "abandoned")
            game.changed()
        game.rematch = None
        for watcher in game.watchers:
            watcher.close()
        self.games.pop(game.id, None)
        _log.info("Game %s is dropped.", game.id)


def encode(message: msgspec.Struct) -> str:
    """Return a message's JSON text."""
    return msgspec.json.encode(message).decode()
