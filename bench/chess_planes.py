"""Compares networks that learn from the default planes of chess and from the 19 of `chess:seed`, on the same games.

python bench/chess_planes.py games.pgn --passes 1 --seeds 2

Both use the same positions, small network and settings (preset `chess-taught`).  Games are cut at 200 half-moves, as
`chess:seed` requires.  Printed are the losses on the same held-out games.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np

from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.game_records.readers import read_records
from ludus.loop.preset import Preset, load_preset
from ludus.selfplay.measure import describe_machine
from ludus.store import Samples

CUT = 200  # half-moves, the limit of `chess:seed`
PORTIONS = 10


def arm(preset: Preset, samples: Samples, passes: float, seed: int, threads: int) -> Losses:
    """Train on the samples; return the last losses, with those on held-out games."""
    learner = Learner(preset.make_games(), preset.network, preset.learner, seed, threads=threads)
    window = learner.window()
    window.extend(samples)
    steps = round(passes * float(window.weights().sum()) / preset.learner.batch)
    ends = [steps * portion // PORTIONS for portion in range(PORTIONS + 1)]
    losses = None
    for begin, end in pairwise(ends):
        size = end - begin
        losses = learner.learn(
            window, steps=size, progress=begin / steps, seed=10_000 * seed + end, done=begin, of=steps
        )
    assert losses is not None
    return losses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("--passes", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    taught = load_preset("chess-taught")
    for spec in ("chess", "chess:seed"):
        preset = msgspec.structs.replace(taught, games=[spec])
        samples = read_records(given.games, preset.make_games(), print)
        samples = samples.take(np.flatnonzero(samples.ply < CUT))
        for seed in range(given.seeds):
            losses = arm(preset, samples, given.passes, seed, given.threads)
            found = {"planes": spec, "seed": seed, "positions": len(samples), "passes": given.passes}
            found |= {"policy": losses.validation_policy, "outcome": losses.validation_outcome}
            print(msgspec.json.encode(found | describe_machine()).decode(), flush=True)


if __name__ == "__main__":
    main()
