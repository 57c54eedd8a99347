"""Messages between a run and its members, and the interface of their transports: pipes or Ray."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

import msgspec

from ludus.errors import LudusError
from ludus.loop.preset import Preset
from ludus.selfplay.reading import Reading, WorkerReport
from ludus.store import Samples

SAME_LUDUS = "install the same Ludus and game files on all machines, or remove that machine (`ray stop` there)"
"""Remedy for a machine whose software differs."""


class JoinOrder(msgspec.Struct, frozen=True):
    """Settings that a member needs to join a run."""

    preset: Preset
    workers: int
    """Number of the member's threads."""
    files: dict[str, bytes]
    """Contents of game files by their names in the preset; empty for local processes."""


class Weights(msgspec.Struct, frozen=True):
    """A network's weights, as sent to members."""

    checkpoint: bytes
    """Contents of the checkpoint file, including its checksum."""
    network: int
    """Generation of the network; -1: the start model."""


class Turn(msgspec.Struct, frozen=True):
    """A member's answer to `play`: what happened since the last answer."""

    games: list[Samples]
    reading: Reading
    reports: list[WorkerReport]
    """Reports of the workers since the start of the generation."""


class MemberPlace(NamedTuple):
    """A place for one member: a local process, or a GPU or all cores of another machine."""

    node: str
    """Ray's id of the machine; empty: a local process."""
    name: str
    """Name of the place in messages."""
    number: int
    """Number of the place on its machine."""
    cores: int
    """Number of the member's threads."""
    device: str
    """Device of the member's network."""


class Lost(NamedTuple):
    """Replaces an answer when the member was lost."""

    why: str


class Failed(NamedTuple):
    """Replaces an answer when the member raised an error."""

    error: LudusError


class Transport(AbstractContextManager[object], Protocol):
    """Starts members and exchanges questions and answers with them; a context manager that ends them on exit."""

    is_remote: bool
    """Whether members may be on other machines, which lack the run's files."""

    def places(self) -> list[MemberPlace] | None:
        """Return the places where members may play now; None: temporarily unknown."""
        ...

    def start(self, place: MemberPlace, /) -> Any:  # noqa: ANN401 - a handle
        """Start a member at a place as soon as the place is free; return its handle."""
        ...

    def dismiss(self, member: Any, /) -> None:  # noqa: ANN401
        """End a member, which may already have ended."""
        ...

    def put(self, thing: object, /) -> Any:  # noqa: ANN401
        """Store a large object for use in questions; return its handle."""
        ...

    def ask(self, member: Any, question: str, /, *with_what: object) -> Any:  # noqa: ANN401
        """Send a question to an idle member; return the handle of the answer."""
        ...

    def hear(self, asked: list[Any], seconds: float, /) -> list[tuple[Any, Any]]:
        """Return the (handle, answer) pairs that have arrived; wait up to `seconds` if there are none."""
        ...
