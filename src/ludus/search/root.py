"""What is special at the root of a search that explores: noise, temperature, forced playouts, or Gumbel's draws.

Dirichlet noise as in AlphaZero, optionally shaped by the policy, and root policy temperature as in KataGo
("KataGoMethods"); Gumbel's sequential halving as in Danihelka et al., "Policy improvement by planning with Gumbel"
(2022), with the tables of considered visits computed on the fly.
"""

import math

import numpy as np

from ludus.kernel import entry, kernel
from ludus.search.backup import mover_value
from ludus.search.edges import edge_action, edge_prior, note_next, pack_edge, promote
from ludus.search.random import gamma_variate, uniform
from ludus.search.select import LOWEST, Knobs, select, select_forced
from ludus.search.tree import Trees

SMALLEST_PRIOR = 0.5 / 65535.0  # a prior that was rounded to 0


@kernel
def dress(t: Trees, g: int, knobs: Knobs) -> None:
    """Prepare an expanded root that has all its edges for exploration, once."""
    tree = t.tree[g]
    tree.dressed = 1
    tree.considered = 0
    if knobs.gumbel_actions > 0:
        if int(t.child[g, 0].num_children) == 0:
            draw_actions(t, g, knobs)
        return
    if knobs.root_temperature != 1.0:
        warm_up(t, g, knobs.root_temperature)
    if knobs.noise_share > 0.0:
        add_noise(t, g, knobs)
    promote(t, g, 0)


@kernel
def set_prior(t: Trees, g: int, k: int, prior: float) -> None:
    """Give edge `k` of the root another prior."""
    root = t.child[g, 0]
    at = int(t.node[g, int(root.node)].first_edge) + k
    edge = pack_edge(prior, edge_action(t.edge[g, at]))
    t.edge[g, at] = edge
    if k < int(root.num_children):
        t.child[g, int(root.first_child) + k].prior = int(edge) >> 16


@kernel
def warm_up(t: Trees, g: int, temperature: float) -> None:
    """Flatten the root's priors: in proportion to prior^(1 / temperature)."""
    node = t.node[g, int(t.child[g, 0].node)]
    first, count = int(node.first_edge), int(node.num_edges)
    total = 0.0
    for k in range(count):
        t.weight[k] = np.float32(edge_prior(t.edge[g, first + k]) ** (1.0 / temperature))
        total += float(t.weight[k])
    for k in range(count):
        set_prior(t, g, k, float(t.weight[k]) / total)


@kernel
def add_noise(t: Trees, g: int, knobs: Knobs) -> None:
    """Mix Dirichlet noise into the root's priors."""
    node, stream = t.node[g, int(t.child[g, 0].node)], t.stream[g]
    first, count = int(node.first_edge), int(node.num_edges)
    mean, above_mean = 0.0, 0.0
    for k in range(count):
        mean += math.log(min(0.01, max(edge_prior(t.edge[g, first + k]), SMALLEST_PRIOR))) / count
    for k in range(count):
        likely = math.log(min(0.01, max(edge_prior(t.edge[g, first + k]), SMALLEST_PRIOR))) - mean
        t.weight[k] = np.float32(max(0.0, likely))
        above_mean += float(t.weight[k])
    total = 0.0
    for k in range(count):
        share = 1.0
        if above_mean > 0.0:
            share += knobs.noise_shaped * (float(t.weight[k]) / above_mean * count - 1.0)
        noise = gamma_variate(stream, max(1e-3, knobs.noise_alpha * share))
        t.weight[k] = np.float32(noise)
        total += noise
    for k in range(count):
        noise = float(t.weight[k]) / max(total, 1e-30)
        prior = edge_prior(t.edge[g, first + k])
        set_prior(t, g, k, (1.0 - knobs.noise_share) * prior + knobs.noise_share * noise)


@entry
def restrict(t: Trees, g: int, actions: np.ndarray, count: int) -> None:
    """Leave an expanded root without children these actions alone; whoever moves on must plant the tree anew.

    Args:
        t: the trees, with no leaf of this one at the evaluator.
        g: which tree.
        actions: legal ones.  # [at least `count`] int16
        count: how many, 1 or more.
    """
    tree, root = t.tree[g], t.child[g, 0]
    node = t.node[g, int(root.node)]
    old, kept, first = int(node.first_edge), int(node.kept), int(tree.num_edges)
    least = t.edge[g, old]
    for k in range(kept):
        least = min(least, t.edge[g, old + k])
    best = 0
    for index in range(count):
        action = np.uint32(actions[index])
        edge = least >> np.uint32(16) << np.uint32(16) | action  # what was not kept is not better than what was
        for k in range(kept):
            if t.edge[g, old + k] & np.uint32(0xFFFF) == action:
                edge = t.edge[g, old + k]
        t.edge[g, first + index] = edge
        best = index if edge > t.edge[g, first + best] else best
    t.edge[g, first], t.edge[g, first + best] = t.edge[g, first + best], t.edge[g, first]
    node.first_edge = first
    node.num_edges = count
    node.kept = count
    tree.num_edges = first + count
    tree.averaged = 1  # averaging would bring the others back
    note_next(t, g, 0)


# ---- Gumbel ----------------------------------------------------------------------------------------------------------


@kernel
def draw_actions(t: Trees, g: int, knobs: Knobs) -> None:
    """Draw the root actions in the running without replacement: the largest of logit + Gumbel noise, best first."""
    root, stream = t.child[g, 0], t.stream[g]
    node = t.node[g, int(root.node)]
    first, count = int(node.first_edge), int(node.num_edges)
    for k in range(count):
        noise = -math.log(-math.log(max(uniform(stream), 1e-12)))
        t.weight[k] = np.float32(math.log(max(edge_prior(t.edge[g, first + k]), SMALLEST_PRIOR)) + noise)
    considered = min(count, knobs.gumbel_actions)
    for place in range(considered):
        best = place
        for k in range(place + 1, count):
            if t.weight[k] > t.weight[best]:
                best = k
        weight, edge = t.weight[best], t.edge[g, first + best]
        t.weight[best], t.edge[g, first + best] = t.weight[place], t.edge[g, first + place]
        t.gumbel[g, place], t.edge[g, first + place] = weight, edge
    t.tree[g].considered = considered


@kernel
def admit_another(t: Trees, g: int) -> None:
    """Draw one more root action into the running, of those that were not drawn before."""
    root, stream = t.child[g, 0], t.stream[g]
    first, place = int(t.node[g, int(root.node)].first_edge), int(t.tree[g].considered)
    best, best_weight = place, LOWEST
    for k in range(place, int(t.node[g, int(root.node)].num_edges)):
        noise = -math.log(-math.log(max(uniform(stream), 1e-12)))
        weight = math.log(max(edge_prior(t.edge[g, first + k]), SMALLEST_PRIOR)) + noise
        if weight > best_weight:
            best, best_weight = k, weight
    t.edge[g, first + best], t.edge[g, first + place] = t.edge[g, first + place], t.edge[g, first + best]
    t.gumbel[g, place] = np.float32(best_weight)
    t.tree[g].considered = place + 1


@kernel
def considered_visits(considered: int, simulations: int, simulation: int) -> int:
    """Return how many visits a root action must have to be followed by this simulation of sequential halving."""
    if considered <= 1:
        return simulation
    phases = math.ceil(math.log(float(considered)) / math.log(2.0) - 1e-9)
    base, left = 0, simulation
    while True:
        extra = max(1, simulations // (phases * considered))
        if left < extra * considered:
            return base + left // considered
        left -= extra * considered
        base += extra
        considered = max(2, considered // 2)


@kernel
def gumbel_score(t: Trees, g: int, k: int, most: float, knobs: Knobs) -> float:
    """Return what root child `k` is worth: logit + noise + scaled value, where `most` is the most visits of a child."""
    root = t.child[g, 0]
    value = mover_value(t, g, int(root.first_child) + k, int(root.mover))
    return float(t.gumbel[g, k]) + (knobs.gumbel_visits + most) * knobs.gumbel_scale * (0.5 + 0.5 * value)


@kernel
def most_visits(t: Trees, g: int, at: int) -> int:
    """Return the most visits that a child of the node at child `at` has."""
    here, most = t.child[g, at], 0
    for k in range(int(here.num_children)):
        most = max(most, int(t.child[g, int(here.first_child) + k].visits))
    return most


@kernel
def select_halving(t: Trees, g: int, knobs: Knobs) -> int:
    """Return which edge of the root sequential halving follows next."""
    tree, root = t.tree[g], t.child[g, 0]
    simulation = int(root.visits) + int(root.in_flight) - 2  # the root's first visit is its own, and this walk counts
    wanted = considered_visits(int(tree.considered), int(tree.target) - 1, simulation)
    if wanted == 0 and int(root.num_children) < int(tree.considered):
        return int(root.num_children)
    most, lost = float(most_visits(t, g, 0)), 2 - int(root.mover)
    best, best_score, least = 0, 2.0 * LOWEST, 1 << 30
    for k in range(int(root.num_children)):
        child = t.child[g, int(root.first_child) + k]
        visits = int(child.visits) + int(child.in_flight)
        if int(child.proof) == lost:
            continue
        # Proofs and virtual losses disturb the table: then the least visited are followed.
        missing = 0 if visits == wanted else 1 + abs(visits - wanted)
        score = gumbel_score(t, g, k, most, knobs)
        if missing < least or (missing == least and score > best_score):
            best, best_score, least = k, score, missing
    if best_score < LOWEST and int(root.num_children) < int(t.node[g, int(root.node)].num_edges):
        if int(root.num_children) == int(tree.considered):  # all that were drawn are proved lost
            admit_another(t, g)
        return int(root.num_children)
    return best


@kernel
def select_at_root(t: Trees, g: int, knobs: Knobs) -> int:
    """Return which edge of the root to follow."""
    if int(t.tree[g].dressed) == 1:
        if int(t.tree[g].considered) > 0:
            return select_halving(t, g, knobs)
        if knobs.forced_playouts > 0.0:
            return select_forced(t, g, knobs)
    return select(t, g, 0, knobs)
