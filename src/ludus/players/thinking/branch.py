"""Reads the most visited branches of a search tree, for display."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import msgspec

from ludus.games.game import Game
from ludus.games.rules import State
from ludus.search.tree import EXPANDED, Trees


class Branch(msgspec.Struct):
    """A node of a tree with its move and children."""

    move: str
    """The action that leads to the node, in notation; empty at the root."""
    visits: int
    value: float
    """Mean value, seen by player 0."""
    proof: int = 0
    """Code of the proved outcome, else 0."""
    children: list[Branch] = []
    """Children in order of visits, most visits first."""


@dataclass(order=True)
class _Waiting:
    """A node that may be added to the result."""

    rank: int
    order: int
    at: int  # index in `Trees.child`
    branch: Branch = field(compare=False)
    parent: Branch | None = field(compare=False)
    state: State = field(compare=False)


def read_branches(game: Game, state: State, t: Trees, g: int, *, most: int) -> Branch:
    """Return the `most` most visited nodes of tree `g`.

    Args:
        game: the game.
        state: state of the root.
        t: the trees.
        g: index of the tree.
        most: number of nodes, including the root.
    """
    root = _branch(t, g, 0, "")
    waiting = [_Waiting(-root.visits, 0, 0, root, None, state)]
    for _ in range(most):
        if not waiting:
            break
        chosen = heapq.heappop(waiting)
        if chosen.parent is not None:
            chosen.parent.children.append(chosen.branch)
        here = t.child[g, chosen.at]
        if int(here["kind"]) != EXPANDED:
            continue
        first_edge = int(t.node[g, int(here["node"])]["first_edge"])
        for k in range(int(here["num_children"])):
            action, at = int(t.edge[g, first_edge + k]) & 0xFFFF, int(here["first_child"]) + k
            branch = _branch(t, g, at, game.action_text(chosen.state, action))
            after = game.calls.play(chosen.state, action)
            heapq.heappush(waiting, _Waiting(-branch.visits, len(waiting), at, branch, chosen.branch, after))
    return root


def _branch(t: Trees, g: int, at: int, move: str) -> Branch:
    child = t.child[g, at]
    visits = int(child["visits"])
    return Branch(move, visits, float(child["value_sum"]) / max(1, visits), int(child["proof"]), [])
