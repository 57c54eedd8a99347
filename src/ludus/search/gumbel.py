"""Gumbel search: sequential halving at the root, the improved policy, and the action to play.

Danihelka et al., "Policy improvement by planning with Gumbel" (2022).  The tables of considered visits are computed
when needed, and proofs take precedence.
"""

import math

import numpy as np

from ludus.kernel import kernel
from ludus.search.backup import mover_value
from ludus.search.edges import SMALLEST_PRIOR, edge_prior
from ludus.search.random import uniform
from ludus.search.select import LOWEST
from ludus.search.settings import SearchParameters
from ludus.search.tree import Trees
from ludus.viewpoint import turn


@kernel
def drawn_logit(edge: np.uint32, stream: np.ndarray) -> float:
    """Return the logit of an edge's prior plus Gumbel noise; the maximum over edges is a sample from the priors."""
    noise = -math.log(-math.log(max(uniform(stream), 1e-12)))
    return math.log(max(edge_prior(edge), SMALLEST_PRIOR)) + noise


@kernel
def draw_actions(t: Trees, g: int, parameters: SearchParameters) -> None:
    """Sample the root actions to consider without replacement: the largest logit + Gumbel noise, best first."""
    root, stream = t.child[g, 0], t.stream[g]
    node = t.node[g, int(root.node)]
    first, count = int(node.first_edge), int(node.num_edges)
    for k in range(count):
        t.weight[k] = np.float32(drawn_logit(t.edge[g, first + k], stream))
    considered = min(count, parameters.gumbel_actions)
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
    """Sample one more root action to consider, from those not sampled before."""
    root, stream = t.child[g, 0], t.stream[g]
    first, place = int(t.node[g, int(root.node)].first_edge), int(t.tree[g].considered)
    best, best_weight = place, LOWEST
    for k in range(place, int(t.node[g, int(root.node)].num_edges)):
        weight = drawn_logit(t.edge[g, first + k], stream)
        if weight > best_weight:
            best, best_weight = k, weight
    t.edge[g, first + best], t.edge[g, first + place] = t.edge[g, first + place], t.edge[g, first + best]
    t.gumbel[g, place] = np.float32(best_weight)
    t.tree[g].considered = place + 1


@kernel
def considered_visits(considered: int, simulations: int, simulation: int) -> int:
    """Return how many visits a root action must have to be selected in this simulation of sequential halving."""
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
def gumbel_score(t: Trees, g: int, k: int, most: float, parameters: SearchParameters) -> float:
    """Return the score of root child `k`: logit + noise + scaled value; `most` is the visit count of the top child."""
    root = t.child[g, 0]
    value = mover_value(t, g, int(root.first_child) + k, int(root.mover))
    return float(t.gumbel[g, k]) + (parameters.gumbel_visits + most) * parameters.gumbel_scale * (0.5 + 0.5 * value)


@kernel
def most_visits(t: Trees, g: int, at: int) -> int:
    """Return the largest visit count among the children of the node at child `at`."""
    here, most = t.child[g, at], 0
    for k in range(int(here.num_children)):
        most = max(most, int(t.child[g, int(here.first_child) + k].visits))
    return most


@kernel
def select_halving(t: Trees, g: int, parameters: SearchParameters) -> int:
    """Return the index of the root edge that sequential halving follows next."""
    tree, root = t.tree[g], t.child[g, 0]
    simulation = int(root.visits) + int(root.in_flight) - 2  # excludes the root's own first visit and this walk
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
        # Proofs and virtual losses can leave no action with the scheduled visits: take the closest one.
        missing = 0 if visits == wanted else 1 + abs(visits - wanted)
        score = gumbel_score(t, g, k, most, parameters)
        if missing < least or (missing == least and score > best_score):
            best, best_score, least = k, score, missing
    if best_score < LOWEST and int(root.num_children) < int(t.node[g, int(root.node)].num_edges):
        if int(root.num_children) == int(tree.considered):  # all sampled actions are proved lost
            admit_another(t, g)
        return int(root.num_children)
    return best


@kernel
def improve(t: Trees, g: int, parameters: SearchParameters) -> None:
    """Write Gumbel's improved policy into `t.weight`: softmax of logit + scaled value.

    Unvisited actions get an estimated ("completed") value.  Actions that are proved lost get no weight,
    unless all visited actions are lost: after few visits, their values alone would lower the weights too little.
    """
    root = t.child[g, 0]
    node = t.node[g, int(root.node)]
    first, first_child, mover = int(node.first_edge), int(root.first_child), int(root.mover)
    lost = 2 - mover
    visits, prior_sum, value_sum, spares = 0.0, 0.0, 0.0, False
    for k in range(int(root.num_children)):
        spares = spares or int(t.child[g, first_child + k].proof) != lost
        prior = max(edge_prior(t.edge[g, first + k]), SMALLEST_PRIOR)
        visits += float(t.child[g, first_child + k].visits)
        prior_sum += prior
        value_sum += prior * mover_value(t, g, first_child + k, mover)
    mixed = turn(float(node.value), mover)
    if visits > 0.0:
        mixed = (mixed + visits * value_sum / prior_sum) / (1.0 + visits)
    scale = (parameters.gumbel_visits + float(most_visits(t, g, 0))) * parameters.gumbel_scale
    top = LOWEST
    for k in range(int(node.kept)):
        if spares and k < int(root.num_children) and int(t.child[g, first_child + k].proof) == lost:
            t.weight[k] = np.float32(LOWEST)
            continue
        value = mover_value(t, g, first_child + k, mover) if k < int(root.num_children) else mixed
        logit = math.log(max(edge_prior(t.edge[g, first + k]), SMALLEST_PRIOR)) + scale * (0.5 + 0.5 * value)
        t.weight[k] = np.float32(logit)
        top = max(top, float(t.weight[k]))
    total = 0.0
    for k in range(int(node.kept)):
        t.weight[k] = np.float32(math.exp(float(t.weight[k]) - top))
        total += float(t.weight[k])
    for k in range(int(node.kept)):
        t.weight[k] = np.float32(float(t.weight[k]) / total)


@kernel
def best_halved(t: Trees, g: int, parameters: SearchParameters) -> int:
    """Return the child with the best Gumbel score among those with the most visits that are not proved lost."""
    root, lost, most = t.child[g, 0], 2 - int(t.child[g, 0].mover), 0
    for k in range(int(root.num_children)):
        child = t.child[g, int(root.first_child) + k]
        most = max(most, int(child.visits) if int(child.proof) != lost else 0)
    best, best_score, most_of_all = 0, 2.0 * LOWEST, float(most_visits(t, g, 0))
    for k in range(int(root.num_children)):
        child = t.child[g, int(root.first_child) + k]
        if int(child.visits) < most or int(child.proof) == lost:
            continue
        score = gumbel_score(t, g, k, most_of_all, parameters)
        if score > best_score:
            best, best_score = k, score
    return best
