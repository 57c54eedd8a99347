"""The records of a run: one JSON object a line, only ever appended to, each with a checksum of its own.

A line ends in `"crc32":"89abcdef"}`, the CRC-32 of the same object without that key, in hexadecimal.  A last line
without its end was torn by an interruption: what it told of is done again, and the next line takes its place.
"""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path
from typing import TypeVar

import msgspec

from ludus.errors import BadRecord, Unavailable
from ludus.files import sync_folder
from ludus.learner.losses import Losses
from ludus.loop.alarms import Alarm
from ludus.loop.facts import Facts
from ludus.loop.probe import Probe

T = TypeVar("T")
_LINE = re.compile(rb'(\{.*),"crc32":"([0-9a-f]{8})"\}', re.DOTALL)


class Start(msgspec.Struct, frozen=True):
    """How a run was begun or continued."""

    generation: int
    """The first that is not complete."""
    date: str
    ludus: str
    """Version of Ludus."""
    commit: str
    """Of the checkout, where it is one."""
    processor: str
    python: str
    workers: int
    games: dict[str, str]
    """Spec -> fingerprint of what its rules do."""
    changes: list[str] = []
    """Settings of the preset that are others from here on: `generations: 20 -> 30`."""


class Metrics(msgspec.Struct, frozen=True):
    """What a generation did."""

    generation: int
    facts: Facts
    """Of the games."""
    losses: Losses
    probe: Probe | None
    """What the new network says of the games beside what the search and the result said."""
    selfplay_s: float
    """Seconds; of an interrupted generation only those since it was continued."""
    learner_s: float
    match_s: float
    evaluations: int
    simulations: int
    cache_hits: int
    evaluator_share: float
    """Of the workers' time: in the network (generation 0: in the heuristic)."""
    search_share: float
    fill: float
    """Leaves in the batches over what they could have held."""
    alarms: list[Alarm] = []
    elo: float | None = None
    """Against the anchor, 0."""
    elo_error: float | None = None

    @property
    def seconds(self) -> float:
        """Return how long the generation took."""
        return self.selfplay_s + self.learner_s + self.match_s


def append(file: Path, line: msgspec.Struct) -> None:
    """Add a line, in place of one that was torn by an interruption; it is on the disk when this returns.

    Raises:
        Unavailable: the disk is full, or the like; the lines before are untouched.
    """
    body = msgspec.json.encode(line)
    whole = body[:-1] + b',"crc32":"%08x"}\n' % zlib.crc32(body)
    try:
        is_new = not file.exists()
        with file.open("ab") as opened:
            opened.truncate(len(_whole_lines(file.read_bytes())))
            opened.write(whole)
            opened.flush()
            os.fsync(opened.fileno())
        if is_new:
            sync_folder(file.parent)
    except OSError as error:
        raise Unavailable(
            f"{file}: cannot be written ({error.strerror}); make room or mend its permissions, then run the same "
            "command again: what the run has finished is safe."
        ) from error


def read(file: Path, kind: type[T]) -> list[T]:
    """Return the whole lines of a record, oldest first; raises BadRecord with the line that is damaged."""
    if not file.is_file():
        return []
    lines: list[T] = []
    for number, line in enumerate(_whole_lines(file.read_bytes()).splitlines(), 1):
        found = _LINE.fullmatch(line)
        body = found[1] + b"}" if found else b""
        try:
            if not found or zlib.crc32(body) != int(found[2], 16):
                raise BadRecord(f"{file}, line {number}: is damaged (its checksum is wrong); restore it from a backup.")
            lines.append(msgspec.json.decode(body, type=kind))
        except msgspec.DecodeError as error:
            raise BadRecord(
                f"{file}, line {number}: is not of this version ({error}); go back to the one that wrote it."
            ) from error
    return lines


def _whole_lines(data: bytes) -> bytes:
    """Leave out a last line without its end."""
    return data[: data.rfind(b"\n") + 1]
