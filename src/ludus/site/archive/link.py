"""A whole game in a few characters, to stand behind the `#` of an address; the site stores nothing of it.

    text    = the bytes in base64url without `=`
    bytes   = version (1) · packed · body · the first four bytes of the SHA-256 of all before, in which version and
              packed are one byte each; packed is 1 where the body is compressed (raw deflate)
    body    = a MessagePack array: spec, setup, names, winner, reason, seconds since 1970, number of actions, actions
    actions = their numbers one after the other, each with as many bits as the game's largest number has

The numbers of a game's actions are what models and shards are made of, so they stay; which actions are legal, and in
which order the rules list them, may not.
"""

import base64
import binascii
import hashlib
import zlib
from typing import Any

import msgspec

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.games import registry
from ludus.games.game import Position
from ludus.games.recorded import unusual_setup
from ludus.site.messages.archive import MAX_LINK_CHARS
from ludus.site.messages.study import MAX_ACTIONS
from ludus.site.study.weight import check_spec

VERSION = 1
MAX_BODY_BYTES = 16_384
"""Uncompressed: what a link unfolds to is as limited as itself."""
LAST_SECOND = 250_000_000_000  # of the year 9892: later ones are no dates
_CHECK_BYTES = 4
_DAMAGED = "This link is damaged: a part of it is missing or changed. Copy it once more, to its very end."


class SharedGame(msgspec.Struct, frozen=True, array_like=True):
    """A game as a link carries it."""

    spec: str
    """The game's name, as `told_name` says it."""
    setup: Any
    """What `Game.start` takes."""
    names: tuple[str, str]
    winner: int | None
    reason: str
    """How it ended; empty while nobody knows."""
    ended: int | None
    """Seconds since 1970."""
    num_actions: int
    actions: bytes
    """Packed, see above."""


def write_link(
    last: Position,
    *,
    names: tuple[str, str],
    winner: int | None,
    reason: str,
    ended: int | None,
) -> str:
    """Return a game's link; `ended` is in seconds since 1970.  Raises Unavailable if the link would be too long."""
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
    )
    body = msgspec.msgpack.encode(game)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    smaller = deflate.compress(body) + deflate.flush()
    compressed = len(smaller) < len(body)
    told = bytes((VERSION, compressed)) + (smaller if compressed else body)
    text = base64.urlsafe_b64encode(told + _check(told)).rstrip(b"=").decode()
    if len(text) > MAX_LINK_CHARS or len(body) > MAX_BODY_BYTES or len(actions) > MAX_ACTIONS:
        raise Unavailable("This game is too long for a link; download it as a text instead.")
    return text


def read_link(text: str, files: tuple[str, ...] = ()) -> tuple[SharedGame, Position]:
    """Return a game from its link, and its last position; every action is played under the rules.

    Args:
        text: the link.
        files: paths of game files that are allowed besides the built-in games.

    Raises:
        BadInput: the link is damaged, too long, from a newer site, or of a game that cannot be played.
    """
    game = _open(text)
    if not 0 <= game.num_actions <= MAX_ACTIONS or game.winner not in (0, 1, None):
        raise BadInput(_DAMAGED)
    if game.ended is not None and not 0 <= game.ended <= LAST_SECOND:
        raise BadInput(_DAMAGED)
    spec = registry.name_told(game.spec, files)
    if spec is None:
        raise BadInput(f"The link tells of a game {game.spec[:60]!r}, which this site does not know.")
    check_spec(game.spec)
    try:
        position = registry.game(spec).start(game.setup)
        for action in _unpack(game.actions, game.num_actions, _bits(position.game.num_actions)):
            position = position.play(action)
    except LudusError as error:
        raise BadInput(f"The link tells of a game that cannot be played: {error}") from error
    return game, position


def _open(text: str) -> SharedGame:
    if len(text) > MAX_LINK_CHARS:
        raise BadInput(f"This link has {len(text)} characters, and no game has more than {MAX_LINK_CHARS}.")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(_DAMAGED) from None
    told, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if len(told) < 2 or check != _check(told):
        raise BadInput(_DAMAGED)
    if told[0] != VERSION:
        raise BadInput(f"This link is of version {told[0]}, and this site reads version {VERSION}.")
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
