"""Trains one network for a given processor time, whatever else the machine does, and resumes after interruptions."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from ludus.files import write_atomically
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset
from ludus.loop.run import Run
from ludus.loop.stages.stage import RunProgress

SAVE_EVERY_S = 5.0  # processor seconds between two records of the time spent
TIME = "spent.json"  # the file with the time spent, beside the run
FIRST_PLAN = 20  # generations planned before the first is measured; only generation 0 follows this plan


class Spent(msgspec.Struct):
    """The processor time that a training has used."""

    seconds: float = 0.0
    """Of all finished generations, and of self-play in the unfinished one; interrupted learning starts again."""
    at: list[float] = []
    """`seconds` at the end of each generation."""

    def __str__(self) -> str:
        """Return `31 generations, 20.1 processor minutes`."""
        return f"{len(self.at)} generations, {self.seconds / 60:.1f} processor minutes"


class Meter:
    """Measures the processor time of a training, also over several processes one after another."""

    def __init__(self, file: Path) -> None:
        """Continue with what the file says."""
        self._file = file
        self.spent = msgspec.json.decode(file.read_bytes(), type=Spent) if file.is_file() else Spent()
        self._begun = time.process_time()

    def hear(self, event: object) -> None:
        """Record the time regularly, as a listener of the run."""
        if isinstance(event, GenerationMetrics):
            self._count()
            self.spent.at = [*self.spent.at[: event.generation], self.spent.seconds]
        elif isinstance(event, RunProgress) and event.stage == "self-play":
            if time.process_time() - self._begun < SAVE_EVERY_S:
                return
            self._count()
        else:
            return
        write_atomically(self._file, msgspec.json.encode(self.spent))

    def _count(self) -> None:
        now = time.process_time()
        self.spent.seconds, self._begun = self.spent.seconds + now - self._begun, now


def generations_of(at: list[float], budget_s: float) -> int:
    """Return the number of generations that come nearest to the time, if all further ones cost as much as the last.

    Args:
        at: the time at the end of each generation so far.
        budget_s: the time of the whole training.
    """
    if not at:
        return FIRST_PLAN
    last = at[-1] - at[-2] if len(at) > 1 else at[-1]
    last = last or at[-1] / len(at)  # killed before it was recorded
    return len(at) + max(0, round((budget_s - at[-1]) / last))


def train(preset: Preset, folder: Path, budget_s: float) -> Spent:
    """Train until the processor time is used up; return the time spent.

    After each generation, the number of generations is planned again, so that schedules over the run end with the time.

    Args:
        preset: the settings; its number of generations is ignored.
        folder: keeps the run (`run`) and the time (`TIME`).
        budget_s: processor time; the training ends at the nearest end of a generation.
    """
    place, compiled = Folder(folder / "run"), False
    while True:
        done = len(place.metrics())
        meter = Meter(folder / TIME)
        at = meter.spent.at[:done]
        at += [meter.spent.seconds] * (done - len(at))
        planned = generations_of(at, budget_s)
        if done and planned <= done:
            return meter.spent
        if not compiled:
            _compile(preset)
            compiled = True
            continue  # with a meter that begins after the compilation
        one = msgspec.structs.replace(preset, generations=planned)
        Run(one, place.path, meter.hear, workers=1).go(until=lambda done=done: len(place.metrics()) > done)


def _compile(preset: Preset) -> None:
    """Compile or load all code by a tiny run of the same kind, which no time is counted for."""
    played = msgspec.structs.replace(
        preset.selfplay, games=4, first_games=4, parallel=2, visits=4, first_visits=0, teacher_visits=2, fast_visits=2
    )
    learned = msgspec.structs.replace(preset.learner, batch=8, max_steps=1, validation=0.0)
    tiny = msgspec.structs.replace(preset, generations=2, selfplay=played, learner=learned)
    with TemporaryDirectory() as folder:
        Run(tiny, Path(folder) / "run", workers=1).go()
