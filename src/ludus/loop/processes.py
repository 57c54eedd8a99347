"""Worker processes that a run starts to work side by side; when one of them fails, all end, with one sentence.

Members are fresh processes (spawned, not forked: threads and GPUs do not survive a fork), each with a connection to
the run, on which both sides send any picklable object.  When the run dies, however it dies, its end of the connections
closes and the members end themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, NamedTuple, cast

from ludus.errors import LudusError, Unavailable

GRACE_S = 5.0  # in which another member's death may explain an error: those who work together notice it at once


class ParentConnection(NamedTuple):
    """A member's connection to the run."""

    say: Callable[[object], None]
    """Tells the run something; threads may share it."""
    heard: queue.SimpleQueue[Any]
    """What the run has told."""


class _Failed(NamedTuple):
    error: LudusError | None
    """None: the error was not raised on purpose."""
    text: str


class _Ended(NamedTuple):
    pass


Work = Callable[..., None]  # (line, *arguments of the member)


class WorkerProcesses:
    """Processes at work; use it as a context, which ends them all."""

    def __init__(self, name: str, work: Work, arguments: Sequence[tuple[Any, ...]]) -> None:
        """Prepare a member for each of `arguments`, which are sent to it with `work`, a function of some module.

        Args:
            name: what they do, as errors say it: `learning`.
            work: what a member does with its line and its arguments.
            arguments: of each member; picklable.
        """
        spawned = multiprocessing.get_context("spawn")
        self._name = name
        self._lines: list[Connection] = []
        self._members: list[SpawnProcess] = []
        self._theirs: list[Connection] = []
        for number, each in enumerate(arguments):
            ours, theirs = spawned.Pipe()
            self._lines.append(cast(Connection, ours))
            self._theirs.append(cast(Connection, theirs))
            self._members.append(
                spawned.Process(target=_member, args=(theirs, work, each), name=f"{name}-{number}", daemon=True)
            )
        self._working = set(range(len(arguments)))
        self._failure: LudusError | None = None

    def __enter__(self) -> WorkerProcesses:
        """Start the members."""
        try:
            with _interrupts_held():
                for member, theirs in zip(self._members, self._theirs, strict=True):
                    member.start()
                    theirs.close()  # the member's copy alone is left, so that its death is heard
        except BaseException as error:  # interrupted: those that were started must not be left alone
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End those members who still work; what they keep on disk is whole at every moment."""
        self._end()
        for line in self._lines:
            line.close()

    def _end(self) -> None:
        for number, member in enumerate(self._members):
            if member.pid is not None:
                if number in self._working:
                    member.kill()
                member.join()

    @property
    def is_working(self) -> bool:
        """Return whether some members still work."""
        return bool(self._working)

    def tell(self, message: object) -> None:
        """Tell the members who still work something; one who has just died will be missed by `hear`."""
        for number in self._working:
            try:
                self._lines[number].send(message)
            except OSError:
                continue

    def hear(self, seconds: float) -> list[tuple[int, Any]]:
        """Return what members say within some time, each with the member's number; at once if there is anything.

        What was said before a member failed is returned first.

        Raises:
            LudusError: a member raised it.
            Unavailable: a member died.
        """
        if self._failure is not None:
            raise self._failure
        said: list[tuple[int, Any]] = []
        lines = {self._lines[number]: number for number in sorted(self._working)}
        for line in wait(list(lines), seconds):
            number = lines[line]  # pyright: ignore[reportArgumentType]
            message = _received(self._lines[number])
            if isinstance(message, _Failed):
                self._failure = self._explained(message, number)
                self._end()
                said += self._rest()
                if not said:
                    raise self._failure
                break
            if isinstance(message, _Ended):
                self._working.discard(number)
            else:
                said.append((number, message))
        return said

    def _rest(self) -> list[tuple[int, Any]]:
        """Return what members said before they were ended."""
        said: list[tuple[int, Any]] = []
        for number in sorted(self._working):
            while not isinstance(message := _received(self._lines[number]), (_Failed, _Ended)):
                said.append((number, message))
        return said

    def _explained(self, failed: _Failed, number: int) -> LudusError:
        """Return what ended a member: the death of another one, if that is why."""
        if failed.error is not None:
            return failed.error
        deadline = time.monotonic() + GRACE_S
        while (dead := self._dead()) is None and time.monotonic() < deadline:
            time.sleep(0.05)
        if dead is not None:
            number = dead
        how = failed.text or "without a word" if dead is None else _how(self._members[dead].exitcode or 0)
        return Unavailable(
            f"Process {number + 1} of {len(self._members)} that share the {self._name} has ended ({how}); what the run "
            "has finished is safe: run the same command again."
        )

    def _dead(self) -> int | None:
        """Return a member who has ended without a word, if there is one."""
        codes = {number: self._members[number].exitcode for number in sorted(self._working)}
        return next((number for number, code in codes.items() if code not in (None, 0)), None)


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold Ctrl-C back while members are started, who begin so: it must not end one that is not yet a member."""
    if sys.platform == "win32":  # signals cannot be held there
        yield
        return
    resource_tracker.ensure_running()  # or the first start would do so, which lets interrupts through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _received(line: Connection) -> Any:  # noqa: ANN401 - whatever members say
    """Return the next thing that a member says, or that it died without a word."""
    try:
        return line.recv()
    except (EOFError, OSError):
        return _Failed(None, "")


def _how(code: int) -> str:
    """Return how a process ended whose exit code is below 0 for a signal."""
    if code >= 0:
        return f"exit code {code}"
    return f"it died by {signal.Signals(-code).name if -code in set(signal.Signals) else f'signal {-code}'}"


def _member(line: Connection, work: Work, arguments: tuple[Any, ...]) -> None:
    """Be a member, from beginning to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the run as well, which ends its members
    heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
    lock = threading.Lock()

    def listen() -> None:
        try:
            while True:
                heard.put(line.recv())
        except (EOFError, OSError):
            os._exit(1)  # the run is gone

    def say(message: object) -> None:
        with lock:
            line.send(message)

    threading.Thread(target=listen, daemon=True).start()
    last: _Failed | _Ended = _Ended()
    try:
        work(ParentConnection(say, heard), *arguments)
    except LudusError as error:
        last = _Failed(error, str(error))
    except Exception as error:  # noqa: BLE001 - told to the run, which ends all members
        last = _Failed(None, f"{type(error).__name__}: {error}".replace("\n", " "))
    say(last)
