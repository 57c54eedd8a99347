"""The trees: structs of arrays in arenas with a cap; knows memory, not how a search walks.

Axes: G trees, N nodes of a tree, E edges of a tree (legal actions), K children of a tree (visited edges),
B rows of a batch, M cache entries, W words of a state, A actions.

The legal actions of a node are `num_edges` packed edges (prior in the upper, action in the lower 16 bits).  Visited
edges come first; the best of the others is kept next.  Statistics exist for visited edges only, as children: blocks
that double when they are full.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import COMPILED, kernel

NUM_ORDERED = 4  # edges put in order at a time
WAITING, PENDING, EXPANDED, TERMINAL = 0, 1, 2, 3  # kinds of nodes: state unknown, at the evaluator, inner, end of game

TREE = np.dtype(
    [
        ("num_nodes", "i4"),
        ("num_edges", "i4"),
        ("num_children", "i4"),  # cells of the child arena in use
        ("target", "i4"),  # visits of the root at which the search is done; 0: the tree is asleep
        ("pending", "i4"),  # leaves at the evaluator
        ("noisy", "i1"),  # 1: this root has had its noise
        ("wants_noise", "i1"),
        ("full", "i1"),  # 1: an arena is full, the search ends early
        ("unused", "i1"),
    ]
)
NODE = np.dtype(
    [
        ("parent", "i4"),
        ("first_edge", "i4"),
        ("first_child", "i4"),
        ("visits", "i4"),
        ("value_sum", "f4"),  # seen by player 0
        ("draw_sum", "f4"),
        ("next_prior", "f4"),  # of the best unvisited edge
        ("ordinal", "i2"),  # this node is its parent's child number ...
        ("num_edges", "i2"),
        ("num_children", "i2"),
        ("room", "i2"),  # of its block of children
        ("ordered", "i2"),  # so many edges at the front stand in order of prior
        ("kind", "i1"),
        ("mover", "i1"),
        ("outcome", "i1"),
    ],
    align=True,
)
CHILD = np.dtype([("node", "i4"), ("visits", "i4"), ("value_sum", "f4"), ("prior", "f4")])  # a quarter of a cache line
ROW = np.dtype([("tree", "i4"), ("node", "i4"), ("hash", "u8")])


class Trees(NamedTuple):
    """A group of trees that share a batch, and everything that the compiled steps need to work on them."""

    tree: NDArray[Any]  # [G] TREE
    node: NDArray[Any]  # [G, N] NODE
    words: NDArray[np.uint64]  # [G, N, W] states
    edge: NDArray[np.uint32]  # [G, E] prior << 16 | action
    child: NDArray[Any]  # [G, K] CHILD
    stream: NDArray[np.uint64]  # [G, 1] random streams
    row: NDArray[Any]  # [B] ROW: the leaf in each row of the batch
    scratch_node: NDArray[Any]  # [N] NODE
    scratch_words: NDArray[np.uint64]  # [N, W]
    scratch_edge: NDArray[np.uint32]  # [E]
    scratch_child: NDArray[Any]  # [K] CHILD
    order: NDArray[np.int32]  # [N] old index of each kept node
    prior: NDArray[np.float32]  # [A] scratch for one softmax
    legal: NDArray[np.int16]  # [A] scratch for one list of actions
    cache_key: NDArray[np.uint64]  # [M] position hash; 0 = empty
    cache_count: NDArray[np.int16]  # [M] legal actions of the entry
    cache_value: NDArray[np.float32]  # [M, 2] value seen by player 0, draw probability
    cache_prior: NDArray[np.uint16]  # [M, A] priors in the order of `rules.legal`
    counter: NDArray[np.int64]  # [5] see COUNTERS


COUNTERS = ("simulations", "evaluations", "cache_hits", "terminals", "collisions")
SIMULATIONS, EVALUATIONS, CACHE_HITS, TERMINALS, COLLISIONS = range(5)


def _records(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    # Plain Python reaches a record's fields by attribute only through a recarray view.
    array = np.zeros(shape, dtype)
    return array if COMPILED else array.view(np.recarray)


def make_trees(
    num_trees: int,
    *,
    state_words: int,
    max_legal: int,
    max_nodes: int,
    batch: int,
    cache_entries: int = 0,
    seed: int = 0,
) -> Trees:
    """Allocate a group of empty trees.

    Args:
        num_trees: G.
        state_words: W, 64-bit words of a state.
        max_legal: most legal actions of a position.
        max_nodes: N, cap of nodes of each tree; edges and children are capped in proportion.
        batch: B, rows that one `collect` may fill.
        cache_entries: M, rounded up to a power of two; 0 = no cache.
        seed: names the random streams of all trees.
    """
    max_edges = max_nodes * max_legal
    max_children = 4 * max_nodes + 2 * max_legal + 8  # a child each, and the blocks that doubling left behind
    entries = 1 << (cache_entries - 1).bit_length() if cache_entries else 1
    trees = Trees(
        tree=_records(num_trees, TREE),
        node=_records((num_trees, max_nodes), NODE),
        words=np.zeros((num_trees, max_nodes, state_words), np.uint64),
        edge=np.zeros((num_trees, max_edges), np.uint32),
        child=_records((num_trees, max_children), CHILD),
        stream=np.zeros((num_trees, 1), np.uint64),
        row=_records(batch, ROW),
        scratch_node=_records(max_nodes, NODE),
        scratch_words=np.zeros((max_nodes, state_words), np.uint64),
        scratch_edge=np.zeros(max_edges, np.uint32),
        scratch_child=_records(max_children, CHILD),
        order=np.zeros(max_nodes, np.int32),
        prior=np.zeros(max_legal, np.float32),
        legal=np.zeros(max_legal, np.int16),
        cache_key=np.zeros(entries, np.uint64),
        cache_count=np.zeros(entries, np.int16),
        cache_value=np.zeros((entries, 2), np.float32),
        cache_prior=np.zeros((entries, max_legal if cache_entries else 1), np.uint16),
        counter=np.zeros(len(COUNTERS), np.int64),
    )
    root = np.random.SeedSequence(seed)
    trees.stream[:, 0] = root.generate_state(num_trees, np.uint64)
    return trees


@kernel
def new_node(t: Trees, g: int, parent: int, ordinal: int) -> int:
    """Append an empty node to tree `g`; the caller has checked `has_room`."""
    tree = t.tree[g]
    index = int(tree.num_nodes)
    tree.num_nodes = index + 1
    node = t.node[g, index]
    node.parent = parent
    node.ordinal = ordinal
    node.first_edge = tree.num_edges
    node.first_child = 0
    node.visits = 0
    node.value_sum = np.float32(0.0)
    node.draw_sum = np.float32(0.0)
    node.num_edges = 0
    node.num_children = 0
    node.room = 0
    node.ordered = 0
    node.kind = WAITING
    node.outcome = 0
    return index


@kernel
def has_room(t: Trees, g: int) -> bool:
    """Return whether tree `g` can take one more node with all its edges, and a doubled block of children."""
    tree = t.tree[g]
    max_legal = t.legal.shape[0]
    return (
        int(tree.num_nodes) < t.node.shape[1]
        and int(tree.num_edges) + max_legal <= t.edge.shape[1]
        and int(tree.num_children) + 2 * max_legal + 4 <= t.child.shape[1]
    )


@kernel
def add_child(t: Trees, g: int, parent: int, child_node: int) -> None:
    """Give `parent` one more child; its block is moved to a larger one when it is full."""
    node = t.node[g, parent]
    count = int(node.num_children)
    if count == int(node.room):
        tree = t.tree[g]
        first = int(tree.num_children)
        room = min(max(2, 2 * count), int(node.num_edges))
        old_first = int(node.first_child)
        for k in range(count):
            old, new = t.child[g, old_first + k], t.child[g, first + k]
            new.node = old.node
            new.visits = old.visits
            new.value_sum = old.value_sum
            new.prior = old.prior
        node.first_child = first
        node.room = room
        tree.num_children = first + room
    child = t.child[g, int(node.first_child) + count]
    child.node = child_node
    child.visits = 0
    child.value_sum = np.float32(0.0)
    child.prior = node.next_prior
    node.num_children = count + 1


@kernel
def edge_prior(edge: np.uint32) -> float:
    """Return the prior of a packed edge, in [0, 1]."""
    return float(int(edge) >> 16) * (1.0 / 65535.0)


@kernel
def edge_action(edge: np.uint32) -> int:
    """Return the action of a packed edge."""
    return int(edge) & 0xFFFF


@kernel
def pack_edge(prior: float, action: int) -> np.uint32:
    """Pack a prior in [0, 1] and an action into one edge."""
    return np.uint32((int(prior * 65535.0 + 0.5) << 16) | action)


@kernel
def promote(t: Trees, g: int, index: int) -> None:
    """Have the unvisited edge of the highest prior stand next to the visited ones, and note its prior.

    A few edges at a time are put in order: most nodes never get more children, and their other edges stay untouched.
    """
    node = t.node[g, index]
    first, count = int(node.first_edge), int(node.num_children)
    if count >= int(node.num_edges):
        return
    if count >= int(node.ordered):
        end = min(count + NUM_ORDERED, int(node.num_edges))
        order_edges(t.edge[g, first + count : first + int(node.num_edges)], end - count)
        node.ordered = end
    node.next_prior = np.float32(edge_prior(t.edge[g, first + count]))


@kernel
def order_edges(edge: np.ndarray, count: int) -> None:
    """Bring the `count` largest edges to the front, in descending order."""
    for place in range(count):
        best = edge[place]
        for k in range(place + 1, edge.shape[0]):  # a maximum alone is one vector instruction for many edges
            best = max(best, edge[k])
        at = place
        while edge[at] != best:
            at += 1
        edge[at] = edge[place]
        edge[place] = best
