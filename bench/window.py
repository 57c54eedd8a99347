"""Measures a window of 100,000 games of Wall Game 8x8: `python bench/window.py`.

Some games are played with the heuristic and 100 visits per move, and shards of a thousand games each are drawn from
them, so file sizes are realistic.  Another process reads the window, draws batches and trains; its peak memory is
counted from its start.
"""

import argparse
import dataclasses
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import ludus
from ludus.games.behaviour import behaviour
from ludus.kernel import Rules, entry
from ludus.learner.batch import Drawer
from ludus.learner.settings import LearnerSettings
from ludus.learner.train import Learner
from ludus.network.config import NetworkSettings
from ludus.players.judging.heuristic import HeuristicEvaluator
from ludus.players.thinking.group import cache_for
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker
from ludus.store import Samples, read_shard, shard_path, write_shard

SPEC = "wallgame:classic:8x8"
GAMES_OF_A_SHARD = 1000


def play(num_games: int, full_share: float) -> list[Samples]:
    """Return games of heuristic players with 100 visits."""
    game, search, played = ludus.game(SPEC), SearchSettings(cache_entries=0), []
    settings = SelfplaySettings(parallel=32, visits=100, fast_visits=20, full_share=full_share)
    source = Source(HeuristicEvaluator(), cache_for(game, search))
    run_worker([game], source, search, settings, Quota(num_games), played.append, seed=1, worker=0)
    return played


def write_window(folder: Path, played: list[Samples], num_games: int) -> int:
    """Write shards with games drawn from `played`, one generation each; return their total size in bytes."""
    rng = np.random.default_rng(0)
    for number in range(-(-num_games // GAMES_OF_A_SHARD)):
        size = min(GAMES_OF_A_SHARD, num_games - number * GAMES_OF_A_SHARD)
        picked = [played[index] for index in rng.integers(len(played), size=size)]
        samples = Samples.concatenate(picked)
        samples.game_id[:] = np.repeat(np.arange(len(picked)), [len(game) for game in picked])
        path = shard_path(folder, number, 0)
        write_shard(path, samples, rules_key=behaviour(ludus.game(SPEC)), names=[SPEC])
    return sum(path.stat().st_size for path in folder.iterdir())


@entry
def replay(rules: Rules, states: np.ndarray, actions: np.ndarray, firsts: np.ndarray, scratch: np.ndarray) -> int:
    """Replay every game from its start to each of its positions; return the number of played actions."""
    count = 0
    for at in range(states.shape[0]):
        first = int(firsts[at])
        for i in range(scratch.shape[0]):
            scratch[i] = states[first, i]
        for before in range(first, at):
            rules.play(scratch, int(actions[before]))
            count += 1
    return count


def compare(real: Samples) -> dict[str, float]:
    """Return bytes per position on disk, and the cost of replaying a position from its moves, for real games."""

    def size(samples: Samples) -> float:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "real.shard"
            write_shard(path, samples, rules_key="", names=[SPEC])
            return path.stat().st_size / len(samples)

    game = ludus.game(SPEC)
    firsts = np.maximum.accumulate(np.where(np.diff(real.game_id, prepend=-1) != 0, np.arange(len(real)), 0))
    arguments = real.states.view(game.dtype), real.action, firsts, game.empty_state()
    replay(game.rules, *arguments)
    begun = time.perf_counter()
    count = replay(game.rules, *arguments)
    seconds = time.perf_counter() - begun
    return {
        "pairs_a_position": len(real.policy_action) / len(real),
        "bytes_a_position_on_disk": size(real),
        "of_them_states": size(real) - size(dataclasses.replace(real, states=np.zeros_like(real.states))),
        "of_them_actions": size(real) - size(dataclasses.replace(real, action=np.zeros_like(real.action))),
        "actions_to_replay": count / len(real),
        "us_to_replay": seconds * 1e6 / len(real),
    }


def peak_mb() -> float:
    """Return this process's peak memory in MiB (Linux; getrusage would include its parent's)."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def measure(folder: Path, steps: int, threads: int) -> dict[str, float | int]:
    """Read the window, draw batches and train; return times and sizes."""
    game = ludus.game(SPEC)
    found: dict[str, float | int] = {"peak_mb_before": round(peak_mb())}
    settings = LearnerSettings(batch=512)
    learner = Learner([game], NetworkSettings(blocks=6, channels=64), settings, 0, threads=threads)
    window, begun = learner.window(), time.perf_counter()
    for path in sorted(folder.iterdir()):
        window.extend(read_shard(path))
    found |= {
        "read_s": time.perf_counter() - begun,
        "positions": len(window),
        "window_mb": round(window.nbytes / 2**20),
    }
    found["bytes_a_position_in_memory"] = window.nbytes / len(window)
    rng, begun = np.random.default_rng(0), time.perf_counter()
    window.draw(512, rng)
    found["new_pass_s"] = time.perf_counter() - begun
    drawer, batches = Drawer([game], window, value_mix=0.5), 50
    drawer.draw(window.draw(512, rng), rng)
    begun = time.perf_counter()
    for _ in range(batches):
        drawer.draw(window.draw(512, rng), rng)
    found["us_a_drawn_position"] = (time.perf_counter() - begun) * 1e6 / (512 * batches)
    begun = time.perf_counter()
    losses = learner.learn(window, steps=steps, progress=0.0, seed=1)
    found["steps_a_second"] = steps / (time.perf_counter() - begun)
    return found | {"data_wait_share": losses.data_wait_share, "peak_mb": round(peak_mb())}


def main() -> None:
    """Run the command: write the window, then measure it in a separate process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--played", type=int, default=200, help="games to play, which are repeated")
    parser.add_argument("--full-share", type=float, default=0.3, help="share of positions with a policy target")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--measure", type=Path, help="only measure this folder's window, in this process")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure, arguments.steps, arguments.threads)))
        return
    with tempfile.TemporaryDirectory() as folder:
        played = play(arguments.played, arguments.full_share)
        begun = time.perf_counter()
        size = write_window(Path(folder), played, arguments.games)
        written_s = time.perf_counter() - begun
        command = [sys.executable, __file__, "--measure", folder]
        command += ["--steps", str(arguments.steps), "--threads", str(arguments.threads)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
        found = json.loads(answer.stdout.splitlines()[-1])
    found |= compare(Samples.concatenate(played))
    found |= {
        "machine": describe_machine(),
        "games": arguments.games,
        "written_s": written_s,
        "written_mb": size / 2**20,
    }
    for name, value in found.items():
        print(f"{name:28} {value:,.3f}" if isinstance(value, float) else f"{name:28} {value}")


if __name__ == "__main__":
    main()
