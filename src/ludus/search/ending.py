"""Endings: a root action that ends the game at once is visited first, whatever its prior; self-play does not look.

A win proves the root.  A draw is visited while the root's value is worse than that for the mover.  Without this, a
search with a few hundred visits may overlook a winning pass that its network does not expect (KataGo explores such a
pass, too: "enablePassingHacks").
"""

import numpy as np

from ludus.kernel import Rules, kernel
from ludus.search.backup import DRAW
from ludus.search.edges import edge_action, note_next
from ludus.search.settings import SearchParameters
from ludus.search.tree import EXPANDED, NO_ENDING, UNASKED, UNSOUGHT, Trees
from ludus.viewpoint import turn


@kernel
def seek_ending(rules: Rules, t: Trees, g: int, actions: np.ndarray, parameters: SearchParameters) -> None:
    """Find an action of an expanded root that ends the game with a win for the mover, or else with a draw.

    Do nothing if the tree is idle, was asked before, is not used for play, or is explored with noise.

    Args:
        rules: the game's rules.
        t: the trees; `t.turned` is overwritten, and the result is stored in the tree.
        g: index of the tree.
        actions: scratch for the legal actions.  # [at least all legal actions] int16
        parameters: the search settings.
    """
    tree, root = t.tree[g], t.child[g, 0]
    if int(tree.target) == 0 or int(tree.ends) != UNSOUGHT or int(tree.plays) == 0 or not parameters.foresight:
        return
    if int(root.kind) != EXPANDED or int(root.proof) != 0 or int(tree.foreseen) == UNASKED:
        return
    if int(tree.explores) == 1 or int(tree.has_noise) == 1:
        return
    tree.ends = NO_ENDING
    state, node = t.states[g, int(root.node)], t.node[g, int(root.node)]
    for k in range(int(rules.legal(state, actions))):
        for item in range(state.shape[0]):
            t.turned[item] = state[item]
        rules.play(t.turned, int(actions[k]))
        outcome = int(rules.outcome(t.turned))
        better = outcome == 1 + int(root.mover) or (outcome == DRAW and int(tree.ends) == NO_ENDING)
        if better and (int(node.kept) < int(node.num_edges) or find_edge(t, g, int(actions[k])) >= 0):
            tree.ending = actions[k]
            tree.ends = outcome
            if outcome != DRAW:
                return


@kernel
def find_edge(t: Trees, g: int, action: int) -> int:
    """Return the index of an action among the kept edges of the root, or -1."""
    node = t.node[g, int(t.child[g, 0].node)]
    for k in range(int(node.kept)):
        if edge_action(t.edge[g, int(node.first_edge) + k]) == action:
            return k
    return -1


@kernel
def is_wanted(t: Trees, g: int) -> bool:
    """Return whether the next walk should visit the action that ends the game."""
    ends, root = int(t.tree[g].ends), t.child[g, 0]
    return ends > 0 and (ends != DRAW or turn(float(root.value_sum), int(root.mover)) < 0.0)


@kernel
def select_ending(t: Trees, g: int) -> int:
    """Return the index of the root edge that ends the game, the next one to visit; -1 if another should be chosen."""
    if not is_wanted(t, g):
        return -1
    tree, root = t.tree[g], t.child[g, 0]
    first, count = int(t.node[g, int(root.node)].first_edge), int(root.num_children)
    k = find_edge(t, g, int(tree.ending))
    if k < count:
        tree.ends = NO_ENDING if k >= 0 else tree.ends
        return -1
    t.edge[g, first + k], t.edge[g, first + count] = t.edge[g, first + count], t.edge[g, first + k]
    note_next(t, g, 0)
    return count
