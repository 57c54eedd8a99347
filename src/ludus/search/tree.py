"""The memory of search trees: structs of arrays with a fixed capacity.

Axes: G trees, N nodes of a tree, E edges of a tree (legal actions), K children of a tree (visited edges),
B rows of a batch, D levels of a walk, W words of a state, A actions, L legal actions padded to whole 64s.

The fields of a node that a walk reads are stored in its parent's block of children (`CHILD`: two fill a cache line), so
a walk reads one block a level; fields that are read only when a node grows are in `NODE`.  Child 0 of a tree is its
root.  `children.py` manages the blocks of children; `edges.py` decides which edges a node keeps.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import COMPILED, kernel

KEPT = 16  # edges that an inner node keeps before it is widened: a cache line
DEEPEST = 1024  # maximum levels of a walk; deeper nodes are not expanded
# Kinds of nodes: state unknown, being evaluated, inner node, end of game, leaf with a foreseen outcome.
WAITING, PENDING, EXPANDED, TERMINAL, FORESEEN = 0, 1, 2, 3, 4
NO_MORE, READY, UNKNOWN = 0, 1, 2  # the next edge: none left, next to the visited ones, not kept
ARRIVED, GROW, WIDEN = 0, 1, 2  # how a walk ends
NO_TREE = -1
ASKED = 0  # state of `foreseen` at a root: foresight is used at the root and below, until its outcome is foreseen
UNASKED = -1  # foresight is used neither at the root nor below
LEAVES = -2  # foresight is used only below the root
UNSOUGHT, NO_ENDING = 0, -1  # states of `ends` besides outcomes

TREE = np.dtype(
    [
        ("num_nodes", "i4"),
        ("num_edges", "i4"),
        ("promised", "i4"),  # edges that pending leaves will need
        ("num_children", "i4"),  # cells of the child arena in use
        ("target", "i4"),  # root visits at which the search is done; 0: the tree is idle
        ("pending", "i4"),  # leaves being evaluated
        ("actions_left", "i4"),  # actions until the length cap makes the game a draw; 0: no cap
        ("leaves", "i2"),  # most leaves in a batch
        ("breadth", "i2"),  # root actions to visit at least once, the best by prior
        ("considered", "i2"),  # Gumbel search: number of root actions considered
        ("explores", "i1"),  # 1: the root is searched with Dirichlet or Gumbel noise
        ("has_noise", "i1"),  # 1: noise has been added to this root
        ("full", "i1"),  # 1: an arena is full, so the search ends early
        ("averaged", "i1"),  # 1: this root's policy is the mean over symmetries
        ("foreseen", "i1"),  # the root's foreseen outcome, or ASKED, UNASKED or LEAVES
        ("plays", "i1"),  # 1: the search is for play, so it looks for a root action that ends the game
        ("ends", "i1"),  # outcome of that action, or UNSOUGHT or NO_ENDING (none, or it was visited)
        ("ending", "i2"),  # the action
    ],
    align=True,
)
CHILD = np.dtype(
    [
        ("node", "i4"),
        ("visits", "i4"),
        ("value_sum", "f4"),  # from player 0's perspective
        ("draw_sum", "f4"),
        ("first_child", "i4"),  # index of its own block of children
        ("prior", "u2"),  # in 65535ths
        ("next_prior", "u2"),  # prior of its best unvisited edge, or an upper bound if `more` is UNKNOWN
        ("num_children", "i2"),
        ("in_flight", "i2"),  # walks through it that are waiting for an evaluation (virtual losses)
        ("kind", "i1"),
        ("mover", "i1"),
        ("proof", "i1"),  # the outcome under best play; 0 if not proved
        ("more", "i1"),
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("first_edge", "i4"),
        ("value", "f4"),  # the evaluator's value from player 0's perspective
        ("draw", "f4"),  # the evaluator's probability of a draw
        ("num_edges", "i2"),  # number of legal actions
        ("kept", "i2"),  # number of edges stored in the arena
        ("room", "i2"),  # capacity of its block of children
        ("unused", "i2"),
    ],
    align=True,
)
ROW = np.dtype(
    [
        ("tree", "i4"),  # NO_TREE: another symmetry of the leaf above
        ("depth", "i4"),
        ("hash", "u8"),
        ("count", "i4"),  # number of legal actions
        ("widens", "i4"),
        ("path", "i4"),
        ("copies", "i4"),  # rows with this leaf, each under another symmetry
    ],
    align=True,
)
WALKER = np.dtype([("tree", "i4"), ("at", "i4"), ("depth", "i4"), ("ends", "i4"), ("path", "i4")], align=True)


class Trees(NamedTuple):
    """Memory of a group of trees that share a batch, with the scratch space of the compiled steps."""

    tree: NDArray[Any]  # [G] TREE
    child: NDArray[Any]  # [G, K] CHILD
    node: NDArray[Any]  # [G, N] NODE
    words: NDArray[np.uint64]  # [G, N, W] states
    states: NDArray[Any]  # [G, N, S] the same memory as the game's dtype
    edge: NDArray[np.uint32]  # [G, E] prior << 16 | action
    free: NDArray[np.int32]  # [G, 16] first free block of 1, 2, 4, ... children; -1 = none
    stream: NDArray[np.uint64]  # [G, 1] random streams
    gumbel: NDArray[np.float32]  # [G, A] logit plus Gumbel noise of the root edges being considered
    row: NDArray[Any]  # [B] ROW: the leaf in each row of the batch
    planes: NDArray[np.uint8]  # [B, C, H, W] its input planes
    row_legal: NDArray[np.int16]  # [B, A] its legal actions
    turned: NDArray[Any]  # [S] scratch: a state under a symmetry
    walker: NDArray[Any]  # [G] WALKER
    path: NDArray[np.int32]  # [G + B, D] indices of the children on a walk, starting at the root
    spare: NDArray[np.int32]  # [B] paths not in use
    moving: NDArray[np.int32]  # [G] walkers that are still descending
    ready: NDArray[np.int32]  # [G] trees that need another walk
    scratch_child: NDArray[Any]  # [K] CHILD
    scratch_node: NDArray[Any]  # [N] NODE
    scratch_words: NDArray[np.uint64]  # [N, W]
    scratch_edge: NDArray[np.uint32]  # [E]
    keys: NDArray[np.uint32]  # [L] scratch: packed edges
    weight: NDArray[np.float32]  # [L] scratch for one softmax
    lane: NDArray[np.float32]  # [16] scratch for the softmax's maxima and sums
    counter: NDArray[np.int64]  # [9] see COUNTERS


COUNTERS = (
    "simulations",
    "evaluations",
    "cache_hits",
    "terminals",
    "collisions",
    "widenings",
    "proofs",
    "full_trees",
    "rows",
)
SIMULATIONS, EVALUATIONS, CACHE_HITS, TERMINALS, COLLISIONS, WIDENINGS, PROOFS, FULL_TREES, ROWS = range(9)


class Length(NamedTuple):
    """The length of an axis that grows with another: at most `most`, else `number * times // over + plus`."""

    of: str
    """The other axis, or V, the most visits of a root."""
    times: int
    over: int
    plus: int
    most: int = 1 << 62

    def at(self, number: int) -> int:
        """Return the length for a length of the other axis."""
        return min(self.most, number * self.times // self.over + self.plus)


def lengths(num_trees: int, max_legal: int, kept: int = KEPT) -> dict[str, Length]:
    """Return how the axes that `make_trees` chooses follow from nodes N and rows B."""
    return {
        # The root and some widened nodes have all their edges.
        "E": Length("N", 64 * min(max_legal, kept) + max_legal, 64, 4 * max_legal + 2 * KEPT),
        # A child each, plus the free space of blocks that are not full.
        "K": Length("N", 2, 1, 2 * max_legal + 8),
        "D": Length("N", 1, 1, 1, DEEPEST + 1),
        "P": Length("B", 1, 1, num_trees),
    }


FREE, LANES = 16, 16
ARRAYS: dict[str, tuple[tuple[str | int, ...], np.dtype[Any]]] = {
    "tree": (("G",), TREE),
    "child": (("G", "K"), CHILD),
    "node": (("G", "N"), NODE),
    "words": (("G", "N", "W"), np.dtype(np.uint64)),
    "edge": (("G", "E"), np.dtype(np.uint32)),
    "free": (("G", FREE), np.dtype(np.int32)),
    "stream": (("G", 1), np.dtype(np.uint64)),
    "gumbel": (("G", "A"), np.dtype(np.float32)),
    "row": (("B",), ROW),
    "row_legal": (("B", "A"), np.dtype(np.int16)),
    "walker": (("G",), WALKER),
    "path": (("P", "D"), np.dtype(np.int32)),
    "spare": (("B",), np.dtype(np.int32)),
    "moving": (("G",), np.dtype(np.int32)),
    "ready": (("G",), np.dtype(np.int32)),
    "scratch_child": (("K",), CHILD),
    "scratch_node": (("N",), NODE),
    "scratch_words": (("N", "W"), np.dtype(np.uint64)),
    "scratch_edge": (("E",), np.dtype(np.uint32)),
    "keys": (("L",), np.dtype(np.uint32)),
    "weight": (("L",), np.dtype(np.float32)),
    "lane": ((LANES,), np.dtype(np.float32)),
    "counter": ((len(COUNTERS),), np.dtype(np.int64)),
}
"""The arrays that `make_trees` allocates: their axes, here with A for the most legal actions, and types."""


def padded(max_legal: int) -> int:
    """Return L, the most legal actions padded to whole 64s."""
    return -(-max_legal // 64) * 64


def _allocated(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a zeroed array; one of records is aligned to a cache line."""
    if not dtype.names:
        return np.zeros(shape, dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.zeros(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    array = memory[first : first + size].view(dtype).reshape(shape)
    # Plain Python needs a recarray view for attribute access to a record's fields.
    return array if COMPILED else array.view(np.recarray)


def make_trees(
    num_trees: int,
    planes: NDArray[np.uint8],
    *,
    state_words: int,
    dtype: np.dtype[Any],
    max_legal: int,
    max_nodes: int,
    kept: int = KEPT,
    seed: int = 0,
) -> Trees:
    """Allocate a group of empty trees.

    Args:
        num_trees: G.
        planes: the batch's buffer, whose B rows `collect` fills.  # [B, C, H, W], or [B, 0, 0, 0] if it is never read
        state_words: W, 64-bit words of a state.
        dtype: data type of a state's items.
        max_legal: most legal actions of a position.
        max_nodes: N, capacity of each tree in nodes; the capacities for edges and children are proportional.
        kept: edges that an inner node keeps before it is widened.
        seed: seed of the random streams of all trees.
    """
    axes = {"G": num_trees, "N": max_nodes, "B": len(planes), "W": state_words, "A": max_legal, "L": padded(max_legal)}
    axes |= {axis: length.at(axes[length.of]) for axis, length in lengths(num_trees, max_legal, kept).items()}
    arrays = {
        name: _allocated(tuple(axis if isinstance(axis, int) else axes[axis] for axis in shape), kind)
        for name, (shape, kind) in ARRAYS.items()
    }
    words = arrays["words"]
    trees = Trees(**arrays, states=words.view(dtype), planes=planes, turned=words[0, 0].view(dtype).copy())
    trees.free[:] = -1
    trees.stream[:, 0] = np.random.SeedSequence(seed).generate_state(num_trees, np.uint64)
    return trees


@kernel
def clear_tree(t: Trees, g: int) -> None:
    """Reset tree `g`, except its target and random stream."""
    clear_arenas(t, g)
    clear_root(t, g)


@kernel
def clear_arenas(t: Trees, g: int) -> None:
    """Free the memory of tree `g` apart from its root."""
    tree = t.tree[g]
    tree.num_nodes = 0
    tree.num_edges = 0
    tree.num_children = 1  # the root
    tree.pending = 0
    tree.promised = 0
    tree.full = 0
    for size in range(t.free.shape[1]):
        t.free[g, size] = -1


@kernel
def clear_root(t: Trees, g: int) -> None:
    """Forget what the search of tree `g` has found out about its root alone."""
    tree = t.tree[g]
    tree.has_noise = 0
    tree.considered = 0
    tree.averaged = 0
    tree.foreseen = min(ASKED, int(tree.foreseen))
    tree.ends = UNSOUGHT
