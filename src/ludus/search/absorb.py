"""The second half of a search step: expands leaves with the network's evaluations and backs up their values.

It does not call the rules of the game.
"""

import numpy as np

from ludus.kernel import above, entry, kernel, lowest_bit
from ludus.search.backup import back_up, withdraw
from ludus.search.cache import Cache, remember
from ludus.search.edges import bring_best, edges_to_keep, note_next, promote
from ludus.search.softmax import cut, set_priors
from ludus.search.tree import EXPANDED, NO_TREE, ROWS, Trees
from ludus.viewpoint import turn

ONE = np.uint64(1)


@kernel
def keep_edges(t: Trees, g: int, index: int, count: int, kept: int) -> None:
    """Store up to `kept` of the `count` packed edges in `t.keys` at a new node: those with the highest priors.

    The edge with the highest prior comes first.
    """
    tree, node = t.tree[g], t.node[g, index]
    first = int(tree.num_edges)
    num_kept = 0
    if count <= kept:
        for k in range(count):
            t.edge[g, first + k] = t.keys[k]
        num_kept = count
    else:
        bound = cut(t, count, kept)
        for word in range(-(-count // 64)):
            larger = above(t.keys, 64 * word, bound)
            while int(larger) != 0:
                t.edge[g, first + num_kept] = t.keys[64 * word + lowest_bit(larger)]
                num_kept += 1
                larger &= larger - ONE
    node.first_edge = first
    node.num_edges = count
    node.kept = num_kept
    tree.num_edges = first + num_kept
    bring_best(t, g, first, num_kept)


@kernel
def widen(t: Trees, g: int, at: int, count: int) -> None:
    """Give the node at child `at` all `count` packed edges in `t.keys`; visited edges keep their positions.

    Their priors may change: the new ones are means over symmetries, or come from newer weights.
    """
    tree, child = t.tree[g], t.child[g, at]
    node = t.node[g, int(child.node)]
    old, first, visited = int(node.first_edge), int(tree.num_edges), int(child.num_children)
    for k in range(visited):
        t.edge[g, first + k] = t.edge[g, old + k]
    num_kept = visited
    for k in range(count):
        known = False
        for v in range(visited):
            if (int(t.edge[g, first + v]) ^ int(t.keys[k])) & 0xFFFF == 0:
                t.edge[g, first + v] = t.keys[k]
                t.child[g, int(child.first_child) + v].prior = int(t.keys[k]) >> 16
                known = True
        if not known:
            t.edge[g, first + num_kept] = t.keys[k]
            num_kept += 1
    node.first_edge = first
    node.kept = num_kept
    tree.num_edges = first + num_kept


@kernel
def absorb_rows(t: Trees, cache: Cache, count: int, logits: np.ndarray, outcome: np.ndarray) -> None:
    """Do the work of `absorb`, as a kernel for other compiled code."""
    for row in range(count):
        batch_row = t.row[row]
        if int(batch_row.tree) == NO_TREE:
            continue
        g, depth, num_legal = int(batch_row.tree), int(batch_row.depth), int(batch_row.count)
        path = int(batch_row.path)
        at = int(t.path[path, depth])
        child = t.child[g, at]
        index = int(child.node)
        set_priors(t, row, num_legal, int(batch_row.copies), logits)
        child.kind = EXPANDED
        kept = edges_to_keep(depth, num_legal, int(batch_row.widens))
        t.tree[g].pending -= 1
        t.tree[g].promised -= kept
        if int(batch_row.widens) == 1:
            widen(t, g, at, num_legal)
            promote(t, g, at)
            t.tree[g].averaged = 1 if depth == 0 else t.tree[g].averaged
            withdraw(t, path, depth, g)
            continue
        node = t.node[g, index]
        node.value = np.float32(turn(float(outcome[row, 0] - outcome[row, 2]), int(child.mover)))
        node.draw = outcome[row, 1]
        keep_edges(t, g, index, num_legal, kept)
        note_next(t, g, at)
        remember(cache, np.uint64(batch_row.hash), t, g, index)
        back_up(t, path, depth, g, np.float32(node.value), np.float32(node.draw))
    t.counter[ROWS] = 0


@entry
def absorb(t: Trees, cache: Cache, count: int, logits: np.ndarray, outcome: np.ndarray) -> None:
    """Process the evaluations of the last `collect`: expand its leaves and back up their values.

    Args:
        t: the trees.
        cache: stores the evaluations.
        count: rows of the batch.
        logits: policy logits.  # [B, A] float32
        outcome: probabilities of win, draw and loss of the mover.  # [B, 3] float32
    """
    absorb_rows(t, cache, count, logits, outcome)
