"""Measures how long PyTorch's threads should spin before they sleep: training steps with each GOMP_SPINCOUNT, in turn.

python bench/spinning.py [--blocks 2 --channels 16 --spins default 0 1000 10000 --seconds 4 --rounds 3]

Each measurement is a process of its own, because the variable counts when the library of the threads is loaded.
The steps are those of a plain PyTorch loop in bf16, with two threads and batches of 256 positions of Connect Four.
"""

import argparse
import os
import subprocess
import sys
import time

DEFAULT = "default"  # the library's own number: 300,000


def steps(blocks: int, channels: int, seconds: float) -> str:
    """Return the steps per second by the clock and per second of processor time."""
    import torch
    from torch.nn import functional

    from ludus.network.config import NetworkSettings, Shapes
    from ludus.network.model import Network

    torch.set_num_threads(2)
    shapes = Shapes((2, 6, 7), (1.0, 1.0), 7)
    network = Network(NetworkSettings(blocks=blocks, channels=channels), shapes).to(memory_format=torch.channels_last)  # pyright: ignore
    optimiser = torch.optim.AdamW(network.parameters())
    planes, best = torch.ones(256, 2, 6, 7).contiguous(memory_format=torch.channels_last), torch.zeros(256).long()

    def step() -> None:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            heads = network.heads(planes)
        optimiser.zero_grad()
        functional.cross_entropy(heads.policy.float(), best).backward()
        optimiser.step()

    for _ in range(3):  # allocate memory and prepare the kernels
        step()
    done, begun, worked = 0, time.perf_counter(), time.process_time()
    while (took := time.perf_counter() - begun) < seconds:
        step()
        done += 1
    return f"{done / took:.2f} steps/s, {done / (time.process_time() - worked):.2f} per second of processor time"


def main() -> None:
    """Measure all settings in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=2)
    parser.add_argument("--channels", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spins", nargs="*", default=[DEFAULT, "0", "1000", "10000"])
    parser.add_argument("--here", action="store_true", help="measure this process only")
    arguments = parser.parse_args()
    if arguments.here:
        print(steps(arguments.blocks, arguments.channels, arguments.seconds))
        return
    for _ in range(arguments.rounds):
        for spins in arguments.spins:
            environment = {**os.environ, "GOMP_SPINCOUNT": "300000" if spins == DEFAULT else spins}
            done = subprocess.run(
                [sys.executable, *sys.argv, "--here"], env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
            print(f"{arguments.blocks} x {arguments.channels}, {spins} spins: {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
