"""Measures the effect of settings on learning: trains a network with each variant on the same games.

    python bench/ablate_learning.py play --model models/connect4/model.safetensors --seconds 200 --out GAMES
    python bench/ablate_learning.py learn --games GAMES --positions tests/golden/connect4-solved.jsonl.gz \\
        "plain" "sgd: learner.optimiser=sgd learner.learning_rate=0.05" "wide: network.channels=64 network.blocks=5"

    python bench/ablate_learning.py selfplay --seconds 200 --minutes 2 --positions FILE \\
        "full" "capped: selfplay.full_share=0.25 selfplay.fast_visits=24"

    python bench/ablate_learning.py --preset runs/wall/preset.toml learn --games runs/wall/shards/*.shard --minutes 2 \\
        "nine planes" "twenty-one: option=ways"

The first variant is the reference: its solved positions are compared with each other variant's, one by one.  Losses on
held-out games show smaller differences than the share of moves that keep the outcome.  With `learn`, all variants use
the same number of samples (`--passes`) of the same games, with the same seeds.  `--minutes` limits each variant's CPU
time, and `--start` names a network to continue instead of a new one.  With `selfplay`, the model plays for each variant
for an equal CPU time, and a new network learns from these games for an equal CPU time.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.solved import kept_in
from ludus.games.behaviour import behaviour
from ludus.games.connect4 import rules
from ludus.games.connect4.filling import NUM_FILLINGS, fillings
from ludus.games.connect4.forcing import DEEPEST, forced
from ludus.games.connect4.layout import CELLS, COLUMNS, NUM_DISCS, ROWS
from ludus.games.connect4.planes import NUM_AHEAD, NUM_PLANES, encode, encode_ahead, encode_discs, final_maps, write_two
from ludus.games.connect4.solved import read_solved
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.games.rules import State
from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import Preset, load_preset
from ludus.loop.stages.sources import network_sources, share
from ludus.loop.stages.stage import Stage
from ludus.loop.stages.start import info_of
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.matches.search_player import SearchPlayer
from ludus.selfplay.measure import ENDLESS, warm_up
from ludus.selfplay.source import Quota
from ludus.selfplay.worker_pool import WorkerPool
from ludus.store import Samples, read_shard, write_shard

# The same for all variants of Connect Four:
NUMBERS = ("state_size", "num_actions", "max_actions", "num_maps", "num_symmetries")
RULES = ("start", "to_play", "legal", "play", "outcome", "symmetric_state", "symmetric_action")
PORTIONS = 20  # parts of the training, comparable to generations
VALIDATION = 8192  # held-out positions for validation losses
FIRST_STEPS = 20  # timed steps that estimate how many fit into a part

CONNECT4 = "connect4"

Trained = tuple[Learner, Losses]


def first_planes(state: State, planes: np.ndarray) -> None:
    """Write the first planes of Connect Four, as many as fit."""
    everything = np.empty((NUM_PLANES, ROWS, COLUMNS), np.uint8)
    encode(state, everything)
    planes[:] = everything[: planes.shape[0]]


def encode_forced(state: State, planes: np.ndarray) -> None:
    """Write all planes of Connect Four, and those of wins and losses forced by threats."""
    mover = int(state[NUM_DISCS]) & 1
    mine, theirs = np.uint64(state[mover]), np.uint64(state[1 - mover])
    encode(state, planes[:NUM_PLANES])
    wins, losses = forced(mine, theirs, np.empty((DEEPEST, 3), np.uint64))
    write_two(planes.reshape((NUM_PLANES + 2) * CELLS), NUM_PLANES * CELLS, wins, losses)


def encode_fillings(state: State, planes: np.ndarray) -> None:
    """Write the planes of `encode_forced`, and those of how the board fills up."""
    mover = int(state[NUM_DISCS]) & 1
    mine, theirs = np.uint64(state[mover]), np.uint64(state[1 - mover])
    encode_forced(state, planes[: NUM_PLANES + 2])
    found = np.empty((NUM_FILLINGS, 2), np.uint64)
    fillings(mine, theirs, found)
    flat = planes.reshape((NUM_PLANES + 2 + 2 * NUM_FILLINGS) * CELLS)
    for kind in range(NUM_FILLINGS):
        write_two(flat, (NUM_PLANES + 2 + 2 * kind) * CELLS, found[kind, 0], found[kind, 1])


SEEN = {  # number of planes, and the function that writes them
    "ahead": (NUM_AHEAD, encode_ahead),  # as with the option `ahead`
    "fillings": (NUM_PLANES + 2 + 2 * NUM_FILLINGS, encode_fillings),  # without the values of discs after replies
    "forced": (NUM_PLANES + 2, encode_forced),  # also without how the board fills up
    "lines": (NUM_PLANES, encode),  # also without forced wins: as without the option
    "threats": (5, first_planes),  # also without lines of two discs, and without the cells where discs land
    "discs": (2, encode_discs),
}


def game_of(planes: str) -> Game:
    """Return Connect Four with the named planes."""
    own, (count, write) = find_game(CONNECT4), SEEN[planes]
    return Game(
        name=CONNECT4,
        dtype="uint64",
        planes=(count, ROWS, COLUMNS),
        encode=write,
        final_maps=final_maps,
        **{name: getattr(own, name) for name in NUMBERS},
        **{name: getattr(rules, name) for name in RULES},
    )


def changed(preset: Preset, settings: Sequence[str]) -> tuple[Preset, list[Game]]:
    """Return a preset with changed settings, and its games.

    Settings are named as in a preset; lists are joined by plus signs (`network.auxiliary=reply+maps`).  Further
    settings are `planes=NAME` (see SEEN) for Connect Four, and `option=ways` for games with options.
    """
    tree: dict[str, Any] = msgspec.to_builtins(preset)
    of_game = {"planes": "", "option": ""}
    for setting in settings:
        name, value = setting.split("=")
        if name in of_game:
            of_game[name] = value
            continue
        *path, last = name.split(".")
        table = tree
        for part in path:
            table = table[part]
        assert last in table, f"there is no setting {name}"
        table[last] = value.split("+") if isinstance(table[last], list | tuple) else value
    if of_game["option"]:
        tree["games"] = [f"{spec}:{of_game['option']}" for spec in tree["games"]]
    one = msgspec.convert(tree, Preset, strict=False)
    if of_game["planes"]:
        assert one.games in ([CONNECT4], [f"{CONNECT4}:ahead"]), "planes are a setting of Connect Four"
        return one, [game_of(of_game["planes"])]
    return one, one.make_games()


def learn(preset: Preset, games: list[Game], samples: Samples, given: argparse.Namespace, seed: int) -> Trained:
    """Train a new network, or the one that `given` names, on the samples."""
    settings = msgspec.structs.replace(preset.learner, validation_batches=VALIDATION // preset.learner.batch)
    learner, minutes = Learner(games, preset.network, settings, seed, threads=1), given.minutes
    if given.start:
        learner.begin(load_checkpoint(given.start).arrays)
    window = learner.window()
    window.extend(samples)
    steps = max(1, round(given.passes * float((window.weights() > 0).sum()) / settings.batch))
    begun, done, progress = time.process_time(), 0, 0.0
    size = min(steps, FIRST_STEPS) if minutes else max(1, steps // PORTIONS)
    while done < steps and progress < 1.0:
        size = min(steps - done, size)
        losses = learner.learn(window, steps=size, progress=progress, seed=seed * 1000 + done, done=done, of=steps)
        done += size
        seconds = time.process_time() - begun
        progress = min(1.0, seconds / (60.0 * minutes) if minutes else done / steps)
        if minutes:
            size = max(1, round(done / seconds * 60.0 * minutes / PORTIONS))
    if done < steps:  # the time is over: one step prepares the averaged weights
        losses = learner.learn(window, steps=1, progress=1.0, seed=seed)
    return learner, losses


def play(preset: Preset, games: list[Game], model: Path, seconds: float, seed: int) -> tuple[Samples, int]:
    """Let a model play itself for some CPU time; return the samples and the number of games."""
    with TemporaryDirectory() as folder:
        stage = Stage(preset, Folder(Path(folder)), games, 1, lambda _event: None)
        sources = share(network_sources(stage, load_checkpoint(model), 1, network=0))
        warm_up(games, sources, preset.search, preset.selfplay)
        begun = time.process_time()
        quota = Quota(ENDLESS, openings=stage.openings)
        with WorkerPool(games, sources, preset.search, preset.selfplay, quota, seed=seed, workers=1) as pool:
            while time.process_time() - begun < seconds:
                pool.wait(1.0)
        return Samples.concatenate(pool.finished), len(pool.finished)


def keep_games(arguments: argparse.Namespace) -> None:
    """Write games of a model, fully searched, from random positions of any depth."""
    preset = load_preset(arguments.preset)
    selfplay = msgspec.structs.replace(preset.selfplay, visits=64, full_share=1.0, random_actions=24)
    preset, games = msgspec.structs.replace(preset, selfplay=selfplay), preset.make_games()
    samples, number = play(preset, games, arguments.model, arguments.seconds, seed=1)
    write_shard(arguments.out, samples, rules_key=behaviour(games[0]), names=preset.games)
    print(f"{number} games, {len(samples)} positions")


def compare(arguments: argparse.Namespace) -> None:
    """Train each variant and print one line of results."""
    preset = load_preset(arguments.preset)
    shared = Samples.concatenate([read_shard(path) for path in arguments.games]) if arguments.games else None
    solved = read_solved(arguments.positions) if arguments.positions else []
    decisive = np.array([each.is_decisive for each in solved], bool)
    first: NDArray[np.float64] | None = None
    for variant in arguments.variants:
        name, _, settings = variant.partition(":")
        one, games = changed(preset, settings.split())
        kept, held_out = np.zeros((len(arguments.visits), len(solved))), np.zeros(2)
        begun, seconds, positions = time.perf_counter(), time.process_time(), 0
        for seed in range(1, arguments.seeds + 1):
            samples = shared if shared else play(one, games, arguments.model, arguments.seconds, seed)[0]
            positions += len(samples)
            learner, losses = learn(one, games, samples, arguments, seed)
            held_out += np.array([losses.validation_policy or 0.0, losses.validation_outcome or 0.0]) / arguments.seeds
            evaluator = evaluator_of(Checkpoint(info_of(one, games, 0), learner.arrays()))
            for index, visits in enumerate(arguments.visits if solved else ()):
                player = SearchPlayer(name, evaluator, one.search, visits=visits)
                kept[index] += kept_in(games[0], player, solved) / arguments.seeds
        line = {
            "variant": name,
            "settings": settings.strip(),
            "policy_loss": round(float(held_out[0]), 4),
            "outcome_loss": round(float(held_out[1]), 4),
            "positions": positions,
            "processor_s": round(time.process_time() - seconds),
            "wall_s": round(time.perf_counter() - begun),
        }
        if solved:
            line |= graded(kept[0], decisive, first if first is not None else kept[0])
            line |= {
                f"kept_at_{visits}": round(float(kept[at].mean()), 4) for at, visits in enumerate(arguments.visits)
            }
            first = kept[0] if first is None else first
        print(json.dumps(line), flush=True)


def graded(kept: NDArray[np.float64], decisive: NDArray[np.bool_], first: NDArray[np.float64]) -> dict[str, float]:
    """Return shares of positions in which the outcome was kept, and the gain over the first variant.

    Args:
        kept: whether the outcome was kept, averaged over the seeds.  # [K]
        decisive: whether some move changes the outcome.  # [K]
        first: `kept` of the first variant in the same positions.  # [K]
    """
    gain, scale = kept - first, 1.96 / math.sqrt(len(first))
    return {
        "kept": round(float(kept.mean()), 4),
        "decisive": round(float(kept[decisive].mean()), 4),
        "error": round(scale * float(kept.std()), 4),
        "gain": round(float(gain.mean()), 4),
        "gain_error": round(scale * float(gain.std()), 4),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="connect4-laptop")
    commands = parser.add_subparsers(required=True)
    plays = commands.add_parser("play")
    plays.add_argument("--out", type=Path, required=True)
    plays.set_defaults(do=keep_games)
    learns = commands.add_parser("learn")
    learns.add_argument("--games", type=Path, nargs="+", required=True, help="shards of games")
    selves = commands.add_parser("selfplay")
    for each in (plays, selves):
        each.add_argument("--model", type=Path, default=Path("models/connect4/model.safetensors"))
        each.add_argument("--seconds", type=float, default=200.0, help="CPU time of self-play")
    for each in (learns, selves):
        each.add_argument("--start", type=Path, help="a network to continue")
        each.add_argument("--positions", type=Path, help="solved positions of Connect Four")
        each.add_argument("--visits", type=int, nargs="+", default=(1,), help="visits per solved position")
        each.add_argument("--passes", type=float, default=4.0)
        each.add_argument("--minutes", type=float, default=0.0, help="CPU time of learning (0: all passes)")
        each.add_argument("--seeds", type=int, default=1)
        each.add_argument("variants", nargs="+", help='"NAME: SETTING=VALUE ..."')
        each.set_defaults(do=compare)
    selves.set_defaults(games=None)
    arguments = parser.parse_args()
    arguments.do(arguments)


if __name__ == "__main__":
    main()
