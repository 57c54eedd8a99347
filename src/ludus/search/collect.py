"""The first half of a search step: walks from the roots to leaves, and the batch of those that need the evaluator.

The walks of all trees go down side by side, a level at a time: while one tree's next block of children comes from
memory, the others are worked on.  It knows the rules; it does not know the network.
"""

import numpy as np

from ludus.kernel import Rules, entry, kernel, prefetch
from ludus.search.backup import DRAW, back_up, exact_value, prove, withdraw
from ludus.search.cache import Cache, cache_key, recall
from ludus.search.random import hash_row
from ludus.search.root import dress, select_at_root
from ludus.search.select import Knobs, select
from ludus.search.tree import (
    ARRIVED,
    CACHE_HITS,
    EVALUATIONS,
    EXPANDED,
    FULL_TREES,
    GROW,
    NO_TREE,
    PENDING,
    ROWS,
    TERMINAL,
    TERMINALS,
    UNKNOWN,
    WAITING,
    WIDEN,
    WIDENINGS,
    Trees,
    add_child,
    edge_action,
    edges_to_keep,
    has_room,
    note_next,
    promote,
)


@kernel
def is_decided(t: Trees, g: int) -> bool:
    """Return whether no child can overtake the most visited one in the visits that are left."""
    tree, root = t.tree[g], t.child[g, 0]
    first, second = 0, 0
    for k in range(int(root.num_children)):
        visits = int(t.child[g, int(root.first_child) + k].visits)
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
    return first - second > int(tree.target) - int(root.visits)


@kernel
def is_done(t: Trees, g: int) -> bool:
    """Return whether tree `g` needs no more leaves: asleep, full, target reached, or its outcome is known."""
    tree, root = t.tree[g], t.child[g, 0]
    return (
        int(tree.target) == 0
        or int(tree.full) == 1
        or int(root.proof) != 0
        or int(root.visits) + int(tree.pending) >= int(tree.target)
        or (int(tree.may_stop) == 1 and is_decided(t, g))
    )


@kernel
def start_walk(t: Trees, w: int, g: int, knobs: Knobs) -> None:
    """Put walker `w` at the root of tree `g`."""
    walker, root = t.walker[w], t.child[g, 0]
    walker.tree = g
    walker.at = 0
    walker.depth = 0
    walker.ends = ARRIVED
    t.path[int(walker.path), 0] = 0
    root.in_flight += 1
    if int(root.kind) != EXPANDED:
        return
    tree = t.tree[g]
    if knobs.symmetries > 1 and int(tree.averaged) == 0 and has_room(t, g, 0, True):
        walker.ends = WIDEN
    elif int(tree.explores) == 1 and int(tree.dressed) == 0:
        if int(t.node[g, int(root.node)].kept) < int(t.node[g, int(root.node)].num_edges):
            walker.ends = WIDEN
        else:
            dress(t, g, knobs)


@kernel
def descend(t: Trees, w: int, knobs: Knobs) -> bool:
    """Let walker `w` go down one level; return False if it stands where it wants to be."""
    walker = t.walker[w]
    g, at, depth = int(walker.tree), int(walker.at), int(walker.depth)
    here = t.child[g, at]
    if int(here.kind) != EXPANDED or int(here.proof) != 0 or int(walker.ends) == WIDEN:
        return False
    if depth + 1 == t.path.shape[1]:
        return False
    chosen = select(t, g, at, knobs) if depth > 0 else select_at_root(t, g, knobs)
    if chosen == int(here.num_children):
        walker.ends = WIDEN if int(here.more) == UNKNOWN else GROW
        prefetch(t.node, g, int(here.node))
        return False
    below = int(here.first_child) + chosen
    child = t.child[g, below]
    child.in_flight += 1
    first = int(child.first_child)
    prefetch(t.child, g, first)  # two children fill a cache line; four lines, for a loop would have to be guessed
    prefetch(t.child, g, first + 2)
    prefetch(t.child, g, first + 4)
    prefetch(t.child, g, first + 6)
    walker.at = below
    walker.depth = depth + 1
    t.path[int(walker.path), depth + 1] = below
    return True


@kernel
def prefetch_growth(t: Trees, w: int) -> None:
    """Have the memory fetched that growing at walker `w` will read and write."""
    walker = t.walker[w]
    if int(walker.ends) == GROW:
        g = int(walker.tree)
        here, tree = t.child[g, int(walker.at)], t.tree[g]
        prefetch(t.edge, g, int(t.node[g, int(here.node)].first_edge))
        prefetch(t.words, g, int(here.node))
        prefetch(t.words, g, int(tree.num_nodes))
        prefetch(t.node, g, int(tree.num_nodes))
        prefetch(t.child, g, int(tree.num_children))


@kernel
def grow(rules: Rules, t: Trees, w: int) -> None:
    """Give the node where walker `w` stands a child for its next edge, and go there."""
    walker = t.walker[w]
    g, at = int(walker.tree), int(walker.at)
    parent = t.child[g, at]
    node = t.node[g, int(parent.node)]
    edge = t.edge[g, int(node.first_edge) + int(parent.num_children)]
    below = add_child(t, g, at, int(edge) >> 16)
    if at > 0 or int(t.tree[g].considered) == 0:  # sequential halving has put the root's edges into its own order
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
def ask(t: Trees, w: int, row: int, key: np.uint64, count: int, widens: int) -> None:
    """Note in row `row` of the batch whose leaf it is."""
    walker, batch_row = t.walker[w], t.row[row]
    batch_row.tree = walker.tree
    batch_row.depth = walker.depth
    batch_row.hash = key
    batch_row.count = count
    batch_row.widens = widens
    batch_row.copies = 1
    batch_row.path = walker.path
    walker.path = t.spare[row]  # the row keeps the walker's path, and the walker takes a spare one
    t.tree[int(walker.tree)].pending += 1
    t.tree[int(walker.tree)].promised += edges_to_keep(int(walker.depth), count, widens)
    t.counter[ROWS] = row + 1


@kernel
def encode(rules: Rules, t: Trees, state: np.ndarray, row: int) -> None:
    """Write what the network sees of a state [S] into a row of the batch."""
    planes = t.planes[row]  # [C, H, W]
    planes[:] = 0
    rules.encode(state, planes)


@kernel
def ask_again(rules: Rules, t: Trees, w: int, row: int, copies: int) -> None:
    """Ask for all edges of the node where walker `w` stands, in `copies` rows under as many symmetries."""
    g, at = int(t.walker[w].tree), int(t.walker[w].at)
    state = t.states[g, int(t.child[g, at].node)]
    count = int(rules.legal(state, t.row_legal[row]))
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
def open_leaf(rules: Rules, t: Trees, cache: Cache, w: int, row: int) -> int:
    """Look at the fresh node where walker `w` stands: return 1 if it fills row `row`, 0 if its value is backed up."""
    walker = t.walker[w]
    g, path, depth = int(walker.tree), int(walker.path), int(walker.depth)
    child = t.child[g, int(walker.at)]
    index = int(child.node)
    state = t.states[g, index]
    child.mover = rules.to_play(state)
    outcome, left = int(rules.outcome(state)), int(t.tree[g].actions_left)
    if outcome == 0 and left > 0 and depth >= left:
        outcome = DRAW  # the game's length cap
    if outcome != 0:
        child.kind = TERMINAL
        child.proof = outcome
        back_up(t, path, depth, g, np.float32(exact_value(outcome)), np.float32(outcome == DRAW))
        prove(t, path, depth, g)
        t.counter[TERMINALS] += 1
        return 0
    key = np.uint64(0)
    if cache.words.shape[0] > 0:
        key = cache_key(cache, hash_row(t.words, g, index))
    if recall(cache, key, t, g, int(walker.at)) < 0:
        count = int(rules.legal(state, t.row_legal[row]))
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
def arrive(rules: Rules, t: Trees, cache: Cache, w: int, row: int, symmetries: int) -> int:
    """Deal with the leaf that walker `w` has found.

    Returns:
        How many rows from `row` on it fills; 0 if its value was known and is backed up, -1 if the tree cannot go on in
        this batch.
    """
    walker = t.walker[w]
    g, path, depth, ends = int(walker.tree), int(walker.path), int(walker.depth), int(walker.ends)
    copies = symmetries if int(walker.at) == 0 and ends == WIDEN else 1
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
        return open_leaf(rules, t, cache, w, row)
    proof, node = int(child.proof), t.node[g, int(child.node)]
    if proof != 0:
        back_up(t, path, depth, g, np.float32(exact_value(proof)), np.float32(proof == DRAW))
        t.counter[TERMINALS] += 1
    else:  # as deep as a walk may go
        back_up(t, path, depth, g, np.float32(node.value), np.float32(node.draw))
    return 0


@kernel
def set_out(t: Trees, first: int) -> int:
    """Give every walker a path and every row a spare one; list the trees that want to walk, and return how many."""
    num_trees, num_ready = t.tree.shape[0], 0
    t.counter[ROWS] = 0
    for w in range(num_trees):
        t.walker[w].path = w
    for row in range(t.spare.shape[0]):
        t.spare[row] = num_trees + row
    for offset in range(num_trees):
        g = (first + offset) % num_trees
        if not is_done(t, g):
            t.ready[num_ready] = g
            num_ready += 1
    return num_ready


@kernel
def walk_all(t: Trees, num_walkers: int, knobs: Knobs) -> None:
    """Let the walkers of the first ready trees go down side by side until all have arrived."""
    for w in range(num_walkers):
        start_walk(t, w, int(t.ready[w]), knobs)
        t.moving[w] = w
    num_moving = num_walkers
    while num_moving > 0:
        kept = 0
        for k in range(num_moving):
            w = int(t.moving[k])
            if descend(t, w, knobs):
                t.moving[kept] = w
                kept += 1
        num_moving = kept
    for w in range(num_walkers):
        prefetch_growth(t, w)


@kernel
def collect_leaves(rules: Rules, t: Trees, cache: Cache, knobs: Knobs, first: int) -> int:
    """Do the work of `collect`."""
    num_ready, num_rows, row = set_out(t, first), t.planes.shape[0], 0
    while num_ready > 0 and row < num_rows:
        num_walkers = min(num_ready, num_rows - row)
        walk_all(t, num_walkers, knobs)
        again = 0
        for w in range(num_walkers):
            g = int(t.walker[w].tree)
            filled = arrive(rules, t, cache, w, row, knobs.symmetries)
            row += max(0, filled)
            if filled >= 0 and int(t.tree[g].pending) < int(t.tree[g].leaves) and not is_done(t, g):
                t.ready[again] = g
                again += 1
        for k in range(num_walkers, num_ready):
            t.ready[again] = t.ready[k]
            again += 1
        num_ready = again
    t.counter[EVALUATIONS] += row
    return row


@entry
def collect(rules: Rules, t: Trees, cache: Cache, knobs: Knobs, first: int) -> int:
    """Walk all trees that are not done until each has its leaves in the batch.

    Args:
        rules: the game's rules.
        t: the trees; `t.row` and `t.planes` are filled.
        cache: what the evaluator has said before.
        knobs: the search formula.
        first: which tree comes first, where the batch is too small for all.

    Returns:
        How many rows of the batch were filled.
    """
    return collect_leaves(rules, t, cache, knobs, first)
