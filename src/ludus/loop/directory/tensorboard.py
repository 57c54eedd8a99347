"""TensorBoard event files: a copy of the metrics, rewritten whenever a run continues."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from ludus.errors import Unavailable, with_extra
from ludus.loop.directory.lines import GenerationMetrics


class TensorBoard:
    """A writer of each generation's figures as TensorBoard scalars."""

    def __init__(self, directory: Path, done: list[GenerationMetrics]) -> None:
        """Prepare to write; no file is changed yet, since another process may train in the directory.

        Args:
            directory: the run's directory; the files are in its folder `tensorboard/`.
            done: metrics of the complete generations.

        Raises:
            Unavailable: the package tensorboardX is missing.
        """
        try:
            from tensorboardX import SummaryWriter  # pyright: ignore - an optional package
        except ImportError as error:
            raise Unavailable(
                f"--tensorboard needs a package; install it with {with_extra('tensorboard')}, or omit the option."
            ) from error
        self._open: Any = SummaryWriter
        self._folder, self._done = directory / "tensorboard", done
        self._writer: Any = None

    def hear(self, event: object) -> None:
        """Write a generation's figures; ignore other events.

        Raises:
            Unavailable: the files cannot be written.
        """
        if isinstance(event, GenerationMetrics):
            self.begin()
            self._write(event)

    def begin(self) -> None:
        """Write the figures of the complete generations in place of older event files; later calls do nothing."""
        if self._writer is not None:
            return
        try:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._writer = self._open(str(self._folder))
        except OSError as error:
            raise Unavailable(f"{self._folder}: cannot be written ({error.strerror}); fix its permissions.") from error
        for line in self._done:
            self._write(line)

    def _write(self, line: GenerationMetrics) -> None:
        for name, value in scalars(line).items():
            self._writer.add_scalar(name, value, line.generation)
        self._writer.flush()


def scalars(line: GenerationMetrics) -> dict[str, float]:
    """Return the figures of a generation, named with TensorBoard's groups."""
    facts, losses = line.facts, line.losses
    figures: dict[str, float | None] = {
        "loss/policy": losses.policy,
        "loss/outcome": losses.outcome,
        "loss/validation_policy": losses.validation_policy,
        "loss/validation_outcome": losses.validation_outcome,
        "loss/gradient_norm": losses.gradient_norm,
        **{f"loss/{name}": value for name, value in losses.auxiliary.items()},
        "games/mean_length": facts.mean_length,
        "games/first_wins": facts.first_wins,
        "games/draws": facts.draws,
        "games/repeated": facts.repeated,
        "games/wrongly_resigned": line.wrong_share,
        "time/selfplay_s": line.selfplay_s,
        "time/learner_s": line.learner_s,
        "time/match_s": line.match_s,
        "elo": line.elo,
        "alarms": float(len(line.alarms)),
    }
    if line.probe:
        figures |= {"network/entropy": line.probe.entropy, "network/value_std": line.probe.value_std}
    return {name: float(value) for name, value in figures.items() if value is not None}
