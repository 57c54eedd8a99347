"""Settings of the rate limits, connection limits and size limits."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ludus.config import AtLeastOne, AtLeastZero
from ludus.site.safety.limits import RateLimit, neighbourhood

MOST_DAYS = 3650
"""Longest duration in settings: ten years, so that dates computed with it stay valid."""
Seconds = Annotated[float, Meta(ge=0, le=86_400 * MOST_DAYS)]
Patience = Annotated[float, Meta(gt=0, le=86_400 * MOST_DAYS)]


class SafetySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits against abuse."""

    requests: RateLimit = RateLimit(most=200, per_s=20)
    """HTTP requests and new sockets per address."""
    costly: RateLimit = RateLimit(most=20, per_s=0.5)
    """Expensive requests per address: passwords, tokens, links, games as text."""
    study: RateLimit = RateLimit(most=100, per_s=5)
    """Requests per address that replay or evaluate a line or show a position of a linked game: one for each step on
    an analysis board or in a replay."""
    new_accounts: RateLimit = RateLimit(most=20, per_s=20 / 3600)
    """New accounts per address; each stays in the database."""
    new_games: RateLimit = RateLimit(most=100, per_s=360 / 3600)
    """New games per address, including rematches; each stays in the database, even if it is cancelled."""
    searches: RateLimit = RateLimit(most=60, per_s=4)
    """Searches for players per address: one for each key that a person presses."""
    challenges: RateLimit = RateLimit(most=12, per_s=1 / 60)
    """Challenges to other people, per address and per account."""
    messages: RateLimit = RateLimit(most=100, per_s=20)
    """Messages per socket of a page."""
    bot_messages: RateLimit = RateLimit(most=2000, per_s=500)
    """Messages per socket of a bot client, which may play hundreds of games."""
    frames: RateLimit = RateLimit(most=100, per_s=10)
    """Frames per socket that are no whole message: pings, pongs, and parts of messages."""
    chat: RateLimit = RateLimit(most=5, per_s=0.5)
    """Chat messages per game, for each player and for each address of spectators."""
    max_sockets: AtLeastOne = 50
    """Most open sockets per address."""
    max_connections: AtLeastOne = 200
    """Most open connections per address, sockets included."""
    silent_s: Patience = 30.0
    """Seconds after which a connection is closed that has not sent the head of a request."""
    body_s: Patience = 30.0
    """Seconds after which a request is refused whose body has not arrived completely."""
    max_analyses: AtLeastZero = 8
    """Most games per address that bots evaluate for evaluation bars at a time."""
    max_clients: AtLeastZero = 4
    """Most attached bot clients per address; the site's own clients do not count."""
    max_boards: AtLeastZero = 32
    """Most different boards that the bots of one client may recommend; the site's own clients have no limit."""
    max_tables: AtLeastOne = 20
    """Most unfinished games per address, including games that wait for a player."""
    max_slow_bots: AtLeastZero = 4
    """Most unfinished games per address in which a bot was asked to think longer than it does by itself."""
    max_body_bytes: AtLeastOne = 65_536
    """Longest body of a request, in bytes."""
    max_text_bytes: AtLeastOne = 1_000_000
    """Longest body of a request with a game as text, in bytes; such a text may have long comments."""
    slow_reader_s: Patience = 20.0
    """Seconds after which a socket is closed if its client does not read what the site sends."""
    unlimited_addresses: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses without limits, IPv6 addresses with their whole /64 network.  The default is this machine, which
    includes a proxy on it that does not forward its clients' addresses."""

    def exempt(self) -> set[str]:
        """Return the keys of addresses without limits; "" is the site itself."""
        return {"", *map(neighbourhood, self.unlimited_addresses)}
