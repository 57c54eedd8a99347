"""Runs self-play for an hour and checks its memory: `python bench/soak.py --minutes 60 --json OUT`.

It plays with a preset and a random network, and prints resident memory, evaluations and full trees every minute.  The
median memory of the second half may exceed that of the first by at most 1 %.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

from ludus.loop.preset import load_preset
from ludus.network.backends import available, open_evaluator
from ludus.network.config import Shapes
from ludus.network.model import draw_arrays
from ludus.players.thinking.group import cache_for
from ludus.selfplay.measure import ENDLESS, describe_machine
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import WorkerPool

FLAT = 0.01  # allowed growth of the median memory from the first half to the second


def resident_mb() -> float:
    """Return this process's resident memory in MiB (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


def main() -> None:
    """Run the command; exit with an error if memory grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="connect4-laptop")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=float, default=60.0, help="seconds between two measurements")
    parser.add_argument("--json", type=Path, help="file for the measurements")
    arguments = parser.parse_args()
    preset = load_preset(arguments.preset)
    games = preset.make_games()
    shapes = Shapes.of(games[0])
    arrays = draw_arrays(preset.network, shapes, preset.seed)
    evaluator = open_evaluator(available()[0], arrays, preset.network, shapes, streams=arguments.workers)
    source = Source(evaluator, cache_for(games[0], preset.search))
    pool = WorkerPool(
        games,
        lambda _worker: source,
        preset.search,
        preset.selfplay,
        Quota(ENDLESS),
        seed=1,
        workers=arguments.workers,
    )
    memory: list[float] = []
    num_games = num_evaluations = 0
    with pool:
        for number in range(max(4, round(60 * arguments.minutes / arguments.every))):
            if not pool.wait(arguments.every):
                sys.exit("The workers ended early.")
            reading = pool.reading()
            num_evaluations += round(reading.evaluations_per_s * reading.seconds)
            done, pool.finished[:] = len(pool.finished), []  # a run would have written these games to disk
            num_games += done
            memory.append(resident_mb())
            print(f"{number + 1:4}: {memory[-1]:.1f} MiB, {done} games, {reading}", flush=True)
    first, second = (statistics.median(half) for half in (memory[: len(memory) // 2], memory[len(memory) // 2 :]))
    growth = second / first - 1.0
    result = {
        "bench": "soak",
        "preset": arguments.preset,
        "minutes": arguments.minutes,
        "workers": arguments.workers,
        "games": num_games,
        "evaluations": num_evaluations,
        "first_half_mib": first,
        "second_half_mib": second,
        "largest_mib": max(memory),
        "growth": growth,
        **describe_machine(),
    }
    print(json.dumps(result))
    if arguments.json:
        arguments.json.write_text(json.dumps(result | {"resident_mib": memory}))
    if growth > FLAT:
        sys.exit(f"Memory grew by {growth:.1%}.")


if __name__ == "__main__":
    main()
