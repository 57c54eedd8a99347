"""The attached bots, and one connection for each bot client."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from ludus.errors import BadMessage
from ludus.protocol.attach import is_attach, read_attach
from ludus.protocol.bgs import Request
from ludus.protocol.registration import (
    MAX_ATTACH_BYTES,
    PROTOCOL_VERSION,
    Attach,
    Attached,
    AttachRejected,
    BoardSize,
    BotConfig,
    Ping,
    Pong,
    ServerInfo,
    SessionLimits,
)
from ludus.protocol.wire import FromServer, decode_from_client, session_of
from ludus.site.bots.in_browser import CLIENT_ID, BrowserBots
from ludus.site.bots.load import Load
from ludus.site.bots.session import BotError, BotGoneError, BotSession
from ludus.site.faults import Close
from ludus.site.safety.names import bare, folded
from ludus.site.settings import SiteSettings

_log = logging.getLogger(__name__)

OFFERS = 8
"""Most boards that all bots of one client recommend, as a multiple of `max_boards`."""
MAX_UNSENT = 1024
"""Unsent messages at which a client's connection is closed."""


class BotKey(NamedTuple):
    """The identifier of a bot, written `CLIENT:BOT`."""

    client_id: str
    bot_id: str

    def __str__(self) -> str:
        """Return `CLIENT:BOT`."""
        return f"{self.client_id}:{self.bot_id}"


class BotLink:
    """The connection of one bot client: handles incoming messages, and queues outgoing ones."""

    def __init__(self, bots: "Bots", address: str = "") -> None:
        self.address = address
        self.client_id = ""
        self.bots: dict[str, BotConfig] = {}
        self.sessions: dict[str, BotSession] = {}
        self.closed = False
        self.load = Load()
        self.outbox: asyncio.Queue[FromServer | Close] = asyncio.Queue(MAX_UNSENT)
        self._bots = bots
        self._unexpected = 0

    @property
    def attached(self) -> bool:
        """Return whether the client has attached."""
        return bool(self.client_id)

    @property
    def official(self) -> bool:
        """Return whether this is a client of the site's own, with official bots."""
        return _has_official(self.bots.values())

    def send(self, message: FromServer | Close) -> None:
        """Queue a message; close the connection if the queue is full."""
        try:
            self.outbox.put_nowait(message)
        except asyncio.QueueFull:
            _log.warning("Bot client %s does not read its messages; its connection is closed.", self.client_id)
            self.close()
            while not self.outbox.empty():
                self.outbox.get_nowait()
            self.outbox.put_nowait(Close(1013, "Reads too slowly"))  # makes the socket's sender close it

    def answered(self, request: Request, seconds: float) -> None:
        """Pass the response time of a request to `Bots.timers`."""
        for note in self._bots.timers:
            note(str(request.__struct_config__.tag), seconds)

    def turn_away(self, rejected: AttachRejected) -> None:
        """Send a client the rejection of its attach message, and close its connection."""
        _log.info("A bot client was rejected: %s %s", rejected.code, rejected.message)
        self.send(rejected)
        self.send(Close(1008, "Attach failed"))

    def receive(self, text: str) -> None:
        """Handle one message of the client, which may be malformed."""
        if self.closed:
            return
        if len(text) <= MAX_ATTACH_BYTES and is_attach(text):
            self._attach(text)
            return
        try:
            self._receive(text)
        except BadMessage as error:
            _log.info("Bot client %s: %s", self.client_id or "(not attached)", error)
            self._unexpected += 1
            if self._unexpected >= self._bots.settings.max_unexpected:
                self.send(Close(1008, "Too many unexpected messages"))

    def _receive(self, text: str) -> None:
        try:
            message = decode_from_client(text)
        except BadMessage as error:
            session = self.sessions.get(session_of(text) or "")
            if session:
                session.fail(BotError("sent an answer that cannot be read", str(error)))
            raise
        if isinstance(message, Ping):
            self.send(Pong())
            return
        if not self.attached:
            raise BadMessage("The client sent an answer before `attach`.")
        session = self.sessions.get(message.bgs_id)
        if session is None:
            raise BadMessage(
                f"Session {message.bgs_id} is not open, so its answer is ignored; it may have come too late."
            )
        session.take(message)
        self._unexpected = 0

    def _attach(self, text: str) -> None:
        if self.attached:
            self.send(AttachRejected("INVALID_MESSAGE", "Already attached."))
            return
        found = read_attach(text, self._bots.settings.official_token)
        rejected = found if isinstance(found, AttachRejected) else self._bots.register(self, found)
        if rejected:
            self.turn_away(rejected)

    def stranger_in(self, text: str) -> Attach | None:
        """Parse the attach message of a client without official bots; None for any other message."""
        if self.attached or len(text) > MAX_ATTACH_BYTES or not is_attach(text):
            return None
        found = read_attach(text, self._bots.settings.official_token)
        return found if isinstance(found, Attach) and not _has_official(found.bots) else None

    def close(self) -> None:
        """Unregister the client, and raise BotGoneError in the waiting requests of its sessions."""
        if self.closed:
            return
        self.closed = True
        self._bots.unregister(self)
        for session in list(self.sessions.values()):
            session.fail(BotGoneError(f"{self.client_id} lost its connection."))
        self.sessions.clear()


class Bots:
    """All attached bots; calls `listeners` when a client attaches or disconnects."""

    def __init__(self, settings: SiteSettings, server: ServerInfo) -> None:
        self.settings = settings
        self.listeners: set[Callable[[], None]] = set()
        self.timers: list[Callable[[str, float], None]] = []
        """Functions that are called with the type and the response time, in seconds, of each request to a bot."""
        self._server = server
        self._links: dict[str, BotLink] = {}
        self._official = set(settings.official_clients)  # plus clients that attached with official bots
        self._official_names: set[str] = set()  # `bare` names of official bots, also of those that have disconnected
        self._unlimited = settings.safety.exempt()
        self.in_browser = BrowserBots(self._notify, settings.bot_think_s)
        """Bots without a connection, which think in the browser of the person who plays against them."""

    def find(self, key: BotKey) -> tuple[BotLink, BotConfig] | None:
        """Return the connection and the configuration of a bot; None if it is not attached."""
        link = self._links.get(key.client_id)
        bot = link.bots.get(key.bot_id) if link else None
        return (link, bot) if link and bot else None

    @property
    def links(self) -> list[BotLink]:
        """Return the connections of all attached clients."""
        return [*self._links.values()]

    def link_of(self, client_id: str) -> BotLink | None:
        """Return the connection of a client; None if it is not attached."""
        return self._links.get(client_id)

    def remove(self, client_id: str, goodbye: Close) -> None:
        """Close the connection of a client, if it is attached."""
        if link := self.link_of(client_id):
            link.send(goodbye)
            link.close()

    def all(self) -> list[tuple[BotKey, BotConfig, bool]]:
        """Return every attached bot with its key, its configuration, and whether it is official."""
        return [
            (BotKey(client_id, bot_id), bot, _is_official(bot))
            for client_id, link in self._links.items()
            for bot_id, bot in link.bots.items()
        ]

    def listed(self) -> list[tuple[BotKey, BotConfig, bool]]:
        """Return all bots like `all`, and the site's own that think in browsers."""
        return [
            *self.all(),
            *((BotKey(CLIENT_ID, bot.config.bot_id), bot.config, True) for bot in self.in_browser.all()),
        ]

    def plays(self, key: BotKey, variant: str, size: BoardSize) -> bool:
        """Return whether a bot can play a board that its configuration names: in browsers, once its engine is ready."""
        board = variant, size.board_width, size.board_height
        return key.client_id != CLIENT_ID or self.in_browser.engine(str(key), *board) is not None

    def register(self, link: BotLink, attach: Attach) -> AttachRejected | None:
        """Register a client's bots, replacing an older connection of the same client.

        Returns:
            None, or the reason why the client is rejected.
        """
        if attach.client_id == CLIENT_ID:
            return AttachRejected("INVALID_MESSAGE", f'The client name "{CLIENT_ID}" is reserved for the site.')
        official = _has_official(attach.bots)
        refusal = None if official else self._refusal(link, attach)
        if refusal:
            return refusal
        old = self._links.get(attach.client_id)
        if old is not None:
            old.send(Close(1000, "Replaced by new connection"))
            old.close()
        if official:
            self._reserve(attach)
        link.client_id = attach.client_id
        most_s = self.settings.bot_think_s
        capped = (msgspec.structs.replace(bot, max_seconds=min(bot.max_seconds, most_s)) for bot in attach.bots)
        link.bots = {bot.bot_id: bot for bot in capped}
        self._links[attach.client_id] = link
        limits = SessionLimits(answer_timeout_ms=round(1000 * self.settings.request_timeout_s))
        link.send(Attached(PROTOCOL_VERSION, int(time.time() * 1000), self._server, limits))
        _log.info("Bot client %s attached, bots: %d.", attach.client_id, len(link.bots))
        self._notify()
        return None

    def _reserve(self, attach: Attach) -> None:
        """Reserve the client id and the names of the site's own bots; disconnect other clients that have such names."""
        self._official.add(attach.client_id)
        self._official_names |= {bare(bot.name) for bot in attach.bots}
        for other in [each for each in self._links.values() if not each.official]:
            if taken := self._taken_name(other.bots.values()):
                other.send(Close(1008, f"A bot's name belongs to the site: {taken}"[:100]))
                other.close()

    def _taken_name(self, bots: Iterable[BotConfig]) -> str | None:
        """Return the first of the bots' names that equals or looks like the name of one of the site's own bots."""
        names = self._official_names | {bare(bot.config.name) for bot in self.in_browser.all()}
        return next((bot.name for bot in bots if bare(bot.name) in names), None)

    def _refusal(self, link: BotLink, attach: Attach) -> AttachRejected | None:
        """Return why a client without official bots may not attach; None if it may."""
        if attach.client_id in self._official:
            told = f'The client name "{attach.client_id}" is reserved for the site.'
            return AttachRejected("INVALID_OFFICIAL_TOKEN", told)
        if taken := self._taken_name(attach.bots):
            told = f'The name "{taken}" equals or looks like the name of one of the site\'s own bots; choose another.'
            return AttachRejected("INVALID_BOT_CONFIG", told)
        offers = [
            (bot.game, variant, size)
            for bot in attach.bots
            for variant, support in bot.variants.items()
            for size in support.recommended
        ]
        most = self.settings.safety.max_boards
        if len(set(offers)) > most:
            told = f"The client recommends {len(set(offers))} different boards. At most {most} are allowed."
            return AttachRejected("INVALID_BOT_CONFIG", told)
        if len(offers) > OFFERS * most:
            told = f"The client's bots recommend {len(offers)} boards. At most {OFFERS * most} are allowed."
            return AttachRejected("INVALID_BOT_CONFIG", told)
        # An older connection of the same client is not counted, because this one replaces it.
        others = [other for name, other in self._links.items() if name != attach.client_id and not other.official]
        if len(others) >= self.settings.max_clients:
            return AttachRejected("TOO_MANY_CLIENTS", "Maximum number of bot clients reached.")
        own, most = sum(other.address == link.address for other in others), self.settings.safety.max_clients
        if own >= most and link.address not in self._unlimited:
            told = f"Your address has its maximum of {own} bot clients. Disconnect one first."
            return AttachRejected("TOO_MANY_CLIENTS", told)
        return None

    def unregister(self, link: BotLink) -> None:
        """Remove a client's connection, unless a newer one has replaced it."""
        if link.attached and self._links.get(link.client_id) is link:
            del self._links[link.client_id]
            _log.info("Bot client %s disconnected.", link.client_id)
            self._notify()

    def close(self, goodbye: Close) -> None:
        """Close the connections of all bot clients."""
        for link in list(self._links.values()):
            link.send(goodbye)

    def _notify(self) -> None:
        for listener in list(self.listeners):
            listener()


def _has_official(bots: Iterable[BotConfig]) -> bool:
    return any(map(_is_official, bots))


def _is_official(bot: BotConfig) -> bool:
    """Return whether a bot belongs to the site; its official token was checked when it attached."""
    return bot.official_token is not msgspec.UNSET


PRIVATE = "private"
"""The kind of a game with a private bot, which no list shows."""


def is_private(bot: BotConfig) -> bool:
    """Return whether a bot is restricted to one account."""
    return bot.username is not None


def may_play(bot: BotConfig, account: str | None) -> bool:
    """Return whether an account, or a guest if `account` is None, may see and play a bot."""
    return bot.username is None or (account is not None and folded(bot.username) == folded(account))
