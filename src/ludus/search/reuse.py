"""Tree reuse: the subtree of the played action becomes the new tree, and a full tree loses what was hardly visited."""

import numpy as np

from ludus.kernel import kernel
from ludus.search.children import new_child
from ludus.search.edges import edge_action, promote
from ludus.search.tree import EXPANDED, TERMINAL, Trees, clear_arenas, clear_root, clear_tree


@kernel
def reroot(t: Trees, g: int, new_root: int) -> None:
    """Keep only the subtree of the child at index `new_root` of tree `g`; no leaf may be pending."""
    left = int(t.tree[g].actions_left)
    keep(t, g, new_root, 0)
    clear_root(t, g)
    t.tree[g].actions_left = max(0, left - 1)


@kernel
def prune(t: Trees, g: int) -> None:
    """Free at least half of the memory of the full tree `g`; if that is impossible, the tree stays full.

    Nodes with few visits lose their children.  They keep their visits and values, so the search goes on as before, and
    grows their children again when it comes back to them.  No leaf may be pending.
    """
    tree, root, least = t.tree[g], t.child[g, 0], 2
    while int(tree.full) == 1 and least <= int(root.visits):
        keep(t, g, 0, least)
        for at in range(1, int(tree.num_children)):
            if int(t.child[g, at].kind) == EXPANDED and int(t.child[g, at].num_children) == 0:
                promote(t, g, at)
        is_half_empty = (
            2 * int(tree.num_nodes) <= t.node.shape[1]
            and 2 * int(tree.num_edges) <= t.edge.shape[1]
            and 2 * int(tree.num_children) <= t.child.shape[1]
        )
        tree.full = 0 if is_half_empty else 1
        least *= 2


@kernel
def keep(t: Trees, g: int, new_root: int, least: int) -> None:
    """Move the subtree of a child to the front of the arenas, breadth first.

    Args:
        t: the trees.
        g: number of the tree.
        new_root: index of the child.
        least: visits below which nodes lose their children; not the root.
    """
    tree = t.tree[g]
    num_nodes, num_edges, num_children = 0, 0, 1
    t.scratch_child[0] = t.child[g, new_root]
    while num_nodes < num_children:
        new = t.scratch_child[num_nodes]
        if num_nodes > 0 and int(new.visits) < least:
            new.num_children = 0
        old_node, node = int(new.node), t.scratch_node[num_nodes]
        t.scratch_node[num_nodes] = t.node[g, old_node]
        for word in range(t.words.shape[2]):
            t.scratch_words[num_nodes, word] = t.words[g, old_node, word]
        for k in range(int(node.kept)):
            t.scratch_edge[num_edges + k] = t.edge[g, int(node.first_edge) + k]
        first = int(new.first_child)
        for k in range(int(new.num_children)):
            t.scratch_child[num_children + k] = t.child[g, first + k]
        new.node = num_nodes
        new.first_child = num_children
        node.room = new.num_children
        node.first_edge = num_edges
        num_edges += int(node.kept)
        num_children += int(new.num_children)
        num_nodes += 1
    clear_arenas(t, g)
    for at in range(num_children):  # an assignment of slices takes ten times as long to compile
        t.child[g, at] = t.scratch_child[at]
    for index in range(num_nodes):
        t.node[g, index] = t.scratch_node[index]
        for word in range(t.words.shape[2]):
            t.words[g, index, word] = t.scratch_words[index, word]
    for at in range(num_edges):
        t.edge[g, at] = t.scratch_edge[at]
    tree.num_nodes = num_nodes
    tree.num_edges = num_edges
    tree.num_children = num_children


@kernel
def can_go_on(t: Trees, g: int, at: int) -> bool:
    """Return whether the child at index `at` of tree `g` can become the root of a tree as good as a new one.

    A foreseen leaf cannot, because it has no edges.  Nor can a child of a foreseen root: foresight and the filter for
    actions were off below that root.
    """
    kind = int(t.child[g, at].kind)
    return kind == TERMINAL or (kind == EXPANDED and int(t.tree[g].foreseen) <= 0)


@kernel
def is_at(t: Trees, g: int, at: int, words: np.ndarray) -> bool:
    """Return whether the child at index `at` of tree `g` has the state `words` [W].

    A searched game may end where the real one goes on, where people mark dead stones, say.
    """
    node, differing = int(t.child[g, at].node), 0
    for word in range(words.shape[0]):
        differing += 1 if t.words[g, node, word] != words[word] else 0
    return differing == 0


@kernel
def find_child(t: Trees, g: int, action: int) -> int:
    """Return the index of the child that `action` leads to from the root of tree `g`, or -1 if it is not visited."""
    root = t.child[g, 0]
    first = int(t.node[g, int(root.node)].first_edge)
    for k in range(int(root.num_children)):
        if edge_action(t.edge[g, first + k]) == action:
            return int(root.first_child) + k
    return -1


@kernel
def new_tree(t: Trees, g: int, words: np.ndarray, actions_left: int) -> None:
    """Restart tree `g` with the state `words` [W] at its root; `actions_left` remain to the length cap (0: no cap)."""
    clear_tree(t, g)
    new_child(t, g, 0, 0)
    t.tree[g].actions_left = actions_left
    for word in range(words.shape[0]):
        t.words[g, 0, word] = words[word]
