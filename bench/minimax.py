"""Measures minimax: nodes per second, depth after one and five seconds, and the value of its pruning.

It searches from the start of the Wall Game on three boards, or from other games' starts; the median of several searches
counts.  Depth is counted in actions; a move of the Wall Game has two.  With `--without`, it plays matches against
minimax without pruning of idle actions, or without late-move reductions, at equal nodes.

python bench/minimax.py [--game SPEC ...] [--seconds 1,5] [--runs 3] [--full-width] [--json]
python bench/minimax.py --without pruning|reductions [--game SPEC ...] [--nodes 10000] [--pairs 40] [--seed 1] [--json]
"""

import argparse
import json

import numpy as np

from ludus.arena.match import play_match
from ludus.games.registry import game as find_game
from ludus.players.opponents.minimax import Minimax, MinimaxPlayer, MinimaxSettings
from ludus.selfplay.measure import describe_machine

GAMES = ("wallgame:standard:5x5", "wallgame:standard:6x6", "wallgame:standard:8x8", "connect4")


def main() -> None:
    """Run the command; print a row for each game and time."""
    options = read_options()
    rows = matches(options) if options.without else searches(options)
    if options.json:
        settings = {name: value for name, value in vars(options).items() if name not in ("json", "game")}
        print(json.dumps({"bench": "minimax"} | settings | {"rows": rows} | describe_machine()))


def searches(options: argparse.Namespace) -> list[dict[str, object]]:
    """Search each game's start position for each time."""
    rows = []
    for spec in options.game or GAMES:
        game = find_game(spec)
        search = Minimax(game, MinimaxSettings(full_width=options.full_width))
        start = game.start_state().view(np.uint64)
        search.search(start, seconds=0.2)
        for seconds in options.seconds:
            found = [search.search(start, seconds=seconds) for _ in range(options.runs)]
            speed = float(np.median([each.nodes / each.seconds for each in found]))
            late = max(each.seconds for each in found) - seconds
            row = {"game": spec, "seconds": seconds, "nodes_per_s": round(speed, -3)}
            row |= {"depth": int(np.median([each.depth for each in found])), "most_late_ms": round(1000 * late, 1)}
            rows.append(row)
            if not options.json:
                print("  ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    return rows


def matches(options: argparse.Namespace) -> list[dict[str, object]]:
    """Play minimax against a version without one feature."""
    rows = []
    less = MinimaxSettings(full_width=True) if options.without == "pruning" else MinimaxSettings(reduces=False)
    for spec in options.game or GAMES:
        players = (
            MinimaxPlayer("minimax", nodes=options.nodes),
            MinimaxPlayer(f"without {options.without}", less, nodes=options.nodes),
        )
        result = play_match([find_game(spec)], *players, pairs=options.pairs, seed=options.seed, opening_actions=4)
        row = {"game": spec, "pairs": result.pairs, "elo": round(result.elo), "error": round(result.error)}
        rows.append(row)
        if not options.json:
            print("  ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    return rows


def read_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", nargs="*")
    parser.add_argument("--seconds", type=lambda text: [float(part) for part in text.split(",")], default=[1.0, 5.0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--full-width", action="store_true")
    parser.add_argument("--without", choices=["pruning", "reductions"])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
