"""The V3 protocol of bot game sessions (BGS) as data: every message a frozen struct, and the text they travel in.

Three parties speak it.  A *server* owns games and asks; a *bot client* dials the server and passes the questions on;
an *engine* answers.  Between client and server there are `attach`, `attached` and `attach-rejected` as well.  On the
wire a message is one JSON object with a `type`; names are camelCase there; fields that nobody knows are ignored, so
that the protocol can grow.  Evaluations are seen by player 0 (the protocol's "P1").

Ludus adds fields with defaults, so that every game can be played and the original programs need not know them:
`game` in a session's config and in a bot's config (default: Wall Game), `level` in a bot's config; `lines` in a
question about a position, whose answer has `lines` and perhaps `ownership` then: without it, neither is written.
"""

import re
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ludus.errors import BadMessage

PROTOCOL_VERSION = 3
MAX_MESSAGE_BYTES = 65_536
MAX_SESSIONS = 256
MAX_ERROR = 500
"""Characters of an `error`."""
MAX_LINES = 5
"""Candidates that are told with their lines."""

SessionId = Annotated[str, Meta(min_length=1, max_length=200)]
Ply = Annotated[int, Meta(ge=0)]
"""How many moves (not actions) were made before."""
Evaluation = Annotated[float, Meta(ge=-1, le=1)]
"""Seen by player 0."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Side = Annotated[int, Meta(ge=3, le=20)]
"""Cells along one side of a board."""


class SessionConfig(Struct, frozen=True, rename="camel"):
    """The game that a session is about."""

    variant: str
    board_width: Side
    board_height: Side
    initial_state: Any = None
    """What the game's `start` takes; None for the game's only first position."""
    game: str = "wallgame"
    """An extension of Ludus."""


class StartGameSession(Struct, frozen=True, rename="camel", tag_field="type", tag="start_game_session"):
    """Server: open a session at a first position; a session of the same id is replaced."""

    bgs_id: SessionId
    bot_id: str
    config: SessionConfig


class EvaluatePosition(Struct, frozen=True, rename="camel", tag_field="type", tag="evaluate_position"):
    """Server: what is this position worth, and what is the best move in it?"""

    bgs_id: SessionId
    expected_ply: Ply
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)] | UnsetType = UNSET
    """So many candidates are told with their lines, and the best play is asked for; an extension of Ludus."""


class ApplyMove(Struct, frozen=True, rename="camel", tag_field="type", tag="apply_move"):
    """Server: this move was played, by whichever side."""

    bgs_id: SessionId
    expected_ply: Ply
    move: str


class EndGameSession(Struct, frozen=True, rename="camel", tag_field="type", tag="end_game_session"):
    """Server: forget the session."""

    bgs_id: SessionId


class GameSessionStarted(Struct, frozen=True, rename="camel", tag_field="type", tag="game_session_started"):
    """Engine: the answer to `start_game_session`."""

    bgs_id: SessionId
    success: bool
    error: str = ""


class CandidateLine(Struct, frozen=True, rename="camel"):
    """An action that was considered, and what would follow it."""

    actions: Annotated[list[Annotated[int, Meta(ge=0, le=32_767)]], Meta(min_length=1, max_length=200)]
    """Numbers, from the position on."""
    evaluation: Evaluation
    visits: Annotated[int, Meta(ge=0)]


class EvaluateResponse(Struct, frozen=True, rename="camel", tag_field="type", tag="evaluate_response"):
    """Engine: the answer to `evaluate_position`."""

    bgs_id: SessionId
    ply: Ply
    best_move: str
    """The move of the side to move, in the game's notation; empty if the game is over."""
    evaluation: Evaluation
    success: bool
    error: str = ""
    lines: list[CandidateLine] | UnsetType = UNSET
    """The best first; only if they were asked for."""
    ownership: list[list[Evaluation]] | UnsetType = UNSET
    """Whose each cell will be, seen by player 0, row by row [H, W]; where a game has such a thing, and likewise."""


class MoveApplied(Struct, frozen=True, rename="camel", tag_field="type", tag="move_applied"):
    """Engine: the answer to `apply_move`."""

    bgs_id: SessionId
    ply: Ply
    """After the move; without success, the session's ply as it was."""
    success: bool
    error: str = ""


class GameSessionEnded(Struct, frozen=True, rename="camel", tag_field="type", tag="game_session_ended"):
    """Engine: the answer to `end_game_session`."""

    bgs_id: SessionId
    success: bool
    error: str = ""


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


class Limits(Struct, frozen=True, rename="camel"):
    """What a server asks its clients to keep to."""

    max_message_bytes: int = MAX_MESSAGE_BYTES
    min_client_message_interval_ms: int = 0


class Attached(Struct, frozen=True, rename="camel", tag_field="type", tag="attached"):
    """Server: the bots are registered."""

    protocol_version: int
    server_time: float = 0
    """Milliseconds since 1970."""
    server: ServerInfo = ServerInfo("", "")
    limits: Limits = Limits()


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


Request = StartGameSession | EvaluatePosition | ApplyMove | EndGameSession
_KINDS = ("start_game_session", "evaluate_position", "apply_move", "end_game_session")
Response = GameSessionStarted | EvaluateResponse | MoveApplied | GameSessionEnded
FromClient = Response | Ping
"""What an attached client may say; `attach` is read by `ludus.protocol.attach`, which says what is wrong with it."""
FromServer = Request | Attached | AttachRejected | Pong
Message = Request | Response | Attach | Attached | AttachRejected | Ping | Pong


class Unreadable(NamedTuple):
    """What can be told of a request that cannot be read: enough to answer it."""

    kind: str
    """Its type."""
    bgs_id: str
    error: str


class _Envelope(Struct, rename="camel"):
    """What every message about a session shares: enough to answer one that is otherwise wrong."""

    type: str
    bgs_id: Annotated[str, Meta(min_length=1)]


_KIND = re.compile(rb'"type"\s*:\s*"(\w{1,40})"')
_ID = re.compile(rb'"bgsId"\s*:\s*"([^"\\\x00-\x1f]{1,200})"')
_Decoded = TypeVar("_Decoded")
_request_decoder = msgspec.json.Decoder(Request)
_response_decoder = msgspec.json.Decoder(Response)
_from_client_decoder = msgspec.json.Decoder(FromClient)
_from_server_decoder = msgspec.json.Decoder(FromServer)
_envelope_decoder = msgspec.json.Decoder(_Envelope)


def encode(message: Message) -> bytes:
    """Return the JSON text of a message, on one line and without its end."""
    return msgspec.json.encode(message)


def decode_request(text: bytes | str) -> Request:
    """Read what an engine is asked; raises BadMessage."""
    return _decode(_request_decoder, text)


def decode_response(text: bytes | str) -> Response:
    """Read what an engine answers; raises BadMessage."""
    return _decode(_response_decoder, text)


def decode_from_client(text: bytes | str) -> FromClient:
    """Read what an attached client says to a server; raises BadMessage."""
    return _decode(_from_client_decoder, text)


def decode_from_server(text: bytes | str) -> FromServer:
    """Read what a server says to a client; raises BadMessage."""
    return _decode(_from_server_decoder, text)


def _decode(decoder: msgspec.json.Decoder[_Decoded], text: bytes | str) -> _Decoded:
    size = len(text)
    if size > MAX_MESSAGE_BYTES:
        raise BadMessage(f"A message of {size} bytes; at most {MAX_MESSAGE_BYTES} are allowed.")
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"Not a message of the protocol: {error}") from error


def session_of(text: bytes | str) -> str | None:
    """Return the session that a message is about, even if the rest of it is wrong; None if that cannot be told."""
    try:
        return _envelope_decoder.decode(text).bgs_id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def unreadable(text: bytes, error: str) -> Unreadable | None:
    """Return what can be told of a request that cannot be read, so that whoever waits for an answer gets one.

    Text that is not JSON, because it was cut off or damaged, is searched for its kind and its session.

    Args:
        text: the line, or its beginning.
        error: why it cannot be read.

    Returns:
        None if it does not tell its session, or is no request.
    """
    try:
        envelope = _envelope_decoder.decode(text)
        kind, bgs_id = envelope.type, envelope.bgs_id
    except msgspec.ValidationError:
        return None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found_kind, found_id = _KIND.search(text), _ID.search(text)
        if not (found_kind and found_id):
            return None
        kind, bgs_id = found_kind[1].decode(), found_id[1].decode(errors="replace")
    return Unreadable(kind, bgs_id, error) if kind in _KINDS else None


def failure(request: Request | Unreadable, error: str, ply: int = 0) -> Response:
    """Return the answer to `request` that says why it was not done; `ply` is the session's.

    Long reasons are cut: an answer must fit into a message.
    """
    kind = request.kind if isinstance(request, Unreadable) else request.__struct_config__.tag
    bgs_id, error = request.bgs_id, error[:MAX_ERROR]
    match kind:
        case "start_game_session":
            return GameSessionStarted(bgs_id, success=False, error=error)
        case "evaluate_position":
            return EvaluateResponse(bgs_id, ply, "", 0.0, success=False, error=error)
        case "apply_move":
            return MoveApplied(bgs_id, ply, success=False, error=error)
        case _:
            return GameSessionEnded(bgs_id, success=False, error=error)
