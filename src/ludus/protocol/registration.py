"""Messages between bot clients and servers that register bots and check the connection.

The client's first message on a socket is `attach`, which registers bots; the server responds with `attached` or
`attach-rejected`.  `game` and `level` in a bot's config are optional extensions of Ludus.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ludus.games import MAIN_GAME
from ludus.protocol.bgs import Side

PROTOCOL_VERSION = 3
MAX_MESSAGE_BYTES = 65_536
MAX_ATTACH_BYTES = 250_000
"""Longest `attach` message, enough for about four hundred bots."""

Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]

DisplayName = Annotated[str, Meta(min_length=1, max_length=50, pattern=r"^[^\x00]*$")]
Appearance = Annotated[
    dict[Annotated[str, Meta(max_length=32, pattern=r"^[^\x00]*$")], Annotated[str, Meta(max_length=64)]],
    Meta(max_length=16),
]


class Extent(Struct, frozen=True):
    """A range of board widths or heights, including both ends."""

    min: Side
    max: Side


class BoardSize(Struct, frozen=True, rename="camel"):
    """Width and height of a board."""

    board_width: Side
    board_height: Side


class VariantSupport(Struct, frozen=True, rename="camel"):
    """The board sizes that a bot plays in a variant, and those it recommends."""

    board_width: Extent
    board_height: Extent
    recommended: Annotated[list[BoardSize], Meta(max_length=3)]

    def plays(self, width: int, height: int) -> bool:
        """Return whether a board of this size is supported."""
        across, down = self.board_width, self.board_height
        return across.min <= width <= across.max and down.min <= height <= down.max


class BotConfig(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The description of a bot in its client's attach message."""

    bot_id: Name
    name: DisplayName
    username: Name | None
    """The only user who may play against the bot; None: everybody may."""
    variants: Annotated[dict[Annotated[str, Meta(max_length=40)], VariantSupport], Meta(max_length=64)]
    official_token: Name | msgspec.UnsetType = msgspec.UNSET
    appearance: Appearance = {}
    list_order: int | None = None
    """Rank in lists, ascending, weakest bots first; None sorts last."""
    placement: Literal["opponent", "puzzle", "training", ""] = ""
    """Where later versions of the original server offer the bot; empty: unspecified.

    `training`, an extension of Ludus: only the page of a training run offers it.
    """
    analysis: bool = False
    """Whether the bot may evaluate positions for the evaluation bar."""
    strength: Annotated[str, Meta(max_length=40)] = ""
    """The bot's measured rating with its error, such as `7 kyu ± 1`; an extension of Ludus."""
    strength_source: Annotated[str, Meta(max_length=200)] = ""
    """How that rating was measured; an extension of Ludus."""
    game: str = MAIN_GAME
    """Name of the game; an extension of Ludus."""
    level: Annotated[str, Meta(max_length=40)] = ""
    """The bot's strength in a word, such as "strong"; an extension of Ludus."""
    visits: Annotated[int, Meta(ge=0)] = 0
    """Visits of its search for a move; 0: not told.  An extension of Ludus."""
    max_seconds: Annotated[float, Meta(ge=0, le=600)] = 0.0
    """How long the bot can think about a move if it is asked to; 0: it is not to be asked.  An extension of Ludus."""


class ClientInfo(Struct, frozen=True):
    """Name and version of a client program."""

    name: str
    version: str


class Attach(Struct, frozen=True, rename="camel", tag_field="type", tag="attach"):
    """Client: register bots; the first message on a socket."""

    protocol_version: int
    client_id: str
    bots: list[BotConfig]
    client: ClientInfo


class ServerInfo(Struct, frozen=True):
    """Name and version of a server program."""

    name: str
    version: str


class SessionLimits(Struct, frozen=True, rename="camel"):
    """Limits that a server announces to its clients."""

    max_message_bytes: int = MAX_MESSAGE_BYTES
    min_client_message_interval_ms: int = 0
    answer_timeout_ms: int = 10_000
    """How long the server waits for an answer of an engine; servers that do not tell wait ten seconds."""


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
    """Server: the bots are not registered; the socket closes, unless the client was already attached."""

    code: RejectionCode | str
    """The reason; other servers may have further codes."""
    message: str = ""


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Client: check the connection; later versions of the original client send this every 30 s."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """Server: the response to `ping`."""
