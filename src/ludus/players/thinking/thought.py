"""What a search found, read from a tree for people and players: best move, values, visits, main line."""

import time
from typing import NamedTuple

import msgspec
import numpy as np

from ludus.search.backup import DRAW, exact_value
from ludus.search.tree import EXPANDED, Trees


class Candidate(msgspec.Struct, frozen=True):
    """One action of the root."""

    action: int
    visits: int
    value: float
    """Mean value seen by player 0."""
    prior: float
    """What the network thought before the search, in [0, 1]."""
    proof: int = 0
    """The outcome's code if it is proved, else 0."""
    draw: float = 0.0
    """Probability of a draw."""
    line: list[int] = []
    """The main line that begins with it, itself included; of the best move and of those that were asked for."""


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
    """The main line: the best move, then the most visited actions."""
    proof: int = 0
    """The outcome's code under best play if it is proved, else 0."""
    seconds: float = 0.0
    """From the question to the answer."""
    kept: int = 0
    """Visits that the root had when the search began."""


def read_thought(
    t: Trees,
    g: int,
    *,
    best: int | None = None,
    temperature: float = 0.0,
    rng: np.random.Generator | None = None,
    asked: float | None = None,
    lines: int = 0,
    kept: int = 0,
) -> Thought:
    """Read the result of the search in tree `g`, whose root must be expanded and visited.

    Args:
        t: the trees.
        g: which tree.
        best: the action to play at temperature 0 (default: the most visited one that is not proved worse).
        temperature: 0 = the best action first; else the first action is drawn by visits^(1/temperature).
        rng: for drawing.
        asked: when the question was asked, in seconds of `perf_counter`.
        lines: how many candidates are told with their line; if any are, the best move is, too.
        kept: visits that the root had when the search began.
    """
    root = t.child[g, 0]
    assert int(root["kind"]) == EXPANDED, "a thought is read from an expanded root"
    children, mover = _children(t, g, 0), int(root["mover"])
    first = next((each for each in children if each.action == best), children[0])
    if temperature > 0.0 and rng is not None and first.visits > 0:
        first = _drawn(children, mover, temperature, rng)
    foreseen = max(0, int(t.tree["foreseen"][g]))
    candidates = [
        _candidate(t, g, each, foreseen, with_line=rank < lines or (each is first and lines > 0))
        for rank, each in enumerate(children)
    ]
    line, movers = _main_line(t, g, first)
    best_move = [action for index, action in enumerate(line) if {*movers[: index + 1]} == {mover}]
    visits = max(1, int(root["visits"]))
    value, draw = _judged(foreseen, float(root["value_sum"]) / visits, float(root["draw_sum"]) / visits)
    return Thought(
        best=best_move,
        value=min(1.0, max(-1.0, value)),
        draw=min(1.0, max(0.0, draw)),
        visits=int(root["visits"]),
        candidates=sorted(candidates, key=lambda each: (-each.visits, -each.prior)),
        line=line,
        proof=foreseen or int(root["proof"]),
        seconds=0.0 if asked is None else time.perf_counter() - asked,
        kept=kept,
    )


class _Child(NamedTuple):
    """A visited action of a node."""

    place: int
    """-1: the node has no visited action, this is the one to try first."""
    edge: int
    visits: int
    proof: int

    @property
    def action(self) -> int:
        return self.edge & 0xFFFF


def _children(t: Trees, g: int, at: int) -> list[_Child]:
    """Return the visited actions of the node at child `at`, the best first."""
    here = t.child[g, at]
    first_edge = int(t.node[g, int(here["node"])]["first_edge"])
    first, count, mover = int(here["first_child"]), int(here["num_children"]), int(here["mover"])
    if count == 0:  # not searched below yet: the best prior stands first
        return [_Child(-1, int(t.edge[g, first_edge]), 0, 0)]
    below = t.child[g, first : first + count]
    edges = t.edge[g, first_edge : first_edge + count].tolist()
    columns = range(first, first + count), edges, below["visits"].tolist(), below["proof"].tolist()
    drawn = int(here["proof"]) == DRAW  # then only drawing actions will do
    return sorted(
        map(_Child, *columns),
        key=lambda each: (_rank(each.proof, mover), drawn and each.proof != DRAW, -each.visits, -(each.edge >> 16)),
    )


def _drawn(children: list[_Child], mover: int, temperature: float, rng: np.random.Generator) -> _Child:
    """Draw one of the actions that are proved no worse than the best."""
    rank = _rank(children[0].proof, mover)
    sound = [each for each in children if _rank(each.proof, mover) == rank and each.visits > 0]
    weights = np.array([each.visits for each in sound], np.float64)
    weights = (weights / weights.max()) ** (1.0 / temperature)
    return sound[int(rng.choice(len(sound), p=weights / weights.sum()))]


def _rank(proof: int, mover: int) -> int:
    """Return how good the proof of an action is for the mover: a won one is better than all, a lost one worse."""
    if proof in (0, DRAW):
        return 1
    return 0 if proof == 1 + mover else 2


def _candidate(t: Trees, g: int, child: _Child, foreseen: int, *, with_line: bool) -> Candidate:
    """Return what a search says of an action; where the root's outcome was foreseen, all actions left lead to it."""
    value, draw = _judged(foreseen, _mean(t, g, child, "value_sum"), _mean(t, g, child, "draw_sum"))
    return Candidate(
        action=child.action,
        visits=child.visits,
        value=value,
        prior=(child.edge >> 16) / 65535,
        proof=foreseen or child.proof,
        draw=draw,
        line=_main_line(t, g, child)[0] if with_line else [],
    )


def _judged(foreseen: int, value: float, draw: float) -> tuple[float, float]:
    """Return a value seen by player 0 and a probability of a draw: those of the search, if no outcome was foreseen."""
    return (exact_value(foreseen), float(foreseen == DRAW)) if foreseen else (value, draw)


def _mean(t: Trees, g: int, child: _Child, name: str) -> float:
    return float(t.child[name][g, child.place]) / max(1, child.visits) if child.place >= 0 else 0.0


def _main_line(t: Trees, g: int, best: _Child) -> tuple[list[int], list[int]]:
    """Return the actions of the main line that begins with a child of the root, and who makes each."""
    actions, movers = [best.action], [int(t.child["mover"][g, 0])]
    while best.place >= 0 and int(t.child["kind"][g, best.place]) == EXPANDED:
        movers.append(int(t.child["mover"][g, best.place]))
        best = _children(t, g, best.place)[0]
        actions.append(best.action)
    return actions, movers
