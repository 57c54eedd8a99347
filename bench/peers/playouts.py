"""Measures OpenSpiel's search in C++ with random playouts, in Connect Four on one core.

Run it with a Python environment that has `open_spiel`: `python bench/peers/playouts.py --visits 1000`.
"""

# pyright: reportMissingImports=false

import argparse
import json
import time

import pyspiel


def main() -> None:
    """Let the search play itself, and print its simulations per second of processor time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(
        game, evaluator, 2.0, arguments.visits, 1000, False, 0, False, pyspiel.ChildSelectionPolicy.UCT
    )
    state, moves, begun = game.new_initial_state(), 0, time.process_time()
    while (spent := time.process_time() - begun) < arguments.seconds:
        state.apply_action(bot.step(state))
        moves += 1
        if state.is_terminal():
            state = game.new_initial_state()
    print(json.dumps({"program": "OpenSpiel, C++ search", "simulations_per_cpu_s": moves * arguments.visits / spent}))


if __name__ == "__main__":
    main()
