"""Parse and check `attach` messages, with which bot clients register bots."""

import hmac
from typing import TypeVar, cast

import msgspec
from msgspec import Raw, Struct

from ludus.games.about import About
from ludus.games.registry import about, names
from ludus.protocol.registration import (
    PROTOCOL_VERSION,
    Attach,
    AttachRejected,
    BotConfig,
    ClientInfo,
    Name,
    RejectionCode,
)

MAX_BOTS = 64
"""Most bots of one client, unless all of them have the server's official token."""

_Read = TypeVar("_Read")


class _Loose(Struct, rename="camel"):
    """The fields of an attach message, not yet parsed except for `type`."""

    type: str
    protocol_version: Raw = Raw(b"null")
    client_id: Raw = Raw(b"null")
    bots: Raw = Raw(b"null")
    client: Raw = Raw(b"null")


class _Identified(Struct, rename="camel"):
    """The id of a bot whose config is otherwise wrong."""

    bot_id: str = "(unknown)"


def is_attach(text: bytes | str) -> bool:
    """Return whether a text is an attach message, valid or not."""
    try:
        return msgspec.json.decode(text, type=_Loose).type == "attach"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def read_attach(text: bytes | str, official_token: str | None = None) -> Attach | AttachRejected:
    """Parse and check an attach message.

    Args:
        text: a JSON text that `is_attach` accepts.
        official_token: the token of the server's own bots; None: the server has none.

    Returns:
        The message; or the rejection with its code, if the message is invalid.
    """
    loose = msgspec.json.decode(text, type=_Loose)
    version = _read(loose.protocol_version, object)
    if version != PROTOCOL_VERSION or isinstance(version, bool):
        return AttachRejected(
            "PROTOCOL_UNSUPPORTED",
            f"Protocol version {version} not supported. Server requires version {PROTOCOL_VERSION}.",
        )
    client = _read(loose.client, ClientInfo)
    if client is None or not client.name.strip() or not client.version.strip():
        return AttachRejected(
            "INVALID_MESSAGE", "`client` is required and must include non-empty `name` and `version`."
        )
    client_id = _client_id(loose)
    if client_id is None or not client_id.strip():
        return AttachRejected(
            "INVALID_MESSAGE", "`clientId` is required and must be non-empty: 1 to 200 characters, none of them NUL."
        )
    if ":" in client_id:  # otherwise `clientId:botId` would be ambiguous
        return AttachRejected("INVALID_MESSAGE", "`clientId` must not contain a colon.")
    bots = _read(loose.bots, list[Raw])
    if not bots:
        return AttachRejected("NO_BOTS", "At least one bot must be provided.")
    judged = _read_bots(bots, official_token)
    if isinstance(judged, AttachRejected):
        return judged
    return Attach(PROTOCOL_VERSION, client_id, judged, client)


def _read_bots(texts: list[Raw], official_token: str | None) -> list[BotConfig] | AttachRejected:
    bots: list[BotConfig] = []
    for text in texts:
        try:
            bot = msgspec.json.decode(text, type=BotConfig)
        except msgspec.ValidationError as error:
            identified = _read(text, _Identified) or _Identified()
            return _refuse("INVALID_BOT_CONFIG", f'Invalid bot config for "{identified.bot_id}": {error}')
        faults = list(bot_faults(bot))
        if faults:
            return _refuse("INVALID_BOT_CONFIG", f'Invalid bot config for "{bot.bot_id}": {"; ".join(faults)}')
        bots.append(bot)
    seen: set[str] = set()
    for bot in bots:
        if bot.bot_id in seen:
            return _refuse("DUPLICATE_BOT_ID", f'Duplicate botId: "{bot.bot_id}"')
        seen.add(bot.bot_id)
    for bot in bots:
        if bot.official_token is not msgspec.UNSET and not (
            official_token and hmac.compare_digest(bot.official_token.encode(), official_token.encode())
        ):
            return _refuse("INVALID_OFFICIAL_TOKEN", f'Invalid official token for bot "{bot.bot_id}"')
    if len(bots) > MAX_BOTS and not all(bot.official_token for bot in bots):
        return _refuse("INVALID_BOT_CONFIG", f"{len(bots)} bots; a client may register {MAX_BOTS}.")
    return bots


def bot_faults(bot: BotConfig) -> list[str]:
    """Return the faults of a bot's config whose types are correct, each as `field: fault`."""
    faults = [
        f"{field}: must not be blank"
        for field, value in (("botId", bot.bot_id), ("name", bot.name), ("username", bot.username))
        if value is not None and not value.strip()
    ]
    if not bot.variants:
        faults.append("variants: at least one variant must be configured")
    told = about(bot.game) if bot.game in names() else About()
    for variant, support in bot.variants.items():
        where, declared = f"variants.{variant}", told.variant(variant)
        if told.registered and variant not in told.registered:
            faults.append(f'variants: Unrecognized key: "{variant}"')
        faults += [
            f"{where}.{side}: min must be less than or equal to max"
            for side, extent in (("boardWidth", support.board_width), ("boardHeight", support.board_height))
            if extent.min > extent.max
        ]
        faults += [
            f"{where}.recommended.{index}: must be within the supported range"
            for index, size in enumerate(support.recommended)
            if not support.plays(size.board_width, size.board_height)
        ]
        fixed_size = declared is not None and declared.fixed
        if fixed_size and support.recommended:
            faults.append(f"{where}.recommended: must be empty for variants without board size settings")
        if not fixed_size and not support.recommended:
            faults.append(f"{where}.recommended: must include 1-3 entries for this variant")
    return faults


def _client_id(loose: _Loose) -> str | None:
    return _read(loose.client_id, cast("type[str]", Name))


def _refuse(code: RejectionCode, message: str) -> AttachRejected:
    return AttachRejected(code, message[:500])


def _read(text: Raw, kind: type[_Read]) -> _Read | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
