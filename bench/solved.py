"""Solves random positions of Connect Four, as another set to grade by than the one whose figures are reported.

    python bench/solved.py --positions 4000 --out dev.jsonl.gz

Each position comes from random play of 10 to 30 discs; in every other one both sides complete and stop fours when they
can.  Settings that were chosen on these positions can then be reported on others.
"""

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np

from ludus.games.connect4.layout import ROWS
from ludus.games.position import Position
from ludus.games.registry import game as find_game
from ludus.players.solver import Solver
from ludus.seeding import stream
from ludus.viewpoint import turn

DISCS = (10, 30)


def tactical(position: Position) -> list[int]:
    """Return the actions that win at once, or else stop the opponent from it, or else all."""
    wins = [action for action in position.actions if position.play(action).outcome]
    if wins:
        return wins
    stops = [
        action
        for action in position.actions
        if not any(after.outcome for after in map(position.play(action).play, position.play(action).actions))
    ]
    return stops or position.actions


def draw(rng: np.random.Generator, *, clever: bool) -> Position | None:
    """Return a random position, or None if its game ended before."""
    position = find_game("connect4").start()
    for _ in range(int(rng.integers(DISCS[0], DISCS[1] + 1))):
        position = position.play(int(rng.choice(tactical(position) if clever else position.actions)))
        if position.outcome:
            return None
    return position


def solve(solver: Solver, position: Position) -> list[int | None] | None:
    """Return win, draw or loss (1, 0, -1) of each column for the mover, None where it is full; None: too hard."""
    scores: list[int | None] = []
    for column in range(ROWS + 1):
        if column not in position.actions:
            scores.append(None)
            continue
        after = position.play(column)
        if after.outcome:
            winner = after.outcome.winner
            scores.append(0 if winner is None else turn(1 - 2 * winner, position.to_play))
            continue
        value = solver.value(after.state.view(np.uint64))
        if value is None:
            return None
        scores.append(int(turn(value, position.to_play)))
    return scores


def main() -> None:
    """Solve and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=4000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng, solver = stream(arguments.seed, "solved"), Solver(most_nodes=1_000_000)
    lines: dict[bytes, str] = {}
    begun, tries = time.process_time(), 0
    while len(lines) < arguments.positions:
        tries += 1
        position = draw(rng, clever=tries % 2 == 0)
        if position is None or position.state.tobytes() in lines:
            continue
        scores = solve(solver, position)
        if scores is None:
            continue
        best = max(score for score in scores if score is not None)
        kept = [column for column, score in enumerate(scores) if score == best]
        moves = "".join(position.moves)
        lines[position.state.tobytes()] = json.dumps({"moves": moves, "scores": scores, "optimal_outcome": kept})
        if len(lines) % 500 == 0:
            print(f"{len(lines)} positions, {time.process_time() - begun:.0f} s of processor time", flush=True)
    arguments.out.write_bytes(gzip.compress("\n".join(lines.values()).encode()))


if __name__ == "__main__":
    main()
