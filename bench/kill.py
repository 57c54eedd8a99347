"""Kills a training run repeatedly, and checks each time that no finished work is lost.

    python bench/kill.py --kills 100

Half of the kills come at random times.  The others come during a write: at a random call of fsync or rename, with the
end of the file cut off, as in a power cut.  After each kill all files are read: finished games must be in the run
exactly once and unchanged, and complete files must never change.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import fields
from pathlib import Path

import ludus
from ludus.games.behaviour import behaviour
from ludus.learner.settings import LearnerSettings
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.journal import read_journal
from ludus.loop.directory.verify import verify
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.run import Run
from ludus.network.config import NetworkSettings
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine
from ludus.selfplay.settings import SelfplaySettings
from ludus.store import Samples, read_shard, shard_path


def preset_of(generations: int, mode: str) -> Preset:
    """Return a preset whose generations take a second or two."""
    return Preset(
        name="kill",
        games=["tictactoe"],
        generations=generations,
        workers=2,
        mode=mode,  # pyright: ignore
        network=NetworkSettings(blocks=1, channels=8, head_channels=2),
        search=SearchSettings(cache_entries=256),
        selfplay=SelfplaySettings(games=60, first_games=80, parallel=6, visits=40, fast_visits=8),
        learner=LearnerSettings(batch=32, max_steps=12),
        match=MatchSettings(pairs=3, visits=10, opening_actions=2, previous=(1,), anchor_visits=20, anchor_every=1),
    )


def train(preset: Preset, path: Path, stages: int, strike: int, seed: int) -> None:
    """Train in a separate process; with `strike`, kill it during the write with that number."""
    rng, count = random.Random(seed), 0

    def hear(event: object) -> None:
        os.write(stages, (str(getattr(event, "stage", "border")) + "\n").encode())

    def at_write(descriptor: int | None) -> None:
        nonlocal count
        count += 1
        if count == strike:
            if descriptor is not None and Path(f"/proc/self/fd/{descriptor}").readlink().suffix != ".journal":
                try:
                    size = os.fstat(descriptor).st_size
                    os.ftruncate(descriptor, size - rng.randrange(min(size, 200) + 1))
                except OSError:
                    pass  # a directory
            os.write(stages, b"write\n")
            os.kill(os.getpid(), signal.SIGKILL)

    fsync, replace = os.fsync, os.replace

    def striking_fsync(descriptor: int) -> None:
        at_write(descriptor)
        fsync(descriptor)

    def striking_replace(*args: object, **options: object) -> None:
        at_write(None)
        replace(*args, **options)  # pyright: ignore

    if strike:
        os.fsync, os.replace = striking_fsync, striking_replace
    Run(preset, path, hear).go()


def spawn(preset: Preset, path: Path, delay: float, strike: int, seed: int) -> tuple[int, str]:
    """Train in a process until it ends or is killed; return its status (0: finished) and last stage."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            train(preset, path, writer, strike, seed)
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - printed, and reported by the status
            print(f"the run failed: {type(error).__name__}: {error}", file=sys.stderr)
            os._exit(1)
    os.close(writer)
    os.set_blocking(reader, False)
    end, said, status = time.monotonic() + delay, b"start\n", None
    while status is None:
        pid, code = os.waitpid(child, os.WNOHANG)
        status = code if pid else None
        if status is None and not strike and time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        time.sleep(0.005)
        with contextlib.suppress(BlockingIOError):
            said = (said + os.read(reader, 1 << 20))[-4096:]
    os.close(reader)
    return status, said.decode().split()[-1]


def finished_games(folder: Folder) -> dict[tuple[int, int], str]:
    """Return the finished games of a killed run: (generation, number) -> digest."""
    generation, games = read_journal(folder.journal)
    return {} if generation is None else {(generation, int(game.game_id[0])): digest(game) for game in games}


def digest(game: Samples) -> str:
    """Return a digest of a game's positions."""
    return hashlib.sha256(b"".join(getattr(game, field.name).tobytes() for field in fields(Samples))).hexdigest()


def complete_files(folder: Folder) -> dict[str, str]:
    """Return the files that must never change: name -> digest."""
    files = [*folder.shards.glob("*.shard"), *(folder.path / "models").glob("*.safetensors")]
    done = len(folder.metrics())  # a model may be written again until the learner's state is saved
    kept = [file for file in files if file.suffix == ".shard" or int(file.stem[4:]) < done]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in kept}


def check(folder: Folder, games: dict[tuple[int, int], str], files: dict[str, str]) -> list[str]:
    """Return the faults after a kill, given the finished games and complete files before it."""
    faults = verify(folder)
    now = complete_files(folder)
    faults += [f"{name}: is missing or has changed" for name, old in files.items() if now.get(name) != old]
    rules, waiting = behaviour(ludus.game("tictactoe")), finished_games(folder)
    shards = {
        generation: read_shard(shard_path(folder.shards, generation, 0), rules_key=rules)
        for generation in {generation for generation, _ in games}
        if shard_path(folder.shards, generation, 0).is_file()
    }
    for (generation, number), old in games.items():
        if generation in shards:
            samples = shards[generation]
            found = digest(samples.take((samples.game_id == number).nonzero()[0]))
        else:
            found = waiting.get((generation, number), "nothing")
        if found != old:
            faults.append(f"generation {generation}: finished game {number} is missing or has changed")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=float, default=4.0, help="longest time before a random kill, in seconds")
    parser.add_argument("--mode", default="generations", choices=["generations", "pipelined"])
    parser.add_argument("--generations", type=int, default=4, help="generations of each run")
    arguments = parser.parse_args()
    rng, stages, kills, finished, faults = random.Random(arguments.seed), Counter[str](), 0, 0, list[str]()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as root:
        warm = preset_of(2, arguments.mode)  # compile everything first, so that early kills hit the run
        if spawn(warm, Path(root) / "warm", 1e9, 0, 0)[0] != 0:
            sys.exit("The run fails without a kill.")
        while kills < arguments.kills or finished == 0:
            folder, games, files = Folder(Path(root) / f"run-{finished}"), {}, {}
            preset, status, since = preset_of(arguments.generations, arguments.mode), -1, 0
            while status != 0:
                enough = kills >= arguments.kills
                by_clock = rng.random() < 0.5
                delay = 1e9 if enough else arguments.longest * rng.random() ** 2 + 0.1
                strike = 0 if by_clock or enough else rng.randrange(1, 25)
                status, stage = spawn(preset, folder.path, delay, strike, rng.randrange(1 << 30))
                if os.WIFSIGNALED(status):
                    kills, since = kills + 1, since + 1
                    stages[stage] += 1
                elif status != 0:
                    faults.append("a run did not continue by itself")
                    break
                new = check(folder, games, files)
                faults += new
                games |= finished_games(folder)
                files = complete_files(folder)
                for fault in new:
                    print(f"after kill {kills} ({stage}): {fault}", flush=True)
            if not faults and len(folder.metrics()) != arguments.generations:
                faults.append(f"run {finished} ended with {len(folder.metrics())} generations")
            finished += 1
            print(
                f"run {finished}: {since} kills, {len(games)} games seen in journals, {len(faults)} faults", flush=True
            )
            if len(faults) > 20:
                break
    machine = describe_machine()
    print(f"{kills} kills in {finished} runs, {time.monotonic() - begun:.0f} s; mode {arguments.mode}; {machine}")
    for stage, count in stages.most_common():
        print(f"{stage:>12}  {count}")
    print(f"{'faults':>12}  {len(faults)}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
