"""Foresight: outcomes that the rules know before a game is over; a foreseen leaf is proved without an evaluation.

A root with a foreseen outcome is still searched, because a player wants to win soon or lose late.  That search uses no
foresight below the root, where all leaves would have the same value, and excludes actions that give the outcome away.
Stockfish and lc0 use endgame tables the same way: they filter the root's actions and do not probe below.
"""

import numpy as np

from ludus.kernel import Rules, kernel
from ludus.search.settings import SearchParameters
from ludus.search.tree import LEAVES, UNASKED, Trees


@kernel
def foresee(
    rules: Rules, t: Trees, g: int, depth: int, state: np.ndarray, row: int, parameters: SearchParameters
) -> int:
    """Return the outcome that the rules foresee for a new node, or 0; for a root, also store it in its tree.

    Args:
        rules: the game's rules.
        t: the trees.
        g: index of the tree.
        depth: depth of the node in its tree.
        state: state of the node; the game is not over.  # [S]
        row: index of a row of the batch; its list of legal actions is overwritten.
        parameters: the search settings.
    """
    asked = int(t.tree[g].foreseen)
    if not parameters.foresight or asked > 0 or asked == UNASKED or (asked == LEAVES and depth == 0):
        return 0
    certain = int(rules.foresee(state))
    if depth == 0 and certain != 0:
        count = int(rules.legal(state, t.row_legal[row]))
        if keep_outcome(rules, t, state, t.row_legal[row], count, certain) == 0:
            certain = 0  # there is no action known to preserve it
        t.tree[g].foreseen = certain
    return certain


@kernel
def keep_outcome(rules: Rules, t: Trees, state: np.ndarray, actions: np.ndarray, count: int, certain: int) -> int:
    """Filter legal actions to those that preserve a known outcome; return their number.

    All actions remain if the outcome is a loss for the mover.

    Args:
        rules: the game's rules.
        t: the trees; `t.turned` is overwritten.
        state: the state before the actions.  # [S]
        actions: reordered so that the remaining actions come first.  # [at least `count`] int16
        count: number of legal actions.
        certain: the outcome; 0 if none is known, then all actions remain.
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
