"""What a site writes down: lines of JSON, or for a person at a terminal coloured ones; secrets are hidden in both.

Whatever is logged with the standard library goes the same way, so that every line may say which connection (`conn`) and
which game (`game`) it belongs to, and no line holds a token, a password or a cookie.
At a terminal, control characters are spelt out; JSON does so anyway.
"""

import contextvars
import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import AbstractContextManager
from typing import Any, TextIO

import structlog

HIDDEN = "[hidden]"
_NAMES = "token|password|passwd|secret|cookie|authorization|ludus_guest|ludus_session"
_SECRET_KEY = re.compile(rf"\w*(?:{_NAMES})", re.IGNORECASE)
_IN_TEXT = (
    re.compile(rf"""(?i)(\b\w*(?:{_NAMES})["']?\s*(?:=|:|%3D)\s*["']?)(?!(?:Bearer|Basic)\s)[^\s"'&;,)}}\]]+"""),
    re.compile(r"(?i)(\b(?:Bearer|Basic)\s+)[\w.~+/=-]+"),
    re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)"),  # the password of an address, as of a database
)
_CONTROL = re.compile(r"[^\n\x20-\x7e\xa0-\U0010ffff]")
_OF_LINES = ("exception", "stack")
Event = MutableMapping[str, Any]


def hide(text: str) -> str:
    """Return a text without its secrets: values of names such as `token=`, credentials, passwords in addresses."""
    for pattern in _IN_TEXT:
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text


def hide_secrets(_logger: Any, _method: str, event: Event) -> Event:  # noqa: ANN401 - structlog's interface
    """Hide the secrets of a log line, wherever they stand."""
    return {key: HIDDEN if _SECRET_KEY.fullmatch(key) else _hidden(value) for key, value in event.items()}


def _hidden(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {key: HIDDEN if _SECRET_KEY.fullmatch(str(key)) else _hidden(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden(each) for each in value]
    return value


def spell_out(_logger: Any, _method: str, event: Event) -> Event:  # noqa: ANN401 - structlog's interface
    """Escape control characters, so that strangers' names can neither control a terminal nor begin log lines."""
    return {key: _spelt(key, value) if isinstance(value, str) else value for key, value in event.items()}


def _spelt(key: str, text: str) -> str:
    text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return text if key in _OF_LINES else text.replace("\n", "\\n")


def configure_logs(
    level: int = logging.INFO, stream: TextIO | None = None, *, json_lines: bool | None = None
) -> logging.Handler:
    """Replace all handlers of the root logger, and return the new one.

    Args:
        level: less important lines are dropped.
        stream: where to write; None: standard error.
        json_lines: None: unless the stream is a terminal.
    """
    out: TextIO = stream or sys.stderr
    as_json = not out.isatty() if json_lines is None else json_lines
    first: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso" if as_json else "%H:%M:%S", utc=as_json),
    ]
    last: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.format_exc_info]
    if as_json:
        last += [hide_secrets, structlog.processors.JSONRenderer()]
    else:
        plain = structlog.dev.plain_traceback  # others show the values of variables
        colours = out.isatty()
        last += [hide_secrets, spell_out, structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain)]
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=first, processors=last))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for library in ("aiosqlite", "alembic", "sqlalchemy", "websockets"):  # they tell every step
        logging.getLogger(library).setLevel(max(level, logging.WARNING))
    structlog.configure(
        processors=[*first, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    return handler


def about_game(game_id: str) -> None:
    """Tag log lines of this task and its children with the game id."""
    structlog.contextvars.bind_contextvars(game=game_id)


def within_game(game_id: str) -> AbstractContextManager[None]:
    """Tag log lines of the block with the game id."""
    return structlog.contextvars.bound_contextvars(game=game_id)


def context_of_game(game_id: str) -> contextvars.Context:
    """Return the context for a task of a game, which must not inherit that of the connection that started it."""
    context = contextvars.Context()
    context.run(about_game, game_id)
    return context
