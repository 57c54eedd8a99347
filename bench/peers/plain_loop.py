"""Measures self-play in the form of alpha-zero-general: dictionaries in Python, one position at a time.

Run it with a Python environment that has `jax open_spiel`: `python bench/peers/plain_loop.py --visits 100`.  The rules
are OpenSpiel's; the network has the form and size of Ludus's.  This is the form that most tutorials teach.
"""

# pyright: reportMissingImports=false

import argparse
import json
import math
import time

import jax
import numpy as np
import pyspiel
from mctx_pgx import draw_network, judge


class Search:
    """A search of one game, whose statistics are in dictionaries by position."""

    def __init__(self, blocks: int, channels: int) -> None:
        self.network = draw_network(jax.random.PRNGKey(0), 3, blocks, channels)
        self.judge, self.judged = jax.jit(judge), 0
        self.priors: dict[str, tuple[list[int], np.ndarray]] = {}
        self.visits: dict[str, int] = {}
        self.edges: dict[tuple[str, int], tuple[int, float]] = {}  # visits and mean value for the mover

    def simulate(self, state) -> float:
        """Descend to a new position, evaluate it and return its value for the player who moved there."""
        if state.is_terminal():
            return max(state.returns())  # 1.0: in Connect Four only the last mover can have won
        name = str(state)
        if name not in self.priors:
            planes = np.array(state.observation_tensor(), np.float32).reshape(1, 3, 6, 7).transpose(0, 2, 3, 1)
            logits, value = self.judge(self.network, planes)
            actions = state.legal_actions()
            weights = np.exp(np.asarray(logits)[0][actions])
            self.priors[name], self.visits[name] = (actions, weights / weights.sum()), 0
            self.judged += 1
            return -float(value[0])
        actions, priors = self.priors[name]
        best, chosen = -math.inf, actions[0]
        for action, prior in zip(actions, priors, strict=True):
            count, mean = self.edges.get((name, action), (0, 0.0))
            score = mean + 2.0 * prior * math.sqrt(self.visits[name] + 1e-8) / (1 + count)
            if score > best:
                best, chosen = score, action
        state.apply_action(chosen)
        value = self.simulate(state)
        count, mean = self.edges.get((name, chosen), (0, 0.0))
        self.edges[name, chosen] = (count + 1, (mean * count + value) / (count + 1))
        self.visits[name] += 1
        return -value

    def move(self, state, visits: int) -> int:
        """Search a position; return the most visited action."""
        for _ in range(visits):
            self.simulate(state.clone())
        return max(state.legal_actions(), key=lambda action: self.edges.get((str(state), action), (0, 0.0))[0])


def main() -> None:
    """Play games, each with new dictionaries."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    game, search = pyspiel.load_game("connect_four"), Search(arguments.blocks, arguments.channels)
    search.simulate(game.new_initial_state())  # compiles
    search.judged, moves, begun = 0, 0, time.perf_counter()
    state = game.new_initial_state()
    while (spent := time.perf_counter() - begun) < arguments.seconds:
        state.apply_action(search.move(state, arguments.visits))
        moves += 1
        if state.is_terminal():
            state = game.new_initial_state()
            search.priors, search.visits, search.edges = {}, {}, {}
    print(
        json.dumps(
            {
                "program": "a plain loop in the form of alpha-zero-general",
                "evaluations_per_s": search.judged / spent,
                "simulations_per_s": moves * arguments.visits / spent,
            }
        )
    )


if __name__ == "__main__":
    main()
