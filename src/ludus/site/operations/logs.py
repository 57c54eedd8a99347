"""Logging of the site: JSON lines, or coloured lines on a terminal, without secrets.

Lines of the standard library's `logging` pass through the same processors.  They get the fields `conn` (connection) and
`game`, and tokens, passwords and cookies are replaced by `[hidden]`.  Control characters are escaped in both formats.
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
_NAMES = "token|password|passwd|secret|cookie|authorization|ludus_guest|ludus_session|ludus_device"
_SECRET_KEY = re.compile(rf"\w*(?:{_NAMES})", re.IGNORECASE)
_IN_TEXT = (
    re.compile(rf"""(?i)(\b\w*(?:{_NAMES})["']?\s*(?:=|:|%3D)\s*["']?)(?!(?:Bearer|Basic)\s)[^\s"'&;,)}}\]]+"""),
    re.compile(r"(?i)(\b(?:Bearer|Basic)\s+)[\w.~+/=-]+"),
    re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)"),  # a password in a URL, e.g. of a database
)
_CONTROL = re.compile(r"[^\n\x20-\x7e\xa0-\U0010ffff]")
_OF_PROGRAMS = ("conn", "game", "logger")
_OF_LINES = ("exception", "stack")
Event = MutableMapping[str, Any]


def hide(text: str) -> str:
    """Replace the secrets in a text: values such as `token=...`, credentials, and passwords in URLs."""
    for pattern in _IN_TEXT:
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text


def hide_secrets(_logger: Any, _method: str, event: Event) -> Event:  # noqa: ANN401 - structlog's interface
    """Replace the secrets in all fields of a log line, also in nested ones."""
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
    """Escape control characters, so that user names can neither control a terminal nor forge log lines."""
    return {key: _spelt(key, value) if isinstance(value, str) else value for key, value in event.items()}


def _spelt(key: str, text: str) -> str:
    text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return text if key in _OF_LINES else text.replace("\n", "\\n")


def short(_logger: Any, _method: str, event: Event) -> Event:  # noqa: ANN401 - structlog's interface
    """Leave out of news what only programs read; warnings and errors keep it."""
    return {key: value for key, value in event.items() if key not in _OF_PROGRAMS or event["level"] != "info"}


def configure_logs(
    level: int = logging.INFO, stream: TextIO | None = None, *, json_lines: bool | None = None
) -> logging.Handler:
    """Replace all handlers of the root logger with one that writes structured lines, and return it.

    Args:
        level: the lowest level that is logged.
        stream: where to write; None: standard error.
        json_lines: whether to write JSON; None: unless the stream is a terminal.
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
        plain = structlog.dev.plain_traceback  # the other formatters show values of variables
        colours = out.isatty()
        last += [
            short,
            hide_secrets,
            spell_out,
            structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain),
        ]
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=first, processors=last))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for library in ("aiosqlite", "alembic", "sqlalchemy", "uvicorn", "websockets"):  # they log every step and socket
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
    """Return a new context with the game id, for a task that must not inherit the connection's log fields."""
    context = contextvars.Context()
    context.run(about_game, game_id)
    return context
