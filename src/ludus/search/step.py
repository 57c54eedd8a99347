"""The search: two compiled steps that turn many trees by one batch, `collect` leaves and `absorb` evaluations.

PUCT as in Silver et al., "A general reinforcement learning algorithm ..." (2018), with virtual loss for several leaves
of one tree in a batch.  `collect` knows the rules, `absorb` does not; neither knows the network.
"""

import math
from typing import NamedTuple

import numpy as np

from ludus.kernel import Rules, entry, kernel
from ludus.search.random import gamma_variate, hash_words
from ludus.search.softmax import set_priors
from ludus.search.tree import (
    CACHE_HITS,
    COLLISIONS,
    EVALUATIONS,
    EXPANDED,
    PENDING,
    SIMULATIONS,
    TERMINAL,
    TERMINALS,
    WAITING,
    Trees,
    add_child,
    edge_action,
    edge_prior,
    has_room,
    new_node,
    pack_edge,
    promote,
)
from ludus.viewpoint import turn


class Knobs(NamedTuple):
    """The numbers of the search formula, as compiled code takes them."""

    cpuct: float
    """Weight of the prior against the value (Deep-Wallwars: 2.0)."""
    fpu_reduction: float
    """How much worse than its parent an unvisited child is held to be, for its mover."""
    noise_share: float
    """Share of Dirichlet noise in the root's priors (AlphaZero: 0.25)."""
    noise_alpha: float
    """Concentration of that noise (AlphaZero: about 10 / legal actions)."""
    leaves: int
    """Most leaves of one tree in a batch."""


@kernel
def settle(rules: Rules, t: Trees, states: np.ndarray, g: int, index: int) -> bool:
    """Find out what a fresh node is; return True if it needs the evaluator, False if its value is known now."""
    state, node = states[g, index], t.node[g, index]
    node.mover = rules.to_play(state)
    outcome = int(rules.outcome(state))
    if outcome != 0:
        node.kind = TERMINAL
        node.outcome = outcome
        return False
    count = int(rules.legal(state, t.legal))
    first = int(t.tree[g].num_edges)
    node.first_edge = first
    node.num_edges = count
    for k in range(count):
        t.edge[g, first + k] = np.uint32(t.legal[k])
    t.tree[g].num_edges = first + count
    node.kind = PENDING
    return True


@kernel
def from_cache(t: Trees, g: int, index: int, key: np.uint64) -> bool:
    """Expand a pending node from the evaluation cache, if its position is there."""
    size = t.cache_key.shape[0]
    at = int(key >> np.uint64(1)) & (size - 1)
    node = t.node[g, index]
    if np.uint64(t.cache_key[at]) != key or int(t.cache_count[at]) != int(node.num_edges):
        return False
    first = int(node.first_edge)
    for k in range(int(node.num_edges)):
        t.edge[g, first + k] = (np.uint32(t.cache_prior[at, k]) << np.uint32(16)) | t.edge[g, first + k]
    node.kind = EXPANDED
    promote(t, g, index)
    return True


@kernel
def back_up(t: Trees, g: int, leaf: int, value: float, draw: float) -> None:
    """Add an evaluation (seen by player 0) to the leaf and everything above it, and take the virtual loss back."""
    index = leaf
    while index >= 0:
        node = t.node[g, index]
        node.visits += 1
        node.value_sum += np.float32(value)
        node.draw_sum += np.float32(draw)
        parent = int(node.parent)
        if parent >= 0:
            above = t.node[g, parent]
            child = t.child[g, int(above.first_child) + int(node.ordinal)]
            child.value_sum += np.float32(value + turn(1.0, int(above.mover)))
        index = parent
    t.counter[SIMULATIONS] += 1


@kernel
def withdraw(t: Trees, g: int, leaf: int) -> None:
    """Take the virtual loss of a walk back that met a leaf which is already at the evaluator."""
    index = leaf
    while int(t.node[g, index].parent) >= 0:
        node = t.node[g, index]
        above = t.node[g, int(node.parent)]
        child = t.child[g, int(above.first_child) + int(node.ordinal)]
        child.visits -= 1
        child.value_sum += np.float32(turn(1.0, int(above.mover)))
        index = int(node.parent)
    t.counter[COLLISIONS] += 1


@kernel
def select(t: Trees, g: int, index: int, knobs: Knobs) -> int:
    """Return which edge of an expanded node to follow: a visited one, or the next unvisited one."""
    node = t.node[g, index]
    count = int(node.num_children)
    sign = turn(1.0, int(node.mover))
    weight = knobs.cpuct * math.sqrt(float(node.visits))
    best, best_score = 0, -1e30
    for k in range(count):
        child = t.child[g, int(node.first_child) + k]
        visits = float(child.visits)
        score = sign * float(child.value_sum) / visits if visits > 0.0 else 0.0
        score += weight * float(child.prior) / (1.0 + visits)
        if score > best_score:
            best_score = score
            best = k
    if count < int(node.num_edges):
        score = sign * float(node.value_sum) / max(1.0, float(node.visits)) - knobs.fpu_reduction
        if score + weight * float(node.next_prior) > best_score:
            best = count
    return best


@kernel
def add_noise(t: Trees, g: int, knobs: Knobs) -> None:
    """Mix Dirichlet noise into the root's priors, once per root."""
    root, stream = t.node[g, 0], t.stream[g]
    first, count = int(root.first_edge), int(root.num_edges)
    total = 0.0
    for k in range(count):
        noise = gamma_variate(stream, knobs.noise_alpha)
        t.prior[k] = np.float32(noise)
        total += noise
    for k in range(count):
        edge = t.edge[g, first + k]
        share = float(t.prior[k]) / max(total, 1e-30)
        mixed = (1.0 - knobs.noise_share) * edge_prior(edge) + knobs.noise_share * share
        t.edge[g, first + k] = pack_edge(mixed, edge_action(edge))
        if k < int(root.num_children):
            t.child[g, int(root.first_child) + k].prior = np.float32(edge_prior(t.edge[g, first + k]))
    root.ordered = root.num_children
    promote(t, g, 0)
    t.tree[g].noisy = 1


@kernel
def grow(rules: Rules, t: Trees, states: np.ndarray, g: int, parent: int) -> int:
    """Give `parent` a child for its next unvisited edge, with the position set; return the new node."""
    node = t.node[g, parent]
    ordinal = int(node.num_children)
    action = edge_action(t.edge[g, int(node.first_edge) + ordinal])
    index = new_node(t, g, parent, ordinal)
    add_child(t, g, parent, index)
    promote(t, g, parent)
    for w in range(t.words.shape[2]):
        t.words[g, index, w] = t.words[g, parent, w]
    rules.play(states[g, index], action)
    return index


@kernel
def walk(rules: Rules, t: Trees, states: np.ndarray, g: int, knobs: Knobs) -> int:
    """Walk from the root of tree `g` to a leaf, leaving virtual loss; return the leaf, or -1 if the arena is full."""
    index = 0
    while int(t.node[g, index].kind) == EXPANDED:
        best = select(t, g, index, knobs)
        node = t.node[g, index]
        if best == int(node.num_children):
            if not has_room(t, g):
                t.tree[g].full = 1
                if index > 0:
                    withdraw(t, g, index)
                return -1
            leaf = grow(rules, t, states, g, index)
        else:
            leaf = int(t.child[g, int(node.first_child) + best].node)
        child = t.child[g, int(t.node[g, index].first_child) + best]
        child.visits += 1
        child.value_sum -= np.float32(turn(1.0, int(t.node[g, index].mover)))
        index = leaf
    return index


@kernel
def terminal_value(outcome: int) -> float:
    """Return the value of an outcome code, seen by player 0."""
    return 1.0 if outcome == 1 else (-1.0 if outcome == 2 else 0.0)


@kernel
def is_done(t: Trees, g: int) -> bool:
    """Return whether tree `g` needs no more leaves: asleep, full, target reached, or its game is over."""
    tree, root = t.tree[g], t.node[g, 0]
    return (
        int(tree.target) == 0
        or int(tree.full) == 1
        or int(root.kind) == TERMINAL
        or int(root.visits) + int(tree.pending) >= int(tree.target)
    )


@kernel
def clear(planes: np.ndarray, row: int) -> None:
    """Fill one row of the batch with zeros."""
    flat = planes.reshape(planes.shape[0], planes.shape[1] * planes.shape[2] * planes.shape[3])  # [B, C H W]
    for index in range(flat.shape[1]):
        flat[row, index] = np.float32(0.0)


@kernel
def collect_tree(rules: Rules, t: Trees, states: np.ndarray, g: int, knobs: Knobs, row: int, planes: np.ndarray) -> int:
    """Fill rows from `row` on with leaves of tree `g`; return the next free row."""
    end = min(row + knobs.leaves, planes.shape[0])
    cached = t.cache_prior.shape[1] >= t.legal.shape[0]
    while row < end and not is_done(t, g):  # a walk that ends in a known position fills no row, but adds a visit
        root = t.node[g, 0]
        if int(root.kind) == EXPANDED and t.tree[g].wants_noise == 1 and t.tree[g].noisy == 0:
            add_noise(t, g, knobs)
        leaf = walk(rules, t, states, g, knobs)
        if leaf < 0:
            break
        node = t.node[g, leaf]
        if int(node.kind) == PENDING:
            withdraw(t, g, leaf)
            break
        if int(node.kind) == WAITING and settle(rules, t, states, g, leaf):
            key = hash_words(t.words[g, leaf])
            if cached and from_cache(t, g, leaf, key):
                at = int(key >> np.uint64(1)) & (t.cache_key.shape[0] - 1)
                back_up(t, g, leaf, float(t.cache_value[at, 0]), float(t.cache_value[at, 1]))
                t.counter[CACHE_HITS] += 1
                continue
            clear(planes, row)
            rules.encode(states[g, leaf], planes[row])
            batch_row = t.row[row]
            batch_row.tree = g
            batch_row.node = leaf
            batch_row.hash = key
            t.tree[g].pending += 1
            row += 1
            if leaf == 0:
                break  # nothing below an unevaluated root
            continue
        outcome = int(node.outcome)
        back_up(t, g, leaf, terminal_value(outcome), 1.0 if outcome == 3 else 0.0)
        t.counter[TERMINALS] += 1
    return row


@entry
def collect(rules: Rules, t: Trees, states: np.ndarray, knobs: Knobs, planes: np.ndarray) -> int:
    """Walk all trees that are not done until each has its leaves in the batch.

    Args:
        rules: the game's rules.
        t: the trees; `t.row` is filled.
        states: `t.words` seen as the game's dtype.  # [G, N, S]
        knobs: the search formula.
        planes: written: what the network sees of each leaf.  # [B, C, H, W]

    Returns:
        How many rows of the batch were filled.
    """
    row = 0
    for g in range(t.tree.shape[0]):
        if row >= planes.shape[0]:
            break
        row = collect_tree(rules, t, states, g, knobs, row, planes)
    t.counter[EVALUATIONS] += row
    return row


@kernel
def expand(t: Trees, g: int, index: int, logits: np.ndarray) -> None:
    """Give a pending node's edges their priors: the softmax of `logits` [A] over its legal actions."""
    node = t.node[g, index]
    first, count = int(node.first_edge), int(node.num_edges)
    set_priors(t.edge[g, first : first + count], logits, t.prior)
    node.kind = EXPANDED


@kernel
def remember(t: Trees, g: int, index: int, key: np.uint64, value: float, draw: float) -> None:
    """Keep an evaluation in the cache, in place of whatever was there."""
    node = t.node[g, index]
    first, count = int(node.first_edge), int(node.num_edges)
    at = int(key >> np.uint64(1)) & (t.cache_key.shape[0] - 1)
    t.cache_key[at] = key
    t.cache_count[at] = count
    t.cache_value[at, 0] = np.float32(value)
    t.cache_value[at, 1] = np.float32(draw)
    for k in range(count):
        t.cache_prior[at, k] = np.uint16(int(t.edge[g, first + k]) >> 16)


@entry
def absorb(t: Trees, count: int, logits: np.ndarray, outcome: np.ndarray) -> None:
    """Take in the evaluations of the last `collect`: expand its leaves and back their values up.

    Args:
        t: the trees.
        count: rows of the batch.
        logits: policy logits.  # [B, A] float32
        outcome: probabilities of win, draw and loss of the mover.  # [B, 3] float32
    """
    cached = t.cache_prior.shape[1] >= t.legal.shape[0]
    for row in range(count):
        g, leaf = int(t.row[row].tree), int(t.row[row].node)
        expand(t, g, leaf, logits[row])
        value = turn(float(outcome[row, 0] - outcome[row, 2]), int(t.node[g, leaf].mover))  # a float32, as it is cached
        draw = float(outcome[row, 1])
        if cached:
            remember(t, g, leaf, np.uint64(t.row[row].hash), value, draw)
        promote(t, g, leaf)
        back_up(t, g, leaf, value, draw)
        t.tree[g].pending -= 1
