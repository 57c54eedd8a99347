"""A run's directory: its files, and the progress that they record.

preset.toml             the resolved preset
history.jsonl           one line for each start or continuation: code, machine, rules, changed settings
games.journal           finished games of the current generation
shards/                 self-play positions of complete generations: gen-0003-0000.shard
models/                 gen-0003.safetensors: the network of generation 3
learner.safetensors     weights, averages, optimiser state and losses after the last finished training
matches.jsonl           one line per match
metrics.jsonl           one line per generation, written when the generation is complete
run.lock                locked by the process that trains
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
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
from ludus.games.registry import told_name
from ludus.learner.losses import Losses
from ludus.loop.directory.changes import Change, changes
from ludus.loop.directory.lines import GenerationMetrics, RunStart, append, read, readable
from ludus.loop.directory.sealed import Arrays, read_sealed, undamaged, write_sealed
from ludus.loop.preset import Preset
from ludus.paths import lasting
from ludus.trust import found


class LearnerState(NamedTuple):
    """The saved state of the learner."""

    arrays: dict[str, NDArray[Any]]
    """The arrays that `Learner.restore` takes, by name."""
    generation: int
    losses: Losses


class Folder:
    """The directory of one run, with methods that read and write its files."""

    def __init__(self, path: Path) -> None:
        """Set the directory's path; the directory need not exist yet."""
        self.path = path
        self.shards = path / "shards"
        self.journal = path / "games.journal"

    def model(self, generation: int) -> Path:
        """Return the path of a generation's model."""
        return self.path / "models" / f"gen-{generation:04}.safetensors"

    def preset(self) -> Preset | None:
        """Return the preset of the run in the directory, with files found if they have moved; None: there is no run.

        Raises:
            BadPreset: the file is damaged.
            Unavailable: the file cannot be read.
        """
        file = self.path / "preset.toml"
        with readable(file):
            is_there = file.is_file()
        return config.load(file, Preset).with_paths(partial(found, file=file)) if is_there else None

    def changes(self, preset: Preset) -> list[Change]:
        """Return the differences between the stored preset and `preset`.

        Raises:
            Unavailable: a setting differs that must not change in a run.
        """
        kept = self.preset()
        if kept and list(map(told_name, kept.games)) == list(map(told_name, preset.games)):
            kept = msgspec.structs.replace(kept, games=preset.games)  # files in another folder; `begin` compares rules
        made = changes(kept, preset) if kept else []
        for change in made:
            if not change.is_allowed:
                raise Unavailable(
                    f"{self.path}: holds a run of another preset ({change}), which cannot change during a run; "
                    "choose another --run directory, or restore the setting; "
                    f"`ludus train {self.path}` continues with the stored settings."
                )
        return made

    def begin(self, preset: Preset, start: RunStart) -> None:
        """Record a start or continuation of the run; delete partial files of killed processes.

        Raises:
            BadRecord: the rules of a game have changed since the run was made.
            Unavailable: the directory cannot be written, or holds another run.
        """
        made = self.changes(preset)
        self.check_rules(start.games)
        for folder in (self.path, self.shards, self.path / "models"):
            remove_partials(folder)
        file, resolved = self.path / "preset.toml", config.dump(preset.with_paths(lasting)).encode()
        if not file.is_file():  # written first: all other files depend on a preset
            write_atomically(file, resolved)
        self.note(msgspec.structs.replace(start, changes=[str(change) for change in made]))
        if file.read_bytes() != resolved:  # a setting has changed, or the game's file has moved
            write_atomically(file, resolved)

    def check_rules(self, games: Mapping[str, str]) -> None:
        """Raise BadRecord if the rules of a game have changed since the run was made.

        Args:
            games: fingerprint of the rules, for each game spec.
        """
        for before in self.history()[-1:]:
            known = {told_name(spec): rules for spec, rules in before.games.items()}  # a game's file may have moved
            for spec, rules in games.items():
                if (old := known.get(told_name(spec), rules)) != rules:
                    raise BadRecord(
                        f"{self.path}: made under other rules of {spec} ({old}, now {rules}); start a new run in "
                        "another directory (--run), or restore the version of the game that made it."
                    )

    @contextmanager
    def locked(self) -> Generator[None]:
        """Lock the directory for training; raises Unavailable if another process trains in it."""
        try:
            make_folder(self.path)
            lock = FileLock(self.path / "run.lock").acquire(timeout=0)
        except Timeout as error:
            raise Unavailable(f"{self.path}: another process is training here; wait for it or stop it.") from error
        except OSError as error:
            raise Unavailable(
                f"{self.path}: cannot be written ({error.strerror}); free disk space or fix its permissions."
            ) from error
        with lock:
            yield

    def is_training(self) -> bool:
        """Return whether a process trains in this directory."""
        file = self.path / "run.lock"
        try:
            if file.is_file():  # acquiring a lock would create the file
                FileLock(file).acquire(timeout=0).lock.release()
        except Timeout:
            return True
        except OSError:  # a process could not train in an unwritable directory
            return False
        return False

    def history(self) -> list[RunStart]:
        """Return all starts and continuations of the run, oldest first; raises BadRecord if the file is damaged."""
        return read(self.path / "history.jsonl", RunStart)

    def metrics(self) -> list[GenerationMetrics]:
        """Return the metrics of complete generations in order; raises BadRecord if the file is damaged."""
        file = self.path / "metrics.jsonl"
        lines = read(file, GenerationMetrics)
        if [line.generation for line in lines] != list(range(len(lines))):
            raise BadRecord(f"{file}: generations are not numbered 0, 1, 2 ...; restore it from a backup.")
        return lines

    def playing(self) -> int | None:
        """Return the generation whose network plays now, with a gate the last that passed it; None before the first.

        Raises:
            BadRecord: the metrics are damaged.
        """
        lines = self.metrics()
        return lines[-1].plays_next if lines else None

    def matches(self) -> list[MatchResult]:
        """Return the results of all matches so far; raises BadRecord if the file is damaged."""
        return read(self.path / "matches.jsonl", MatchResult)

    def note(self, line: RunStart | GenerationMetrics | MatchResult) -> None:
        """Append a line to the file of its kind; raises Unavailable if the disk cannot be written."""
        names = {RunStart: "history.jsonl", GenerationMetrics: "metrics.jsonl", MatchResult: "matches.jsonl"}
        append(self.path / names[type(line)], line)

    def save_learner(self, arrays: Arrays, generation: int, losses: Losses) -> None:
        """Save the learner's state after a generation."""
        timeless = msgspec.structs.replace(losses, data_wait_share=0.0)  # times would differ between equal runs
        told = {"generation": np.array([generation]), "losses": np.frombuffer(msgspec.json.encode(timeless), np.uint8)}
        write_sealed(self.path / "learner.safetensors", {**arrays, **told})

    def load_learner(self) -> LearnerState | None:
        """Load the learner's state; None before the first training.

        Raises:
            BadRecord: the file is damaged.
            Unavailable: the file cannot be read.
        """
        file = self.path / "learner.safetensors"
        arrays = read_sealed(file)
        if arrays is None:
            return None
        with undamaged(file):
            losses = msgspec.json.decode(arrays.pop("losses").tobytes(), type=Losses)
            generation = int(arrays.pop("generation")[0])
        return LearnerState(arrays, generation, losses)
