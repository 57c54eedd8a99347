"""The end of a walk: a leaf is expanded, proved, read from the cache, or written to a row of the evaluator's batch.

This module calls the rules of the game, but not the network.
"""

import numpy as np

from ludus.kernel import Rules, kernel
from ludus.search.backup import DRAW, back_up, exact_value, prove, withdraw
from ludus.search.cache import Cache, cache_key, recall
from ludus.search.children import add_child, has_room
from ludus.search.edges import edge_action, edges_to_keep, note_next, promote
from ludus.search.foresight import foresee, keep_outcome
from ludus.search.random import hash_row
from ludus.search.settings import SearchParameters
from ludus.search.tree import (
    ARRIVED,
    CACHE_HITS,
    EXPANDED,
    FORESEEN,
    FULL_TREES,
    GROW,
    NO_TREE,
    PENDING,
    ROWS,
    TERMINAL,
    TERMINALS,
    WAITING,
    WIDEN,
    WIDENINGS,
    Trees,
)


@kernel
def arrive(rules: Rules, t: Trees, cache: Cache, w: int, row: int, parameters: SearchParameters) -> int:
    """Process the leaf that walker `w` has reached.

    Returns:
        Number of rows it fills, starting at `row`; 0 if its value was known and has been backed up; -1 if the tree
        cannot continue in this batch.
    """
    walker = t.walker[w]
    g, path, depth, ends = int(walker.tree), int(walker.path), int(walker.depth), int(walker.ends)
    copies = parameters.root_symmetries if int(walker.at) == 0 and ends == WIDEN else 1
    if row + copies > t.planes.shape[0]:
        withdraw(t, path, depth, g)
        return -1
    if ends != ARRIVED and not has_room(t, g, int(walker.at), ends == WIDEN):
        t.tree[g].full = 1
        t.counter[FULL_TREES] += 1
        withdraw(t, path, depth, g)
        return -1
    if ends == WIDEN:
        ask_again(rules, t, w, row, copies)
        return copies
    if ends == GROW:
        grow(rules, t, w)
    child = t.child[g, int(walker.at)]
    if int(child.kind) == PENDING:
        withdraw(t, path, int(walker.depth), g)
        return -1
    if int(child.kind) == WAITING:
        return open_leaf(rules, t, cache, w, row, parameters)
    proof, node = int(child.proof), t.node[g, int(child.node)]
    if proof != 0:
        back_up(t, path, depth, g, np.float32(exact_value(proof)), np.float32(proof == DRAW))
        t.counter[TERMINALS] += 1
    else:  # the walk has reached the depth limit
        back_up(t, path, depth, g, np.float32(node.value), np.float32(node.draw))
    return 0


@kernel
def grow(rules: Rules, t: Trees, w: int) -> None:
    """Add a child for the next edge of walker `w`'s node, and move the walker there."""
    walker = t.walker[w]
    g, at = int(walker.tree), int(walker.at)
    parent = t.child[g, at]
    node = t.node[g, int(parent.node)]
    edge = t.edge[g, int(node.first_edge) + int(parent.num_children)]
    below = add_child(t, g, at, int(edge) >> 16)
    if at > 0 or int(t.tree[g].considered) == 0:  # sequential halving orders the root's edges itself
        promote(t, g, at)
    child = t.child[g, below]
    child.in_flight = 1
    index, parent_index = int(child.node), int(parent.node)
    for word in range(t.words.shape[2]):
        t.words[g, index, word] = t.words[g, parent_index, word]
    rules.play(t.states[g, index], edge_action(edge))
    walker.at = below
    walker.depth += 1
    t.path[int(walker.path), int(walker.depth)] = below


@kernel
def open_leaf(rules: Rules, t: Trees, cache: Cache, w: int, row: int, parameters: SearchParameters) -> int:
    """Process the new node of walker `w`; return 1 if it fills row `row`, 0 if its value has been backed up."""
    walker = t.walker[w]
    g, path, depth = int(walker.tree), int(walker.path), int(walker.depth)
    child = t.child[g, int(walker.at)]
    index = int(child.node)
    state = t.states[g, index]
    child.mover = rules.to_play(state)
    outcome, left = int(rules.outcome(state)), int(t.tree[g].actions_left)
    if outcome == 0 and left > 0 and depth >= left:
        outcome = DRAW  # the game's length cap
    kind, certain = TERMINAL, 0
    begins = depth == 0 or int(t.child[g, int(t.path[path, depth - 1])].mover) != int(child.mover)
    if outcome == 0 and begins:  # not within a turn of several actions: a line would end with half a move
        kind, certain = FORESEEN, foresee(rules, t, g, depth, state, row, parameters)
        outcome = certain if depth > 0 else 0
    if outcome != 0:
        child.kind = kind
        child.proof = outcome
        back_up(t, path, depth, g, np.float32(exact_value(outcome)), np.float32(outcome == DRAW))
        if parameters.proofs:
            prove(t, path, depth, g)
        t.counter[TERMINALS] += 1
        return 0
    key = np.uint64(0)
    if cache.words.shape[0] > 0:
        key = hash_row(t.words, g, index)
        key = cache_key(cache, ~key if certain != 0 else key)  # a root with filtered actions has an entry of its own
    if recall(cache, key, t, g, int(walker.at)) < 0:
        count = int(rules.legal(state, t.row_legal[row]))
        count = keep_outcome(rules, t, state, t.row_legal[row], count, certain)
        encode(rules, t, state, row)
        ask(t, w, row, key, count, 0)
        child.kind = PENDING
        return 1
    child.kind = EXPANDED
    note_next(t, g, int(walker.at))
    back_up(t, path, depth, g, np.float32(t.node[g, index].value), np.float32(t.node[g, index].draw))
    t.counter[CACHE_HITS] += 1
    return 0


@kernel
def ask_again(rules: Rules, t: Trees, w: int, row: int, copies: int) -> None:
    """Request an evaluation of walker `w`'s node with all its edges: `copies` rows, each under another symmetry."""
    g, at = int(t.walker[w].tree), int(t.walker[w].at)
    state = t.states[g, int(t.child[g, at].node)]
    count = int(rules.legal(state, t.row_legal[row]))
    if at == 0:
        count = keep_outcome(rules, t, state, t.row_legal[row], count, max(0, int(t.tree[g].foreseen)))
    encode(rules, t, state, row)
    ask(t, w, row, np.uint64(0), count, 1)
    t.child[g, at].kind = PENDING
    t.counter[WIDENINGS] += 1
    for symmetry in range(1, copies):
        copy = row + symmetry
        rules.symmetric_state(state, symmetry, t.turned)
        encode(rules, t, t.turned, copy)
        for k in range(count):
            t.row_legal[copy, k] = rules.symmetric_action(state, symmetry, int(t.row_legal[row, k]))
        t.row[copy].tree = NO_TREE
    t.row[row].copies = copies
    t.counter[ROWS] = row + copies


@kernel
def ask(t: Trees, w: int, row: int, key: np.uint64, count: int, widens: int) -> None:
    """Store in row `row` of the batch which leaf it evaluates."""
    walker, batch_row = t.walker[w], t.row[row]
    batch_row.tree = walker.tree
    batch_row.depth = walker.depth
    batch_row.hash = key
    batch_row.count = count
    batch_row.widens = widens
    batch_row.copies = 1
    batch_row.path = walker.path
    walker.path = t.spare[row]  # the row takes over the walker's path, so the walker gets a spare one
    t.tree[int(walker.tree)].pending += 1
    t.tree[int(walker.tree)].promised += edges_to_keep(int(walker.depth), count, widens)
    t.counter[ROWS] = row + 1


@kernel
def encode(rules: Rules, t: Trees, state: np.ndarray, row: int) -> None:
    """Write the input planes of a state [S] into a row of the batch; do nothing if the rows have no planes."""
    planes = t.planes[row]  # [C, H, W]
    if planes.size == 0:
        return
    planes[:] = 0
    rules.encode(state, planes)
