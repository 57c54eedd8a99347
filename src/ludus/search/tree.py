"""The trees: structs of arrays in arenas with a cap; knows memory, not how a search walks.

Axes: G trees, N nodes of a tree, E edges of a tree (legal actions), K children of a tree (visited edges),
B rows of a batch, D levels of a walk, W words of a state, A actions, L legal actions padded to whole 64s.

What a walk reads of a node stands in its parent's block of children (`CHILD`: two of them fill a cache line), so a
walk touches one block a level; what is read only when a node grows stands in `NODE`.  Child 0 of a tree is its root.
How blocks grow is the matter of `children.py`; which edges a node keeps, that of `edges.py`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import COMPILED, kernel

KEPT = 16  # edges that an inner node keeps at first: a cache line
DEEPEST = 1024  # levels of a walk; what is deeper is not expanded
# Kinds of nodes: state unknown, at the evaluator, inner, end of game, a leaf whose outcome the rules foresee.
WAITING, PENDING, EXPANDED, TERMINAL, FORESEEN = 0, 1, 2, 3, 4
NO_MORE, READY, UNKNOWN = 0, 1, 2  # the next edge: none is left, it stands next to the visited ones, it was not kept
ARRIVED, GROW, WIDEN = 0, 1, 2  # what a walk ends with
NO_TREE = -1
ASKED = 0  # of a root: the rules are asked what they foresee, here and below, unless its outcome is foreseen
UNASKED = -1  # neither here nor below
LEAVES = -2  # below alone

TREE = np.dtype(
    [
        ("num_nodes", "i4"),
        ("num_edges", "i4"),
        ("promised", "i4"),  # edges that the leaves at the evaluator will take
        ("num_children", "i4"),  # cells of the child arena in use
        ("target", "i4"),  # visits of the root at which the search is done; 0: the tree is idle
        ("pending", "i4"),  # leaves at the evaluator
        ("actions_left", "i4"),  # until the game is a draw by its length cap; 0: no cap
        ("leaves", "i2"),  # most leaves in a batch
        ("considered", "i2"),  # Gumbel search: root actions in the running
        ("explores", "i1"),  # 1: the root is searched with noise (or Gumbel's), for variety
        ("has_noise", "i1"),  # 1: this root has had its noise
        ("full", "i1"),  # 1: an arena is full, the search ends early
        ("averaged", "i1"),  # 1: this root's policy is the mean over symmetries
        ("foreseen", "i1"),  # of the root: an outcome, once it is; before, and else, ASKED, UNASKED or LEAVES
    ],
    align=True,
)
CHILD = np.dtype(
    [
        ("node", "i4"),
        ("visits", "i4"),
        ("value_sum", "f4"),  # seen by player 0
        ("draw_sum", "f4"),
        ("first_child", "i4"),  # of its own block
        ("prior", "u2"),  # in 65535ths
        ("next_prior", "u2"),  # of its best unvisited edge; if `more` is UNKNOWN, not less than that
        ("num_children", "i2"),
        ("in_flight", "i2"),  # walks through it that wait for an evaluation (virtual losses)
        ("kind", "i1"),
        ("mover", "i1"),
        ("proof", "i1"),  # the outcome under best play, once it is known; else 0
        ("more", "i1"),
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("first_edge", "i4"),
        ("value", "f4"),  # the evaluator's, seen by player 0
        ("draw", "f4"),  # the evaluator's probability of a draw
        ("num_edges", "i2"),  # legal actions
        ("kept", "i2"),  # edges of them in the arena
        ("room", "i2"),  # of its block of children
        ("unused", "i2"),
    ],
    align=True,
)
ROW = np.dtype(
    [
        ("tree", "i4"),  # NO_TREE: a row that belongs to the one above
        ("depth", "i4"),
        ("hash", "u8"),
        ("count", "i4"),  # legal actions
        ("widens", "i4"),
        ("path", "i4"),
        ("copies", "i4"),  # rows that show this leaf, each under another symmetry
    ],
    align=True,
)
WALKER = np.dtype([("tree", "i4"), ("at", "i4"), ("depth", "i4"), ("ends", "i4"), ("path", "i4")], align=True)


class Trees(NamedTuple):
    """A group of trees that share a batch, and everything that the compiled steps need to work on them."""

    tree: NDArray[Any]  # [G] TREE
    child: NDArray[Any]  # [G, K] CHILD
    node: NDArray[Any]  # [G, N] NODE
    words: NDArray[np.uint64]  # [G, N, W] states
    states: NDArray[Any]  # [G, N, S] the same memory, as the game's dtype
    edge: NDArray[np.uint32]  # [G, E] prior << 16 | action
    free: NDArray[np.int32]  # [G, 16] first free block of 1, 2, 4, ... children; -1 = none
    stream: NDArray[np.uint64]  # [G, 1] random streams
    gumbel: NDArray[np.float32]  # [G, A] logit and Gumbel noise of the root edges in the running
    row: NDArray[Any]  # [B] ROW: the leaf in each row of the batch
    planes: NDArray[np.uint8]  # [B, C, H, W] what the network sees of it
    row_legal: NDArray[np.int16]  # [B, A] its legal actions
    turned: NDArray[Any]  # [S] scratch: a state under a symmetry
    walker: NDArray[Any]  # [G] WALKER
    path: NDArray[np.int32]  # [G + B, D] the children that a walk went through, the root first
    spare: NDArray[np.int32]  # [B] paths that are not in use
    moving: NDArray[np.int32]  # [G] walkers that have not arrived
    ready: NDArray[np.int32]  # [G] trees that want to walk
    scratch_child: NDArray[Any]  # [K] CHILD
    scratch_node: NDArray[Any]  # [N] NODE
    scratch_words: NDArray[np.uint64]  # [N, W]
    scratch_edge: NDArray[np.uint32]  # [E]
    keys: NDArray[np.uint32]  # [L] scratch: packed edges
    weight: NDArray[np.float32]  # [L] scratch for one softmax
    lane: NDArray[np.float32]  # [16] scratch for its maxima and sums
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


def _records(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return zeros that begin with a cache line."""
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.zeros(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    array = memory[first : first + size].view(dtype).reshape(shape)
    # Plain Python reaches a record's fields by attribute only through a recarray view.
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
        planes: the batch's buffer, whose B rows `collect` fills.  # [B, C, H, W], or [B, 0, 0, 0] if nobody reads them
        state_words: W, 64-bit words of a state.
        dtype: of a state's items.
        max_legal: most legal actions of a position.
        max_nodes: N, cap of nodes of each tree; edges and children are capped in proportion.
        kept: edges that an inner node keeps at first.
        seed: names the random streams of all trees.
    """
    # The root has all its edges, and so have some nodes that were widened.
    max_edges = max_nodes * min(max_legal, kept) + max_nodes * max_legal // 64 + 4 * max_legal + 2 * KEPT
    max_children = 2 * max_nodes + 2 * max_legal + 8  # a child each, and the room of blocks that are not full
    padded, batch = -(-max_legal // 64) * 64, len(planes)
    words = np.zeros((num_trees, max_nodes, state_words), np.uint64)
    depth = min(max_nodes, DEEPEST) + 1
    trees = Trees(
        tree=_records(num_trees, TREE),
        child=_records((num_trees, max_children), CHILD),
        node=_records((num_trees, max_nodes), NODE),
        words=words,
        states=words.view(dtype),
        edge=np.zeros((num_trees, max_edges), np.uint32),
        free=np.full((num_trees, 16), -1, np.int32),
        stream=np.zeros((num_trees, 1), np.uint64),
        gumbel=np.zeros((num_trees, max_legal), np.float32),
        row=_records(batch, ROW),
        planes=planes,
        row_legal=np.zeros((batch, max_legal), np.int16),
        turned=words[0, 0].view(dtype).copy(),
        walker=_records(num_trees, WALKER),
        path=np.zeros((num_trees + batch, depth), np.int32),
        spare=np.zeros(batch, np.int32),
        moving=np.zeros(num_trees, np.int32),
        ready=np.zeros(num_trees, np.int32),
        scratch_child=_records(max_children, CHILD),
        scratch_node=_records(max_nodes, NODE),
        scratch_words=np.zeros((max_nodes, state_words), np.uint64),
        scratch_edge=np.zeros(max_edges, np.uint32),
        keys=np.zeros(padded, np.uint32),
        weight=np.zeros(padded, np.float32),
        lane=np.zeros(16, np.float32),
        counter=np.zeros(len(COUNTERS), np.int64),
    )
    trees.stream[:, 0] = np.random.SeedSequence(seed).generate_state(num_trees, np.uint64)
    return trees


@kernel
def clear_tree(t: Trees, g: int) -> None:
    """Forget everything in tree `g` but its schedule and random stream."""
    tree = t.tree[g]
    tree.num_nodes = 0
    tree.num_edges = 0
    tree.num_children = 1  # the root
    tree.pending = 0
    tree.promised = 0
    tree.has_noise = 0
    tree.considered = 0
    tree.full = 0
    tree.averaged = 0
    tree.foreseen = min(ASKED, int(tree.foreseen))
    for size in range(t.free.shape[1]):
        t.free[g, size] = -1
