"""The site's settings, and the function that reads the operator's settings file."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from ludus import config
from ludus.config import AtLeastOne, AtLeastZero
from ludus.errors import BadInput
from ludus.paths import in_game, path_in
from ludus.site.safety.limits import is_address
from ludus.site.safety.settings import Patience, SafetySettings, Seconds

_Text = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\r\n\x00]*$")]
_LOCAL = ("localhost", "127.0.0.1", "::1")


class MailSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the site sends mail; without this section it sends none."""

    host: _Text
    """The SMTP server."""
    port: Annotated[int, Meta(ge=1, le=65_535)] = 587
    tls: Literal["starttls", "tls", "none"] = "starttls"
    """`starttls` encrypts the connection after its begin (port 587), `tls` from its begin (port 465)."""
    user: _Text | None = None
    password: _Text | None = None
    sender: _Text
    """The address in `From`, with a name if you like: `Ludus <ludus@example.org>`."""
    site: _Text
    """The address of the site, for links in mail: `https://ludus.example.org`."""
    wait_s: Annotated[float, Meta(ge=0, le=604_800)] = 600.0
    """How long a turn waits, and how long a person must be away from the page, before mail is sent."""
    rest_s: Annotated[float, Meta(ge=0, le=2_592_000)] = 21_600.0
    """Least time between two letters about turns to one person; later turns wait, and share the next letter."""


class JudgeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long the judge searches a position, for evaluations, hints, marks and reviews."""

    visits: AtLeastOne = 800
    """Visits of a search; a bot whose own searches for moves are longer is asked for as many."""
    seconds: Annotated[float, Meta(gt=0, le=60)] = 2.0
    """Longest time of a search."""
    most_visits: AtLeastOne = 20_000
    """Most visits that deepening searches of one position reach."""
    at_once: AtLeastOne = 2
    """Positions that are searched at the same time."""


class SiteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a site; names that end in `_s` are in seconds."""

    max_games: Annotated[int, Meta(ge=1, le=256)] = 200
    """Most unfinished games at a time; a match of two bots counts twice.  At most 256: a bot client's sessions."""
    max_watchers: AtLeastZero = 100
    """Most spectators of one game."""
    max_clients: AtLeastZero = 10
    """Most bot clients attached at a time; the site's own clients do not count."""
    max_plies: AtLeastOne = 2000
    """Number of actions after which a game ends in a draw, even if its rules have no such limit."""
    max_unexpected: AtLeastOne = 100
    """Number of invalid messages in a row after which a bot client is disconnected."""
    request_timeout_s: Patience = 10.0
    """Longest time a bot may take to answer one request."""
    attach_timeout_s: Patience = 30.0
    """Longest time between a bot client's connection and its attach message."""
    bot_think_s: Annotated[int, Meta(ge=0, le=600)] = 60
    """Most seconds that a visitor may let a bot think about each move, if the bot allows it; 0: none."""
    stand_s: Seconds = 1.0
    """Pause between the moves of two bots, so that spectators can follow the game."""
    answer_grace_s: Seconds = 60.0
    """How long a game waits for a bot after its first unanswered request; the site repeats the request meanwhile."""
    disconnect_grace_s: Seconds = 60.0
    """How long a game waits for a bot whose client has lost its connection."""
    absence_told_s: Seconds = 3.0
    """Delay before players see that a bot is disconnected; a client that reconnects to change its bots needs less."""
    restart_grace_s: Seconds = 600.0
    """How long games wait for their bots after a restart of the site; bots may have to compile first."""
    return_grace_s: Seconds = 30.0
    """How long a clock stays stopped after a restart if the player to move does not reconnect."""
    pulse_s: Patience = 5.0
    """Interval of the site's heartbeat in the database; a crash returns at most this much thinking time to a player."""
    take_over_s: Annotated[float, Meta(ge=3.0, le=600.0)] = 5.0
    """How long the site that serves a PostgreSQL database must be silent before a site that stands by takes over."""
    claim_after_s: Seconds = 60.0
    """How long a person must be away from a game with clocks before the opponent may claim the game."""
    claim_untimed_after_s: Seconds = 300.0
    """How long a person must be away from a game without clocks before the opponent may claim the game."""
    abandoned_after_s: Seconds = 604_800.0
    """How long a game without a running clock lasts after all players have left; the default is a week."""
    finished_kept_s: Seconds = 900.0
    """How long a finished game that nobody has open stays in memory; it remains in the database."""
    idle_kept_s: Seconds = 1800.0
    """How long a game without a running clock that nobody has open stays in memory."""
    unvisited_kept_s: Seconds = 60.0
    """How long a new game may stay unopened before it is cancelled."""
    host_gone_s: Seconds = 60.0
    """How long a game with an open seat stays in the lobby after its host has left."""
    waiting_kept_s: Seconds = 86_400.0
    """How long a game that waits for an invited friend is kept while nobody has it open."""
    days_offered_s: Seconds = 604_800.0
    """How long a game over days waits for a second player while its host is away; the default is a week."""
    max_days_games: AtLeastOne = 50
    """Most unfinished games over days of one account."""
    allowed_origins: tuple[str, ...] = ()
    """Other origins whose pages may send requests and open sockets, such as `http://localhost:5173`."""
    official_token: str | None = None
    """Secret token of the site's own bot clients; their bots are listed first."""
    official_clients: tuple[str, ...] = ()
    """Client ids that are reserved for the site's own bot clients."""
    strangers_bots: bool = True
    """Whether bot clients may attach without a token of an account or of the site."""
    games: tuple[str, ...] = ()
    """Paths of game files that the site offers besides the built-in games; relative ones start at the file's folder."""
    metrics_token: str | None = None
    """Secret token that allows other machines to read `/metrics`; None: only this machine may."""
    operator_token: str | None = None
    """Secret token that allows other machines to pause and resume a training run; None: only this machine may."""
    judge: JudgeSettings = JudgeSettings()
    """The budget of the engine that judges positions."""
    mail: MailSettings | None = None
    """How the site sends mail about turns in games over days; None: it sends none."""
    safety: SafetySettings = SafetySettings()
    """Rate limits, connection limits and size limits."""


def read_settings(path: Path) -> SiteSettings:
    """Read a settings file; settings that it leaves out have their defaults.

    Raises:
        BadPreset: the file cannot be read, or has an unknown setting or a value out of bounds.
        BadInput: an entry of `safety.unlimited_addresses` is not an IP address.
    """
    settings = config.load(path, SiteSettings)
    for address in settings.safety.unlimited_addresses:
        if not is_address(address):
            raise BadInput(
                f"{path}: safety.unlimited_addresses: {address!r} is not an IP address; write single ones, such as "
                '"203.0.113.7" or "2001:db8::1".'
            )
    if settings.mail:
        _check_mail(settings.mail, str(path))
    games = tuple(in_game(spec, partial(path_in, file=path)) for spec in settings.games)
    return msgspec.structs.replace(settings, games=games)


def _check_mail(settings: MailSettings, where: str) -> None:
    """Raise BadInput if mail with these settings would expose a password, or have wrong links."""
    if settings.tls == "none" and settings.password is not None and settings.host not in _LOCAL:
        raise BadInput(f'{where}: mail.tls = "none" would send the password in plain text; use "starttls" or "tls".')
    if (settings.user is None) != (settings.password is None):
        raise BadInput(f"{where}: mail.user and mail.password belong together; give both or none.")
    parts = urlsplit(settings.site)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadInput(
            f"{where}: mail.site: {settings.site!r} is no address of a site; write https://ludus.example.org."
        )
    if "@" not in settings.sender:
        raise BadInput(f"{where}: mail.sender: {settings.sender!r} is no mail address.")
