"""Measures self-play in the form of alpha-zero-general: dictionaries in Python, one position at a time.

Run it with a Python environment that has `jax open_spiel`: `python bench/peers/plain_loop.py --visits 100`.  The rules
are OpenSpiel's; the network has the form and size of Ludus's.  This is the form that most tutorials teach.
"""

# pyright: reportMissingImports=false

import json
import math
import time

import pyspiel
from openspiel import NetworkEvaluator
from options import selfplay_options


class Search:
    """A search of one game, whose statistics are in dictionaries by position."""

    def __init__(self, blocks: int, channels: int) -> None:
        self.network = NetworkEvaluator(blocks, channels)
        self.priors: dict[str, list[tuple[int, float]]] = {}
        self.visits: dict[str, int] = {}
        self.edges: dict[tuple[str, int], tuple[int, float]] = {}  # visits and mean value for the mover

    def simulate(self, state) -> float:
        """Descend to a new position, evaluate it and return its value for the player who moved there."""
        if state.is_terminal():
            return max(state.returns())  # 1.0: in Connect Four only the last mover can have won
        name = str(state)
        if name not in self.priors:
            self.priors[name], self.visits[name] = self.network.prior(state), 0
            return -self.network.evaluate(state)[state.current_player()]
        best, chosen = -math.inf, self.priors[name][0][0]
        for action, prior in self.priors[name]:
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
    arguments = selfplay_options(__doc__).parse_args()
    game, search = pyspiel.load_game("connect_four"), Search(arguments.blocks, arguments.channels)
    search.simulate(game.new_initial_state())  # compiles
    search.network.judged, moves, begun = 0, 0, time.perf_counter()
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
                "evaluations_per_s": search.network.judged / spent,
                "simulations_per_s": moves * arguments.visits / spent,
            }
        )
    )


if __name__ == "__main__":
    main()
