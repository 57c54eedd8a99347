"""Simulations per second of processor time, a table in place of the network: `tree_by_processor.py GAME...`.

`ludus bench tree` counts by the clock; this counts by the time that the process had a processor, so that it says
something on a machine that others use, too.  Caches and memory are still shared with them.
"""

import statistics
import sys
import time

import ludus
from ludus.games.game import Game
from ludus.selfplay.measure import measure_tree

RUNS = 5


def simulations(game: Game) -> float:
    """Return the simulations in a second of processor time, of one worker with 64 trees and 200 visits a move."""
    clock, begun = time.process_time(), time.perf_counter()
    reading = measure_tree(game, parallel=64, visits=200, seconds=1.0, workers=1).reading
    share = (time.process_time() - clock) / (time.perf_counter() - begun)
    return reading.simulations_per_s / share


if __name__ == "__main__":
    for name in sys.argv[1:]:
        played = ludus.game(name)
        simulations(played)  # compiles
        speeds = sorted(simulations(played) for _ in range(RUNS))
        print(f"{name}: {statistics.median(speeds):,.0f} ({speeds[0]:,.0f} to {speeds[-1]:,.0f})", flush=True)
