"""What a run and a member of its cluster tell each other, beside orders."""

from __future__ import annotations

import msgspec

from ludus.loop.preset import Preset
from ludus.selfplay.reading import Reading, WorkerReport
from ludus.store import Samples


class JoinOrder(msgspec.Struct, frozen=True):
    """What a member needs to know of a run."""

    preset: Preset
    workers: int
    """Threads of this member."""
    files: dict[str, bytes]
    """The files of games that are not built in, by the names in the preset."""


class Weights(msgspec.Struct, frozen=True):
    """A network, as it crosses machines."""

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
