"""Whether there is a table left: for anybody, and for one address, so that nobody can take them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from ludus.errors import Unavailable
from ludus.site.game import LiveGame
from ludus.site.people.faults import TooOften
from ludus.site.settings import SiteSettings


class Places:
    """Counts the games that are not over, and those about to be opened."""

    def __init__(self, games: Mapping[str, LiveGame], settings: SiteSettings) -> None:
        """Take the games in memory, which others change."""
        self._games = games
        self._settings = settings
        self._unlimited = settings.safety.exempt()
        self._opening: Counter[str] = Counter()  # by address; a game takes a while to compile and to write

    @contextmanager
    def taken(self, address: str) -> Generator[None]:
        """Hold a place while a game is opened from an address, "" for the site itself.

        Raises:
            Unavailable: all tables are taken.
            TooOften: the address has as many as one may have; a restart of the site forgets whose they were.
        """
        playing = [game for game in self._games.values() if not game.table.over]
        if len(playing) + self._opening.total() >= self._settings.max_games:
            raise Unavailable(f"All {self._settings.max_games} tables are taken; try again in a few minutes.")
        most = self._settings.safety.max_tables
        own = sum(game.opener == address for game in playing) + self._opening[address]
        if address not in self._unlimited and own >= most:
            raise TooOften(f"You have {most} games that are played or wait for somebody; end one of them first.")
        self._opening[address] += 1
        try:
            yield
        finally:
            self._opening[address] -= 1
            self._opening += Counter()  # forgets who opens nothing any more
