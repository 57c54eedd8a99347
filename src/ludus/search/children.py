"""Blocks of children: each node's children are contiguous in memory; a full block moves to one of twice the size.

Old blocks go to free lists and are used again.
"""

import numpy as np

from ludus.kernel import kernel
from ludus.search.tree import KEPT, NO_MORE, ROWS, WAITING, Trees


@kernel
def new_child(t: Trees, g: int, at: int, prior: int) -> None:
    """Initialize the child at index `at` of tree `g` as a new node; the caller has checked `has_room`."""
    tree, child = t.tree[g], t.child[g, at]
    child.node = tree.num_nodes
    tree.num_nodes += 1
    child.visits = 0
    child.value_sum = np.float32(0.0)
    child.draw_sum = np.float32(0.0)
    child.first_child = 0
    child.prior = prior
    child.next_prior = 0
    child.num_children = 0
    child.in_flight = 0
    child.kind = WAITING
    child.mover = 0
    child.proof = 0
    child.more = NO_MORE
    node = t.node[g, int(child.node)]
    node.first_edge = 0
    node.value = np.float32(0.0)
    node.draw = np.float32(0.0)
    node.num_edges = 0
    node.kept = 0
    node.room = 0


@kernel
def has_room(t: Trees, g: int, at: int, widens: bool) -> bool:
    """Return whether tree `g` has memory for all pending leaves and for one more child of the node that `at` refers to.

    With `widens`, check instead the memory for all of the node's edges.
    """
    tree, here = t.tree[g], t.child[g, at]
    node = t.node[g, int(here.node)]
    edges = int(tree.num_edges) + int(tree.promised) + KEPT  # `bring_best` reads this many past the last
    if widens:
        return edges + int(node.num_edges) <= t.edge.shape[1]
    count = int(here.num_children)
    children = int(tree.num_children) + (max(2, 2 * count) if count == int(node.room) else 0)
    return int(tree.num_nodes) < t.node.shape[1] and edges + KEPT <= t.edge.shape[1] and children <= t.child.shape[1]


@kernel
def add_child(t: Trees, g: int, parent: int, prior: int) -> int:
    """Add a child to `parent`, moving its block to a larger one when it is full; return the child's index."""
    above = t.child[g, parent]
    node = t.node[g, int(above.node)]
    count = int(above.num_children)
    if count == int(node.room):
        enlarge(t, g, parent)
    at = int(above.first_child) + count
    new_child(t, g, at, prior)
    above.num_children = count + 1
    return at


@kernel
def enlarge(t: Trees, g: int, parent: int) -> None:
    """Move a full block of children to one of twice its size; update the paths of pending leaves."""
    tree, above = t.tree[g], t.child[g, parent]
    node = t.node[g, int(above.node)]
    count, size = int(above.num_children), 1
    while 1 << size <= count:
        size += 1  # the new block has room for 2^size children, at least 2
    first = int(t.free[g, size])
    if first >= 0:
        t.free[g, size] = t.child[g, first].node
    else:
        first = int(tree.num_children)
        tree.num_children = first + min(1 << size, int(node.num_edges))
    node.room = min(1 << size, int(node.num_edges))
    old = int(above.first_child)
    above.first_child = first
    if count == 0:
        return
    for k in range(count):
        t.child[g, first + k] = t.child[g, old + k]
    t.child[g, old].node = t.free[g, size - 1]
    t.free[g, size - 1] = old
    if int(tree.pending) > 0:
        for row in range(int(t.counter[ROWS])):
            if int(t.row[row].tree) == g:
                path = int(t.row[row].path)
                for level in range(1, int(t.row[row].depth) + 1):
                    if int(t.path[path, level - 1]) == parent:
                        t.path[path, level] += first - old
