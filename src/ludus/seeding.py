"""Named streams of random numbers: each is derived from one seed and a path of words."""

import hashlib

import numpy as np


def stream(seed: int, *path: str | int) -> np.random.Generator:
    """Return the generator named by `path`, e.g. `stream(7, "selfplay", worker, game)`.

    Equal seeds and paths give equal streams on every machine and in every process; different paths are independent.
    """
    name = "/".join(str(part) for part in (seed, *path))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(name.encode()).digest()[:16], "little"))
