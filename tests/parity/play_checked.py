"""Play a few games of self-play; with NUMBA_BOUNDSCHECK=1, every index of the compiled search is checked."""

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker

SEARCHES = (
    {"leaves": 4, "cache_entries": 64, "forced_playouts": 2.0, "noise_shaped": 0.5, "fpu_reduction": -1.0},
    {"gumbel_actions": 8, "cache_entries": 64, "leaves": 2},
)


def main() -> None:
    for name, visits in (("connect4:ahead", 40), ("wallgame:classic:5x5", 60)):
        game, finished = ludus.game(name), []
        for seed, search in enumerate(SEARCHES):
            settings = SelfplaySettings(parallel=3, visits=visits, fast_visits=8, fork_share=0.3, resign_moves=4)
            source = Source(NullEvaluator(Shapes.of(game)))
            report = run_worker(
                [game], source, SearchSettings(**search), settings, Quota(6), finished.append, seed=seed, worker=0
            )
            print(name, len(finished), report.counters["simulations"], report.counters["widenings"])


if __name__ == "__main__":
    main()
