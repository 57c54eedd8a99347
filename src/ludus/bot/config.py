"""Reads the bots file, which lists bots, their engines and the server: TOML, or the JSON of the original client."""

import os
from pathlib import Path
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

import msgspec

from ludus import config
from ludus.errors import BadInput
from ludus.files import without_mark
from ludus.protocol.attach import bot_faults
from ludus.protocol.registration import BotConfig
from ludus.system import split_command

SOCKET_PATH = "/ws/custom-bot"
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

OFFICIAL_TOKEN, TOKEN = "OFFICIAL_BOT_TOKEN", "LUDUS_BOT_TOKEN"
"""Environment variables with the server's secret and with the secret of the client id."""
OPERATOR_TOKEN, METRICS_TOKEN, DATABASE = "LUDUS_OPERATOR_TOKEN", "LUDUS_METRICS_TOKEN", "LUDUS_DATABASE"
"""Environment variables with secrets of a site; the address of the database may have a password."""

Command = str | list[str]
"""A command line: one string, split as a shell does, or a list of arguments."""


def variables_without_secrets() -> dict[str, str]:
    """Return this process's environment variables without the secrets of sites and bots, for a child process."""
    secrets = (OFFICIAL_TOKEN, TOKEN, OPERATOR_TOKEN, METRICS_TOKEN, DATABASE)
    return {name: value for name, value in os.environ.items() if name not in secrets}


class FileBot(BotConfig, frozen=True, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """A bot of the file: its registration and its engine."""

    username: str | None = None
    engine: Command | None = None
    """Command that starts the engine; bots with equal commands share one process."""
    official: bool = True
    """Whether the bot is registered with the official token, if there is one."""
    naive_move_rate: float = 0.0
    """Share of weak moves in the original client; must be 0 here, where levels replace it."""

    def registered(self) -> BotConfig:
        """Return the part of the entry that is sent to the server."""
        return BotConfig(**{name: getattr(self, name) for name in BotConfig.__struct_fields__})


class BotsFile(msgspec.Struct, frozen=True, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """The contents of a bots file; engines run in its folder, so relative paths in their commands start there."""

    bots: list[FileBot]
    server: str | None = None
    """Address of the server, such as `ws://127.0.0.1:8000`."""
    client_id: str = "bots"
    """Id of this client; the server calls a bot `clientId:botId`."""
    official_token: str | None = None
    """The server's secret, if the bots belong to the server's operator."""
    engine_commands: dict[str, Command] = {}
    """Command by bot id, for bots without `engine`; `default` is the command of all others."""
    engine_processes: Annotated[int, msgspec.Meta(ge=1, le=16)] = 1
    """Processes of each engine; if one ends or hangs, its games go on in the others while it is restarted."""

    def command_of(self, bot: FileBot) -> tuple[str, ...]:
        """Return the command line of a bot's engine as a list of arguments; not empty after `read_bots_file`.

        Raises:
            ValueError: the command cannot be split.
        """
        command = bot.engine or self.engine_commands.get(bot.bot_id) or self.engine_commands.get("default") or ""
        return tuple(split_command(command)) if isinstance(command, str) else tuple(command)

    def registered_bots(self) -> list[BotConfig]:
        """Return the registrations of all bots, official ones with the official token."""
        token = msgspec.UNSET if self.official_token is None else self.official_token
        return [
            msgspec.structs.replace(bot.registered(), official_token=token if bot.official else msgspec.UNSET)
            for bot in self.bots
        ]


def read_bots_file(path: Path) -> BotsFile:
    """Read a `.toml` or `.json` bots file; raises BadInput with the location of the mistake."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}.") from error
    return parse_bots(text, str(path), toml=path.suffix != ".json")


def parse_bots(text: bytes, name: str, *, toml: bool) -> BotsFile:
    """Parse the text of a bots file, TOML or JSON; raises BadInput. `name` is the file's name in errors."""
    decode = msgspec.toml.decode if toml else msgspec.json.decode
    try:
        found = decode(without_mark(text), type=BotsFile)
    except msgspec.ValidationError as error:
        reason = config.explain(error, BotsFile).rstrip(".")
        raise BadInput(f"{name}: {reason}; docs/how-to/serve.md describes the format.") from error
    except msgspec.MsgspecError as error:
        raise BadInput(f"{name}: {error}; docs/how-to/serve.md describes the format.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: the file is not UTF-8 text.") from error
    _check(name, found)
    return found


def with_options(file: BotsFile, *, client_id: str | None, official_token: str | None) -> BotsFile:
    """Return the file with the values that the command line overrides; raises BadInput."""
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
                f"{name}: bot {bot.bot_id!r}: naiveMoveRate is not supported; give its engine a weak level, such as "
                f"--level={bot.bot_id}=4,1."
            )
        if bot.bot_id in seen:
            raise BadInput(f"{name}: there are two bots with the id {bot.bot_id!r}.")
        _check_engine(name, file, bot)
        seen.add(bot.bot_id)
    for bot_id in file.engine_commands:
        if bot_id not in seen | {"default"}:
            raise BadInput(f"{name}: engineCommands names {bot_id!r}, but no bot of this file has that id.")


def _check_engine(name: str, file: BotsFile, bot: FileBot) -> None:
    try:
        command = file.command_of(bot)
    except ValueError as error:
        raise BadInput(
            f"{name}: bot {bot.bot_id!r}: {str(error).lower()} in the command of its engine; complete it, or write the "
            'command as a list: ["COMMAND", "ARGUMENT"].'
        ) from error
    if not command or not command[0].strip():
        raise BadInput(f'{name}: bot {bot.bot_id!r} has no engine; write engine = "COMMAND ..." below it.')
    if any("\0" in part for part in command):
        raise BadInput(f"{name}: bot {bot.bot_id!r}: a NUL character in the command of its engine; remove it.")


def socket_address(server: str) -> str:
    """Return the WebSocket address of a server given as `http(s)://` or `ws(s)://`; raises BadInput."""
    try:
        parts = _parts_of(server)
    except ValueError as error:
        raise BadInput(
            f"Server {server!r}: write an address such as ws://127.0.0.1:8000, with a port from 1 to 65535."
        ) from error
    path = parts.path if parts.path not in ("", "/") else SOCKET_PATH
    return parts._replace(scheme=SCHEMES[parts.scheme], path=path, fragment="").geturl()


def _parts_of(server: str) -> SplitResult:
    """Split an address into its parts; raises ValueError if no client can connect to it."""
    parts = urlsplit(server)
    host = (parts.hostname or "").encode("idna")  # the resolver's form; fails for names with an empty label
    if parts.scheme not in SCHEMES or not host or parts.port == 0 or " " in server or not server.isprintable():
        raise ValueError(server)
    return parts
