"""Limits of open games: so many in all, and so many for one address, which may only open so many an hour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from ludus.errors import Unavailable
from ludus.site.faults import TooOften
from ludus.site.live.game import LiveGame
from ludus.site.live.presence import Now
from ludus.site.safety.limits import RateLimiter
from ludus.site.settings import SiteSettings


class OpeningLimits:
    """Counts the games that are not over, and those being opened."""

    def __init__(self, games: Mapping[str, LiveGame], settings: SiteSettings, now: Now) -> None:
        """Take the games in memory, and the site's clock."""
        self._games = games
        self._settings = settings
        self._unlimited = settings.safety.exempt()
        self._new = RateLimiter(settings.safety.new_games, lambda: now() / 1000)
        self._opening: Counter[str] = Counter()  # by address; a game takes a while to prepare and to write

    @contextmanager
    def taken(self, address: str) -> Generator[None]:
        """Count a game while it is being opened for an address, "" for the site itself.

        Raises:
            Unavailable: all tables are taken.
            TooOften: the address has too many games, or has opened too many.
        """
        playing = [game for game in self._games.values() if not game.table.over]
        tables = sum(max(1, sum(seat.kind == "bot" for seat in game.seats)) for game in playing)
        if tables + self._opening.total() >= self._settings.max_games:
            raise Unavailable(f"All {self._settings.max_games} tables are taken; try again in a few minutes.")
        most = self._settings.safety.max_tables
        if address not in self._unlimited:
            if sum(game.opener == address for game in playing) + self._opening[address] >= most:
                raise TooOften(
                    f"{most} games from your address are played or wait for somebody; end one of them first."
                )
            wait_s = self._new.take(address)
            if wait_s:
                raise TooOften.of_address("games were opened", wait_s)
        self._opening[address] += 1
        try:
            yield
        finally:
            self._opening[address] -= 1
            self._opening += Counter()  # forgets who opens nothing any more
