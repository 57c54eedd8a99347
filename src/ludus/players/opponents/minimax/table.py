"""The transposition table: what was found about a position that another order of actions leads to.

An entry is 64 bits: value 16, action 16, depth 8, bound 2, age 8.  Distances to the end of the game are counted from
the position, not from the root.  A key of 64 bits stands for the position: two positions of one search share a key
once in more searches than anyone will run.
"""

import numpy as np

from ludus.kernel import kernel
from ludus.players.opponents.minimax.stack import Stack
from ludus.search.random import GAMMA, mix

EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # bounds; 0: nothing is known
WIN = 30_000  # of player 0, at the root; a win at ply p counts p less
DECIDED = WIN - 1_000  # values beyond this one are wins
OFFSET = 1 << 15  # makes a value a positive number


@kernel
def key_of(s: Stack, ply: int) -> np.uint64:
    """Return the key of the state at a ply."""
    words = s.states.view(np.uint64)
    key = np.uint64(s.control[0].salt)
    for word in range(words.shape[1]):
        key = mix(key ^ np.uint64(words[ply, word])) + GAMMA
    return key


@kernel
def remember(s: Stack, ply: int, value: int, action: int, depth: int, bound: int) -> None:
    """Keep what was found at a ply, unless more is known about a position with this place in the table."""
    if int(s.control[0].uses_table) == 0:
        return
    key, age = np.uint64(s.node[ply].key), int(s.control[0].age)
    at = int(key & np.uint64(s.keys.shape[0] - 1))
    old = np.uint64(s.entries[at])
    if (
        np.uint64(s.keys[at]) != key
        and int(old >> np.uint64(42)) & 255 == age
        and int(old >> np.uint64(32)) & 255 > depth
    ):
        return
    distance = ply if value > DECIDED else -ply if value < -DECIDED else 0
    s.keys[at] = key
    s.entries[at] = (
        np.uint64(value + distance + OFFSET)
        | np.uint64(action) << np.uint64(16)
        | np.uint64(depth) << np.uint64(32)
        | np.uint64(bound) << np.uint64(40)
        | np.uint64(age) << np.uint64(42)
    )


@kernel
def recall(s: Stack, key: np.uint64, ply: int) -> tuple[int, int, int, int]:
    """Return bound (0: nothing), depth, value and action of a position at a ply."""
    at = int(key & np.uint64(s.keys.shape[0] - 1))
    if int(s.control[0].uses_table) == 0 or np.uint64(s.keys[at]) != key:
        return 0, 0, 0, -1
    entry = np.uint64(s.entries[at])
    value = int(entry & np.uint64(0xFFFF)) - OFFSET
    value -= ply if value > DECIDED else -ply if value < -DECIDED else 0
    return (
        int(entry >> np.uint64(40)) & 3,
        int(entry >> np.uint64(32)) & 255,
        value,
        int(entry >> np.uint64(16)) & 0xFFFF,
    )
