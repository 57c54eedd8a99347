"""Bots that think in the browser of the person who plays against them; the site has no connection to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from ludus.protocol.registration import BotConfig

CLIENT_ID = "browser"
"""The client in the names of these bots; no bot client may have this name."""


class DeviceEngine(NamedTuple):
    """An engine for one board, as browsers run it."""

    name: str
    """The model's name."""
    spec: str
    """The name of the game in the manifest."""
    manifest: str
    """The path of the manifest on the site."""


class ExportedEngines(Protocol):
    """The models that the site has exported for browsers."""

    listeners: set[Callable[[], None]]
    """Functions that are called after an engine was added."""

    def of(self, name: str, variant: str, width: int, height: int, model: str = "") -> DeviceEngine | None:
        """Return the engine of a board, of the model with this name or ("") of the first one; None if there is none."""
        ...


class BrowserBot(NamedTuple):
    """A level of a model that plays in browsers."""

    config: BotConfig
    model: str
    """The name of its model."""
    visits: int
    seconds: float
    """Time limit of a search."""
    temperature: float = 0.0
    moves: int = 0
    """Moves of the game, of both sides, for which the temperature applies; 0: the whole game."""

    @property
    def name(self) -> str:
        """The name of the bot on the site, `CLIENT:BOT`."""
        return f"{CLIENT_ID}:{self.config.bot_id}"

    def temperature_at(self, num_moves: int) -> float:
        """Return the temperature after a number of moves."""
        return 0.0 if 0 < self.moves <= num_moves else self.temperature


class BrowserBots:
    """The site's bots that think in browsers."""

    def __init__(self, changed: Callable[[], None], most_s: float) -> None:
        """Start without bots.

        Args:
            changed: called when the bots or their boards have changed.
            most_s: the most seconds that a bot may be asked to think about a move.
        """
        self._changed, self._most_s = changed, most_s
        self._bots: dict[str, BrowserBot] = {}
        self._engines: ExportedEngines | None = None

    def offer(self, bots: Iterable[BrowserBot], engines: ExportedEngines) -> None:
        """Offer these bots, in place of earlier ones, on the boards whose engines are ready, now or later."""
        capped = (
            bot._replace(config=replace(bot.config, max_seconds=min(bot.config.max_seconds, self._most_s)))
            for bot in bots
        )
        self._bots, self._engines = {bot.name: bot for bot in capped}, engines
        engines.listeners.add(self._changed)
        self._changed()

    def all(self) -> list[BrowserBot]:
        """Return the bots, also those whose engines are not ready."""
        return [*self._bots.values()]

    def find(self, name: str) -> BrowserBot | None:
        """Return the bot with a name, `CLIENT:BOT`; None if there is none."""
        return self._bots.get(name)

    def engine(self, name: str, variant: str, width: int, height: int) -> DeviceEngine | None:
        """Return the engine of a bot for a board; None if the bot is not here, or its engine is not ready."""
        bot = self._bots.get(name)
        return self._engines.of(bot.config.game, variant, width, height, bot.model) if bot and self._engines else None


def is_in_browser(name: str | None) -> bool:
    """Return whether a bot, named `CLIENT:BOT`, thinks in the browser of its opponent."""
    return name is not None and name.partition(":")[0] == CLIENT_ID
