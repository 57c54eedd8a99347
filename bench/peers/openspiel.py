"""Measures OpenSpiel: its Python search, as in its AlphaZero, with a network in XLA.

Run it with a Python environment that has `jax open_spiel`: `python bench/peers/openspiel.py --visits 100`.  It
evaluates one position at a time.  The package's C++ search does not support networks and is not measured.
"""

# pyright: reportMissingImports=false

import json
import time

import jax
import numpy as np
import pyspiel
from mctx_pgx import draw_network, judge
from open_spiel.python.algorithms import mcts
from options import selfplay_options


class NetworkEvaluator(mcts.Evaluator):
    """An evaluator with a network at batch size 1."""

    def __init__(self, blocks: int, channels: int) -> None:
        self.network = draw_network(jax.random.PRNGKey(0), 3, blocks, channels)
        self.judge, self.judged = jax.jit(judge), 0
        self.last: tuple[str, np.ndarray, float] = ("", np.zeros(7), 0.0)

    def _ask(self, state) -> tuple[np.ndarray, float]:
        """Return policy and value of a position; both share one evaluation."""
        if self.last[0] != (name := str(state)):
            planes = np.array(state.observation_tensor(), np.float32).reshape(1, 3, 6, 7).transpose(0, 2, 3, 1)
            logits, value = self.judge(self.network, planes)
            self.last, self.judged = (name, np.asarray(logits)[0], float(value[0])), self.judged + 1
        return self.last[1], self.last[2]

    def evaluate(self, state) -> list[float]:
        """Return the value of a position for both players."""
        value = self._ask(state)[1]
        return [value, -value] if state.current_player() == 0 else [-value, value]

    def prior(self, state) -> list[tuple[int, float]]:
        """Return the policy over the legal actions."""
        actions = state.legal_actions()
        weights = np.exp(self._ask(state)[0][actions])
        return list(zip(actions, weights / weights.sum(), strict=True))


def play(bot, game, seconds: float) -> tuple[int, float]:
    """Let a bot play itself; return the number of moves and the seconds."""
    state, moves, begun = game.new_initial_state(), 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        state.apply_action(bot.step(state))
        moves += 1
        if state.is_terminal():
            state = game.new_initial_state()
    return moves, time.perf_counter() - begun


def main() -> None:
    arguments = selfplay_options(__doc__).parse_args()
    game = pyspiel.load_game("connect_four")
    evaluator = NetworkEvaluator(arguments.blocks, arguments.channels)
    noise = np.random.RandomState(0)
    bot = mcts.MCTSBot(
        game, 2.0, arguments.visits, evaluator, solve=False, child_selection_fn=mcts.SearchNode.puct_value,
        random_state=noise, dirichlet_noise=(0.25, 1.0),
    )  # fmt: skip
    play(bot, game, 1.0)
    judged = evaluator.judged
    moves, seconds = play(bot, game, arguments.seconds)
    print(
        json.dumps(
            {
                "program": "OpenSpiel, Python search",
                "evaluations_per_s": (evaluator.judged - judged) / seconds,
                "simulations_per_s": moves * arguments.visits / seconds,
            }
        )
    )


if __name__ == "__main__":
    main()
