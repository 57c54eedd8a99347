"""Trains OpenSpiel's AlphaZero (Python, JAX) until it is ended, and answers positions with its checkpoints.

    PYTHON bench/peers/openspiel_az.py train --game connect4 --out FOLDER
    PYTHON bench/peers/openspiel_az.py answer --game connect4 --checkpoint FILE --positions FILE --visits 200

PYTHON has the packages of `PACKAGES` in `strength.py`, which calls this file.  Settings are the defaults of OpenSpiel's
`examples/alpha_zero.py`, and for Connect Four the network that its documentation names (`--nn_model mlp`), with one
actor for each core and no evaluators, which only measure.
"""

# pyright: reportMissingImports=false

import argparse
import json
import os
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.alpha_zero import alpha_zero
from open_spiel.python.algorithms.alpha_zero import evaluator as evaluators
from open_spiel.python.utils import spawn
from options import train_or_answer

GAMES = {"connect4": ("connect_four", "mlp", 10), "tictactoe": ("tic_tac_toe", "resnet", 2)}
"""OpenSpiel's name, the network, and the moves before the temperature drops to 0."""
SAVE_EVERY = 1  # learning steps between kept checkpoints; a step takes minutes


def settings(game: str, folder: Path) -> alpha_zero.Config:
    """Return the defaults of OpenSpiel's example, with one actor for each core."""
    name, network, drop = GAMES[game]
    return alpha_zero.Config(
        game=name, path=str(folder), learning_rate=1e-3, weight_decay=1e-4, decouple_weight_decay=False,
        train_batch_size=2**7, replay_buffer_size=2**13, replay_buffer_reuse=4, max_steps=0,
        checkpoint_freq=SAVE_EVERY, actors=len(os.sched_getaffinity(0)), evaluators=0, evaluation_window=50,
        eval_levels=7, uct_c=1.41, max_simulations=40, policy_alpha=1.0, policy_epsilon=0.25, temperature=1.0,
        temperature_drop=drop, nn_model=network, nn_width=2**8, nn_depth=2, observation_shape=None, output_size=None,
        quiet=True, verbose=False, nn_api_version="linen",
    )  # fmt: skip


def train(arguments: argparse.Namespace) -> None:
    """Train until somebody ends this process group; checkpoints stay in the folder."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    alpha_zero.alpha_zero(settings(arguments.game, arguments.out.resolve()))


def answer(arguments: argparse.Namespace) -> None:
    """Print one JSON line for each position: the move of the network alone, and after a search."""
    game = pyspiel.load_game(GAMES[arguments.game][0])
    config = settings(arguments.game, arguments.checkpoint.parent).replace(
        observation_shape=game.observation_tensor_shape(), output_size=game.num_distinct_actions()
    )
    model = alpha_zero._init_model_from_config(config)
    model.load_checkpoint(arguments.checkpoint.name.rpartition("-")[2])
    judge = evaluators.AlphaZeroEvaluator(game, model)
    bot = mcts.MCTSBot(
        game, config.uct_c, arguments.visits, judge, solve=False, child_selection_fn=mcts.SearchNode.puct_value,
        random_state=np.random.RandomState(0),
    )  # fmt: skip
    for moves in json.loads(arguments.positions.read_text()):
        state = game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        alone = max(judge.prior(state), key=lambda each: each[1])[0]
        searched = bot.mcts_search(state).best_child().action
        print(json.dumps({"alone": int(alone), "searched": int(searched)}), flush=True)


if __name__ == "__main__":
    with spawn.main_handler():
        train_or_answer(__doc__, GAMES, train, answer)
