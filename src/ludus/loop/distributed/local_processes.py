"""Members in local processes, each with its own worker pool and a pipe to the run.

Each process may use another GPU, and the threads of different processes share no lock.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ludus.loop.distributed.messages import Failed, Lost, MemberPlace
from ludus.loop.processes import GRACE_S, ParentConnection, WorkerProcess, WorkFailed, has_ended, ready
from ludus.network.backends import devices


class LocalProcesses:
    """The processes that divide this machine's self-play workers; a context manager that ends them on exit."""

    is_remote = False

    def __init__(self, member: type, device: str, *, workers: int, size: int) -> None:
        """Prepare up to `size` processes.

        Args:
            member: a class that each process instantiates; the questions are its methods.
            device: the preset's device; processes take several GPUs in turn.
            workers: total number of threads; each process gets at least one.
            size: the number of processes.
        """
        names, self._member = devices(device), member
        self._places = [
            MemberPlace(
                "",
                f"Process {number + 1} of {size} of the self-play",
                number,
                max(1, workers // size + (number < workers % size)),
                names[number % len(names)],
            )
            for number in range(size)
        ]
        self._running: dict[WorkerProcess, MemberPlace] = {}

    def __enter__(self) -> LocalProcesses:
        """Return this object; `start` creates the processes."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the processes; games that they have not returned are lost."""
        for process in list(self._running):
            self.dismiss(process)

    def places(self) -> list[MemberPlace]:
        """Return all places, which never change on this machine."""
        return self._places

    def start(self, place: MemberPlace) -> WorkerProcess:
        """Start a process at a place."""
        process = WorkerProcess(f"self-play-{place.number}", _answer, (self._member,))
        self._running[process] = place  # registered before the start, so that an interrupt still ends it
        process.start()
        return process

    def dismiss(self, process: WorkerProcess) -> None:
        """End a process, which may already have ended."""
        process.end()
        self._running.pop(process, None)

    def put(self, thing: object) -> object:
        """Return the object itself, since pipes cannot share it."""
        return thing

    def ask(self, process: WorkerProcess, question: str, *with_what: object) -> WorkerProcess:
        """Send a question; return the process as the handle of the answer."""
        process.send((question, with_what))
        return process

    def hear(self, asked: list[WorkerProcess], seconds: float) -> list[tuple[WorkerProcess, Any]]:
        """Return the (process, answer) pairs that have arrived; wait up to `seconds` if there are none."""
        return [(process, self._heard(process)) for process in ready(asked, seconds)]

    def _heard(self, process: WorkerProcess) -> Any:  # noqa: ANN401
        answer = process.receive()
        if not isinstance(answer, WorkFailed):
            return answer
        place = self._running[process].name
        if answer.error or answer.text:
            return Failed(answer.error or has_ended(place, answer.text))
        why = process.death(GRACE_S) or "without an error message"
        self.dismiss(process)
        return Lost(why)


def _answer(parent: ParentConnection, member: type) -> None:
    """Run a member process: answer questions until the run ends it."""
    asked = member()
    while True:
        question, with_what = parent.heard.get()
        parent.say(getattr(asked, question)(*with_what))
