"""The site's settings, each with its unit, and the operator's file of them."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from ludus import config
from ludus.config import AtLeastOne, AtLeastZero
from ludus.errors import BadInput
from ludus.site.safety.limits import is_address
from ludus.site.safety.settings import Patience, SafetySettings, Seconds


class SiteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an operator may change."""

    max_games: Annotated[int, Meta(ge=1, le=256)] = 200
    """Tables at a time, a match of bots as two, those just finished not counted; at most 256: a client's sessions."""
    max_watchers: AtLeastZero = 100
    """Spectators of one game; its players come besides."""
    max_clients: AtLeastZero = 10
    """Bot clients attached at a time, the site's own not counted: nobody can keep it out."""
    max_plies: AtLeastOne = 2000
    """Actions after which a game is called a draw, whatever its rules say."""
    max_unexpected: AtLeastOne = 100
    """Messages that make no sense, without a good one between them, after which a bot client is shown out."""
    request_timeout_s: Patience = 10.0
    """How long a bot may take over one answer."""
    attach_timeout_s: Patience = 30.0
    """How long a bot client may take before it attaches."""
    stand_s: Seconds = 1.0
    """How long a move stands before the next one where two bots play, whom people would not see otherwise."""
    disconnect_grace_s: Seconds = 30.0
    """How long a game waits for a bot whose client lost its connection."""
    absence_told_s: Seconds = 3.0
    """After how long the players are told of it: a client with more bots than before only dials anew."""
    restart_grace_s: Seconds = 600.0
    """How long the games of a bot wait for it after a restart of the site, after which it may compile much."""
    return_grace_s: Seconds = 30.0
    """How long a clock stands at most after a restart, if the player to move does not come back."""
    pulse_s: Patience = 5.0
    """How often the site notes that it runs; so much thinking time a crash may give back."""
    claim_after_s: Seconds = 60.0
    """How long a person may be away from a game with clocks before the other one may claim it."""
    claim_untimed_after_s: Seconds = 300.0
    """The same for games without clocks."""
    abandoned_after_s: Seconds = 604_800.0
    """After how long a game ends that its players have left, unless a clock runs: a week."""
    finished_kept_s: Seconds = 900.0
    """How long a finished game that nobody has open stays in memory; the database has it for ever."""
    idle_kept_s: Seconds = 1800.0
    """How long a game without a running clock that nobody has open stays in memory."""
    unvisited_kept_s: Seconds = 60.0
    """After how long a game is called off that nobody ever opened."""
    host_gone_s: Seconds = 60.0
    """After how long an open seat is taken back whose host has left."""
    waiting_kept_s: Seconds = 86_400.0
    """How long a game waits for a friend if nobody has it open."""
    allowed_origins: tuple[str, ...] = ()
    """Origins besides the site's own whose pages may open sockets, such as `http://localhost:5173`."""
    official_token: str | None = None
    """The secret of the bots that belong to the site; they are listed first."""
    official_clients: tuple[str, ...] = ()
    """Names of bot clients that are the site's own before they attach; nobody else may use them."""
    strangers_bots: bool = True
    """Whether bots may attach whose client shows no token, neither of an account nor of the site."""
    games: tuple[str, ...] = ()
    """Paths of game files that may be played besides the built-in games."""
    metrics_token: str | None = None
    """The secret with which other machines may read `/metrics`; None: only this machine may."""
    safety: SafetySettings = SafetySettings()
    """What a stranger may do."""


def read_settings(path: Path) -> SiteSettings:
    """Return the settings of a file, with defaults for what it leaves out.

    Raises:
        BadPreset: the file cannot be read, or holds an unknown setting or a value out of bounds.
        BadInput: one of its addresses is not an IP address.
    """
    settings = config.load(path, SiteSettings)
    for address in settings.safety.unlimited_addresses:
        if not is_address(address):
            raise BadInput(
                f"{path}: safety.unlimited_addresses: {address!r} is no address; write each by itself, such as "
                '"203.0.113.7" or "2001:db8::1".'
            )
    return settings
