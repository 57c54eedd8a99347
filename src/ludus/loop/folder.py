"""A run's directory: where everything lies, and how far the run has come.

preset.toml             the resolved preset
shards/                 self-play positions: gen-0003-0000.shard
models/                 gen-0003.safetensors: what generation 3 learned
learner.safetensors     weights, averages and optimiser after the last finished learning
matches.jsonl           one line a match
metrics.jsonl           one line a generation; a generation is complete when its line stands here
"""

from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ludus import config
from ludus.arena import MatchResult
from ludus.errors import BadRecord, Unavailable
from ludus.files import write_atomically
from ludus.loop.preset import Preset

T = TypeVar("T")


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

    def metrics(self) -> list[Metrics]:
        """Return the complete generations in order."""
        return _read_lines(self.path / "metrics.jsonl", Metrics)

    def matches(self) -> list[MatchResult]:
        """Return all matches played so far."""
        return _read_lines(self.path / "matches.jsonl", MatchResult)

    def append(self, line: Metrics | MatchResult) -> None:
        """Add a line to the record that holds its kind."""
        file = self.path / ("metrics.jsonl" if isinstance(line, Metrics) else "matches.jsonl")
        try:
            with file.open("ab") as opened:
                opened.write(msgspec.json.encode(line) + b"\n")
        except OSError as error:
            raise Unavailable(
                f"{file}: cannot be written ({error.strerror}); make room or mend its permissions."
            ) from error

    def save_learner(self, arrays: dict[str, NDArray[Any]], generation: int) -> None:
        """Keep the learner's state after a generation."""
        whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
        whole["generation"] = np.array([generation])
        write_atomically(self.path / "learner.safetensors", save(whole))

    def load_learner(self) -> tuple[dict[str, NDArray[Any]], int] | None:
        """Return the learner's state and its generation, or None before the first learning."""
        file = self.path / "learner.safetensors"
        if not file.is_file():
            return None
        try:
            arrays = load(file.read_bytes())
        except SafetensorError as error:
            raise BadRecord(
                f"{file}: the file is damaged ({error}); restore it from a backup or start anew."
            ) from error
        generation = int(arrays.pop("generation")[0])
        return arrays, generation


def _read_lines(file: Path, kind: type[T]) -> list[T]:
    if not file.is_file():
        return []
    lines: list[T] = []
    for line in file.read_bytes().splitlines():
        try:
            lines.append(msgspec.json.decode(line, type=kind))
        except msgspec.DecodeError:
            break  # a torn last line: its generation or match is done again
    return lines
