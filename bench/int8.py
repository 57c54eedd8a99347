"""Measures what int8 gains: processor time for each position and for each visit, and Elo at equal processor time.

python bench/int8.py MODEL [--visits 100] [--pairs 100] [--seed 1]     MODEL: one that `ludus pack --int8` wrote
"""

import argparse
import resource
import statistics
from collections.abc import Callable
from pathlib import Path

from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import evaluate
from ludus.network.int8 import open_in_int8
from ludus.network.openvino import OpenVinoEvaluator, evaluator_of
from ludus.players.jobs.own_positions import own_positions
from ludus.players.matches.search_player import SearchPlayer

ROUNDS = 9
ROWS = 64


def busy_s() -> float:
    """Return the processor time of this process in seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def ratio(work: dict[str, Callable[[], object]]) -> tuple[dict[str, float], float]:
    """Return the median processor time of each work in seconds, and the median ratio of bf16 to int8, alternated."""
    times: dict[str, list[float]] = {name: [] for name in work}
    for number in range(1 + ROUNDS):
        for name, do in work.items():
            begun = busy_s()
            do()
            if number:
                times[name].append(busy_s() - begun)
    pairs = zip(times["floats"], times["int8"], strict=True)
    return {name: statistics.median(each) for name, each in times.items()}, statistics.median(a / b for a, b in pairs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    checkpoint = load_checkpoint(asked.model)
    game = find_game(next(iter(checkpoint.info.games)))
    evaluators: dict[str, OpenVinoEvaluator] = {"floats": evaluator_of(checkpoint), "int8": open_in_int8(checkpoint)}
    states, planes, _ = own_positions(evaluators["floats"], game, 8 * ROWS)

    def judge(evaluator: OpenVinoEvaluator) -> None:
        for first in range(0, len(planes), ROWS):
            evaluate(evaluator, planes[first : first + ROWS])

    of_rows, gain = ratio({name: lambda each=each: judge(each) for name, each in evaluators.items()})
    speeds = ", ".join(f"{len(planes) / spent:,.0f} in {evaluators[name].precision}" for name, spent in of_rows.items())
    print(f"{asked.model}: positions a second of processor time: {speeds}; ratio {gain:.3f}")

    states = states[:ROWS]
    searchers = {name: SearchPlayer(name, each, visits=asked.visits) for name, each in evaluators.items()}
    of_visits, gain = ratio({name: lambda each=each: each.choose(game, states) for name, each in searchers.items()})
    visits = ROWS * asked.visits
    costs = ", ".join(
        f"{1e6 * spent / visits:,.1f} us in {evaluators[name].precision}" for name, spent in of_visits.items()
    )
    print(f"{asked.model}: processor time of a visit, {asked.visits} visits: {costs}; ratio {gain:.3f}")

    more = round(asked.visits * gain)
    a = SearchPlayer(f"int8@{more}", evaluators["int8"], visits=more, seed=asked.seed)
    b = SearchPlayer(f"floats@{asked.visits}", evaluators["floats"], visits=asked.visits, seed=asked.seed + 1)
    result = play_match(
        [game], a, b, pairs=asked.pairs, seed=asked.seed, opening_actions=4, accepts=Balance(asked.seed)
    )
    print(f"{asked.model}: {a.name} against {b.name}: +{result.wins} ={result.draws} -{result.losses}, ", end="")
    print(f"{result.elo:+.0f} ± {result.error:.0f} Elo (95 %)")


main()
