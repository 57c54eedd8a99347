"""Tree reuse: the subtree of the played action becomes the tree, moved to the front of the arenas."""

import numpy as np

from ludus.kernel import kernel
from ludus.search.tree import Trees, new_node


@kernel
def reroot(t: Trees, g: int, new_root: int) -> None:
    """Keep the subtree of node `new_root` of tree `g` only, in breadth-first order; no leaf may be pending."""
    tree = t.tree[g]
    num_nodes, num_edges, num_children = 1, 0, 0
    t.order[0] = new_root
    index = 0
    while index < num_nodes:
        old, new = t.node[g, t.order[index]], t.scratch_node[index]
        new.visits = old.visits
        new.value_sum = old.value_sum
        new.draw_sum = old.draw_sum
        new.next_prior = old.next_prior
        new.num_edges = old.num_edges
        new.num_children = old.num_children
        new.room = old.num_children
        new.ordered = old.ordered
        new.kind = old.kind
        new.mover = old.mover
        new.outcome = old.outcome
        new.first_edge = num_edges
        new.first_child = num_children
        if index == 0:
            new.parent = -1
            new.ordinal = 0
        for w in range(t.words.shape[2]):
            t.scratch_words[index, w] = t.words[g, t.order[index], w]
        for k in range(int(old.num_edges)):
            t.scratch_edge[num_edges + k] = t.edge[g, int(old.first_edge) + k]
        for k in range(int(old.num_children)):
            source, copy = t.child[g, int(old.first_child) + k], t.scratch_child[num_children + k]
            copy.visits = source.visits
            copy.value_sum = source.value_sum
            copy.prior = source.prior
            copy.node = num_nodes
            t.order[num_nodes] = source.node
            t.scratch_node[num_nodes].parent = index
            t.scratch_node[num_nodes].ordinal = k
            num_nodes += 1
        num_edges += int(old.num_edges)
        num_children += int(old.num_children)
        index += 1
    for i in range(num_nodes):
        a, b = t.node[g, i], t.scratch_node[i]
        a.parent = b.parent
        a.first_edge = b.first_edge
        a.first_child = b.first_child
        a.visits = b.visits
        a.value_sum = b.value_sum
        a.draw_sum = b.draw_sum
        a.next_prior = b.next_prior
        a.ordinal = b.ordinal
        a.num_edges = b.num_edges
        a.num_children = b.num_children
        a.room = b.room
        a.ordered = b.ordered
        a.kind = b.kind
        a.mover = b.mover
        a.outcome = b.outcome
        for w in range(t.words.shape[2]):
            t.words[g, i, w] = t.scratch_words[i, w]
    for e in range(num_edges):
        t.edge[g, e] = t.scratch_edge[e]
    for c in range(num_children):
        a, b = t.child[g, c], t.scratch_child[c]
        a.node = b.node
        a.visits = b.visits
        a.value_sum = b.value_sum
        a.prior = b.prior
    tree.num_nodes = num_nodes
    tree.num_edges = num_edges
    tree.num_children = num_children
    tree.noisy = 0
    tree.full = 0


@kernel
def find_child(t: Trees, g: int, action: int) -> int:
    """Return the node that `action` leads to from the root of tree `g`, or -1 if it has not been visited."""
    root = t.node[g, 0]
    for k in range(int(root.num_children)):
        if int(t.edge[g, int(root.first_edge) + k]) & 0xFFFF == action:
            return int(t.child[g, int(root.first_child) + k].node)
    return -1


@kernel
def plant(t: Trees, g: int, words: np.ndarray) -> None:
    """Start tree `g` afresh with the position `words` [W] at its root."""
    tree = t.tree[g]
    tree.num_nodes = 0
    tree.num_edges = 0
    tree.num_children = 0
    tree.pending = 0
    tree.noisy = 0
    tree.full = 0
    new_node(t, g, -1, 0)
    for w in range(words.shape[0]):
        t.words[g, 0, w] = words[w]
