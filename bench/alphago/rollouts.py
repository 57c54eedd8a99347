"""Mixes rollouts into the value of leaves, as AlphaGo did: (1 - lambda) * network + lambda * result of a rollout.

    python bench/alphago/rollouts.py --model runs/connect4/models/gen-0020.safetensors --games runs/connect4/shards \\
        --visits 100 --pairs 50 --mix 0.5 --mix 0.25

The rollouts draw actions from a fast policy: one linear layer on the input planes, learned from the run's games
(Silver et al. 2016 used local patterns).  Each mix plays a match against the network alone at equal visits, both
without the rules' foresight.  Rollouts here are slow Python around compiled rules, so the result says what they are
worth, not what they cost.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from boards import Boards, draw, network_of
from numpy.typing import NDArray

from ludus.arena.match import play_match
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import Logits, Outcomes
from ludus.network.model import Network
from ludus.players.matches.search_player import SearchPlayer
from ludus.search.settings import SearchSettings
from ludus.store import Samples, read_shard

BATCH, PASSES, RATE = 256, 4, 1e-2  # of the fast policy's training


def learn_fast_policy(game: Game, samples: Samples, seed: int = 0) -> torch.nn.Linear:
    """Return a linear layer from planes to logits of actions, taught by the actions that were played."""
    torch.manual_seed(seed)
    taught, rng = np.flatnonzero(samples.action >= 0), np.random.default_rng(seed)
    layer = torch.nn.Linear(int(np.prod(game.planes)), game.num_actions)
    optimiser = torch.optim.Adam(layer.parameters(), RATE)
    for _ in range(max(1, PASSES * len(taught) // BATCH)):
        chosen = rng.choice(taught, BATCH)
        planes, legal, _ = Boards(game, samples.states[chosen]).look(np.arange(BATCH))
        logits = layer(planes.flatten(1)).masked_fill(~legal, -torch.inf)
        loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(samples.action[chosen].astype(np.int64)))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return layer


class MixedEvaluator:
    """An evaluator of states: a network's policy, and its outcome mixed with that of one rollout."""

    def __init__(self, network: Network, fast: torch.nn.Linear, mix: float) -> None:
        """Give a rollout's result the weight `mix`, from 0 to 1."""
        self._network, self._fast, self._mix = network, fast, mix

    @torch.no_grad()
    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Evaluate states [B, W]."""
        boards = Boards(game, words)
        planes, _, movers = boards.look(np.arange(len(words)))
        logits, raw = self._network(planes)
        outcomes = torch.softmax(raw, 1).numpy()
        if self._mix:
            results = self._roll_out(boards, movers)
            ended = np.stack([results == 1, results == 0, results == -1], 1).astype(np.float32)
            outcomes = ((1 - self._mix) * outcomes + self._mix * ended).astype(np.float32)
        return logits.numpy(), outcomes

    def _roll_out(self, boards: Boards, movers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Play all boards to the end; return the results for the movers [B]."""
        while len(ongoing := boards.ongoing):
            planes, legal, _ = boards.look(ongoing)
            boards.play(ongoing, draw(self._fast(planes.flatten(1)), legal).numpy())
        return boards.results(movers)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--games", type=Path, required=True, help="folder of shards, from which the fast policy learns")
    parser.add_argument("--mix", type=float, action="append", help="weight of rollouts; repeatable (default: 0.5)")
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--opening", type=int, default=6, help="random actions before each pair of games")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    checkpoint = load_checkpoint(given.model)
    game, network = find_game(next(iter(checkpoint.info.games))), network_of(checkpoint)
    if network.settings.value != "outcome":
        raise SystemExit(f"{given.model}: predicts a scalar value; name a model that predicts win, draw and loss.")
    shards = sorted(given.games.glob("*.shard"))
    if not shards:
        raise SystemExit(f"{given.games}: has no shards; name the folder `shards` of a training run.")
    samples = Samples.concatenate([read_shard(path, rules_key=behaviour(game)) for path in shards])
    fast, search = learn_fast_policy(game, samples, given.seed), SearchSettings(cache_entries=0, foresight=False)
    alone = SearchPlayer("network", MixedEvaluator(network, fast, 0.0), search, visits=given.visits)
    for mix in given.mix or [0.5]:
        begun = time.process_time()
        mixed = SearchPlayer(f"rollouts-{mix:g}", MixedEvaluator(network, fast, mix), search, visits=given.visits)
        result = play_match([game], mixed, alone, pairs=given.pairs, seed=given.seed, opening_actions=given.opening)
        line = {"mix": mix, "visits": given.visits, "score": [result.wins, result.draws, result.losses]}
        line |= {"elo": round(result.elo), "error": round(result.error)}
        print(json.dumps(line | {"processor_s": round(time.process_time() - begun)}), flush=True)


if __name__ == "__main__":
    main()
