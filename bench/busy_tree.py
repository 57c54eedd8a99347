"""How fast is the search alone on a machine that does other work, too?  Simulations per second of processor time.

python bench/busy_tree.py SPEC [...]: 64 trees of 200 visits from positions of random games, a table in place of the
network.  Where nothing else runs, `ludus bench tree` says the same by the clock.
"""

import statistics
import sys
import time

import numpy as np

import ludus
from ludus.games.game import Game, State
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.players.group import Group
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine

TREES, VISITS, RUNS, DEEPEST_START = 64, 200, 7, 60


def somewhere(game: Game, rng: np.random.Generator) -> State:
    """Return a position of a random game."""
    position = game.start()
    for _ in range(int(rng.integers(DEEPEST_START))):
        after = position.play(int(rng.choice(position.actions)))
        if after.outcome:
            break
        position = after
    return position.state


def measure(spec: str) -> list[float]:
    """Return simulations per second of processor time, of several runs."""
    game, rng = ludus.game(spec).compile(), np.random.default_rng(0)
    group = Group(
        game, NullEvaluator(Shapes.of(game)), SearchSettings(cache_entries=0), num_trees=TREES, max_visits=VISITS
    )
    speeds: list[float] = []
    for _ in range(RUNS + 1):
        for tree in range(TREES):
            group.plant(tree, game.for_search(somewhere(game, rng)).view(np.uint64))
            group.wake(tree, VISITS)
        before, begun = group.counters()["simulations"], time.process_time()
        while group.step():
            pass
        speeds.append((group.counters()["simulations"] - before) / (time.process_time() - begun))
    return speeds[1:]  # everything is compiled, and memory touched


for name in sys.argv[1:]:
    found = measure(name)
    print(f"{name}: {statistics.median(found):,.0f} a second ({min(found):,.0f} to {max(found):,.0f})")
print(describe_machine())
