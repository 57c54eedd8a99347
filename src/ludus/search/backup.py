"""Backup: visit counts, values and proofs along the path from a leaf to the root.

Values are sums over all evaluations in the subtree, from player 0's perspective.  A node is *proved* when its outcome
under best play is known: the game is over, a child wins for the mover, or all children are proved.  Its value then
becomes exact, and the sums of its ancestors are corrected (like lc0's "sticky endgames"; after Winands, Bjornsson and
Saito, "Monte-Carlo tree search solver", 2008).
"""

import math

import numpy as np

from ludus.kernel import kernel
from ludus.search.tree import COLLISIONS, PROOFS, SIMULATIONS, Trees
from ludus.viewpoint import turn

DRAW = 3
LONG = 1 << 12  # from this many visits on, single-precision sums use dithered rounding
GOLDEN = 0.6180339887498949  # multiples of it modulo 1 are evenly spread (Knuth, The Art of Computer Programming, 6.4)


@kernel
def exact_value(outcome: int) -> float:
    """Return the value of an outcome code from player 0's perspective."""
    return 1.0 if outcome == 1 else (-1.0 if outcome == 2 else 0.0)


@kernel
def increased(total: np.float32, value: np.float32, visits: int) -> np.float32:
    """Return `total` plus `value` in single precision, where `total` is a sum over `visits` values.

    A long sum is rounded up with a frequency equal to its fractional part, otherwise down.  Rounding to nearest would
    lose every value below half of the last digit: a sum of 2^24 would never grow again.
    """
    if visits < LONG:
        return total + value
    exact = np.float64(total) + np.float64(value)
    _, exponent = math.frexp(exact)
    digit = math.ldexp(1.0, exponent - 24)  # single precision has a significand of 24 bits
    return np.float32(math.floor(exact / digit + (visits * GOLDEN) % 1.0) * digit)


@kernel
def back_up(t: Trees, p: int, depth: int, g: int, value: np.float32, draw: np.float32) -> None:
    """Add an evaluation to the last child of path `p` and to all its ancestors."""
    for level in range(depth, -1, -1):
        child = t.child[g, int(t.path[p, level])]
        proof = int(child.proof)
        if proof != 0:  # a proved node and its ancestors use the exact value instead of the network's
            value = np.float32(exact_value(proof))
            draw = np.float32(1.0 if proof == DRAW else 0.0)
        child.visits += 1
        child.in_flight -= 1
        visits = int(child.visits)
        child.value_sum = increased(child.value_sum, value, visits)
        child.draw_sum = increased(child.draw_sum, draw, visits)
    t.counter[SIMULATIONS] += 1


@kernel
def withdraw(t: Trees, p: int, depth: int, g: int) -> None:
    """Undo a walk that reached no new leaf: remove its virtual losses."""
    for level in range(depth + 1):
        t.child[g, int(t.path[p, level])].in_flight -= 1
    t.counter[COLLISIONS] += 1


@kernel
def prove(t: Trees, p: int, depth: int, g: int) -> None:
    """Propagate the new proof of the last child of path `p` to its ancestors, as far as they become proved."""
    for level in range(depth, 0, -1):
        parent = t.child[g, int(t.path[p, level - 1])]
        if int(parent.proof) != 0:
            return
        proof = verdict(t, g, int(t.path[p, level - 1]), int(t.child[g, int(t.path[p, level])].proof))
        if proof == 0:
            return
        parent.proof = proof
        value_sum = np.float32(exact_value(proof) * float(parent.visits))
        draw_sum = np.float32(float(parent.visits) if proof == DRAW else 0.0)
        value, draw = value_sum - parent.value_sum, draw_sum - parent.draw_sum
        parent.value_sum, parent.draw_sum = value_sum, draw_sum  # exact; adding differences would round
        for above in range(level - 1):
            t.child[g, int(t.path[p, above])].value_sum += value
            t.child[g, int(t.path[p, above])].draw_sum += draw
        t.counter[PROOFS] += 1


@kernel
def verdict(t: Trees, g: int, at: int, fresh: int) -> int:
    """Return the outcome of the node at child `at` that follows from the new proof `fresh` of a child; 0 if open."""
    here = t.child[g, at]
    won, lost = 1 + int(here.mover), 2 - int(here.mover)
    if fresh == won:
        return won
    if int(here.num_children) < int(t.node[g, int(here.node)].num_edges):
        return 0
    best = lost
    for k in range(int(here.num_children)):
        proof = int(t.child[g, int(here.first_child) + k].proof)
        if proof == 0:
            return 0
        if proof == DRAW:
            best = DRAW
    return best


@kernel
def mean_value(t: Trees, g: int, at: int) -> float:
    """Return the mean value of a visited child's node from player 0's perspective."""
    child = t.child[g, at]
    return float(child.value_sum) / max(1.0, float(child.visits))


@kernel
def root_value(t: Trees, g: int) -> float:
    """Return the value of a visited root from player 0's perspective: exact if its outcome was foreseen."""
    foreseen = int(t.tree[g].foreseen)
    return exact_value(foreseen) if foreseen > 0 else mean_value(t, g, 0)


@kernel
def root_draw(t: Trees, g: int) -> float:
    """Return the probability that a visited root's game is drawn: exact if its outcome was foreseen."""
    foreseen, root = int(t.tree[g].foreseen), t.child[g, 0]
    if foreseen > 0:
        return 1.0 if foreseen == DRAW else 0.0
    return float(root.draw_sum) / max(1.0, float(root.visits))


@kernel
def mover_value(t: Trees, g: int, at: int, mover: int) -> float:
    """Return the mean value of a visited child's node from the perspective of `mover`."""
    return turn(mean_value(t, g, at), mover)
