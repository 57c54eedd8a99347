"""Runs an engine for the V3 bot protocol on JSON lines: reads requests, writes responses, and survives bad input."""

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO

from ludus.engine.bgs.engine import Engine, Post, Question
from ludus.errors import BadMessage
from ludus.files import without_mark
from ludus.protocol.bgs import Response
from ludus.protocol.registration import MAX_MESSAGE_BYTES
from ludus.protocol.wire import decode_request, encode, unreadable

_log = logging.getLogger(__name__)

MAX_OPEN = 4096
"""Open requests at which reading pauses."""
QUOTED = 200  # bytes of an unreadable line that are logged


class _Desk:
    """The engine's thread and its open requests."""

    def __init__(self, make_engine: Callable[[Post], Engine], answers: BinaryIO) -> None:
        self._events: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._engine = make_engine(self._events.put)
        self._answers = answers
        self._room = threading.Semaphore(MAX_OPEN)
        self._open = 0
        self._accident: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="ludus-engine", daemon=True)
        self._thread.start()

    def put(self, question: Question) -> None:
        """Pass a request to the engine; blocks while too many are open."""
        while self.is_open and not self._room.acquire(timeout=1.0):
            pass
        self._events.put(lambda: self._ask(question))

    @property
    def is_open(self) -> bool:
        """Return whether the engine's thread is running."""
        return self._thread.is_alive()

    def finish(self, *, at_once: bool = False) -> None:
        """Wait until all requests are answered; with `at_once`, requests that need a search fail immediately."""
        if at_once:
            self._events.put(self._engine.break_off)
        self._events.put(None)
        self._thread.join()
        if self._accident:
            raise self._accident

    def _ask(self, question: Question) -> None:
        self._open += 1
        self._engine.ask(question, self._answer)

    def _answer(self, response: Response) -> None:
        self._open -= 1
        self._room.release()
        self._answers.write(encode(response) + b"\n")
        self._answers.flush()

    def _run(self) -> None:
        ended = False
        try:
            while not (ended and self._open == 0):
                event = self._events.get()
                if event is None:
                    ended = True
                else:
                    event()
        except BrokenPipeError:
            _log.info("The responses can no longer be written: the pipe is closed.")
        except Exception as error:  # noqa: BLE001 - raised again by `finish`
            self._accident = error


def answer_lines(make_engine: Callable[[Post], Engine], lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the end of `lines` or Ctrl-C; unreadable lines without a session id are logged.

    Args:
        make_engine: creates the engine from its `post`.
        lines: input, one JSON object per line.
        answers: output, one JSON object per line, flushed after each.
    """
    desk = _Desk(make_engine, answers)
    try:
        while desk.is_open and (line := lines.readline(MAX_MESSAGE_BYTES + 1)):
            question = _read_long(line, lines) if _is_long(line) else _read(without_mark(line).strip())
            if question:
                desk.put(question)
    except KeyboardInterrupt:
        desk.finish(at_once=True)
    else:
        desk.finish()


def _is_long(line: bytes) -> bool:
    return len(line) > MAX_MESSAGE_BYTES and not line.endswith(b"\n")


def _read(line: bytes) -> Question | None:
    """Return the request of a line; log the line and return None if it is unreadable and names no session."""
    if not line:
        return None
    try:
        return decode_request(line)
    except BadMessage as error:
        return _salvage(line, str(error))


def _read_long(line: bytes, lines: BinaryIO) -> Question | None:
    while (rest := lines.readline(MAX_MESSAGE_BYTES)) and not rest.endswith(b"\n"):
        pass
    return _salvage(line, f"The line is longer than {MAX_MESSAGE_BYTES} bytes; it was dropped.")


def _salvage(line: bytes, error: str) -> Question | None:
    question = unreadable(line, error)
    if question is None:
        _log.error("%s Line: %r", error, line[:QUOTED])
    return question
