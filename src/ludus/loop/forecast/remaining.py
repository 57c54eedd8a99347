"""How long the generations to come will take, by those that are done: more games and more visits take longer."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset

LATEST = 5  # generations that are looked at: games get longer, and a machine has other things to do


def seconds_to_come(preset: Preset, done: Sequence[GenerationMetrics]) -> list[float]:
    """Return the seconds, by the clock, of each generation that is missing; nothing while nobody knows.

    Args:
        preset: of the run.
        done: the generations that it has, from 0 on.
    """
    if not done:
        return []
    return [
        median(_seconds_as(preset, line, generation) for line in done[-LATEST:])
        for generation in range(len(done), preset.generations)
    ]


def _seconds_as(preset: Preset, line: GenerationMetrics, generation: int) -> float:
    """Return how long a finished generation would have taken with the games and visits of another one.

    Generation 0 counts as if a network had played it: a first teacher's visits cost less, and may be many more.
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
    """Return how long the stages of a generation take, in turn or beside each other."""
    others = learner_s + match_s
    return max(selfplay_s, others) if preset.mode == "pipelined" else selfplay_s + others
