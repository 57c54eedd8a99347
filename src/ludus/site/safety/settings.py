"""Limits of what strangers may do, each with its unit."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ludus.config import AtLeastOne, AtLeastZero
from ludus.site.safety.limits import RateLimit, neighbourhood

MOST_DAYS = 3650
"""Ten years: dates so long ago can still be written."""
Seconds = Annotated[float, Meta(ge=0, le=86_400 * MOST_DAYS)]
Patience = Annotated[float, Meta(gt=0, le=86_400 * MOST_DAYS)]


class SafetySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an operator may change about limits."""

    requests: RateLimit = RateLimit(most=200, per_s=20)
    """HTTP requests of one address, and sockets that it opens."""
    costly: RateLimit = RateLimit(most=20, per_s=0.5)
    """Requests of one address that make the site work: passwords, links, texts."""
    study: RateLimit = RateLimit(most=100, per_s=5)
    """Requests of one address that have a line replayed or judged, or show a position of a link's game: one for each
    step on an analysis board or in a replay."""
    new_accounts: RateLimit = RateLimit(most=20, per_s=20 / 3600)
    """Accounts that one address asks for: each stays in the database."""
    new_games: RateLimit = RateLimit(most=100, per_s=360 / 3600)
    """Games that one address opens, rematches of its games included: each stays in the database, even if it is called
    off at once."""
    messages: RateLimit = RateLimit(most=100, per_s=20)
    """Messages of a page's socket."""
    bot_messages: RateLimit = RateLimit(most=2000, per_s=500)
    """Messages of a bot client's socket, which speaks for hundreds of games."""
    chat: RateLimit = RateLimit(most=5, per_s=0.5)
    """Lines that a player says at a table, or that one address says there as a spectator: others read them all."""
    max_sockets: AtLeastOne = 50
    """Sockets of one address at a time."""
    max_analyses: AtLeastZero = 8
    """Games that are judged at a time for evaluation bars which one address has opened."""
    max_clients: AtLeastZero = 4
    """Bot clients of one address attached at a time, the site's own not counted."""
    max_boards: AtLeastZero = 32
    """Different boards that the bots of one client recommend, unless it is the site's own."""
    max_tables: AtLeastOne = 20
    """Games that one address has opened and that are not over, those that wait for somebody included."""
    max_body_bytes: AtLeastOne = 65_536
    """The longest body of a request."""
    max_text_bytes: AtLeastOne = 1_000_000
    """The longest body of a request that brings a game as a text, of which comments may be the greater part."""
    slow_reader_s: Patience = 20.0
    """How long a socket may refuse to take what is sent to it before it is given up."""
    unlimited_addresses: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses that the limits by address do not concern, of IPv6 with all of their household: this machine, and so a
    proxy on it that hides who calls."""

    def exempt(self) -> set[str]:
        """Return the addresses to which limits by address do not apply; "" is the site itself."""
        return {"", *map(neighbourhood, self.unlimited_addresses)}
