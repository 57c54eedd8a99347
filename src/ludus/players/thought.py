"""What a search found, read from a tree for people and players: best move, values, visits, main line."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.search.tree import EXPANDED, Trees


class Candidate(msgspec.Struct, frozen=True):
    """One action of the root."""

    action: int
    visits: int
    value: float
    """Mean value seen by player 0."""
    prior: float
    """What the network thought before the search, in [0, 1]."""


class Thought(msgspec.Struct, frozen=True):
    """The result of a search."""

    best: list[int]
    """The actions of the best move: all that the mover makes before the turn passes."""
    value: float
    """Of the root, seen by player 0: 1 = player 0 wins, -1 = player 1 wins."""
    draw: float
    """Probability of a draw."""
    visits: int
    """Visits of the root."""
    candidates: list[Candidate]
    """The visited actions of the root, most visits first."""
    line: list[int]
    """The main line: the most visited actions from the root on."""


def read_thought(t: Trees, g: int, *, temperature: float = 0.0, rng: np.random.Generator | None = None) -> Thought:
    """Read the result of the search in tree `g`, whose root must be expanded and visited.

    Args:
        t: the trees.
        g: which tree.
        temperature: 0 = the most visited action first; else the first action is drawn by visits^(1/temperature).
        rng: for drawing.
    """
    root = t.node[g, 0]
    assert int(root["kind"]) == EXPANDED, "a thought is read from an expanded root"
    candidates = sorted(_candidates(t, g, 0), key=lambda each: (-each.visits, -each.prior))
    first = candidates[0]
    if temperature > 0.0 and rng is not None:
        weights = np.array([each.visits for each in candidates], np.float64)
        weights = (weights / weights.max()) ** (1.0 / temperature)
        first = candidates[int(rng.choice(len(candidates), p=weights / weights.sum()))]
    line, movers = _main_line(t, g, first.action)
    best = [action for index, action in enumerate(line) if all(mover == movers[0] for mover in movers[: index + 1])]
    visits = max(1, int(root["visits"]))
    return Thought(
        best=best,
        value=float(np.clip(root["value_sum"] / visits, -1.0, 1.0)),
        draw=float(np.clip(root["draw_sum"] / visits, 0.0, 1.0)),
        visits=visits,
        candidates=candidates,
        line=line,
    )


def _candidates(t: Trees, g: int, index: int) -> list[Candidate]:
    node = t.node[g, index]
    first_edge, first_child, count = int(node["first_edge"]), int(node["first_child"]), int(node["num_children"])
    edges: NDArray[np.uint32] = t.edge[g, first_edge : first_edge + max(1, count)]
    if count == 0:  # not searched below yet: the best prior stands first
        return [Candidate(action=int(edges[0]) & 0xFFFF, visits=0, value=0.0, prior=(int(edges[0]) >> 16) / 65535)]
    children = t.child[g, first_child : first_child + count]
    return [
        Candidate(
            action=_action(edge),
            visits=int(child["visits"]),
            value=float(child["value_sum"]) / max(1, int(child["visits"])),
            prior=(int(edge) >> 16) / 65535,
        )
        for edge, child in zip(edges, children, strict=True)
    ]


def _action(edge: np.uint32) -> int:
    return int(edge) & 0xFFFF


def _main_line(t: Trees, g: int, first_action: int) -> tuple[list[int], list[int]]:
    """Return the actions of the main line, and who makes each."""
    actions, movers = [first_action], [int(t.node[g, 0]["mover"])]
    index = _child(t, g, 0, first_action)
    while index >= 0 and int(t.node[g, index]["kind"]) == EXPANDED:
        best = max(_candidates(t, g, index), key=lambda each: (each.visits, each.prior))
        actions.append(best.action)
        movers.append(int(t.node[g, index]["mover"]))
        index = _child(t, g, index, best.action)
    return actions, movers


def _child(t: Trees, g: int, index: int, action: int) -> int:
    node = t.node[g, index]
    first_edge, first_child = int(node["first_edge"]), int(node["first_child"])
    for k in range(int(node["num_children"])):
        if _action(t.edge[g, first_edge + k]) == action:
            return int(t.child[g, first_child + k]["node"])
    return -1
