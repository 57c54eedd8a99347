"""The text in which the protocol of bot game sessions travels: one JSON object a message, with a `type`.

Names are camelCase there; fields that nobody knows are ignored, so that the protocol can grow.
"""

import re
from typing import Annotated, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from ludus.errors import BadMessage
from ludus.protocol.bgs import Request, Response, Unreadable
from ludus.protocol.registration import MAX_MESSAGE_BYTES, Attach, Attached, AttachRejected, Ping, Pong

FromClient = Response | Ping
"""What an attached client may say; `attach` is read by `ludus.protocol.attach`, which says what is wrong with it."""
FromServer = Request | Attached | AttachRejected | Pong
Message = Request | Response | Attach | Attached | AttachRejected | Ping | Pong


class _Envelope(Struct, rename="camel"):
    """What every message about a session shares: enough to answer one that is otherwise wrong."""

    type: str
    bgs_id: Annotated[str, Meta(min_length=1)]


_QUESTIONS = tuple(str(kind.__struct_config__.tag) for kind in get_args(Request))
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
    """Return the kind and session of a request that cannot be read, to answer it; None if it tells none.

    Text that is not JSON, because it was cut off or damaged, is searched for both.

    Args:
        text: the line, or its beginning.
        error: why it cannot be read.
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
    return Unreadable(kind, bgs_id, error) if kind in _QUESTIONS else None
