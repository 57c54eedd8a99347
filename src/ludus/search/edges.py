"""Edges of a node: packed priors and actions; only the next edge to visit is kept in order.

An inner node keeps its best edges only (prior in the upper, action in the lower 16 bits): first the visited ones in
the order of their children, then the next one, then the others in any order.  When a search needs more edges, the
node is *widened*: it is evaluated again and gets all its edges.
"""

import numpy as np

from ludus.kernel import kernel, largest
from ludus.search.tree import KEPT, NO_MORE, READY, UNKNOWN, Trees

SMALLEST_PRIOR = 0.5 / 65535.0  # replaces a prior that was rounded to 0, before a logarithm


@kernel
def edge_action(edge: np.uint32) -> int:
    """Return the action of a packed edge."""
    return int(edge) & 0xFFFF


@kernel
def edge_prior(edge: np.uint32) -> float:
    """Return the prior of a packed edge, in [0, 1]."""
    return float(int(edge) >> 16) * (1.0 / 65535.0)


@kernel
def pack_edge(prior: float, action: int) -> np.uint32:
    """Pack a prior in [0, 1] and an action into one edge."""
    return np.uint32((int(prior * 65535.0 + 0.5) << 16) | action)


@kernel
def edges_to_keep(depth: int, count: int, widens: int) -> int:
    """Return how many edges a node with `count` legal actions keeps at most: all at the root, or if it is widened."""
    return count if depth == 0 or widens == 1 else min(count, KEPT)


@kernel
def promote(t: Trees, g: int, at: int) -> None:
    """Put the best unvisited edge right after the visited ones, and store its prior in the node's record."""
    child = t.child[g, at]
    node = t.node[g, int(child.node)]
    if int(child.num_children) < int(node.kept):
        bring_best(t, g, int(node.first_edge) + int(child.num_children), int(node.kept) - int(child.num_children))
    note_next(t, g, at)


@kernel
def note_next(t: Trees, g: int, at: int) -> None:
    """Store the prior of the next edge, which already follows the visited ones, in the node's record."""
    child = t.child[g, at]
    node = t.node[g, int(child.node)]
    first, count, kept = int(node.first_edge), int(child.num_children), int(node.kept)
    if count == int(node.num_edges):
        child.more = NO_MORE
    elif count == kept:
        child.more = UNKNOWN
        child.next_prior = int(t.edge[g, first + kept - 1]) >> 16  # upper bound of edges that were not kept
    else:
        child.more = READY
        child.next_prior = int(t.edge[g, first + count]) >> 16


@kernel
def bring_best(t: Trees, g: int, first: int, count: int) -> None:
    """Move the largest of the `count` edges starting at `first` to the front."""
    if count <= KEPT:
        at = largest(t.edge, g, first, count)
    else:
        at, best = 0, 0
        for k in range(count):
            key = int(t.edge[g, first + k])
            at = k if key > best else at
            best = max(best, key)
    t.edge[g, first], t.edge[g, first + at] = t.edge[g, first + at], t.edge[g, first]
