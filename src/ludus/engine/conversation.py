"""The shell of an engine that speaks lines of text: one thread reads them, the caller's thread runs the engine."""

import logging
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import BinaryIO, Protocol

_log = logging.getLogger(__name__)

MAX_LINE_BYTES = 1 << 20
MAX_OPEN = 1024
"""Lines that wait to be heard after which no more are read."""

Post = Callable[[Callable[[], None]], None]
"""Calls a function in the engine's thread; may be called in any thread."""
Say = Callable[[str], None]
"""Writes a line, or several; to be called in the engine's thread alone."""


class Talker(Protocol):
    """An engine that hears lines; whatever takes time runs elsewhere and comes back by `Post`."""

    @property
    def is_over(self) -> bool:
        """Whether the conversation is over."""
        ...

    def hear(self, line: str) -> None:
        """Answer a line, now or later."""
        ...

    def end(self) -> None:
        """Handle the end of input: be over once every open answer was said."""
        ...

    def close(self) -> None:
        """Release everything, running searches included."""
        ...


def converse(make: Callable[[Post, Say], Talker], lines: BinaryIO, answers: BinaryIO) -> None:
    """Pass `lines` to a talker and its answers to `answers` until it is over, or until Ctrl-C.

    Errors in the talker are logged, and the conversation goes on.

    Args:
        make: makes the talker, from `post` for its searches and `say` for its answers.
        lines: in UTF-8; lines longer than `MAX_LINE_BYTES` are dropped.
        answers: flushed after each line; a broken pipe ends the conversation.
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
                _log.info("Nobody reads the answers any more.")
                return
            except Exception:  # noqa: BLE001 - whatever it was, it is logged
                _log.exception("The engine goes on after an accident.")
    finally:
        talker.close()


def _lines(lines: BinaryIO) -> Iterator[str]:
    while line := lines.readline(MAX_LINE_BYTES):
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := lines.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            _log.error("A line of more than %d bytes was dropped.", MAX_LINE_BYTES)
        else:
            yield line.decode(errors="replace").strip()
