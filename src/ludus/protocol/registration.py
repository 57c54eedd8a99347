"""What bot clients and servers say to one another besides questions: who is there, and whether they still are.

On a socket the client's first message is `attach`, which registers bots; the server answers `attached` or
`attach-rejected`.  `game` and `level` in a bot's config are extensions of Ludus, with defaults.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ludus.protocol.bgs import Side

PROTOCOL_VERSION = 3
MAX_MESSAGE_BYTES = 65_536
MAX_ATTACH_BYTES = 250_000
"""Of an `attach`, which may bring many bots: some four hundred."""

Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]


class Extent(Struct, frozen=True):
    """The board sizes that a bot plays, along one side, both ends included."""

    min: Side
    max: Side


class BoardSize(Struct, frozen=True, rename="camel"):
    """A board size."""

    board_width: Side
    board_height: Side


class VariantSupport(Struct, frozen=True, rename="camel"):
    """Which boards of a variant a bot plays."""

    board_width: Extent
    board_height: Extent
    recommended: Annotated[list[BoardSize], Meta(max_length=3)]

    def plays(self, width: int, height: int) -> bool:
        """Return whether a board of this size is supported."""
        across, down = self.board_width, self.board_height
        return across.min <= width <= across.max and down.min <= height <= down.max


class BotConfig(Struct, frozen=True, rename="camel", omit_defaults=True):
    """A bot as its client registers it."""

    bot_id: Name
    name: Name
    username: Name | None
    """The only user who may play it; None for everybody."""
    variants: dict[str, VariantSupport]
    official_token: Name | msgspec.UnsetType = msgspec.UNSET
    appearance: dict[str, str] = {}
    list_order: int | None = None
    """Ascending, the gentlest first; None sorts last."""
    placement: Literal["opponent", "puzzle", ""] = ""
    """Where later versions of the original server offer it; empty: not said."""
    analysis: bool = False
    """Whether it may serve later versions' evaluation bar."""
    game: str = "wallgame"
    """An extension of Ludus."""
    level: Annotated[str, Meta(max_length=40)] = ""
    """An extension of Ludus: how strong it is, in a word."""


class ClientInfo(Struct, frozen=True):
    """Which program a client is."""

    name: str
    version: str


class Attach(Struct, frozen=True, rename="camel", tag_field="type", tag="attach"):
    """Client: the first message on a socket; it registers bots."""

    protocol_version: int
    client_id: str
    bots: list[BotConfig]
    client: ClientInfo


class ServerInfo(Struct, frozen=True):
    """Which program a server is."""

    name: str
    version: str


class SessionLimits(Struct, frozen=True, rename="camel"):
    """What a server asks its clients to keep to."""

    max_message_bytes: int = MAX_MESSAGE_BYTES
    min_client_message_interval_ms: int = 0


class Attached(Struct, frozen=True, rename="camel", tag_field="type", tag="attached"):
    """Server: the bots are registered."""

    protocol_version: int
    server_time: float = 0
    """Milliseconds since 1970."""
    server: ServerInfo = ServerInfo("", "")
    limits: SessionLimits = SessionLimits()


RejectionCode = Literal[
    "NO_BOTS",
    "INVALID_BOT_CONFIG",
    "INVALID_OFFICIAL_TOKEN",
    "DUPLICATE_BOT_ID",
    "TOO_MANY_CLIENTS",
    "PROTOCOL_UNSUPPORTED",
    "INVALID_MESSAGE",
    "INTERNAL_ERROR",
]


class AttachRejected(Struct, frozen=True, rename="camel", tag_field="type", tag="attach-rejected"):
    """Server: the bots are not registered, and the socket closes (unless it was attached before)."""

    code: RejectionCode | str
    """Other servers may have codes of their own."""
    message: str = ""


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Client: are you there (later versions of the original client ask every 30 s)?"""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """Server: the answer to `ping`."""
