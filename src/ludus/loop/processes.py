"""Worker processes of a run: one with the pipe to it, and a group of which all end when one fails.

They are spawned, not forked: threads and GPUs do not survive a fork.  When the run dies, however it dies, its end of
the pipes closes and the processes end themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, NamedTuple, cast

from ludus.errors import LudusError, Unavailable

GRACE_S = 5.0  # in which another member's death may explain an error: those who work together notice it at once


class ParentConnection(NamedTuple):
    """A worker process's connection to the run."""

    say: Callable[[object], None]
    """Tells the run something; threads may share it."""
    heard: queue.SimpleQueue[Any]
    """What the run has told."""


class WorkFailed(NamedTuple):
    """The last thing that a process says, if it raised something; also stands for one that died without a word."""

    error: LudusError | None
    """None: the error was not raised on purpose."""
    text: str


class _Ended(NamedTuple):
    pass


Work = Callable[..., None]  # (connection, *arguments)


class WorkerProcess:
    """A process, and the run's end of the pipe to it."""

    def __init__(self, name: str, work: Work, arguments: tuple[Any, ...]) -> None:
        """Prepare a process that calls `work`, a function of some module, with its connection and `arguments`."""
        spawned = multiprocessing.get_context("spawn")
        ours, self._theirs = spawned.Pipe()
        self.line = cast(Connection, ours)
        self.is_working = True
        """Whether it has not said that it is done."""
        self._process = spawned.Process(target=_work, args=(self._theirs, work, arguments), name=name, daemon=True)

    def start(self) -> None:
        """Start it."""
        with _interrupts_held():
            self._process.start()
        self._theirs.close()  # the process's copy alone is left, so that its death is heard

    def send(self, message: object) -> None:
        """Tell the process something picklable; if it has just died, `receive` will say so."""
        try:
            self.line.send(message)
        except OSError:
            return

    def receive(self) -> Any:  # noqa: ANN401 - whatever it says
        """Return the next thing that the process says, which may be a `WorkFailed`."""
        try:
            said = self.line.recv()
        except (EOFError, OSError):
            return WorkFailed(None, "")
        self.is_working = not isinstance(said, _Ended)
        return said

    def death(self, seconds: float) -> str:
        """Return how the process died, if it does within some time; empty: it lives, or has ended by itself."""
        self._process.join(seconds)
        code = self._process.exitcode or 0
        if code < 0:
            return f"it died by {signal.Signals(-code).name if -code in set(signal.Signals) else f'signal {-code}'}"
        return f"exit code {code}" if code else ""

    def end(self) -> None:
        """Kill the process if it still works; what it keeps on disk is whole at every moment."""
        if self._process.pid is not None:
            if self.is_working:
                self._process.kill()
            self._process.join()
        self.line.close()


def ready(processes: Iterable[WorkerProcess], seconds: float) -> list[WorkerProcess]:
    """Return the processes that say something, or die, within some time; at once if there are any."""
    lines = {process.line: process for process in processes}
    return [lines[line] for line in wait(list(lines), seconds)]  # pyright: ignore[reportArgumentType]


def has_ended(who: str, how: str) -> Unavailable:
    """Return the sentence about a process that has ended before its work was done."""
    return Unavailable(f"{who} has ended ({how}); what the run has finished is safe: run the same command again.")


class WorkerProcesses:
    """Processes that work together, the members: when one fails, all end.  Use it as a context, which ends them."""

    def __init__(self, name: str, work: Work, arguments: Sequence[tuple[Any, ...]]) -> None:
        """Prepare a member for each of `arguments`.

        Args:
            name: what they do, as errors say it: `learning`.
            work: what a member does with its connection and its arguments; a function of some module.
            arguments: of each member; picklable.
        """
        self._name = name
        self.members = [WorkerProcess(f"{name}-{number}", work, each) for number, each in enumerate(arguments)]

    def __enter__(self) -> WorkerProcesses:
        """Start the members."""
        try:
            for member in self.members:
                member.start()
        except BaseException as error:  # interrupted: those that were started must not be left alone
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End those members who still work."""
        for member in self.members:
            member.end()

    @property
    def is_working(self) -> bool:
        """Return whether some members still work."""
        return any(member.is_working for member in self.members)

    def hear(self, seconds: float) -> list[tuple[int, Any]]:
        """Return what members say within some time, each with the member's number; at once if there is anything.

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
        """Return what ended a member: the death of another one, if that is why."""
        deadline = time.monotonic() + GRACE_S
        while not (dead := [member for member in self.members if member.death(0.0)]) and time.monotonic() < deadline:
            time.sleep(0.05)
        ended = dead[0] if dead else failed
        number = f"{self.members.index(ended) + 1} of {len(self.members)}"
        how = ended.death(0.0) or text or "without a word"
        return has_ended(f"Process {number} that share the {self._name}", how)


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Block SIGINT while a process starts, which inherits the mask: Ctrl-C must not end it before it ignores it."""
    if sys.platform == "win32":  # signals cannot be held there
        yield
        return
    resource_tracker.ensure_running()  # or the first start would do so, which lets interrupts through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(line: Connection, work: Work, arguments: tuple[Any, ...]) -> None:
    """Be a worker process, from beginning to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the run as well, which ends its processes
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
    last: WorkFailed | _Ended = _Ended()
    try:
        work(ParentConnection(say, heard), *arguments)
    except LudusError as error:
        last = WorkFailed(error, str(error))
    except Exception as error:  # noqa: BLE001 - told to the run, which ends its processes
        last = WorkFailed(None, f"{type(error).__name__}: {error}".replace("\n", " "))
    say(last)
