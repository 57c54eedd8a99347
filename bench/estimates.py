"""Compares `ludus estimate` with runs: predicts each preset, runs it, and prints the seconds of each stage.

    python bench/estimates.py examples/breakthrough.toml tictactoe-smoke

With `--processor-time`, all durations are seconds of processor time of one worker, which other programs hardly change.
The prediction and the run then include the same threads, but no gain from working at the same time.
"""

import argparse
import tempfile
import time
from pathlib import Path

import msgspec

from ludus.cores import usable_cores
from ludus.loop.forecast.estimate import Estimate, estimate
from ludus.loop.preset import Preset, load_preset
from ludus.loop.run import Run


def compare(name: str, preset: Preset, workers: int, seconds: float) -> None:
    """Print predicted and measured seconds of each generation of one preset."""
    found: Estimate = estimate(preset, workers=workers, seconds=seconds)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(preset, Path(folder), workers=workers)
        begun = time.perf_counter()
        run.go()
        took = time.perf_counter() - begun
        lines = run.folder.metrics()
    print(f"{name}: predicted {found.total_s:.1f} s, took {took:.1f} s, ratio {found.total_s / took:.2f}")
    print(
        f"  predicted: {found.first_length:.1f} actions a game at first, {found.length:.1f} later; "
        f"{found.first_positions_per_s:.0f}, {found.positions_per_s:.0f} positions/s, "
        f"{found.steps_per_s:.2f} steps/s; measured for {found.measured_s:.0f} s"
    )
    print("  generation: self-play, learning, matches (predicted/real); actions a game, steps")
    times = zip(found.selfplay_s, found.learner_s, found.matches_s, lines, strict=True)
    for number, (play, learn, match, line) in enumerate(times):
        print(
            f"  {number:10}: {play:.1f}/{line.selfplay_s:.1f}, {learn:.1f}/{line.learner_s:.1f}, "
            f"{match:.1f}/{line.match_s:.1f}; {line.facts.mean_length:.1f}, {line.losses.steps}; {line.seconds:.1f} s"
        )
    said = {"preset": name, "workers": workers, "predicted_s": found.total_s, "took_s": took}
    print(msgspec.json.encode(said).decode(), flush=True)


def main() -> None:
    """Compare the presets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("presets", nargs="+", help="presets by name or path")
    parser.add_argument("--generations", type=int, default=0, help="the first generations only (0: all)")
    parser.add_argument("--workers", type=int, default=0, help="self-play threads (0: one per core)")
    parser.add_argument("--seconds", type=float, default=60.0, help="duration of each estimate's measurement")
    parser.add_argument("--processor-time", action="store_true", help="count processor time, with one worker")
    arguments = parser.parse_args()
    if arguments.processor_time:
        time.perf_counter = time.process_time
    for name in arguments.presets:
        preset = load_preset(name)
        if arguments.generations:
            preset = msgspec.structs.replace(preset, generations=arguments.generations)
        workers = 1 if arguments.processor_time else arguments.workers or usable_cores()
        compare(name, preset, workers, arguments.seconds)


if __name__ == "__main__":
    main()
