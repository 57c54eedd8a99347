"""Measures what several leaves per tree and batch cost in strength and gain in speed.

It plays matches at equal visits against a search with one leaf at a time, from paired random openings: with a fixed
number of leaves, and as seats use it, with fewer in small trees.  Matches of several seeds are added up.  It also
measures visits per second of a single deep search.

python bench/leaves.py [--model PATH] [--game SPEC] [--leaves 2,4,8,16] [--seats 8] [--visits 100,400] [--pairs N]
                       [--seeds 1,2] [--speed 1,8] [--json]

With `--model heuristic --game SPEC --leaves "" --seats ""` it measures visits per second without a network, which shows
what the steps in Python between batches cost.
"""

import argparse
import json
import time

import numpy as np

from ludus.arena.match import play_match
from ludus.games.game import Game, Position
from ludus.games.registry import game as find_game
from ludus.network.evaluator import Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.pool import Pool
from ludus.rating.elo import elo_of_pairs
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine

OPENING_ACTIONS = 6
DEEP = 4_000  # visits of the timed search
RUNS = 5  # the median counts


class SeatsPlayer:
    """A player that uses one seat per position; all seats share batches as if each were alone."""

    def __init__(
        self, game: Game, evaluator: Evaluator | StateEvaluator, leaves: int, visits: int, positions: int
    ) -> None:
        self.name, self._visits = f"seats of {leaves} leaves", visits
        self._pool = Pool(
            game, evaluator, slots=positions, max_visits=visits, leaves=leaves, fill=leaves * positions, lanes=1
        )

    def choose(self, game: Game, states: np.ndarray) -> np.ndarray:
        positions = [Position(game, np.ascontiguousarray(words).view(game.dtype)) for words in states]
        requests = [self._pool.seat(position).ask(self._visits) for position in positions]
        return np.array([request.result().best[0] for request in requests], np.int16)


def main() -> None:
    """Play and measure; print a row for each number of leaves."""
    options = read_options()
    mind = HeuristicMind("heuristic") if options.model == "heuristic" else Mind.load(options.model)
    game = find_game(options.game or mind.games[0])
    rows = []
    for kind, leaves in [("all", number) for number in options.leaves] + [
        ("seats", number) for number in options.seats
    ]:
        for visits in options.visits:
            played = [match(mind, game, kind, leaves, visits, options.pairs, seed) for seed in options.seeds]
            scores = np.sum(played, 0)
            elo, error = elo_of_pairs(scores.tolist())
            row = {"leaves": leaves, "trees": kind, "visits": visits, "pairs": scores.tolist()}
            rows.append(row | {"elo": round(elo, 1), "error": round(error, 1)})
            if not options.json:
                print("  ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
    speed = {leaves: visits_per_s(mind, game, leaves) for leaves in options.speed}
    if options.json:
        head = {"bench": "leaves", "model": options.model, "game": game.name, "opening_actions": OPENING_ACTIONS}
        print(json.dumps(head | {"seeds": options.seeds, "rows": rows, "visits_per_s": speed} | describe_machine()))
    else:
        print(*(f"{leaves} leaves: {rate} visits/s" for leaves, rate in speed.items()), sep="\n")


def match(
    mind: Mind | HeuristicMind, game: Game, kind: str, leaves: int, visits: int, pairs: int, seed: int
) -> np.ndarray:
    """Return the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points for several leaves [5]."""
    if kind == "seats":
        several = SeatsPlayer(game, mind.evaluator, leaves, visits, 2 * pairs)
    else:
        several = SearchPlayer(f"{leaves} leaves", mind.evaluator, SearchSettings(leaves=leaves), visits=visits)
    one = SearchPlayer("one leaf at a time", mind.evaluator, visits=visits)
    result = play_match([game], several, one, pairs=pairs, seed=seed, opening_actions=OPENING_ACTIONS)
    return np.array(result.pairs)


def visits_per_s(mind: Mind | HeuristicMind, game: Game, leaves: int) -> int:
    """Return the median visits per second of a single search from the start position, without a cache."""
    search, rates = SearchSettings(cache_entries=0), []
    with Pool(game, mind.evaluator, search, slots=2, max_visits=DEEP, leaves=leaves, fill=leaves) as pool:
        for _ in range(1 + RUNS):  # the first compiles
            seat, begun = pool.seat(game.start()), time.perf_counter()
            rates.append(seat.think(DEEP).visits / (time.perf_counter() - begun))
    return round(float(np.median(rates[1:])))


def read_options() -> argparse.Namespace:
    """Parse the command line."""

    def numbers(text):
        return [int(part) for part in text.split(",") if part]

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="models/connect4")
    parser.add_argument("--game")
    parser.add_argument("--leaves", type=numbers, default=[2, 4, 8, 16])
    parser.add_argument("--seats", type=numbers, default=[8])
    parser.add_argument("--visits", type=numbers, default=[100, 400])
    parser.add_argument("--speed", type=numbers, default=[1, 2, 4, 8, 16])
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seeds", type=numbers, default=[1, 2, 3, 4, 5])
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
