"""Forecast of the remaining generations, scaled from finished ones by numbers of games and visits."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset

LATEST = 5  # number of latest generations to use, since game lengths and machine load change


def seconds_to_come(preset: Preset, done: Sequence[GenerationMetrics]) -> list[float]:
    """Return the expected wall-clock seconds of each missing generation; empty before the first is finished.

    Args:
        preset: settings of the run.
        done: metrics of the finished generations, from 0 on.
    """
    if not done:
        return []
    return [
        median(_seconds_as(preset, line, generation) for line in done[-LATEST:])
        for generation in range(len(done), preset.generations)
    ]


def _seconds_as(preset: Preset, line: GenerationMetrics, generation: int) -> float:
    """Return the duration of a finished generation, scaled to another generation's games and visits.

    Generation 0 is treated like the others, although a first teacher's visits are cheaper.
    """
    settings = preset.selfplay
    games = settings.num_games(generation) / settings.num_games(line.generation)
    visits = _visits(preset, generation) / _visits(preset, line.generation)
    before = _together(preset, line.selfplay_s, line.learner_s, line.match_s)
    after = _together(preset, line.selfplay_s * games * visits, line.learner_s * games, line.match_s)
    return line.seconds * after / before if before else line.seconds


def _visits(preset: Preset, generation: int) -> float:
    return preset.selfplay.mean_visits(preset.progress(generation))


def _together(preset: Preset, selfplay_s: float, learner_s: float, match_s: float) -> float:
    """Return the duration of a generation whose stages run one after another, or concurrently if pipelined."""
    others = learner_s + match_s
    return max(selfplay_s, others) if preset.mode == "pipelined" else selfplay_s + others
