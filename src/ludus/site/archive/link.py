"""Links that contain a whole game in a short text after the `#` of a URL; the site does not store it.

    text    = the bytes in base64url without `=`
    bytes   = version (one byte, 1) · packed (one byte) · body · the first four bytes of the SHA-256 of all this;
              packed is 1 if the body is compressed (raw deflate)
    body    = a MessagePack array: spec, setup, names, winner, reason, seconds since 1970, number of actions, actions,
              and in newer links the comments, signs and variations (`ludus.games.annotations`), the time control,
              the ratings and the overtime
    actions = the numbers of the actions in order, each with as many bits as the game's largest action has

Links store action numbers, since models and shards depend on these and they never change.  The order in which the
rules list legal actions may change.
"""

import base64
import binascii
import hashlib
import zlib
from typing import Any

import msgspec

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.games import registry
from ludus.games.annotations import MAX_ACTIONS, NONE, Annotations
from ludus.games.game import Position, unusual_setup
from ludus.games.records import Overtime
from ludus.site.messages.archive import MAX_LINK_CHARS
from ludus.site.study.weight import check_spec

VERSION = 1
MAX_BODY_BYTES = 16_384
"""Longest body after decompression."""
FIRST_SECOND, LAST_SECOND = -62_000_000_000, 250_000_000_000  # in the years 5 and 9892; `datetime` has 1 to 9999
_CHECK_BYTES = 4
_DAMAGED = "This link is damaged: a part is missing or changed. Copy the whole link again."


class SharedGame(msgspec.Struct, frozen=True, array_like=True):
    """The content of a link: a game with its players and result."""

    spec: str
    """The game's name, see `told_name`."""
    setup: Any
    """The argument of `Game.start`."""
    names: tuple[str, str]
    winner: int | None
    reason: str
    """Why the game ended; empty if unknown."""
    ended: int | None
    """When the game ended, in seconds since 1970."""
    num_actions: int
    actions: bytes
    """Packed as the docstring of this module describes."""
    annotations: Annotations = NONE
    clock: tuple[float, float] | None = None
    """The time on each clock at the start, and the time added after each move, in seconds; None: no clocks."""
    ratings: tuple[int | None, int | None] | None = None
    overtime: Overtime | None = None


def write_link(
    last: Position,
    *,
    names: tuple[str, str],
    winner: int | None,
    reason: str,
    ended: int | None,
    annotations: Annotations = NONE,
    clock: tuple[float, float] | None = None,
    ratings: tuple[int | None, int | None] = (None, None),
    overtime: Overtime | None = None,
) -> str:
    """Encode a game as a link.

    Args:
        last: the last position of the game.
        names: names of the players.
        winner: 0 or 1; None: no winner.
        reason: why the game ended.
        ended: when the game ended, in seconds since 1970.
        annotations: comments, signs and variations.
        clock: the time on each clock at the start, and the time added after each move, in seconds; None: no clocks.
        ratings: ratings of the players.
        overtime: the overtime of the clocks.

    Raises:
        Unavailable: the link would be too long.
    """
    positions = last.history
    actions = [position.action for position in positions[1:] if position.action is not None]
    packed = _pack(actions, _bits(last.game.num_actions))
    game = SharedGame(
        registry.told_name(last.game.name),
        unusual_setup(positions[0]),
        (names[0][:60], names[1][:60]),
        winner,
        reason[:200],
        ended,
        len(actions),
        packed,
        annotations,
        clock,
        None if ratings == (None, None) else ratings,
        overtime,
    )
    body = msgspec.msgpack.encode(game)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    smaller = deflate.compress(body) + deflate.flush()
    compressed = len(smaller) < len(body)
    told = bytes((VERSION, compressed)) + (smaller if compressed else body)
    text = base64.urlsafe_b64encode(told + _check(told)).rstrip(b"=").decode()
    if len(text) > MAX_LINK_CHARS or len(body) > MAX_BODY_BYTES or len(actions) > MAX_ACTIONS:
        raise Unavailable("This game is too long for a link; download it as text instead.")
    return text


def read_link(text: str, files: tuple[str, ...] = ()) -> tuple[SharedGame, Position]:
    """Decode a link, and replay its actions under the rules.

    Args:
        text: the link.
        files: paths of game files that the site offers besides the built-in games.

    Returns:
        The content of the link, and the last position of its game.

    Raises:
        BadInput: the link is damaged, too long or from a newer site, or its game is unknown or illegal.
    """
    game = _open(text)
    if not 0 <= game.num_actions <= MAX_ACTIONS or game.winner not in (0, 1, None):
        raise BadInput(_DAMAGED)
    if game.ended is not None and not FIRST_SECOND <= game.ended <= LAST_SECOND:
        raise BadInput(_DAMAGED)
    spec = registry.name_told(game.spec, files)
    if spec is None:
        raise BadInput(f"The link contains a game {game.spec[:60]!r}, which this site does not have.")
    check_spec(game.spec)
    try:
        position = registry.game(spec).start(game.setup)
        for action in _unpack(game.actions, game.num_actions, _bits(position.game.num_actions)):
            position = position.play(action)
    except LudusError as error:
        raise BadInput(f"The game in the link cannot be replayed: {error}") from error
    return game, position


def _open(text: str) -> SharedGame:
    if len(text) > MAX_LINK_CHARS:
        raise BadInput(f"This link has {len(text)} characters; a link has at most {MAX_LINK_CHARS}.")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(_DAMAGED) from None
    told, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if len(told) < 2 or check != _check(told):
        raise BadInput(_DAMAGED)
    if told[0] != VERSION:
        raise BadInput(f"This link has version {told[0]}, but this site reads only version {VERSION}.")
    try:
        return msgspec.msgpack.decode(_unfolded(told[2:], compressed=bool(told[1])), type=SharedGame)
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadInput(_DAMAGED) from None


def _unfolded(body: bytes, *, compressed: bool) -> bytes:
    if not compressed:
        return body
    inflate = zlib.decompressobj(-15)
    data = inflate.decompress(body, MAX_BODY_BYTES)
    if not inflate.eof or inflate.unused_data:
        raise BadInput(_DAMAGED)
    return data


def _check(told: bytes) -> bytes:
    return hashlib.sha256(told).digest()[:_CHECK_BYTES]


def _bits(num_actions: int) -> int:
    return max(1, (num_actions - 1).bit_length())


def _pack(actions: list[int], bits: int) -> bytes:
    joined = 0
    for action in reversed(actions):
        joined = joined << bits | action
    return joined.to_bytes(-(-len(actions) * bits // 8), "little")


def _unpack(packed: bytes, count: int, bits: int) -> list[int]:
    if len(packed) != -(-count * bits // 8):
        raise BadInput(_DAMAGED)
    joined, mask = int.from_bytes(packed, "little"), (1 << bits) - 1
    return [joined >> bits * index & mask for index in range(count)]
