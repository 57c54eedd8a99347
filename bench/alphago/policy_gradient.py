"""Improves a network's policy by policy gradient against older versions, as AlphaGo did before it learned values.

    python bench/alphago/policy_gradient.py runs/connect4 --steps 200 --out improved.safetensors
    ludus grade connect4 improved.safetensors --positions tests/golden/connect4-solved.jsonl.gz --visits 1

In each step the network plays games against a version drawn from the run's generations and its own earlier states;
both draw their moves from their policies, without search.  Then log p(action) rises in proportion to the result minus
the network's own value (REINFORCE with a baseline; Silver et al. 2016).  Only the policy is taught; the value head
and the statistics of normalisation stay as they are.  At the end it plays the network that it began as.
"""

import argparse
import json
import time
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import torch
from boards import Boards, draw, network_of

from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.learner.objective import expected
from ludus.loop.directory.folder import Folder
from ludus.network.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from ludus.network.model import Network

KEEP_EVERY = 20  # steps between states that become opponents
JUDGED = 1000  # games at the end against the network as it was, both drawing their moves


class Played(NamedTuple):
    """The network's positions in the games of a step."""

    planes: torch.Tensor  # [N, C, H, W]
    legal: torch.Tensor  # [N, A]
    actions: torch.Tensor  # [N]
    results: torch.Tensor  # [N] 1, 0 or -1 for a win, draw or loss of the network
    score: float
    """The network's share of the points."""


def play(game: Game, network: Network, opponent: Network, count: int) -> Played:
    """Play `count` games in which the network has each colour equally often."""
    boards = Boards(game, np.repeat(game.start_state().view(np.uint64)[None], count, 0))
    ours = (np.arange(count) % 2).astype(np.uint8)  # [B] the network's colour on each board
    seen: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor, np.ndarray]] = []
    while len(ongoing := boards.ongoing):
        planes, legal, movers = boards.look(ongoing)
        actions = np.zeros(len(ongoing), np.int64)
        for player, rows in ((network, movers == ours[ongoing]), (opponent, movers != ours[ongoing])):
            if rows.any():
                with torch.no_grad():
                    chosen = draw(player(planes[rows])[0], legal[rows])
                actions[rows] = chosen.numpy()
                if player is network:
                    seen.append((planes[rows], legal[rows], chosen, ongoing[rows]))
        boards.play(ongoing, actions)
    results = boards.results(ours)
    planes, legal, actions = (torch.cat(each) for each in list(zip(*seen, strict=True))[:3])
    where = np.concatenate([each[3] for each in seen])
    return Played(planes, legal, actions, torch.from_numpy(results[where]), float((results.mean() + 1) / 2))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="directory of a training run")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--games", type=int, default=128, help="games of each step")
    parser.add_argument("--rate", type=float, default=0.03, help="learning rate of plain gradient descent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="the model to write")
    given = parser.parse_args()
    folder = Folder(given.run)
    older = [load_checkpoint(folder.model(line.generation)) for line in folder.metrics()]
    if not older:
        raise SystemExit(f"{given.run}: has no finished generation; name a training run.")
    newest, rng = older[-1], np.random.default_rng(given.seed)
    torch.manual_seed(given.seed)
    game, network = find_game(next(iter(newest.info.games))), network_of(newest)
    pool = [network_of(each) for each in older]
    taught = (network.stem, network.blocks, network.policy)
    optimiser = torch.optim.SGD([each for part in taught for each in part.parameters()], given.rate)
    begun = time.process_time()
    for step in range(1, given.steps + 1):
        played = play(game, network, pool[rng.integers(len(pool))], given.games)
        x, mask = network.body(played.planes)
        logits = network.policy(network.policy.features(x, mask)).masked_fill(~played.legal, -torch.inf)
        with torch.no_grad():
            baseline = expected(network.outcome(network.outcome.features(x, mask)))
        chosen = torch.log_softmax(logits, 1).gather(1, played.actions[:, None])[:, 0]
        loss = -((played.results - baseline) * chosen).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % KEEP_EVERY == 0:
            arrays = {name: tensor.numpy().copy() for name, tensor in network.state_dict().items()}
            pool.append(network_of(Checkpoint(newest.info, arrays)))
        print(
            json.dumps(
                {"step": step, "score": round(played.score, 3), "processor_s": round(time.process_time() - begun)}
            ),
            flush=True,
        )
    last = play(game, network, network_of(newest), JUDGED)
    print(json.dumps({"against_the_first": round(last.score, 3), "games": JUDGED}), flush=True)
    arrays = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    info = msgspec.structs.replace(newest.info, name=given.out.stem)
    save_checkpoint(given.out, Checkpoint(info, {name: arrays[name] for name in newest.arrays}))


if __name__ == "__main__":
    main()
