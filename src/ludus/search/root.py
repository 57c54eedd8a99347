"""Root exploration: noise, temperature, and the selection rule at the root.

Dirichlet noise as in AlphaZero, optionally shaped by the policy; root policy temperature as in KataGo
("KataGoMethods").
"""

import math

import numpy as np

from ludus.kernel import entry, kernel
from ludus.search.backup import DRAW
from ludus.search.edges import SMALLEST_PRIOR, edge_action, edge_prior, note_next, pack_edge, promote
from ludus.search.ending import select_ending
from ludus.search.gumbel import draw_actions, select_halving
from ludus.search.random import gamma_variate
from ludus.search.select import select, select_forced
from ludus.search.settings import SearchParameters
from ludus.search.tree import EXPANDED, NO_ENDING, UNSOUGHT, Trees


@kernel
def add_root_noise(t: Trees, g: int, parameters: SearchParameters) -> None:
    """Add exploration noise to the root's priors, once for each root; the root must have all its edges."""
    tree = t.tree[g]
    tree.has_noise = 1
    tree.considered = 0
    tree.ends = NO_ENDING  # exploration chooses the actions to visit
    if parameters.gumbel_actions > 0:
        if int(t.child[g, 0].num_children) == 0:
            draw_actions(t, g, parameters)
        return
    if parameters.root_temperature != 1.0:
        flatten_priors(t, g, parameters.root_temperature)
    if parameters.noise_share > 0.0:
        mix_noise(t, g, parameters)
    promote(t, g, 0)


@kernel
def set_prior(t: Trees, g: int, k: int, prior: float) -> None:
    """Change the prior of edge `k` of the root."""
    root = t.child[g, 0]
    at = int(t.node[g, int(root.node)].first_edge) + k
    edge = pack_edge(prior, edge_action(t.edge[g, at]))
    t.edge[g, at] = edge
    if k < int(root.num_children):
        t.child[g, int(root.first_child) + k].prior = int(edge) >> 16


@kernel
def flatten_priors(t: Trees, g: int, temperature: float) -> None:
    """Flatten the root's priors in proportion to prior^(1 / temperature)."""
    node = t.node[g, int(t.child[g, 0].node)]
    first, count = int(node.first_edge), int(node.num_edges)
    total = 0.0
    for k in range(count):
        t.weight[k] = np.float32(edge_prior(t.edge[g, first + k]) ** (1.0 / temperature))
        total += float(t.weight[k])
    for k in range(count):
        set_prior(t, g, k, float(t.weight[k]) / total)


@kernel
def mix_noise(t: Trees, g: int, parameters: SearchParameters) -> None:
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
            share += parameters.noise_shaped * (float(t.weight[k]) / above_mean * count - 1.0)
        noise = gamma_variate(stream, max(1e-3, parameters.noise_alpha * share))
        t.weight[k] = np.float32(noise)
        total += noise
    for k in range(count):
        noise = float(t.weight[k]) / max(total, 1e-30)
        prior = edge_prior(t.edge[g, first + k])
        set_prior(t, g, k, (1.0 - parameters.noise_share) * prior + parameters.noise_share * noise)


@entry
def restrict(t: Trees, g: int, actions: np.ndarray, count: int) -> None:
    """Restrict an expanded root without children to the given actions; the tree cannot be reused afterwards.

    Args:
        t: the trees; no leaf of this tree may be pending.
        g: index of the tree.
        actions: legal actions.  # [at least `count`] int16
        count: number of actions, at least 1.
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
        edge = least >> np.uint32(16) << np.uint32(16) | action  # an edge that was not kept gets the lowest kept prior
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
    tree.ends = UNSOUGHT
    tree.averaged = 1  # averaging over symmetries would restore the excluded actions
    note_next(t, g, 0)


@kernel
def is_narrow(t: Trees, g: int) -> bool:
    """Return whether an expanded root has fewer visited actions than were asked for."""
    root, breadth = t.child[g, 0], int(t.tree[g].breadth)
    if int(root.num_children) >= breadth or int(root.kind) != EXPANDED:
        return False
    return int(root.num_children) < int(t.node[g, int(root.node)].num_edges)


@kernel
def must_go_on(t: Trees, g: int) -> bool:
    """Return whether the search goes on beyond its visits: for an action that wins at once, or for its breadth."""
    ends = int(t.tree[g].ends)
    return is_narrow(t, g) or (ends > 0 and ends != DRAW and int(t.child[g, 0].proof) == 0)


@kernel
def select_at_root(t: Trees, g: int, parameters: SearchParameters) -> int:
    """Return the index of the root edge to follow."""
    if int(t.tree[g].has_noise) == 1:
        if int(t.tree[g].considered) > 0:
            return select_halving(t, g, parameters)
        if parameters.forced_playouts > 0.0:
            return select_forced(t, g, parameters)
    ending = select_ending(t, g)
    if ending >= 0:
        return ending
    return int(t.child[g, 0].num_children) if is_narrow(t, g) else select(t, g, 0, parameters)
