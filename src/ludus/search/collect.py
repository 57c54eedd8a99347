"""The first half of a search step: which trees walk, and the batch of leaves that need the evaluator."""

from ludus.kernel import Rules, entry, kernel
from ludus.search.cache import Cache
from ludus.search.leaf import arrive
from ludus.search.select import Knobs
from ludus.search.tree import EVALUATIONS, ROWS, Trees
from ludus.search.walk import walk_all


@kernel
def is_done(t: Trees, g: int) -> bool:
    """Return whether tree `g` needs no more leaves: asleep, full, target reached, or its outcome is known."""
    tree, root = t.tree[g], t.child[g, 0]
    return (
        int(tree.target) == 0
        or int(tree.full) == 1
        or int(root.proof) != 0
        or int(root.visits) + int(tree.pending) >= int(tree.target)
    )


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
def collect_leaves(rules: Rules, t: Trees, cache: Cache, knobs: Knobs, first: int) -> int:
    """Do the work of `collect`."""
    num_ready, num_rows, row = set_out(t, first), t.planes.shape[0], 0
    while num_ready > 0 and row < num_rows:
        num_walkers = min(num_ready, num_rows - row)
        walk_all(t, num_walkers, knobs)
        again = 0
        for w in range(num_walkers):
            g = int(t.walker[w].tree)
            filled = arrive(rules, t, cache, w, row, knobs)
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
