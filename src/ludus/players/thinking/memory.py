"""Memory of search trees: computes how many visits fit into it, and uses small pages to save physical memory."""

import ctypes
import mmap
import sys

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.search.tree import make_trees

LEAST_VISITS = 100
NO_HUGE_PAGES = 15  # MADV_NOHUGEPAGE of Linux
SCHEDULE = 16  # bytes per visit of a group's settings


def visits_within(game: Game, megabytes: int) -> int:
    """Return the number of visits of a tree of `game` that fits into `megabytes`, including moves of the root."""
    return max(LEAST_VISITS, int(megabytes * 2**20 / bytes_per_visit(game)))


def bytes_per_visit(game: Game) -> float:
    """Return the bytes that a tree allocates for each possible visit."""
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
    return sum(
        getattr(trees, name).nbytes for name in trees._fields if name != "states"
    )  # `states` is a view of the words


def use_small_pages(*arrays: NDArray[np.generic]) -> None:
    """Back large new arrays by pages of 4 KiB instead of 2 MiB (Linux only).

    NumPy requests huge pages of 2 MiB, so that writing a root allocates a whole page in every array of its tree.  64
    trees for 20,000 visits with 100 visits each used 231 MiB with huge pages and 3 MiB with small ones.
    """
    if not sys.platform.startswith("linux"):
        return
    advise = ctypes.CDLL(None).madvise
    for array in arrays:
        first = -(-array.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
        length = array.ctypes.data + array.nbytes - first
        if length >= mmap.PAGESIZE:  # only advice: refusal costs memory, nothing else
            advise(ctypes.c_void_p(first), ctypes.c_size_t(length), NO_HUGE_PAGES)
