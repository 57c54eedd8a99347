"""Runs an engine for a line protocol: one thread reads lines of text, the caller's thread runs the engine."""

import logging
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import BinaryIO, Protocol

from ludus.files import without_mark

_log = logging.getLogger(__name__)

MAX_LINE_BYTES = 1 << 20
MAX_OPEN = 1024
"""Lines that may wait for the engine before reading pauses."""

Post = Callable[[Callable[[], None]], None]
"""Schedules a function in the engine's thread; may be called from any thread."""
Say = Callable[[str], None]
"""Writes one or more lines; call it only in the engine's thread."""


class Talker(Protocol):
    """Interface of an engine for a line protocol; slow work runs in other threads and returns by `Post`."""

    @property
    def is_over(self) -> bool:
        """Whether the conversation is over."""
        ...

    def hear(self, line: str) -> None:
        """Handle a line; the answer may come later."""
        ...

    def end(self) -> None:
        """Handle the end of input: set `is_over` once all open answers are written."""
        ...

    def close(self) -> None:
        """Cancel running searches and release all resources."""
        ...


def converse(make: Callable[[Post, Say], Talker], lines: BinaryIO, answers: BinaryIO) -> None:
    """Pass `lines` to a talker and write its answers to `answers`, until it is over or Ctrl-C.

    Errors in the talker are logged, and the conversation continues.

    Args:
        make: creates the talker from `post`, for its searches, and `say`, for its answers.
        lines: input in UTF-8; lines longer than `MAX_LINE_BYTES` are dropped.
        answers: output, flushed after each line; a broken pipe ends the conversation.
    """
    events: SimpleQueue[Callable[[], None]] = SimpleQueue()
    room = threading.Semaphore(MAX_OPEN)

    def say(line: str) -> None:
        answers.write(line.encode() + b"\n")
        answers.flush()

    talker = make(events.put, say)

    def hear(line: str) -> None:
        room.release()
        talker.hear(line)

    def read() -> None:
        for line in _lines(lines):
            room.acquire()
            events.put(lambda line=line: hear(line))
        events.put(talker.end)

    threading.Thread(target=read, name="ludus-lines", daemon=True).start()
    try:
        while not talker.is_over:
            try:
                events.get()()
            except KeyboardInterrupt:
                talker.end()
            except BrokenPipeError:
                _log.info("The answers can no longer be written: the pipe is closed.")
                return
            except Exception:  # noqa: BLE001 - any error is logged
                _log.exception("The engine continues after an error.")
    finally:
        talker.close()


def _lines(lines: BinaryIO) -> Iterator[str]:
    while line := lines.readline(MAX_LINE_BYTES):
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := lines.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            _log.error("A line of more than %d bytes was dropped.", MAX_LINE_BYTES)
        else:
            yield without_mark(line).decode(errors="replace").strip()
