"""The memory of a minimax search: its stack of nodes, its transposition table, and its settings.

Axes: P plies, L legal actions, S items of a state, A actions, M entries of the table.

A table entry stores the result of a position in 64 bits: value 16, action 16, depth 8, bound 2, age 8.  Distances to
the end of the game are counted from the position, not from the root.  A 64-bit hash identifies the position, so that
collisions are negligible.
"""

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.kernel import COMPILED, kernel
from ludus.search.random import GAMMA, mix

MAX_DEPTH = 60  # actions ahead

NODE = np.dtype(
    [
        ("key", "u8"),
        ("low", "i4"),  # alpha: player 0 already has at least this; all values are seen by player 0
        ("high", "i4"),  # beta: player 1 already concedes at most this
        ("first_low", "i4"),  # the window when the node was opened
        ("first_high", "i4"),
        ("best", "i4"),
        ("depth", "i2"),  # actions to look ahead from here
        ("count", "i2"),
        ("next", "i2"),  # actions chosen so far
        ("move", "i2"),  # the best action so far
        ("played", "i2"),  # the action that led to the next node of the stack
        ("mover", "i1"),
        ("stage", "i1"),
    ],
    align=True,
)
CONTROL = np.dtype(
    [
        ("nodes", "i8"),
        ("salt", "u8"),  # part of the keys; differs for each search, so that no search uses entries of earlier ones
        ("ply", "i4"),
        ("value", "i4"),
        ("first", "i2"),  # action that the root tries first; -1: none
        ("age", "i2"),  # age of new table entries
        ("full_width", "i1"),
        ("reduces", "i1"),
        ("uses_table", "i1"),
    ],
    align=True,
)


class MinimaxSettings(msgspec.Struct, frozen=True):
    """Settings of a minimax search."""

    full_width: bool = False
    """Whether to search actions of negative rank too, which the game's `survey` considers useless."""
    reduces: bool = True
    """Whether to search late actions of a node less deeply first (late move reductions)."""
    table_entries: int = 1 << 20
    """Entries of the transposition table, a power of two; 0: no table."""


class Stack(NamedTuple):
    """All arrays of one search."""

    control: NDArray[Any]  # [1] CONTROL
    node: NDArray[Any]  # [P] NODE
    states: NDArray[Any]  # [P, S]
    actions: NDArray[np.int16]  # [P, L]
    order: NDArray[np.int32]  # [P, L] priorities; the highest is searched first
    ranks: NDArray[np.int16]  # [L] scratch
    killers: NDArray[np.int16]  # [P, 2] actions that caused a cutoff at this ply
    history: NDArray[np.int32]  # [2, A] cutoffs of each action, by mover, weighted by depth
    keys: NDArray[np.uint64]  # [M]
    entries: NDArray[np.uint64]  # [M]


def make_stack(game: Game, settings: MinimaxSettings) -> Stack:
    """Allocate the memory for searches of `game`."""
    entries = max(1, settings.table_entries)
    assert entries & (entries - 1) == 0, "the lowest bits of a key select the entry"
    control, node = np.zeros(1, CONTROL), np.zeros(MAX_DEPTH + 1, NODE)
    if not COMPILED:  # plain Python reaches fields by attribute through a recarray
        control, node = control.view(np.recarray), node.view(np.recarray)
    control[0]["full_width"], control[0]["reduces"] = settings.full_width, settings.reduces
    control[0]["uses_table"] = settings.table_entries > 0
    width = game.state_words * 8 // game.dtype.itemsize
    return Stack(
        control=control,
        node=node,
        states=np.zeros((MAX_DEPTH + 1, width), game.dtype),
        actions=np.zeros((MAX_DEPTH + 1, game.max_legal), np.int16),
        order=np.zeros((MAX_DEPTH + 1, game.max_legal), np.int32),
        ranks=np.zeros(game.max_legal, np.int16),
        killers=np.full((MAX_DEPTH + 1, 2), -1, np.int16),
        history=np.zeros((2, game.num_actions), np.int32),
        keys=np.zeros(entries, np.uint64),
        entries=np.zeros(entries, np.uint64),
    )


EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # bounds; 0: no entry
WIN = 30_000  # value of a win of player 0 at the root; a win at ply p is worth p less
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
    """Store the result of the state at a ply, unless the entry has a deeper result of this search."""
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
    """Return the bound (0: none), depth, value and action stored for a key; the value is converted for this ply."""
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
