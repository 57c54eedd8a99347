"""A run's directory: where everything lies, and how far the run has come.

preset.toml             the resolved preset
history.jsonl           one line each time that the run was begun or continued: code, machine, rules, changed settings
games.journal           finished games of the generation that is being played
shards/                 self-play positions of complete generations: gen-0003-0000.shard
models/                 gen-0003.safetensors: what generation 3 learned
learner.safetensors     weights, averages, optimiser and losses after the last finished learning
matches.jsonl           one line a match
metrics.jsonl           one line a generation; a generation is complete when its line stands here
run.lock                held by the process that trains
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from ludus import config
from ludus.arena.summary import MatchResult
from ludus.errors import BadRecord, Unavailable
from ludus.files import make_folder, remove_partials, write_atomically
from ludus.learner.losses import Losses
from ludus.loop.directory.changes import Change, changes
from ludus.loop.directory.lines import GenerationMetrics, RunStart, append, read, readable
from ludus.loop.directory.sealed import Arrays, read_sealed, undamaged, write_sealed
from ludus.loop.preset import Preset


class LearnerState(NamedTuple):
    """What the last finished learning left behind."""

    arrays: dict[str, NDArray[Any]]
    """As `Learner.restore` takes them: by name, each of the shape that it has in the network or the optimiser."""
    generation: int
    losses: Losses


class Folder:
    """The directory of one run."""

    def __init__(self, path: Path) -> None:
        """Take the directory, which need not exist yet."""
        self.path = path
        self.shards = path / "shards"
        self.journal = path / "games.journal"

    def model(self, generation: int) -> Path:
        """Return where a generation's model lies."""
        return self.path / "models" / f"gen-{generation:04}.safetensors"

    def preset(self) -> Preset | None:
        """Return the preset of the run that the directory holds, None if it holds none.

        Raises:
            BadPreset: it is damaged, or cannot be read.
            Unavailable: the directory cannot be read.
        """
        file = self.path / "preset.toml"
        with readable(file):
            is_there = file.is_file()
        return config.load(file, Preset) if is_there else None

    def changes(self, preset: Preset) -> list[Change]:
        """Return how `preset` differs from that of the run that the directory holds.

        Raises:
            Unavailable: it differs in a setting that makes it another run.
        """
        kept = self.preset()
        found = changes(kept, preset) if kept else []
        for change in found:
            if not change.is_allowed:
                raise Unavailable(
                    f"{self.path}: holds a run of another preset ({change}), which cannot change while a run goes on; "
                    "choose another --run directory, or take the setting back; "
                    f"`ludus train {self.path}` goes on with those of the run."
                )
        return found

    def begin(self, preset: Preset, start: RunStart) -> None:
        """Note that the run begins or goes on; clear away what a killed process left half written.

        Raises:
            BadRecord: the run was made by rules that have changed since.
            Unavailable: the directory cannot be written, or belongs to another run.
        """
        found = self.changes(preset)
        for before in self.history()[-1:]:
            for spec, rules in before.games.items():
                if start.games.get(spec, rules) != rules:
                    raise BadRecord(
                        f"{self.path}: made under other rules of {spec} ({rules}, now {start.games[spec]}); start a "
                        "new run, or go back to the version of the game that made it."
                    )
        for folder in (self.path, self.shards, self.path / "models"):
            remove_partials(folder)
        file, resolved = self.path / "preset.toml", config.dump(preset).encode()
        if not file.is_file():  # first of all: whatever else lies here belongs to a preset
            write_atomically(file, resolved)
        self.note(msgspec.structs.replace(start, changes=[str(change) for change in found]))
        if found:
            write_atomically(file, resolved)

    @contextmanager
    def locked(self) -> Generator[None]:
        """Keep other processes from training in this directory; raises Unavailable if one does."""
        try:
            make_folder(self.path)
            lock = FileLock(self.path / "run.lock").acquire(timeout=0)
        except Timeout as error:
            raise Unavailable(f"{self.path}: another process is training here; wait for it, or end it.") from error
        except OSError as error:
            raise Unavailable(
                f"{self.path}: cannot be written ({error.strerror}); make room or mend its permissions."
            ) from error
        with lock:
            yield

    def is_training(self) -> bool:
        """Return whether a process is training in this directory."""
        file = self.path / "run.lock"
        try:
            if file.is_file():  # taking the lock would make it
                FileLock(file).acquire(timeout=0).lock.release()
        except Timeout:
            return True
        except OSError:  # what cannot be written is not being trained
            return False
        return False

    def history(self) -> list[RunStart]:
        """Return how the run was begun and continued, oldest first; raises BadRecord if the file is damaged."""
        return read(self.path / "history.jsonl", RunStart)

    def metrics(self) -> list[GenerationMetrics]:
        """Return the complete generations in order; raises BadRecord if the file is damaged."""
        file = self.path / "metrics.jsonl"
        lines = read(file, GenerationMetrics)
        if [line.generation for line in lines] != list(range(len(lines))):
            raise BadRecord(f"{file}: its generations are not 0, 1, 2 ...; restore it from a backup.")
        return lines

    def matches(self) -> list[MatchResult]:
        """Return all matches played so far; raises BadRecord if the file is damaged."""
        return read(self.path / "matches.jsonl", MatchResult)

    def note(self, line: RunStart | GenerationMetrics | MatchResult) -> None:
        """Add a line to the record that holds its kind; raises Unavailable if the disk refuses."""
        names = {RunStart: "history.jsonl", GenerationMetrics: "metrics.jsonl", MatchResult: "matches.jsonl"}
        append(self.path / names[type(line)], line)

    def save_learner(self, arrays: Arrays, generation: int, losses: Losses) -> None:
        """Keep the learner's state after a generation."""
        timeless = msgspec.structs.replace(losses, data_wait_share=0.0)  # the same seed gives the same bytes
        told = {"generation": np.array([generation]), "losses": np.frombuffer(msgspec.json.encode(timeless), np.uint8)}
        write_sealed(self.path / "learner.safetensors", {**arrays, **told})

    def load_learner(self) -> LearnerState | None:
        """Return the learner's state, or None before the first learning.

        Raises:
            BadRecord: the file is damaged.
            Unavailable: it cannot be read.
        """
        file = self.path / "learner.safetensors"
        arrays = read_sealed(file)
        if arrays is None:
            return None
        with undamaged(file):
            losses = msgspec.json.decode(arrays.pop("losses").tobytes(), type=Losses)
            generation = int(arrays.pop("generation")[0])
        return LearnerState(arrays, generation, losses)
