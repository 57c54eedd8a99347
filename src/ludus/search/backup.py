"""What a walk leaves behind: values, visits and proofs on the way up.

Values are sums over all evaluations below, seen by player 0.  A node is *proved* when its outcome under best play is
known: the end of a game, a child that wins for the mover, or nothing but proved children.  Then its value, and what
it gave to the nodes above it, becomes exact (as in lc0's "sticky endgames"; after Winands, Bjornsson and Saito,
"Monte-Carlo tree search solver", 2008).
"""

import math

import numpy as np

from ludus.kernel import kernel
from ludus.search.tree import COLLISIONS, PROOFS, SIMULATIONS, Trees
from ludus.viewpoint import turn

DRAW = 3
LONG = 1 << 12  # visits from which on a sum of single precision must not always be rounded to the nearest
GOLDEN = 0.6180339887498949  # its multiples are spread evenly, modulo 1 (Knuth, The Art of Computer Programming, 6.4)


@kernel
def exact_value(outcome: int) -> float:
    """Return the value of an outcome code, seen by player 0."""
    return 1.0 if outcome == 1 else (-1.0 if outcome == 2 else 0.0)


@kernel
def increased(total: np.float32, value: np.float32, visits: int) -> np.float32:
    """Return a sum of so many values with another one.

    A long sum is rounded up as often as its fraction asks for, and else down: rounded to the nearest, it would swallow
    what is less than half of its last digit, and a sum of 2^24 would never grow again.
    """
    exact = np.float64(total) + np.float64(value)
    if visits < LONG:
        return np.float32(exact)
    _, exponent = math.frexp(exact)
    digit = math.ldexp(1.0, exponent - 24)  # 24 digits has the fraction of single precision
    return np.float32(math.floor(exact / digit + (visits * GOLDEN) % 1.0) * digit)


@kernel
def back_up(t: Trees, p: int, depth: int, g: int, value: np.float32, draw: np.float32) -> None:
    """Add an evaluation to the last child of path `p` and to everything above it."""
    for level in range(depth, -1, -1):
        child = t.child[g, int(t.path[p, level])]
        proof = int(child.proof)
        if proof != 0:  # whatever a network says below, this node and those above know better
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
    """Take back a walk that brought nothing."""
    for level in range(depth + 1):
        t.child[g, int(t.path[p, level])].in_flight -= 1
    t.counter[COLLISIONS] += 1


@kernel
def prove(t: Trees, p: int, depth: int, g: int) -> None:
    """Carry the fresh proof of the last child of path `p` up as far as it reaches."""
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
        parent.value_sum, parent.draw_sum = value_sum, draw_sum  # the differences are rounded, these are not
        for above in range(level - 1):
            t.child[g, int(t.path[p, above])].value_sum += value
            t.child[g, int(t.path[p, above])].draw_sum += draw
        t.counter[PROOFS] += 1


@kernel
def verdict(t: Trees, g: int, at: int, fresh: int) -> int:
    """Return the outcome of the node at child `at`, now that a child of it has the proof `fresh`; 0 if it is open."""
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
    """Return the value of a visited child's node, seen by player 0."""
    child = t.child[g, at]
    return float(child.value_sum) / max(1.0, float(child.visits))


@kernel
def root_value(t: Trees, g: int) -> float:
    """Return the value of a visited root, seen by player 0: exact, where its outcome was foreseen."""
    foreseen = int(t.tree[g].foreseen)
    return exact_value(foreseen) if foreseen > 0 else mean_value(t, g, 0)


@kernel
def root_draw(t: Trees, g: int) -> float:
    """Return the probability that a visited root's game is drawn: exact, where its outcome was foreseen."""
    foreseen, root = int(t.tree[g].foreseen), t.child[g, 0]
    if foreseen > 0:
        return 1.0 if foreseen == DRAW else 0.0
    return float(root.draw_sum) / max(1.0, float(root.visits))


@kernel
def mover_value(t: Trees, g: int, at: int, mover: int) -> float:
    """Return the value of a visited child's node, seen by `mover`."""
    return turn(mean_value(t, g, at), mover)
