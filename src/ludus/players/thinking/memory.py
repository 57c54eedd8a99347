"""Memory of search trees: how many visits fit into some of it, and pages that become real where they are written."""

import ctypes
import mmap
import sys

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.search.tree import make_trees

LEAST_VISITS = 100
NO_HUGE_PAGES = 15  # MADV_NOHUGEPAGE of Linux
SCHEDULE = 16  # bytes that a group's settings take for each visit


def visits_within(game: Game, megabytes: int) -> int:
    """Return the most visits of a tree of `game` whose memory, and what moving its root takes, fits."""
    return max(LEAST_VISITS, int(megabytes * 2**20 / bytes_per_visit(game)))


def bytes_per_visit(game: Game) -> float:
    """Return the memory that a tree sets aside for each visit that it may have."""
    small, large = (_bytes(game, nodes) for nodes in (1_000, 2_000))
    return (large - small) / 1_000 + SCHEDULE


def _bytes(game: Game, nodes: int) -> int:
    trees = make_trees(
        1,
        np.zeros((1, *game.planes), np.uint8),
        state_words=game.state_words,
        dtype=game.dtype,
        max_legal=game.max_legal,
        max_nodes=nodes,
    )
    return sum(getattr(trees, name).nbytes for name in trees._fields if name != "states")  # which are the words


def use_small_pages(*arrays: NDArray[np.generic]) -> None:
    """Let the memory of large fresh arrays become real by pages of 4 KiB (Linux; elsewhere, nothing happens).

    NumPy asks the system for pages of 2 MiB: each array of each tree would be real as soon as its root is.  64 trees of
    20,000 visits that have had 100 visits took 231 MiB; by small pages they take 3.
    """
    if not sys.platform.startswith("linux"):
        return
    advise = ctypes.CDLL(None).madvise
    for array in arrays:
        first = -(-array.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
        length = array.ctypes.data + array.nbytes - first
        if length >= mmap.PAGESIZE:  # advice: if the system will not take it, nothing is lost but memory
            advise(ctypes.c_void_p(first), ctypes.c_size_t(length), NO_HUGE_PAGES)
