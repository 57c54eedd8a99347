"""Worker processes of a run: one process with its pipe, and groups whose members all end when one fails.

Processes are spawned, not forked: threads and GPU contexts do not survive a fork.  However the run ends, its end of
the pipes closes, and the worker processes then exit.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, NamedTuple

from ludus.errors import LudusError, Unavailable
from ludus.system import interrupts_held
from ludus.trust import permit, permitted

GRACE_S = 5.0  # wait for the death of another member, which may be the cause of an error


class ParentConnection(NamedTuple):
    """A worker process's connection to its parent, the run."""

    say: Callable[[object], None]
    """Sends a message to the run; safe to call from several threads."""
    heard: queue.SimpleQueue[Any]
    """Messages from the run."""


class WorkFailed(NamedTuple):
    """The last message of a process that raised an error; also created for a process that died without a message."""

    error: LudusError | None
    """None: an unexpected exception, not a LudusError."""
    text: str


class _Ended(NamedTuple):
    pass


Work = Callable[..., None]  # (connection, *arguments)


class WorkerProcess:
    """A spawned process and the parent's end of its pipe."""

    def __init__(self, name: str, work: Work, arguments: tuple[Any, ...]) -> None:
        """Prepare a process that calls `work(connection, *arguments)`; `work` is a module-level function."""
        spawned = multiprocessing.get_context("spawn")
        ours, self._theirs = spawned.Pipe()
        self.line: Any = ours  # another type on Windows
        self.is_working = True
        """False once the process has reported its end."""
        self._process = spawned.Process(
            target=_work, args=(self._theirs, work, arguments, permitted()), name=name, daemon=True
        )

    def start(self) -> None:
        """Start the process."""
        with interrupts_held():  # until the process itself ignores SIGINT
            self._process.start()
        self._theirs.close()  # only the process keeps this end, so that its death closes the pipe

    def send(self, message: object) -> None:
        """Send a picklable message; if the process has just died, the next `receive` reports it."""
        try:
            self.line.send(message)
        except OSError:
            return

    def receive(self) -> Any:  # noqa: ANN401 - any message
        """Return the next message of the process, or a `WorkFailed`."""
        try:
            said = self.line.recv()
        except (EOFError, OSError):
            return WorkFailed(None, "")
        self.is_working = not isinstance(said, _Ended)
        return said

    def death(self, seconds: float) -> str:
        """Wait up to `seconds` for the process to die; return how it died, or "" if it is alive or ended normally."""
        self._process.join(seconds)
        code = self._process.exitcode or 0
        if code < 0:
            return f"it died by {signal.Signals(-code).name if -code in set(signal.Signals) else f'signal {-code}'}"
        return f"exit code {code}" if code else ""

    def ends_within(self, seconds: float | None) -> bool:
        """Wait up to `seconds` (None: any time) for the end of the process; return whether it has ended."""
        return bool(wait([self._process.sentinel], seconds))

    def end(self) -> None:
        """Kill the process if it still works; files on disk are complete at any time."""
        if self._process.pid is not None:
            if self.is_working:
                self._process.kill()
            self._process.join()
        self.line.close()


def ready(processes: Iterable[WorkerProcess], seconds: float) -> list[WorkerProcess]:
    """Return the processes that have sent a message or died; wait up to `seconds` if there are none."""
    lines = {process.line: process for process in processes}
    return [lines[line] for line in wait(list(lines), seconds)]  # pyright: ignore[reportArgumentType]


def has_ended(who: str, how: str) -> Unavailable:
    """Return the error for a process that ended before its work was done."""
    return Unavailable(f"{who} has ended ({how}); finished work is safe: run the same command again to continue.")


class WorkerProcesses:
    """Processes that work together, called members; when one fails, all end.  A context manager."""

    def __init__(self, name: str, work: Work, arguments: Sequence[tuple[Any, ...]]) -> None:
        """Prepare one member for each item of `arguments`.

        Args:
            name: name of the work in error messages, such as `learning`.
            work: a module-level function that a member calls with its connection and its arguments.
            arguments: those of each member; picklable.
        """
        self._name = name
        self.members = [WorkerProcess(f"{name}-{number}", work, each) for number, each in enumerate(arguments)]

    def __enter__(self) -> WorkerProcesses:
        """Start the members."""
        try:
            for member in self.members:
                member.start()
        except BaseException as error:  # after an interrupt, end the members that were started
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the members that still work."""
        for member in self.members:
            member.end()

    @property
    def is_working(self) -> bool:
        """Return whether some members still work."""
        return any(member.is_working for member in self.members)

    def hear(self, seconds: float) -> list[tuple[int, Any]]:
        """Return the messages of members as (member's number, message); wait up to `seconds` if there are none.

        Raises:
            LudusError: a member raised it.
            Unavailable: a member died.
        """
        said: list[tuple[int, Any]] = []
        for member in ready([member for member in self.members if member.is_working], seconds):
            message = member.receive()
            if isinstance(message, WorkFailed):
                raise message.error or self._explained(member, message.text)
            if member.is_working:
                said.append((self.members.index(member), message))
        return said

    def _explained(self, failed: WorkerProcess, text: str) -> Unavailable:
        """Return the error for a failed member; if another member died, report that as the cause."""
        deadline = time.monotonic() + GRACE_S
        while not (dead := [member for member in self.members if member.death(0.0)]) and time.monotonic() < deadline:
            time.sleep(0.05)
        ended = dead[0] if dead else failed
        number = f"{self.members.index(ended) + 1} of {len(self.members)}"
        how = ended.death(0.0) or text or "without an error message"
        return has_ended(f"Process {number} of the {self._name}", how)


def _work(line: Connection, work: Work, arguments: tuple[Any, ...], files: tuple[str, ...]) -> None:
    """Run a worker process from start to end; `files` of games may run."""
    permit(*files)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run receives Ctrl-C too, and ends its processes
    heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
    lock = threading.Lock()

    def listen() -> None:
        try:
            while True:
                heard.put(line.recv())
        except (EOFError, OSError):
            os._exit(1)  # the run has ended

    def say(message: object) -> None:
        with lock:
            line.send(message)

    threading.Thread(target=listen, daemon=True).start()
    last: WorkFailed | _Ended = _Ended()
    try:
        work(ParentConnection(say, heard), *arguments)
    except LudusError as error:
        last = WorkFailed(error, str(error))
    except Exception as error:  # noqa: BLE001 - sent to the run, which ends its processes
        last = WorkFailed(None, f"{type(error).__name__}: {error}".replace("\n", " "))
    say(last)
