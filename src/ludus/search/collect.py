"""The first half of a search step: walks trees from root to leaf and fills the batch for the evaluator.

All walkers descend side by side, one level at a time: while the next block of children of one tree is fetched from
memory, the other trees are processed.
"""

from ludus.kernel import Rules, entry, kernel, prefetch
from ludus.search.cache import Cache
from ludus.search.children import has_room
from ludus.search.ending import find_edge, is_wanted, seek_ending
from ludus.search.leaf import arrive
from ludus.search.root import add_root_noise, is_narrow, must_go_on, select_at_root
from ludus.search.select import select
from ludus.search.settings import SearchParameters
from ludus.search.tree import ARRIVED, EVALUATIONS, EXPANDED, GROW, NO_ENDING, ROWS, UNKNOWN, WIDEN, Trees


@kernel
def walk_all(t: Trees, num_walkers: int, parameters: SearchParameters) -> None:
    """Descend the first `num_walkers` ready trees side by side, until every walker has reached its leaf."""
    for w in range(num_walkers):
        start_walk(t, w, int(t.ready[w]), parameters)
        t.moving[w] = w
    num_moving = num_walkers
    while num_moving > 0:
        kept = 0
        for k in range(num_moving):
            w = int(t.moving[k])
            if descend(t, w, parameters):
                t.moving[kept] = w
                kept += 1
        num_moving = kept
    for w in range(num_walkers):
        prefetch_growth(t, w)


@kernel
def start_walk(t: Trees, w: int, g: int, parameters: SearchParameters) -> None:
    """Place walker `w` at the root of tree `g`."""
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
    if parameters.root_symmetries > 1 and int(tree.averaged) == 0 and has_room(t, g, 0, True):
        walker.ends = WIDEN
    elif int(tree.explores) == 1 and int(tree.has_noise) == 0:
        if int(t.node[g, int(root.node)].kept) < int(t.node[g, int(root.node)].num_edges):
            walker.ends = WIDEN
        else:
            add_root_noise(t, g, parameters)
    elif is_wanted(t, g) and find_edge(t, g, int(tree.ending)) < 0:
        if has_room(t, g, 0, True):
            walker.ends = WIDEN
        else:
            tree.ends = NO_ENDING


@kernel
def descend(t: Trees, w: int, parameters: SearchParameters) -> bool:
    """Move walker `w` down one level; return False if it has reached the end of its walk."""
    walker = t.walker[w]
    g, at, depth = int(walker.tree), int(walker.at), int(walker.depth)
    here = t.child[g, at]
    if int(here.kind) != EXPANDED or int(walker.ends) == WIDEN:
        return False
    if int(here.proof) != 0 and (depth > 0 or not is_narrow(t, g)):
        return False
    if depth + 1 == t.path.shape[1]:
        return False
    chosen = select(t, g, at, parameters) if depth > 0 else select_at_root(t, g, parameters)
    if chosen == int(here.num_children):
        walker.ends = WIDEN if int(here.more) == UNKNOWN else GROW
        prefetch(t.node, g, int(here.node))
        return False
    below = int(here.first_child) + chosen
    child = t.child[g, below]
    child.in_flight += 1
    first = int(child.first_child)
    prefetch(t.child, g, first)  # two children a cache line; four lines, since a loop would be mispredicted
    prefetch(t.child, g, first + 2)
    prefetch(t.child, g, first + 4)
    prefetch(t.child, g, first + 6)
    walker.at = below
    walker.depth = depth + 1
    t.path[int(walker.path), depth + 1] = below
    return True


@kernel
def prefetch_growth(t: Trees, w: int) -> None:
    """Prefetch the memory that expanding the node of walker `w` will read and write."""
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
def is_done(t: Trees, g: int) -> bool:
    """Return whether tree `g` needs no more leaves: idle (target 0), full, target reached, or its outcome is known."""
    tree, root = t.tree[g], t.child[g, 0]
    return (
        int(tree.target) == 0
        or int(tree.full) == 1
        or (int(root.proof) != 0 and not is_narrow(t, g))
        or (int(root.visits) + int(tree.pending) >= int(tree.target) and not must_go_on(t, g))
    )


@kernel
def set_out(rules: Rules, t: Trees, parameters: SearchParameters, first: int) -> int:
    """Assign a path to every walker and a spare path to every row; list the trees to walk and return their number."""
    num_trees, num_ready = t.tree.shape[0], 0
    t.counter[ROWS] = 0
    for w in range(num_trees):
        t.walker[w].path = w
    for row in range(t.spare.shape[0]):
        t.spare[row] = num_trees + row
    for offset in range(num_trees):
        g = (first + offset) % num_trees
        seek_ending(rules, t, g, t.row_legal[0], parameters)
        if not is_done(t, g):
            t.ready[num_ready] = g
            num_ready += 1
    return num_ready


@kernel
def collect_leaves(rules: Rules, t: Trees, cache: Cache, parameters: SearchParameters, first: int) -> int:
    """Do the work of `collect`, as a kernel for other compiled code."""
    num_ready, num_rows, row = set_out(rules, t, parameters, first), t.planes.shape[0], 0
    while num_ready > 0 and row < num_rows:
        num_walkers = min(num_ready, num_rows - row)
        walk_all(t, num_walkers, parameters)
        again = 0
        for w in range(num_walkers):
            g = int(t.walker[w].tree)
            filled = arrive(rules, t, cache, w, row, parameters)
            row += max(0, filled)
            if filled == 0:  # the root may have been read from the cache
                seek_ending(rules, t, g, t.row_legal[row], parameters)
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
def collect(rules: Rules, t: Trees, cache: Cache, parameters: SearchParameters, first: int) -> int:
    """Walk all trees that are not done until each has its leaves in the batch.

    Args:
        rules: the game's rules.
        t: the trees; `t.row` and `t.planes` are filled.
        cache: evaluations of earlier positions.
        parameters: the search settings.
        first: the tree that comes first when the batch is too small for all trees.

    Returns:
        Number of rows of the batch that were filled.
    """
    return collect_leaves(rules, t, cache, parameters, first)
