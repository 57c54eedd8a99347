"""TensorBoard's event files: a copy of the metrics, written anew whenever a run is continued."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from ludus.errors import Unavailable, with_extra
from ludus.loop.directory.lines import GenerationMetrics


class TensorBoard:
    """Writes each generation's figures as scalars."""

    def __init__(self, directory: Path, done: list[GenerationMetrics]) -> None:
        """Take the generations that are complete; nothing is written yet, for another process may train there.

        Args:
            directory: of the run; the files lie in `tensorboard/` there.
            done: its metrics.

        Raises:
            Unavailable: the package that writes the files is missing.
        """
        try:
            from tensorboardX import SummaryWriter  # pyright: ignore - an optional package
        except ImportError as error:
            raise Unavailable(
                f"--tensorboard needs a package: {with_extra('tensorboard')}, or leave the option out."
            ) from error
        self._open: Any = SummaryWriter
        self._folder, self._done = directory / "tensorboard", done
        self._writer: Any = None

    def hear(self, event: object) -> None:
        """Write a generation's figures; other events of a run are none of its business.

        Raises:
            Unavailable: the disk refuses.
        """
        if isinstance(event, GenerationMetrics):
            self.begin()
            self._write(event)

    def begin(self) -> None:
        """Write the generations that were complete, once: metrics.jsonl is the truth, so that older event files go."""
        if self._writer is not None:
            return
        try:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._writer = self._open(str(self._folder))
        except OSError as error:
            raise Unavailable(f"{self._folder}: cannot be written ({error.strerror}); mend its permissions.") from error
        for line in self._done:
            self._write(line)

    def _write(self, line: GenerationMetrics) -> None:
        for name, value in scalars(line).items():
            self._writer.add_scalar(name, value, line.generation)
        self._writer.flush()


def scalars(line: GenerationMetrics) -> dict[str, float]:
    """Return the figures of a generation under the names that TensorBoard groups them by."""
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
