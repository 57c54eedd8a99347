"""Writes thousands of solved positions of Connect Four with Ludus's solver, more than the tests contain.

    python bench/solve_positions.py --number 3000 --out solved.jsonl.gz

Half of the positions come from uniformly random actions.  The other half come from random actions that win at once if
possible, block the opponent's win, and do not allow a win on top of them; the tests' positions have the same two kinds.
Only positions in which some column changes the outcome are kept.
"""

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np
from rich.progress import Progress

from ludus.games.connect4.layout import COLUMNS
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.players.opponents.solver import action_values
from ludus.seeding import stream

CONNECT4 = find_game("connect4")


def wins(position: Position, action: int) -> bool:
    """Return whether an action completes four in a row."""
    end = position.play(action).outcome
    return end is not None and end.winner == position.to_play


def careful(position: Position) -> list[int]:
    """Return the actions that two plies of search do not rule out; all actions if none remains."""
    at_once = [action for action in position.actions if wins(position, action)]
    if at_once:
        return at_once
    safe: list[int] = []
    for action in position.actions:
        after = position.play(action)
        if after.outcome or not any(wins(after, reply) for reply in after.actions):
            safe.append(action)
    return safe or list(position.actions)


def draw(discs: int, *, tactical: bool, rng: np.random.Generator) -> list[int] | None:
    """Return actions that lead to a random position with `discs` discs; None if the game ends before."""
    position, actions = CONNECT4.start(), []
    while len(actions) < discs:
        action = int(rng.choice(careful(position) if tactical else list(position.actions)))
        position = position.play(action)
        actions.append(action)
        if position.outcome:
            return None
    return actions


def values_of(position: Position, solver: ConnectFourSolver) -> dict[int, int]:
    """Return each action's value for the mover; empty if the solver reaches its limit."""
    sign, values = 1 - 2 * position.to_play, action_values(solver, CONNECT4, position.state)
    known = {column: sign * value for column, value in values.items() if value is not None}
    return known if len(known) == len(values) else {}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=3000, help="number of positions")
    parser.add_argument("--discs", type=int, nargs=2, default=(12, 30), metavar=("FEWEST", "MOST"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0, help="limit of time; fewer positions may be written")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    rng, solver = stream(arguments.seed, "solved"), ConnectFourSolver(most_nodes=2_000_000)
    fewest, most = arguments.discs
    begun, seen = time.monotonic(), set[bytes]()
    with gzip.open(arguments.out, "wt") as file, Progress() as progress:
        bar, found = progress.add_task("positions", total=arguments.number), 0
        while found < arguments.number and time.monotonic() - begun < 60.0 * arguments.minutes:
            tactical = found % 2 == 1
            actions = draw(int(rng.integers(fewest, most + 1)), tactical=tactical, rng=rng)
            if actions is None:
                continue
            position = CONNECT4.start()
            for action in actions:
                position = position.play(action)
            values = values_of(position, solver) if position.state.tobytes() not in seen else {}
            if len(set(values.values())) < 2:  # no column changes the outcome, or the solver reached its limit
                continue
            seen.add(position.state.tobytes())
            best = max(values.values())
            line = {
                "moves": "".join(str(action + 1) for action in actions),
                "gen": "tactical" if tactical else "uniform",
                "value": best,
                "scores": [values.get(column) for column in range(COLUMNS)],
                "optimal_outcome": sorted(column for column, value in values.items() if value == best),
            }
            file.write(json.dumps(line) + "\n")
            found += 1
            progress.advance(bar)


if __name__ == "__main__":
    main()
