"""Tuning: find the backend, batch size, lanes and workers with which this machine evaluates most positions.

The parameters are measured one after another: backend, batch, then lanes and workers.  Among setups within `TIE` of
the fastest speed, the one with the fewest positions in flight is chosen, because its search waits least for leaves.
"""

from collections.abc import Callable

import msgspec

from ludus.cores import usable_cores
from ludus.errors import Unavailable, lacks_memory
from ludus.network.backends import available, open_evaluator
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import Arrays
from ludus.network.measure import EvaluatorSetup, Speed, Trial, measure_speed

TIE = 0.97  # share of the fastest speed
BATCHES = {"cpu": (16, 32, 64, 128, 256), "cuda": (64, 128, 256, 512, 1024, 2048)}
USUAL_BATCH = {"cpu": 64, "cuda": 512}  # batch size at which backends are compared
LANES = (1, 2, 3)


class Tuning(msgspec.Struct, frozen=True):
    """Result of tuning: the chosen trial, and all trials."""

    best: Trial
    trials: tuple[Trial, ...]
    """All trials, in the order of measurement."""


def tune(
    arrays: Arrays,
    settings: NetworkSettings,
    shapes: Shapes,
    *,
    seconds: float = 0.5,
    runs: int = 5,
    most_workers: int = 0,
    on_trial: Callable[[Trial], object] = lambda _trial: None,
) -> Tuning:
    """Measure setups on this machine, which should be otherwise idle.

    Args:
        arrays: any weights of the network's form.
        settings: the form of the network.
        shapes: the input and output shapes of the network.
        seconds: duration of each run.
        runs: number of runs for each setup.
        most_workers: largest number of workers to try (0: number of cores).
        on_trial: called with each finished trial.

    Raises:
        Unavailable: no setup fits into memory.
    """

    def measure(arrangement: EvaluatorSetup) -> Speed:
        evaluator = open_evaluator(arrangement.backend, arrays, settings, shapes, streams=arrangement.workers)
        return measure_speed(evaluator, arrangement, seconds=seconds, runs=runs)

    backends = [name for name in available() if not name.startswith("cuda:")]  # identical GPUs are measured once
    return explore(backends, most_workers or usable_cores(), measure, on_trial)


def explore(
    backends: list[str],
    most_workers: int,
    measure: Callable[[EvaluatorSetup], Speed],
    on_trial: Callable[[Trial], object] = lambda _trial: None,
) -> Tuning:
    """Try setups of 1 to `most_workers` workers with the given `measure` function.

    Setups that do not fit into memory or whose device is missing are skipped; raises Unavailable if none is left.
    """
    trials: dict[EvaluatorSetup, Trial] = {}
    unusable: set[EvaluatorSetup] = set()

    def best_of(arrangements: list[EvaluatorSetup]) -> EvaluatorSetup:
        for each in arrangements:
            if each in trials or each in unusable:
                continue
            try:
                trials[each] = Trial(each, measure(each))
            except Exception as error:
                if not (lacks_memory(error) or isinstance(error, Unavailable)):
                    raise
                unusable.add(each)
                continue
            on_trial(trials[each])
        measured = [trials[each] for each in arrangements if each in trials]
        if not measured:
            raise Unavailable("No setup fits into the memory of this machine; use a smaller network.")
        return choose(measured).arrangement

    fastest = best_of([EvaluatorSetup(name, USUAL_BATCH[_kind(name)], 1, most_workers) for name in backends])
    change = msgspec.structs.replace
    best = best_of([change(fastest, batch=batch) for batch in BATCHES[_kind(fastest.backend)]])
    counts = sorted({1, max(1, most_workers // 2), most_workers})
    best_of([change(best, lanes=lanes, workers=workers) for workers in counts for lanes in LANES])
    return Tuning(best=choose(list(trials.values())), trials=tuple(trials.values()))


def choose(trials: list[Trial]) -> Trial:
    """Return the trial with the fewest positions in flight among those that tie for the fastest."""
    enough = TIE * max(trial.speed.median for trial in trials)
    return min(
        (trial for trial in trials if trial.speed.median >= enough),
        key=lambda trial: (trial.arrangement.in_flight, trial.arrangement.lanes, -trial.speed.median),
    )


def _kind(backend: str) -> str:
    return "cuda" if backend.startswith("cuda") else "cpu"
