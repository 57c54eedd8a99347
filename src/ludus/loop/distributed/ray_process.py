"""The Ray cluster of a run, in a process of its own: Ray may end its process silently when the cluster's head is lost.

It does so a minute later, whatever the process does then, such as learning.  While the run asks nothing, the process
looks for the head itself, and ends likewise.  The run notices the end of the process, says so, goes on with what it can
do alone, and fails with an error when it next needs the cluster.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any, NamedTuple

from ludus.errors import LudusError, Unavailable
from ludus.loop.distributed.messages import MemberPlace
from ludus.loop.distributed.ray_machines import AGAIN, LOOK_S, RayMachines, check_address
from ludus.loop.processes import ParentConnection, WorkerProcess, WorkFailed, ready

ANSWER_S = 180.0  # timeout in seconds for an answer of the process, besides the time that a question itself waits
IDLE_MISSES = 12  # consecutive failures of the head after which the cluster counts as lost while nothing is asked
CLOSING_S = 10.0  # seconds that Ray may take to end the members


class Handle(NamedTuple):
    """Stands for an object of Ray, which only the process has: a member, an expected answer or a stored object."""

    number: int


class RayProcess:
    """The Ray cluster at an address, a transport; a context manager that ends the members on exit."""

    is_remote = True

    def __init__(self, address: str, member: type, device: str, tell: Callable[[str], object]) -> None:
        """Prepare the process.

        Args:
            address: see `RayMachines`.
            member: likewise.
            device: likewise.
            tell: called with a sentence from a thread, if the cluster is lost while the run does not use it.
        """
        self.address, self._tell = address, tell
        self._process = WorkerProcess("ray", _serve, (address, member, device))
        self._lock = threading.Lock()  # one question at a time
        self._has_ended = False

    def __enter__(self) -> RayProcess:
        """Connect to the cluster.

        Raises:
            Unavailable: Ray is not installed, or no cluster is at the address.
        """
        check_address(self.address)
        self._process.start()
        try:
            self.address = self._answer(ANSWER_S)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        threading.Thread(target=self._watch, name="ludus-ray", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Disconnect from the cluster, which ends the members."""
        self._has_ended = True
        self._process.send(None)
        self._process.ends_within(CLOSING_S)
        self._process.end()

    def places(self) -> list[MemberPlace] | None:
        """Return the places where members may play now; None: the head does not answer, so skip other requests.

        Raises:
            Unavailable: the head is gone, or no machine can play at the start of the run.
        """
        return self._ask("places")

    def start(self, place: MemberPlace) -> Handle:
        """Start a member as soon as its place is free."""
        return self._ask("start", place)

    def dismiss(self, member: Handle) -> None:
        """End a member, which may already have ended."""
        self._ask("dismiss", member)

    def put(self, thing: object) -> Handle:
        """Store a large object in Ray, which sends it to each machine once; only the last two of a type are kept."""
        return self._ask("put", thing)

    def ask(self, member: Handle, question: str, *with_what: object) -> Handle:
        """Send a question to a member; return the handle of the answer."""
        return self._ask("ask", member, question, *with_what)

    def hear(self, asked: list[Handle], seconds: float) -> list[tuple[Handle, Any]]:
        """Return the (handle, answer) pairs that have arrived; wait up to `seconds` if there are none."""
        return self._ask("hear", asked, seconds, waits_s=seconds)

    def _ask(self, what: str, *with_what: Any, waits_s: float = 0.0) -> Any:  # noqa: ANN401 - any answer
        with self._lock:
            if self._has_ended:
                raise self._lost()
            self._process.send((what, with_what))
            return self._answer(ANSWER_S + waits_s)

    def _answer(self, seconds: float) -> Any:  # noqa: ANN401
        """Return the next answer of the process; raise its error, or Unavailable if it has ended or hangs."""
        answer = self._process.receive() if ready([self._process], seconds) else WorkFailed(None, "")
        if isinstance(answer, WorkFailed):
            self._has_ended = True
            raise answer.error or self._lost(answer.text)
        return answer

    def _lost(self, why: str = "") -> Unavailable:
        reason = f" ({why})" if why else ""
        return Unavailable(f"{self.address}: the connection to the Ray cluster was lost{reason}; {AGAIN}.")

    def _watch(self) -> None:
        """Report a loss of the cluster while nothing is asked; otherwise the question fails."""
        self._process.ends_within(None)
        if self._lock.acquire(blocking=False):
            try:
                if not self._has_ended:
                    self._has_ended = True
                    self._tell(
                        f"{self.address}: the connection to the Ray cluster was lost; learning and matches go on, and "
                        "the run ends when it needs the cluster for games."
                    )
            finally:
                self._lock.release()


def _serve(run: ParentConnection, address: str, member: type, device: str) -> None:
    """Answer the questions of the run until it ends."""
    with RayMachines(address, member, device) as machines:
        objects, misses = _Objects(machines), 0
        run.say(machines.address)
        while True:
            try:
                asked = run.heard.get(timeout=LOOK_S)
            except queue.Empty:
                misses = 0 if machines.answers() else misses + 1
                if misses >= IDLE_MISSES:
                    os._exit(1)  # as Ray itself may have done by now
                continue
            if asked is None:
                return
            what, with_what = asked
            try:
                run.say(getattr(objects, what)(*with_what))
            except LudusError as error:  # sent before Ray disconnects, which may take a while without its head
                run.say(WorkFailed(error, str(error)))
                return
            misses = 0


class _Objects:
    """The objects of Ray by their handles, and the methods of `RayProcess` with them."""

    def __init__(self, machines: RayMachines) -> None:
        self._machines, self._numbers = machines, count()
        self._of: dict[Handle, Any] = {}
        self._stored: dict[type, list[Handle]] = {}  # the last two of each type, since another thread may use the older
        self.places = machines.places

    def start(self, place: MemberPlace) -> Handle:
        return self._keep(self._machines.start(place))

    def dismiss(self, member: Handle) -> None:
        if member in self._of:
            self._machines.dismiss(self._of.pop(member))

    def put(self, thing: object) -> Handle:
        stored = self._stored.setdefault(type(thing), [])
        stored.append(self._keep(self._machines.put(thing)))
        for old in stored[:-2]:
            del self._of[old]
        del stored[:-2]
        return stored[-1]

    def ask(self, member: Handle, question: str, *with_what: object) -> Handle:
        things = [self._of[each] if isinstance(each, Handle) else each for each in with_what]
        return self._keep(self._machines.ask(self._of[member], question, *things))

    def hear(self, asked: list[Handle], seconds: float) -> list[tuple[Handle, Any]]:
        handles = {self._of[each]: each for each in asked}
        heard = [(handles[each], answer) for each, answer in self._machines.hear(list(handles), seconds)]
        for handle, _answer in heard:
            del self._of[handle]
        return heard

    def _keep(self, thing: Any) -> Handle:  # noqa: ANN401
        handle = Handle(next(self._numbers))
        self._of[handle] = thing
        return handle
