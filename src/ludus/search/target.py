"""The results of a finished search: the policy target, and the choice of an action.

Targets: visits; visits without forced playouts (Wu 2019, "policy target pruning"); or Gumbel's improved policy
(Danihelka et al. 2022, "completed" values).  Choice: by visits with a temperature, by the lower confidence bound of the
value (as in Leela Zero and KataGo; here of the win/draw/loss outcome), or Gumbel's.  Proofs always take precedence.
"""

import math

import numpy as np

from ludus.kernel import kernel
from ludus.search.backup import mover_value
from ludus.search.edges import edge_action
from ludus.search.gumbel import best_halved, improve
from ludus.search.random import uniform
from ludus.search.select import LOWEST, exploration
from ludus.search.settings import SearchParameters
from ludus.search.tree import Trees


@kernel
def in_play(t: Trees, g: int, k: int) -> bool:
    """Return whether root child `k` may be played: it has visits, and no proof makes another child better."""
    root, child = t.child[g, 0], t.child[g, int(t.child[g, 0].first_child) + k]
    if int(child.visits) == 0:
        return False
    lost, known = 2 - int(root.mover), int(root.proof)
    if known == lost:
        return True
    return int(child.proof) == known if known != 0 else int(child.proof) != lost


@kernel
def weigh_visits(t: Trees, g: int, parameters: SearchParameters) -> None:
    """Write the visits of each root child into `t.weight`, with 0 for children that proofs exclude.

    If proofs exclude all visited children, write the visits of all.
    """
    root = t.child[g, 0]
    count, total = int(root.num_children), 0.0
    for k in range(count):
        visits = float(t.child[g, int(root.first_child) + k].visits)
        t.weight[k] = np.float32(visits if in_play(t, g, k) else 0.0)
        total += float(t.weight[k])
    if total == 0.0:
        for k in range(count):
            t.weight[k] = np.float32(t.child[g, int(root.first_child) + k].visits)
    if int(t.tree[g].has_noise) == 1 and parameters.forced_playouts > 0.0 and int(root.proof) == 0:
        prune(t, g, parameters)


@kernel
def prune(t: Trees, g: int, parameters: SearchParameters) -> None:
    """Remove visits from `t.weight` that only forced playouts explain."""
    root = t.child[g, 0]
    first, count = int(root.first_child), int(root.num_children)
    best = 0
    for k in range(count):
        if t.weight[k] > t.weight[best]:
            best = k
    weight = exploration(int(root.visits), parameters)
    child = t.child[g, first + best]
    goal = mover_value(t, g, first + best, int(root.mover))
    goal += weight * float(child.prior) * (1.0 / 65535.0) / (1.0 + float(child.visits))
    for k in range(count):
        if k == best or t.weight[k] == 0.0:
            continue
        child = t.child[g, first + k]
        share = float(child.prior) * (1.0 / 65535.0)
        forced = math.floor(math.sqrt(parameters.forced_playouts * share * float(root.visits)))
        gap = goal - mover_value(t, g, first + k, int(root.mover))
        # The number of visits at which its score would equal the best child's.
        enough = weight * share / gap - 1.0 if gap > 0.0 else float(child.visits)
        left = max(float(t.weight[k]) - forced, min(float(t.weight[k]), math.ceil(enough)))
        t.weight[k] = np.float32(left if left > 1.0 else 0.0)


@kernel
def write_policy(
    t: Trees, g: int, parameters: SearchParameters, actions: np.ndarray, weights: np.ndarray, at: int
) -> int:
    """Write the policy target of the root starting at index `at`; return the index after its last entry.

    The weights are positive but not normalized.
    """
    root = t.child[g, 0]
    node = t.node[g, int(root.node)]
    first = int(node.first_edge)
    if int(t.tree[g].considered) > 0 and int(root.proof) == 0:
        improve(t, g, parameters)
        for k in range(int(node.kept)):
            if t.weight[k] > 1e-4:
                actions[at] = edge_action(t.edge[g, first + k])
                weights[at] = t.weight[k]
                at += 1
        return at
    weigh_visits(t, g, parameters)
    for k in range(int(root.num_children)):
        if t.weight[k] > 0.0:
            actions[at] = edge_action(t.edge[g, first + k])
            weights[at] = t.weight[k]
            at += 1
    return at


@kernel
def sample_child(t: Trees, g: int, parameters: SearchParameters, temperature: float) -> int:
    """Return the index of a root child sampled in proportion to visits^(1/temperature), or Gumbel's choice."""
    root = t.child[g, 0]
    count = int(root.num_children)
    if int(t.tree[g].considered) > 0 and int(root.proof) == 0:
        return best_halved(t, g, parameters)
    weigh_visits(t, g, parameters)
    most, total = 0.0, 0.0
    for k in range(count):
        most = max(most, float(t.weight[k]))
    for k in range(count):
        if temperature < 0.01 and float(t.weight[k]) == most:
            return k  # a power of 100 would hardly distinguish 400 visits from 399
        t.weight[k] = np.float32((float(t.weight[k]) / most) ** (1.0 / max(temperature, 0.01)))
        total += float(t.weight[k])
    left = uniform(t.stream[g]) * total
    last = 0
    for k in range(count):
        if t.weight[k] > 0.0:
            last = k
            left -= float(t.weight[k])
            if left < 0.0:
                return k
    return last


@kernel
def best_child(t: Trees, g: int, parameters: SearchParameters) -> int:
    """Return the index of the root's best child by visits, or by the lower confidence bound of its value.

    If all children are proved equal, choose the most visited: the longest resistance.
    """
    root = t.child[g, 0]
    weigh_visits(t, g, parameters)
    most = 0.0
    for k in range(int(root.num_children)):
        most = max(most, float(t.weight[k]))
    best, best_score = 0, LOWEST
    for k in range(int(root.num_children)):
        weight = float(t.weight[k])
        score = weight
        if parameters.by_bound:
            score = lower_bound(t, g, k) if 10.0 * weight >= most else LOWEST
        if score > best_score or (score == best_score and weight > float(t.weight[best])):
            best, best_score = k, score
    return best


@kernel
def lower_bound(t: Trees, g: int, k: int) -> float:
    """Return the lower bound of the 95 % confidence interval for the value of root child `k`, for the mover."""
    root = t.child[g, 0]
    child = t.child[g, int(root.first_child) + k]
    visits = float(child.visits)
    value = mover_value(t, g, int(root.first_child) + k, int(root.mover))
    if int(child.proof) != 0:
        return value
    # A game counts 1, 0 or -1: the variance is the probability of a decisive result minus the squared mean.
    variance = max(0.0, 1.0 - float(child.draw_sum) / visits - value * value)
    return value - 1.96 * math.sqrt((variance + 1.0 / visits) / visits)
