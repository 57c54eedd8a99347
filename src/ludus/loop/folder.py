"""A run's directory: where everything lies, and how far the run has come.

preset.toml             the resolved preset
shards/                 self-play positions: gen-0003-0000.shard
models/                 gen-0003.safetensors: what generation 3 learned
learner.safetensors     weights, averages, optimiser and losses after the last finished learning
matches.jsonl           one line a match
metrics.jsonl           one line a generation; a generation is complete when its line stands here
run.lock                held by the process that trains
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ludus import config
from ludus.arena import MatchResult
from ludus.errors import BadRecord, Unavailable
from ludus.files import write_atomically
from ludus.learner.losses import Losses
from ludus.loop.preset import Preset

T = TypeVar("T")

Arrays = dict[str, NDArray[Any]]


class Metrics(msgspec.Struct, frozen=True):
    """What a generation did."""

    generation: int
    games: int
    positions: int
    mean_length: float
    first_wins: float
    """Share of the games that player 0 won."""
    draws: float
    policy_loss: float
    outcome_loss: float
    gradient_norm: float
    steps: int
    selfplay_s: float
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
    elo: float | None = None
    """Against the anchor, 0."""
    elo_error: float | None = None


class Learned(NamedTuple):
    """What the last finished learning left behind."""

    arrays: Arrays
    """As `Learner.restore` takes them."""
    generation: int
    losses: Losses


class Folder:
    """The directory of one run."""

    def __init__(self, path: Path) -> None:
        """Take the directory, which need not exist yet."""
        self.path = path
        self.shards = path / "shards"

    def model(self, generation: int) -> Path:
        """Return where a generation's model lies."""
        return self.path / "models" / f"gen-{generation:04}.safetensors"

    def open(self, preset: Preset) -> bool:
        """Write the preset, or check that the directory belongs to it; return whether a run is continued.

        Raises:
            Unavailable: the directory cannot be written, or belongs to another run.
        """
        file = self.path / "preset.toml"
        if not file.is_file():
            write_atomically(file, config.dump(preset).encode())
            return False
        if config.load(file, Preset) != preset:
            raise Unavailable(
                f"{self.path}: holds a run of another preset (see preset.toml there); choose another --run directory."
            )
        return True

    @contextmanager
    def locked(self) -> Generator[None]:
        """Keep other processes from training in this directory; raises Unavailable if one does."""
        try:
            lock = FileLock(self.path / "run.lock").acquire(timeout=0)
        except Timeout as error:
            raise Unavailable(f"{self.path}: another process is training here; wait for it, or end it.") from error
        except OSError as error:
            raise Unavailable(f"{self.path}: cannot be written ({error.strerror}); mend its permissions.") from error
        with lock:
            yield

    def metrics(self) -> list[Metrics]:
        """Return the complete generations in order; raises BadRecord if the file is damaged."""
        file = self.path / "metrics.jsonl"
        lines = _read_lines(file, Metrics)
        if [line.generation for line in lines] != list(range(len(lines))):
            raise BadRecord(f"{file}: its generations are not 0, 1, 2 ...; restore it from a backup.")
        return lines

    def matches(self) -> list[MatchResult]:
        """Return all matches played so far; raises BadRecord if the file is damaged."""
        return _read_lines(self.path / "matches.jsonl", MatchResult)

    def append(self, line: Metrics | MatchResult) -> None:
        """Add a line to the record that holds its kind, in place of one that was torn by an interruption."""
        file = self.path / ("metrics.jsonl" if isinstance(line, Metrics) else "matches.jsonl")
        try:
            with file.open("ab") as opened:
                opened.truncate(len(_whole_lines(file.read_bytes())))
                opened.write(msgspec.json.encode(line) + b"\n")
                opened.flush()
                os.fsync(opened.fileno())
        except OSError as error:
            raise Unavailable(
                f"{file}: cannot be written ({error.strerror}); make room or mend its permissions."
            ) from error

    def save_learner(self, arrays: Arrays, generation: int, losses: Losses) -> None:
        """Keep the learner's state after a generation."""
        whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
        whole["generation"] = np.array([generation])
        timeless = msgspec.structs.replace(losses, data_wait_share=0.0)  # the same seed gives the same bytes
        whole["losses"] = np.frombuffer(msgspec.json.encode(timeless), np.uint8)
        write_atomically(self.path / "learner.safetensors", save(whole))

    def load_learner(self) -> Learned | None:
        """Return the learner's state, or None before the first learning; raises BadRecord if the file is damaged."""
        file = self.path / "learner.safetensors"
        if not file.is_file():
            return None
        try:
            arrays = load(file.read_bytes())
            generation = int(arrays.pop("generation")[0])
            losses = msgspec.json.decode(arrays.pop("losses").tobytes(), type=Losses)
        except (SafetensorError, KeyError, ValueError) as error:
            raise BadRecord(
                f"{file}: the file is damaged ({error}); restore it from a backup or start anew."
            ) from error
        return Learned(arrays, generation, losses)


def _whole_lines(data: bytes) -> bytes:
    """Leave out a last line without its end: its generation or match was interrupted and is done again."""
    return data[: data.rfind(b"\n") + 1]


def _read_lines(file: Path, kind: type[T]) -> list[T]:
    if not file.is_file():
        return []
    lines: list[T] = []
    for number, line in enumerate(_whole_lines(file.read_bytes()).splitlines(), 1):
        try:
            lines.append(msgspec.json.decode(line, type=kind))
        except msgspec.DecodeError as error:
            raise BadRecord(f"{file}, line {number}: is damaged ({error}); restore it from a backup.") from error
    return lines
