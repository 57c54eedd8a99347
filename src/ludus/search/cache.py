"""The evaluation cache: network outputs by position hash, shared by threads without locks.

Axes: M entries, F words of an entry.

An entry is one row of 32-bit words.  Word 0 is a version number, which is odd during a write.  A reader that finds it
odd, or changed after reading, reports a miss; a writer that finds it odd skips the write (a "seqlock": Lameter,
"Effective synchronization on Linux/NUMA systems", 2005).  New evaluations replace old ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import kernel, read_first, read_first_again, swap_first, write_first
from ludus.search.random import mix
from ludus.search.tree import Trees

KEY_LOW, KEY_HIGH, COUNTS, VALUE, DRAW, EDGES = 1, 2, 3, 4, 5, 6  # words of an entry; the edges come last
HALF = np.uint64(32)


class Cache(NamedTuple):
    """The cache entries of one model, shared by all groups of trees that use this model."""

    words: NDArray[np.uint32]  # [M, F] 0: version, 1 2: hash, 3: legal actions << 16 | edges kept, 6 ...: edges
    floats: NDArray[np.float32]  # [M, F] the same memory: 4: value seen by player 0, 5: probability of a draw
    salt: NDArray[np.uint64]  # [1] identifies the weights; changing it invalidates all entries

    def forget(self) -> None:
        """Invalidate all entries, because the network has new weights."""
        with np.errstate(over="ignore"):
            self.salt[0] += np.uint64(1)

    @property
    def nbytes(self) -> int:
        """Return the size of all entries in bytes."""
        return self.words.nbytes


def make_cache(entries: int, kept: int) -> Cache:
    """Allocate a cache.

    Args:
        entries: number of positions, rounded up to a power of two; 0 disables the cache.
        kept: edges stored per entry.
    """
    size = 1 << (entries - 1).bit_length() if entries else 0
    words = np.zeros((size, EDGES + kept), np.uint32)
    return Cache(words, words.view(np.float32), np.zeros(1, np.uint64))


@kernel
def cache_key(cache: Cache, position_hash: np.uint64) -> np.uint64:
    """Return the key of a position for the current weights."""
    return position_hash ^ (mix(np.uint64(cache.salt[0])) << np.uint64(1))


@kernel
def recall(cache: Cache, key: np.uint64, t: Trees, g: int, at: int) -> int:
    """Load the cached evaluation of the new node at child `at`; return the entry's index, or -1 on a miss."""
    entries = cache.words.shape[0]
    if entries == 0:
        return -1
    entry = int(key >> np.uint64(1)) & (entries - 1)
    version = read_first(cache.words, entry)
    words = cache.words[entry]
    if int(version) & 1 or int(words[KEY_LOW]) != int(key) & 0xFFFFFFFF or int(words[KEY_HIGH]) != int(key >> HALF):
        return -1
    tree, node = t.tree[g], t.node[g, int(t.child[g, at].node)]
    first, kept = int(tree.num_edges), min(int(words[COUNTS]) & 0xFFFF, words.shape[0] - EDGES)
    for k in range(kept):
        t.edge[g, first + k] = words[EDGES + k]
    num_edges = int(words[COUNTS]) >> 16
    value, draw = cache.floats[entry, VALUE], cache.floats[entry, DRAW]
    if int(read_first_again(cache.words, entry)) != int(version):
        return -1
    node.first_edge = first
    node.kept = kept
    node.num_edges = num_edges
    node.value = value
    node.draw = draw
    tree.num_edges = first + kept
    return entry


@kernel
def remember(cache: Cache, key: np.uint64, t: Trees, g: int, index: int) -> None:
    """Store the evaluation of a node that has just been expanded; overwrite the previous entry.

    A root with more edges than an entry holds is not stored, because its best edges are not known.
    """
    entries, room = cache.words.shape[0], cache.words.shape[1] - EDGES
    if entries == 0 or int(t.node[g, index].kept) > room:
        return
    entry = int(key >> np.uint64(1)) & (entries - 1)
    version = int(read_first(cache.words, entry))
    if version & 1 or not swap_first(cache.words, entry, version, version + 1):
        return
    node, words = t.node[g, index], cache.words[entry]
    first, kept = int(node.first_edge), int(node.kept)
    words[KEY_LOW] = int(key) & 0xFFFFFFFF
    words[KEY_HIGH] = int(key >> HALF)
    words[COUNTS] = int(node.num_edges) << 16 | kept
    cache.floats[entry, VALUE] = node.value
    cache.floats[entry, DRAW] = node.draw
    for k in range(kept):
        words[EDGES + k] = t.edge[g, first + k]
    write_first(cache.words, entry, (version + 2) & 0xFFFFFFFF)
