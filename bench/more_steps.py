"""What more steps on the games of a run of Connect Four are worth: its last network goes on, or another one begins.

    python bench/more_steps.py runs/connect4 --since 10 --rate 1e-3 --minutes 6 --positions FILE
    python bench/more_steps.py runs/connect4 --since 10 --rate 4e-3 --minutes 9 --positions FILE --channels 48

The rate falls along a cosine to 2e-5.  Prints a line of JSON for each file of solved positions, before and after.
"""

import argparse
import json
import time
from pathlib import Path

import msgspec
from ablate import VALIDATION, kept_by

from ludus.arena.solved import read_solved
from ludus.learner.train import Learner
from ludus.loop.folder import Folder
from ludus.loop.preset import load_preset
from ludus.loop.start import info_of
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.match import SearchPlayer
from ludus.store import Samples, read_shard, shard_path

LAST_RATE = 2e-5
PORTIONS = 20
FIRST_STEPS = 20


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--since", type=int, default=0, help="the first generation whose games teach")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning")
    parser.add_argument("--minutes", type=float, default=6.0, help="of processor time")
    parser.add_argument("--channels", type=int, default=0, help="of a network from nothing (0: the run's last goes on)")
    parser.add_argument("--positions", type=Path, nargs="+", required=True)
    parser.add_argument("--visits", type=int, nargs="+", default=(1, 200))
    arguments = parser.parse_args()
    folder, preset = Folder(arguments.run), load_preset(str(arguments.run / "preset.toml"))
    games, network = preset.make_games(), preset.network
    settings = msgspec.structs.replace(
        preset.learner,
        learning_rate=arguments.rate,
        final_learning_rate=LAST_RATE,
        validation_batches=VALIDATION // preset.learner.batch,
    )
    if arguments.channels:
        network = msgspec.structs.replace(network, channels=arguments.channels)
    learner = Learner(games, network, settings, seed=1, threads=1)
    info = msgspec.structs.replace(info_of(preset, games, 0), network=network)

    def report(when: str, **more: float | None) -> None:
        evaluator = evaluator_of(Checkpoint(info, learner.arrays()))
        for path in arguments.positions:
            solved = read_solved(path)
            for visits in arguments.visits:
                kept = kept_by(SearchPlayer(when, evaluator, preset.search, visits=visits), games[0], solved)
                line = {"when": when, "positions": path.name, "visits": visits, "kept": round(float(kept.mean()), 4)}
                print(json.dumps(line | more), flush=True)

    if not arguments.channels:
        learner.begin(load_checkpoint(folder.model(preset.generations - 1)).arrays)
        report("before")
    window = learner.window()
    shards = [shard_path(folder.shards, number, 0) for number in range(arguments.since, preset.generations)]
    window.extend(Samples.concatenate([read_shard(path) for path in shards]))
    begun, done, size, progress = time.process_time(), 0, FIRST_STEPS, 0.0
    while progress < 1.0:
        learner.learn(window, steps=size, progress=progress, seed=done, done=done, of=done + size + 1)
        done += size
        seconds = time.process_time() - begun
        progress = min(1.0, seconds / (60.0 * arguments.minutes))
        size = max(1, round(done / seconds * 60.0 * arguments.minutes / PORTIONS))
    losses = learner.learn(window, steps=1, progress=1.0, seed=done)
    report("after", steps=done, policy_loss=losses.validation_policy, outcome_loss=losses.validation_outcome)


if __name__ == "__main__":
    main()
