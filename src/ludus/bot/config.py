"""The file that says which bots to bring to which server: TOML, or the JSON of the original client."""

import shlex
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import msgspec

from ludus import config
from ludus.errors import BadInput
from ludus.protocol.attach import bot_faults
from ludus.protocol.registration import BotConfig

SOCKET_PATH = "/ws/custom-bot"
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

OFFICIAL_TOKEN, TOKEN = "OFFICIAL_BOT_TOKEN", "LUDUS_BOT_TOKEN"
"""Variables of the environment that hold the server's secret, and that of the client's name."""

Command = str | list[str]
"""A command line: split at blanks as a shell would, or in parts."""


class FileBot(BotConfig, frozen=True, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """A bot in the file: as it is registered, and the engine that plays for it."""

    username: str | None = None
    engine: Command | None = None
    """Bots whose commands are equal share one process."""
    official: bool = True
    """Whether it is registered with the official token, if there is one."""
    naive_move_rate: float = 0.0
    """The original client's share of weak moves; here a level does that, and anything but 0 is refused."""

    def registered(self) -> BotConfig:
        """Return what the server is told."""
        return BotConfig(**{name: getattr(self, name) for name in BotConfig.__struct_fields__})


class BotsFile(msgspec.Struct, frozen=True, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    bots: list[FileBot]
    server: str | None = None
    """Where to connect, such as `ws://127.0.0.1:8000`."""
    client_id: str = "bots"
    """The name of this client; a bot is known as `clientId:botId`."""
    official_token: str | None = None
    """The server's secret, if the bots are its own."""
    engine_commands: dict[str, Command] = {}
    """By bot id, for bots without `engine`; `default` serves all others."""

    def command_of(self, bot: FileBot) -> tuple[str, ...]:
        """Return the command line of a bot's engine, in parts, of which a file that was read has at least one.

        Raises:
            ValueError: it cannot be split.
        """
        command = bot.engine or self.engine_commands.get(bot.bot_id) or self.engine_commands.get("default") or ""
        return tuple(shlex.split(command)) if isinstance(command, str) else tuple(command)

    def registered_bots(self) -> list[BotConfig]:
        """Return the bots as the server is told of them."""
        token = msgspec.UNSET if self.official_token is None else self.official_token
        return [
            msgspec.structs.replace(bot.registered(), official_token=token if bot.official else msgspec.UNSET)
            for bot in self.bots
        ]


def read_bots_file(path: Path) -> BotsFile:
    """Read a `.toml` or `.json` file; raises BadInput with the place of the mistake."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}.") from error
    return parse_bots(text, str(path), toml=path.suffix != ".json")


def parse_bots(text: bytes, name: str, *, toml: bool) -> BotsFile:
    """Read the text of a bots file, TOML or JSON; raises BadInput, with `name` for the file."""
    decode = msgspec.toml.decode if toml else msgspec.json.decode
    try:
        found = decode(text, type=BotsFile)
    except msgspec.ValidationError as error:
        said = config.explain(error, BotsFile).rstrip(".")
        raise BadInput(f"{name}: {said} (docs/how-to/serve.md shows what such a file holds).") from error
    except msgspec.MsgspecError as error:
        raise BadInput(f"{name}: {error}; docs/how-to/serve.md shows what such a file holds.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: the file is not UTF-8 text.") from error
    _check(name, found)
    return found


def with_options(file: BotsFile, *, client_id: str | None, official_token: str | None) -> BotsFile:
    """Return a file with what the command line says in place of what it says itself; raises BadInput."""
    changes = {"client_id": client_id, "official_token": official_token}
    file = msgspec.structs.replace(file, **{name: value for name, value in changes.items() if value is not None})
    _check("the command line", file)
    return file


def _check(name: str, file: BotsFile) -> None:
    if not file.bots:
        raise BadInput(f"{name}: there are no bots; write at least one [[bots]].")
    if not file.client_id.strip() or ":" in file.client_id:
        raise BadInput(f"{name}: clientId {file.client_id!r} must not be blank or contain a colon.")
    seen: set[str] = set()
    for bot in file.bots:
        faults = bot_faults(bot)
        if faults:
            raise BadInput(f"{name}: bot {bot.bot_id!r}: {faults[0]}.")
        if bot.naive_move_rate:
            raise BadInput(
                f"{name}: bot {bot.bot_id!r}: naiveMoveRate is not known here; give its engine a weak level, such as "
                f"--level={bot.bot_id}=4,1."
            )
        if bot.bot_id in seen:
            raise BadInput(f"{name}: there are two bots with the id {bot.bot_id!r}.")
        _check_engine(name, file, bot)
        seen.add(bot.bot_id)
    for bot_id in file.engine_commands:
        if bot_id not in seen | {"default"}:
            raise BadInput(f"{name}: engineCommands names {bot_id!r}, which is no bot of this file.")


def _check_engine(name: str, file: BotsFile, bot: FileBot) -> None:
    try:
        command = file.command_of(bot)
    except ValueError as error:
        raise BadInput(
            f"{name}: bot {bot.bot_id!r}: {str(error).lower()} in the command of its engine; complete it, or write its "
            'parts as a list: ["COMMAND", "ARGUMENT"].'
        ) from error
    if not command or not command[0].strip():
        raise BadInput(f'{name}: bot {bot.bot_id!r} has no engine; write engine = "COMMAND ..." below it.')
    if any("\0" in part for part in command):
        raise BadInput(f"{name}: bot {bot.bot_id!r}: a NUL character in the command of its engine; leave it out.")


def socket_address(server: str) -> str:
    """Return the address to connect to for a server given as `http(s)://` or `ws(s)://`; raises BadInput."""
    try:
        parts = _parts_of(server)
    except ValueError as error:
        raise BadInput(
            f"Server {server!r}: write an address such as ws://127.0.0.1:8000, with a port from 1 to 65535."
        ) from error
    path = parts.path if parts.path not in ("", "/") else SOCKET_PATH
    return parts._replace(scheme=SCHEMES[parts.scheme], path=path, fragment="").geturl()


def _parts_of(server: str) -> SplitResult:
    """Return the parts of an address that a client can connect to; raises ValueError."""
    parts = urlsplit(server)
    host = (parts.hostname or "").encode("idna")  # as the resolver has it; names with an empty part have no such form
    if parts.scheme not in SCHEMES or not host or parts.port == 0 or " " in server or not server.isprintable():
        raise ValueError(server)
    return parts
