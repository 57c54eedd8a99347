"""What the rules know before a game is over: a leaf whose outcome they foresee is proved, and needs no evaluation.

A root whose outcome they foresee is searched all the same, for who plays on wants to win soon, or lose late: without
foresight below it, where all leaves would be worth the same, and without the actions that throw the outcome away.  So
do chess programs with their endgame tables, which choose among the root's actions and are closed below it (Stockfish,
lc0).
"""

import numpy as np

from ludus.kernel import Rules, kernel
from ludus.search.settings import SearchParameters
from ludus.search.tree import LEAVES, UNASKED, Trees


@kernel
def foresee(
    rules: Rules, t: Trees, g: int, depth: int, state: np.ndarray, row: int, parameters: SearchParameters
) -> int:
    """Return the outcome of a fresh node that is certain, or 0; of a root, note it in its tree.

    Args:
        rules: the game's rules.
        t: the trees.
        g: which tree.
        depth: of the node.
        state: its state, in which the game goes on.  # [S]
        row: of the batch, whose actions are written over.
        parameters: the search formula.
    """
    asked = int(t.tree[g].foreseen)
    if not parameters.foresight or asked > 0 or asked == UNASKED or (asked == LEAVES and depth == 0):
        return 0
    certain = int(rules.foresee(state))
    if depth == 0 and certain != 0:
        count = int(rules.legal(state, t.row_legal[row]))
        if keep_outcome(rules, t, state, t.row_legal[row], count, certain) == 0:
            certain = 0  # it is not known which actions keep it
        t.tree[g].foreseen = certain
    return certain


@kernel
def keep_outcome(rules: Rules, t: Trees, state: np.ndarray, actions: np.ndarray, count: int, certain: int) -> int:
    """Leave of legal actions those that keep an outcome; return how many: all, if it is the mover's loss, or 0.

    Args:
        rules: the game's rules.
        t: the trees; `t.turned` is written over.
        state: the state before the actions.  # [S]
        actions: those that keep the outcome come first in the end.  # [at least `count`] int16
        count: how many.
        certain: the outcome; 0: none is certain, and all actions are left.
    """
    if certain == 0 or certain == 2 - int(rules.to_play(state)):
        return count
    kept = 0
    for k in range(count):
        action = actions[k]
        for item in range(state.shape[0]):
            t.turned[item] = state[item]
        rules.play(t.turned, int(action))
        after = int(rules.outcome(t.turned))
        if after == 0:
            after = int(rules.foresee(t.turned))
        if after == certain:
            actions[kept] = action
            kept += 1
    return kept
