"""Members that are processes of this machine, each with a worker pool of its own, asked through pipes.

A process drives a GPU of its own, and its threads share no lock with those of the others.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ludus.loop.distributed.messages import Failed, Lost, MemberPlace
from ludus.loop.processes import GRACE_S, ParentConnection, WorkerProcess, WorkFailed, has_ended, ready
from ludus.network.backends import devices


class LocalProcesses:
    """Processes that share the self-play workers of this machine; use it as a context, which ends them."""

    def __init__(self, member: type, device: str, *, workers: int, size: int) -> None:
        """Prepare up to `size` processes at a time.

        Args:
            member: the class of which each process has an object; its methods are the questions.
            device: the preset's; where it names several GPUs, processes take them in turn.
            workers: threads, which are shared out; each process has one at least.
            size: how many processes.
        """
        names, self._member = devices(device), member
        self._places = [
            MemberPlace(
                "",
                f"Process {number + 1} of {size} that share the self-play",
                number,
                max(1, workers // size + (number < workers % size)),
                names[number % len(names)],
            )
            for number in range(size)
        ]
        self._running: dict[WorkerProcess, MemberPlace] = {}

    def __enter__(self) -> LocalProcesses:
        """Begin without processes."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the processes; games that they have not told of are lost."""
        for process in list(self._running):
            self.dismiss(process)

    def places(self) -> list[MemberPlace]:
        """Return all places: this machine does not go away."""
        return self._places

    def start(self, place: MemberPlace) -> WorkerProcess:
        """Return a new process."""
        process = WorkerProcess(f"self-play-{place.number}", _answer, (self._member,))
        self._running[process] = place  # before it starts: an interrupt must not leave it alone
        process.start()
        return process

    def dismiss(self, process: WorkerProcess) -> None:
        """End a process; it may have ended before."""
        process.end()
        self._running.pop(process, None)

    def put(self, thing: object) -> object:
        """Return something large itself: pipes know no better."""
        return thing

    def ask(self, process: WorkerProcess, question: str, *with_what: object) -> WorkerProcess:
        """Ask a process, which itself stands for the answer."""
        process.send((question, with_what))
        return process

    def hear(self, asked: list[WorkerProcess], seconds: float) -> list[tuple[WorkerProcess, Any]]:
        """Return the answers that come within some time, each with its process; at once if there are any."""
        return [(process, self._heard(process)) for process in ready(asked, seconds)]

    def _heard(self, process: WorkerProcess) -> Any:  # noqa: ANN401
        answer = process.receive()
        if not isinstance(answer, WorkFailed):
            return answer
        place = self._running[process].name
        if answer.error or answer.text:
            return Failed(answer.error or has_ended(place, answer.text))
        why = process.death(GRACE_S) or "without a word"
        self.dismiss(process)
        return Lost(why)


def _answer(parent: ParentConnection, member: type) -> None:
    """Be a process: answer questions until the run ends it."""
    asked = member()
    while True:
        question, with_what = parent.heard.get()
        parent.say(getattr(asked, question)(*with_what))
