"""Measures Ludus: self-play of Connect Four with a random network and equal visits for every move.

`python bench/peers/ours.py --visits 100 --seconds 20` prints one JSON object.  `--playouts` replaces the network by
random playouts.
"""

import argparse
import json

from ludus.cores import usable_cores
from ludus.games.registry import game
from ludus.network.backends import open_evaluator
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import draw_arrays
from ludus.players.judging.heuristic import PlayoutEvaluator
from ludus.players.thinking.group import cache_for
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import measure_selfplay
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Source


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="connect4", help="connect4:ahead: with the planes of the preset that ships")
    parser.add_argument("--no-foresight", action="store_true")
    parser.add_argument("--playouts", action="store_true")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--games", type=int, default=64, help="concurrent games per worker")
    parser.add_argument("--cache", type=int, default=200_000, help="entries of the evaluation cache; 0 = none")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--settle", type=float, default=15.0, help="seconds of warm-up, until games are in all stages")
    arguments = parser.parse_args()
    connect4, workers = game(arguments.game), 1 if arguments.playouts else usable_cores()
    network, shapes = NetworkSettings(blocks=arguments.blocks, channels=arguments.channels), Shapes.of(connect4)
    if arguments.playouts:
        evaluator, arguments.cache = PlayoutEvaluator(seed=0), 0
    else:
        evaluator = open_evaluator("openvino", draw_arrays(network, shapes, 0), network, shapes, streams=workers)
    search = SearchSettings(cache_entries=arguments.cache, foresight=not arguments.no_foresight)
    cache = cache_for(connect4, search)
    found = measure_selfplay(
        [connect4],
        lambda _worker: Source(evaluator, cache),
        search,
        SelfplaySettings(parallel=arguments.games, visits=arguments.visits, full_share=1.0, resign_moves=0),
        workers=workers,
        seconds=arguments.seconds,
        settle_s=arguments.settle,
    )
    print(
        json.dumps(
            {
                "program": "Ludus" if arguments.cache else "Ludus without cache",
                "evaluations_per_s": found.reading.evaluations_per_s,
                "simulations_per_s": found.reading.simulations_per_s,
                "simulations_per_cpu_s": found.simulations_per_cpu_s,
            }
        )
    )


if __name__ == "__main__":
    main()
