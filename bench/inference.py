"""Measures the cost of inference servers, and the pauses when a server dies or hangs.

    python bench/inference.py models/connect4                  # local evaluator and one server, 1 to 4 threads
    python bench/inference.py models/connect4 --transport      # the same with an empty network
    python bench/inference.py models/connect4 --failures       # pauses when one of two servers stops or dies
    python bench/inference.py models/connect4 --selfplay       # self-play of 1 to 4 processes that share one server
    python bench/inference.py models/connect4 --selfplay --transport

Servers and callers share this machine's cores and its loopback interface; a real network adds latency.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

from ludus.cores import usable_cores
from ludus.games.registry import game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import Evaluator, NullEvaluator
from ludus.network.openvino import evaluator_of
from ludus.network.remote import RemoteEvaluator
from ludus.players.thinking.group import cache_for
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import measure_selfplay
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Source

BATCH = 64
SERVER = """
import sys
from ludus.inference.batcher import Batcher
from ludus.inference.server import serve_until_signalled
from ludus.inference.service import Served
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import NullEvaluator
from ludus.network.tensors import served_name
from pathlib import Path
checkpoint = load_checkpoint(Path(sys.argv[1]))
shapes = checkpoint.info.shapes
served = Served(shapes, Batcher([NullEvaluator(shapes)], batch=256), None)
serve_until_signalled({served_name(checkpoint): served}, "127.0.0.1", 0, lambda text: print(text, file=sys.stderr))
"""


class Process:
    """An inference server process."""

    def __init__(self, model: Path, *, is_null: bool = False) -> None:
        """Start the server and wait until it listens."""
        real = ["-m", "ludus", "inference", str(model), "--port", "0", "--device", "openvino"]
        command = [sys.executable, *(["-c", SERVER, str(model)] if is_null else real)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        lines = iter(self.process.stderr.readline, "")
        self.address = next(line.split()[-1].rstrip(".") for line in lines if line.startswith("Listening"))

    def signal(self, number: int) -> None:
        """Send a signal to the process."""
        os.kill(self.process.pid, number)


def asking(evaluator: Evaluator, threads: int, seconds: float, pauses: list[list[float]] | None = None) -> float:
    """Evaluate batches in several threads; return positions per second, and append batch durations to `pauses`."""
    ended, counts = time.monotonic() + seconds, [0] * threads

    def work(number: int) -> None:
        lane = evaluator.lane(BATCH)
        lane.planes[:] = 1
        while (begun := time.monotonic()) < ended:
            lane.submit(BATCH)
            lane.answer()
            counts[number] += BATCH
            if pauses is not None:
                pauses[number].append(time.monotonic() - begun)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / seconds


def rates(model: Path, seconds: float, *, is_null: bool) -> None:
    """Print positions per second of the local evaluator and of a server."""
    checkpoint = load_checkpoint(model)
    server = Process(model, is_null=is_null)
    cores = usable_cores()
    own = NullEvaluator(checkpoint.info.shapes) if is_null else evaluator_of(checkpoint, streams=cores)
    remote = RemoteEvaluator(checkpoint, [server.address], lambda: own)
    for threads in (1, 2, 4):
        found: dict[str, object] = {"network": "null" if is_null else model.name, "threads": threads, "batch": BATCH}
        for name, evaluator in (("here", own), ("server", remote)):
            asking(evaluator, threads, 1.0)
            pauses: list[list[float]] = [[] for _ in range(threads)]
            found[f"{name}_per_s"] = round(asking(evaluator, threads, seconds, pauses))
            taken = np.concatenate([np.array(each) for each in pauses])
            found |= {f"{name}_p50_ms": round(1e3 * float(np.quantile(taken, 0.5)), 2)}
            found |= {f"{name}_p99_ms": round(1e3 * float(np.quantile(taken, 0.99)), 2)}
        print(json.dumps(found), flush=True)
    remote.close()
    server.process.kill()


def play(model: Path, address: str | None, seconds: float, *, is_null: bool) -> None:
    """Play with one thread, and print the evaluations per second."""
    checkpoint = load_checkpoint(model)
    own = NullEvaluator(checkpoint.info.shapes) if is_null else evaluator_of(checkpoint)
    evaluator = RemoteEvaluator(checkpoint, [address], lambda: own) if address else own
    played, search = game(next(iter(checkpoint.info.games))), SearchSettings(cache_entries=0)
    settings = SelfplaySettings(parallel=BATCH, groups=2 if address else 1, full_share=1.0)
    cache = cache_for(played, search)
    found = measure_selfplay(
        [played], lambda _worker: Source(evaluator, cache), search, settings, workers=1, seconds=seconds
    )
    print(found.reading.evaluations_per_s)


def selfplay(model: Path, seconds: float, *, is_null: bool) -> None:
    """Print the evaluations per second of processes that share one server, and of processes with their own network."""
    server = Process(model, is_null=is_null)
    transport = ["--transport"] if is_null else []
    for clients in (1, 2, 4):
        found: dict[str, object] = {"network": "null" if is_null else model.name, "processes": clients}
        for name, address in (("own", ""), ("server", server.address)):
            command = [sys.executable, __file__, str(model), "--play", address, "--seconds", str(seconds), *transport]
            started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(clients)]
            found[f"{name}_per_s"] = round(sum(float(each.communicate()[0]) for each in started))
        print(json.dumps(found), flush=True)
    server.process.kill()


def failures(model: Path) -> None:
    """Print the longest pause of four callers during each failure of one of two servers."""
    checkpoint = load_checkpoint(model)
    servers = [Process(model, is_null=True), Process(model, is_null=True)]
    own = evaluator_of(checkpoint)
    remote = RemoteEvaluator(checkpoint, [each.address for each in servers], lambda: own)
    for what, number in (
        ("nothing", 0),
        ("held", signal.SIGSTOP),
        ("let go", signal.SIGCONT),
        ("killed", signal.SIGKILL),
    ):
        threading.Timer(1.0, servers[0].signal, [number]).start()
        pauses: list[list[float]] = [[] for _ in range(4)]
        rate = asking(remote, 4, 5.0, pauses)
        taken = np.concatenate([np.array(each) for each in pauses])
        found = {"one of two servers": what, "batches": len(taken), "per_s": round(rate)}
        longest = {"p50_ms": round(1e3 * float(np.median(taken)), 2), "longest_ms": round(1e3 * float(taken.max()), 1)}
        print(json.dumps(found | longest | {"answering": len(remote.servers.answering)}), flush=True)
    remote.close()
    servers[1].process.kill()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--transport", action="store_true")
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--selfplay", action="store_true")
    parser.add_argument("--play", metavar="ADDRESS", help="one of the processes of --selfplay; empty: its own network")
    parser.add_argument("--seconds", type=float, default=5.0)
    chosen = parser.parse_args()
    if chosen.failures:
        failures(chosen.model)
    elif chosen.play is not None:
        play(chosen.model, chosen.play or None, chosen.seconds, is_null=chosen.transport)
    elif chosen.selfplay:
        selfplay(chosen.model, chosen.seconds, is_null=chosen.transport)
    else:
        rates(chosen.model, chosen.seconds, is_null=chosen.transport)


if __name__ == "__main__":
    main()
