"""Limits on unfinished games, of the whole site and of each address, and on how often an address opens new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from ludus.errors import Unavailable
from ludus.site.faults import TooOften
from ludus.site.live.game import LiveGame
from ludus.site.live.presence import Now
from ludus.site.safety.limits import AddressLimiter
from ludus.site.settings import SiteSettings


class OpeningLimits:
    """Counts unfinished games and games being opened, and refuses games over the limits."""

    def __init__(self, games: Mapping[str, LiveGame], settings: SiteSettings, now: Now) -> None:
        """Create the limits.

        Args:
            games: the games in memory, by id.
            settings: the limits.
            now: the site's clock.
        """
        self._games = games
        self._settings = settings
        self._unlimited = settings.safety.exempt()
        self._new = AddressLimiter(settings.safety.new_games, lambda: now() / 1000)
        self._opening: Counter[str] = Counter()  # games by address that are being prepared or stored

    @contextmanager
    def taken(self, address: str, *, is_slow: bool = False) -> Generator[None]:
        """Check the limits of an address, and count one game for it during the context.

        Args:
            address: the address; "" for the site itself.
            is_slow: whether an engine is given more time than usual.

        Raises:
            Unavailable: the site has its maximum of games.
            TooOften: the address has too many unfinished games, or has opened too many games recently.
        """
        playing = [game for game in self._games.values() if not game.table.over]
        tables = sum(max(1, sum(seat.kind == "bot" for seat in game.seats)) for game in playing)
        if tables + self._opening.total() >= self._settings.max_games:
            raise Unavailable(f"The site has its maximum of {self._settings.max_games} games. Try again in a minute.")
        most = self._settings.safety.max_tables
        if address not in self._unlimited:
            if sum(game.opener == address for game in playing) + self._opening[address] >= most:
                raise TooOften(f"Your address has its maximum of {most} unfinished games. End one of them first.")
            slow = sum(
                game.opener == address and game.row.bot_ms is not None and game.browser_bot is None for game in playing
            )
            if is_slow and slow >= self._settings.safety.max_slow_bots:
                raise TooOften(f"Your address has its maximum of {slow} games with a bot that thinks longer. End one.")
            wait_s = self._new.take(address)
            if wait_s:
                raise TooOften.of_address("games were opened", wait_s)
        self._opening[address] += 1
        try:
            yield
        finally:
            self._opening[address] -= 1
            self._opening += Counter()  # remove addresses whose count is 0
