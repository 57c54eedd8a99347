"""Measures how often policy targets and the network keep the outcome, in positions of a Connect Four run.

python bench/connect4_targets.py RUN GENERATION         positions of 12 to 30 discs, solved; some minutes

It counts positions in which some column changes the outcome, separately for the first position of each game, which
random actions made, and for later ones, which the network's play reached.
"""

import argparse
from pathlib import Path

import numpy as np

from ludus.games.connect4.solver import ConnectFourSolver
from ludus.games.game import Game, Position
from ludus.games.registry import game as find_game
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import load_preset
from ludus.loop.stages.stage import Stage
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import Evaluator, evaluate
from ludus.network.openvino import evaluator_of
from ludus.players.opponents.solver import action_values
from ludus.store import Samples, read_shard

CONNECT4 = find_game("connect4")
FEWEST, MOST = 12, 30  # discs


def main() -> None:
    """Run the command; print one line for each kind of position."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("generation", type=int)
    parser.add_argument("--number", type=int, default=1200, help="solved positions of each kind")
    given = parser.parse_args()
    preset, folder = load_preset(given.run / "preset.toml"), Folder(given.run)
    (game,) = games = preset.make_games()
    rules = Stage(preset, folder, games, 1, lambda _event: None).rules
    samples = read_shard(folder.shards / f"gen-{given.generation:04}-0000.shard", rules_key=rules)
    evaluator = evaluator_of(load_checkpoint(folder.model(given.generation)))
    solver, rng = ConnectFourSolver(most_nodes=2_000_000), np.random.default_rng(0)
    first = np.r_[True, samples.game_id[1:] != samples.game_id[:-1]]  # [N]
    for name, chosen in (("first of a game", first), ("later", ~first)):
        rows = np.flatnonzero(chosen & (samples.ply >= FEWEST) & (samples.ply <= MOST))
        rng.shuffle(rows)
        judged = [judge(samples, row, game, evaluator, solver) for row in rows[: given.number]]
        kept = np.array([each for each in judged if each])  # [N, 3]
        drawn = kept[:, 2] == 1
        for kind, some in ((f"{name}, all", kept), (f"{name}, drawn", kept[drawn])):
            targets, network = some[:, :2].mean(0)
            print(
                f"{kind}: of {len(some)} decisive positions the targets keep {targets:.1%}, the network {network:.1%}"
            )


def judge(
    samples: Samples, row: int, game: Game, evaluator: Evaluator, solver: ConnectFourSolver
) -> tuple[bool, bool, bool] | None:
    """Return (target keeps the outcome, network keeps it, it is a draw); None if no column changes the outcome."""
    position = Position(game, np.ascontiguousarray(samples.states[row]).view(game.dtype))
    pairs = slice(samples.policy_start[row], samples.policy_start[row + 1])
    if position.outcome or pairs.start == pairs.stop:
        return None
    found = action_values(solver, CONNECT4, samples.states[row])
    sign = 1 - 2 * position.to_play
    values = {action: sign * value for action, value in found.items() if value is not None}
    if len(values) < len(found) or len(set(values.values())) < 2:
        return None
    best = max(values.values())
    logits, _ = evaluate(evaluator, position.planes[None])
    target = int(samples.policy_action[pairs][samples.policy_weight[pairs].argmax()])
    chosen = max(position.actions, key=lambda action: logits[0, action])
    return values[target] == best, values[chosen] == best, best == 0


if __name__ == "__main__":
    main()
