"""What a run and its members tell each other, and what carries it: pipes on this machine, Ray to others."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

import msgspec

from ludus.errors import LudusError
from ludus.loop.preset import Preset
from ludus.selfplay.reading import Reading, WorkerReport
from ludus.store import Samples

SAME_LUDUS = (
    "install the same Ludus and the same files of games on all machines, or take that one out (`ray stop` there)"
)
"""What to do where a machine differs."""


class JoinOrder(msgspec.Struct, frozen=True):
    """What a member needs to know of a run."""

    preset: Preset
    workers: int
    """Threads of this member."""
    files: dict[str, bytes]
    """The files of games that are not built in, by the names in the preset; empty on the run's own machine."""


class Weights(msgspec.Struct, frozen=True):
    """A network, as it crosses processes and machines."""

    checkpoint: bytes
    """The file, with its checksum."""
    network: int
    """Its generation; -1: the model from which the run starts."""


class Turn(msgspec.Struct, frozen=True):
    """What a member has done since it was asked before."""

    games: list[Samples]
    reading: Reading
    reports: list[WorkerReport]
    """What the workers have done in this generation so far."""


class MemberPlace(NamedTuple):
    """Where a member plays: a process of this machine, or a GPU or all cores of another one."""

    node: str
    """Ray's name of the machine; empty: the run's own process starts the member."""
    name: str
    """What people call the place."""
    number: int
    """Among the places of the machine."""
    cores: int
    """Threads that the member plays with."""
    device: str
    """Where its network runs."""

    @property
    def is_remote(self) -> bool:
        """Return whether it is on another machine, or may be: Ray starts its member."""
        return bool(self.node)


class Lost(NamedTuple):
    """In place of an answer: the member is no more."""

    why: str


class Failed(NamedTuple):
    """In place of an answer: the member has raised this."""

    error: LudusError


class Transport(AbstractContextManager[object], Protocol):
    """Starts members and carries questions to them; use it as a context, which ends the members."""

    def places(self) -> list[MemberPlace] | None:
        """Return where members may play now; None: that cannot be said at the moment."""
        ...

    def start(self, place: MemberPlace, /) -> Any:  # noqa: ANN401 - a handle
        """Return a new member, which begins as soon as the place is free."""
        ...

    def dismiss(self, member: Any, /) -> None:  # noqa: ANN401
        """End a member; it may have ended before."""
        ...

    def put(self, thing: object, /) -> Any:  # noqa: ANN401
        """Return what stands for something large in questions."""
        ...

    def ask(self, member: Any, question: str, /, *with_what: object) -> Any:  # noqa: ANN401
        """Ask a member, which has answered the last question; return what stands for the answer."""
        ...

    def hear(self, asked: list[Any], seconds: float, /) -> list[tuple[Any, Any]]:
        """Return the answers that come within some time, each with what stood for it; at once if there are any."""
        ...
