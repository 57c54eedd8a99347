"""Lists the alarms that planted faults raise: `python bench/planted_faults.py --run RUN` (a few minutes).

A tiny network learns from the first games of two generations of an existing run, without a fault and then with each
one.  No games are played, so all results are about the same games.  It prints one line per fault: the alarms of each
generation, and the figures behind them.  Without a fault, any alarm about learning is false, except `steps`, which
`--steps` causes.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np

from ludus.games.behaviour import behaviour
from ludus.learner import train
from ludus.learner.batch import Batch, Drawer
from ludus.learner.settings import LearnerSettings
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import MatchSettings
from ludus.loop.run import Run
from ludus.network.config import NetworkSettings
from ludus.network.model import Network
from ludus.store import read_shard, shard_path, write_shard

Corrupt = Callable[[Batch, np.ndarray], None]  # changes some rows of a batch in place


@contextmanager
def corrupted(corrupt: Corrupt, player: int | None = None) -> Generator[None]:
    """Change every batch that is drawn, in one player's rows or in all."""
    draw = Drawer.draw

    def changed(self: Drawer, *arguments: Any, **shared: Any) -> Batch:
        batch = draw(self, *arguments, **shared)
        corrupt(batch, np.flatnonzero((batch.mover == player) | (player is None)))
        return batch

    with patch.object(Drawer, "draw", changed):
        yield


@contextmanager
def frozen_policy() -> Generator[None]:
    """Exclude the policy head from training."""
    turn = Network.train

    def frozen(self: Network, mode: bool = True) -> Network:
        self.policy.requires_grad_(False)
        return turn(self, mode)

    with patch.object(Network, "train", frozen):
        yield


def turn_outcomes(batch: Batch, rows: np.ndarray) -> None:
    """Swap wins and losses in the outcome targets."""
    batch.outcome[rows] = batch.outcome[rows][:, ::-1].copy()


def mix_policies(batch: Batch, rows: np.ndarray) -> None:
    """Replace policy targets by those of other positions."""
    batch.policy[rows] = batch.policy[np.roll(rows, 1)]


def mix_planes(batch: Batch, rows: np.ndarray) -> None:
    """Replace planes by those of other positions."""
    batch.planes[rows] = batch.planes[np.roll(rows, 1)]


total = train.total
FAULTS = {
    "none": (nullcontext, set[str]()),
    "the loss's sign": (lambda: patch.object(train, "total", lambda *each: -total(*each)), {"policy"}),
    "the policy head is frozen": (frozen_policy, {"frozen"}),
    "results of the wrong player": (lambda: corrupted(turn_outcomes), {"value-turned"}),
    "results of the wrong player, of player 1 alone": (lambda: corrupted(turn_outcomes, 1), {"one-side"}),
    "policies of other positions, of player 0 alone": (lambda: corrupted(mix_policies, 0), {"one-side"}),
    "planes of other positions, of player 1 alone": (lambda: corrupted(mix_planes, 1), {"one-side"}),
}


def main() -> None:
    """Run the command; train with each fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="a run with games to learn from")
    parser.add_argument("--games", type=int, default=300, help="games per generation")
    parser.add_argument("--steps", type=int, default=120, help="maximum number of steps per generation")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS), help="faults to plant")
    arguments = parser.parse_args()
    source = Folder(arguments.run)
    preset = source.preset()
    assert preset is not None, f"{arguments.run} contains no run"
    preset = msgspec.structs.replace(
        preset,
        generations=arguments.generations,
        start="",
        network=NetworkSettings(blocks=2, channels=16, head_channels=8),
        learner=LearnerSettings(
            batch=128, max_steps=arguments.steps, learning_rate=5e-3, passes=8.0, schedule="constant"
        ),
        match=MatchSettings(pairs=0),
    )
    rules = behaviour(preset.make_games()[0])
    for name in arguments.only:
        plant, wanted = FAULTS[name]
        begun = time.process_time()
        with tempfile.TemporaryDirectory() as place:
            for generation in range(arguments.generations):
                samples = read_shard(shard_path(source.shards, generation, 0), rules_key=rules)
                few = np.isin(samples.game_id, np.unique(samples.game_id)[: arguments.games])
                path = shard_path(Path(place) / "shards", generation, 0)
                path.parent.mkdir(exist_ok=True)
                write_shard(path, samples.take(np.flatnonzero(few)), rules_key=rules, names=preset.games)
            with plant():
                Run(preset, Path(place), workers=1).go()
            lines = Folder(Path(place)).metrics()
        kinds = [sorted(alarm.kind for alarm in line.alarms) for line in lines]
        probe = lines[-1].probe
        assert probe is not None, "every generation has a probe"
        print(
            json.dumps(
                {
                    "fault": name,
                    "found": bool(wanted & {kind for each in kinds for kind in each}) if wanted else None,
                    "alarms": kinds,
                    "policy_gain": [round(side.policy_gain, 3) for side in probe.sides],
                    "value": [round(side.value_agreement, 3) for side in probe.sides],
                    "search": [round(side.search_agreement, 3) for side in probe.sides],
                    "value_std": round(probe.value_std, 3),
                    "entropy": round(probe.entropy, 3),
                    "gradient_norm": round(lines[-1].losses.gradient_norm, 2),
                    "positions": [line.facts.positions for line in lines],
                    "processor_s": round(time.process_time() - begun),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
