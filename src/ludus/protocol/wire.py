"""Encode and decode the messages of bot game sessions: each is a JSON object with a `type`.

Names of fields are in camelCase; unknown fields are ignored, so that the protocol can be extended.
"""

import re
from typing import Annotated, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from ludus.errors import BadMessage
from ludus.protocol.bgs import Request, Response, Unreadable
from ludus.protocol.registration import MAX_MESSAGE_BYTES, Attach, Attached, AttachRejected, Ping, Pong

FromClient = Response | Ping
"""Messages of an attached client; `ludus.protocol.attach` decodes `attach` messages."""
FromServer = Request | Attached | AttachRejected | Pong
Message = Request | Response | Attach | Attached | AttachRejected | Ping | Pong


class _Envelope(Struct, rename="camel"):
    """The fields that all messages of a session share, for answering one that is otherwise wrong."""

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
    """Encode a message as one line of JSON, without line feed."""
    return msgspec.json.encode(message)


def decode_request(text: bytes | str) -> Request:
    """Decode a request to an engine; raises BadMessage."""
    return _decode(_request_decoder, text)


def decode_response(text: bytes | str) -> Response:
    """Decode a response of an engine; raises BadMessage."""
    return _decode(_response_decoder, text)


def decode_from_client(text: bytes | str) -> FromClient:
    """Decode a message of an attached client to a server; raises BadMessage."""
    return _decode(_from_client_decoder, text)


def decode_from_server(text: bytes | str) -> FromServer:
    """Decode a message of a server to a client; raises BadMessage."""
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
    """Return the session id of a message, even if the rest of it is wrong; None if it has none."""
    try:
        return _envelope_decoder.decode(text).bgs_id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def unreadable(text: bytes, error: str) -> Unreadable | None:
    """Find the type and session of a request that cannot be decoded, so that it can be answered with an error.

    In a text that is not JSON, because it was cut off or damaged, both are searched for.

    Args:
        text: the line, or its beginning.
        error: why it cannot be decoded.

    Returns:
        None if the type or the session cannot be found.
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
