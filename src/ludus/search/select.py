"""Selection: PUCT, plus forced playouts at the root of an exploring search.

PUCT as in Silver et al., "A general reinforcement learning algorithm ..." (2018), optionally with their growing
exploration rate; first-play urgency as in Leela Zero; forced playouts as in Wu, "Accelerating self-play learning in
Go" (2019).  A child that is proved lost for the mover is not selected.
"""

import math

from ludus.kernel import kernel
from ludus.search.settings import SearchParameters
from ludus.search.tree import NO_MORE, Trees
from ludus.viewpoint import turn

LOWEST = -1e30


@kernel
def exploration(visits: int, parameters: SearchParameters) -> float:
    """Return the exploration weight of a prior at a node with `visits` visits."""
    return float(parameters.exploration[min(visits, parameters.exploration.shape[0] - 1)])


@kernel
def inverse(visits: int, parameters: SearchParameters) -> float:
    """Return 1 / visits."""
    return float(parameters.inverse[min(visits, parameters.inverse.shape[0] - 1)])


@kernel
def select(t: Trees, g: int, at: int, parameters: SearchParameters) -> int:
    """Return the index of the edge to follow at an expanded node: a child's, or `num_children` for the next edge."""
    here = t.child[g, at]
    mover, count, first = int(here.mover), int(here.num_children), int(here.first_child)
    sign, lost = turn(1.0, mover), 2 - mover
    visits_here = int(here.visits)
    weight = exploration(visits_here, parameters) * (1.0 / 65535.0)
    best, best_score = 0, LOWEST
    for k in range(first, first + count):
        child = t.child[g, k]
        waiting = int(child.in_flight)  # virtual losses: walks of one batch should take different paths
        visits = int(child.visits) + waiting
        score = (sign * float(child.value_sum) - float(waiting)) * inverse(visits, parameters)
        score += weight * float(child.prior) * inverse(visits + 1, parameters)
        score = LOWEST if int(child.proof) == lost else score
        best = k - first if score > best_score else best
        best_score = max(score, best_score)
    if int(here.more) != NO_MORE:
        score = sign * float(here.value_sum) * inverse(max(1, visits_here), parameters) - parameters.fpu_reduction
        if score + weight * float(here.next_prior) > best_score:
            best = count
    return best


@kernel
def select_forced(t: Trees, g: int, parameters: SearchParameters) -> int:
    """Return the index of the root edge to follow; visited actions get at least sqrt(k * prior * visits) visits."""
    root = t.child[g, 0]
    first, lost = int(root.first_child), 2 - int(root.mover)
    for k in range(int(root.num_children)):
        child = t.child[g, first + k]
        visits = float(child.visits) + float(child.in_flight)
        share = float(child.prior) * (1.0 / 65535.0)
        if visits < math.sqrt(parameters.forced_playouts * share * float(root.visits)) and int(child.proof) != lost:
            return k
    return select(t, g, 0, parameters)
