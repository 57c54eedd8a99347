"""The result of a search, read from its tree: best move, values, visits and main line."""

import time
from typing import NamedTuple

import msgspec
import numpy as np

from ludus.games.game import Game
from ludus.players.thinking.winning import wins_within
from ludus.search.backup import DRAW, exact_value
from ludus.search.tree import EXPANDED, Trees


class Candidate(msgspec.Struct, frozen=True):
    """A visited action of the root."""

    action: int
    visits: int
    value: float
    """Mean value seen by player 0."""
    prior: float
    """Prior probability by the network, in [0, 1]."""
    proof: int = 0
    """Code of the proved outcome, else 0."""
    draw: float = 0.0
    """Probability of a draw."""
    line: list[int] = []
    """Main line that begins with this action; empty if no line was requested for it."""
    line_visits: list[int] = []
    """Visits of each action of the line."""
    wins_in: int = 0
    """Within how many of its own moves the side with the proved win wins; 0 if this is unknown, or not asked for."""


class Thought(msgspec.Struct, frozen=True):
    """The result of a search."""

    best: list[int]
    """Actions of the best move, until the turn passes; a short main line may leave it incomplete."""
    value: float
    """Value of the root, seen by player 0: 1 = player 0 wins, -1 = player 1 wins."""
    draw: float
    """Probability of a draw."""
    visits: int
    """Visits of the root."""
    candidates: list[Candidate]
    """The visited actions of the root, most visits first."""
    line: list[int]
    """Main line: the best move, then the most visited actions."""
    proof: int = 0
    """Code of the proved outcome under best play, else 0."""
    seconds: float = 0.0
    """Seconds from the request to the result."""
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
    game: Game | None = None,
) -> Thought:
    """Read the result of the search in tree `g`, whose root must be expanded and visited.

    Args:
        t: the trees.
        g: number of the tree.
        best: action to play at temperature 0 (default: the most visited one that is not proved worse).
        temperature: 0 chooses the best action; else the first action is drawn by visits^(1/temperature).
        rng: random generator for drawing.
        asked: time of the request, in seconds of `perf_counter`.
        lines: number of candidates to return with their line; unless it is 0, the best move is always included.
        kept: visits that the root had when the search began.
        game: the game, so that the moves to proved wins are counted for candidates with a line.
    """
    root = t.child[g, 0]
    assert int(root["kind"]) == EXPANDED, "the root must be expanded"
    children, mover = _children(t, g, 0), int(root["mover"])
    first = next((each for each in children if each.action == best), children[0])
    if temperature > 0.0 and rng is not None and first.visits > 0:
        first = _drawn(children, mover, temperature, rng)
    foreseen = max(0, int(t.tree["foreseen"][g]))
    candidates = [
        _candidate(t, g, each, foreseen, game, with_line=rank < lines or (each is first and lines > 0))
        for rank, each in enumerate(children)
    ]
    line, movers, _ = _main_line(t, g, first)
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
    """An action of a node with its statistics."""

    place: int
    """Index in `Trees.child`; -1: the node has no visited action, and this is its best prior."""
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
    if count == 0:  # without visits: edges are in order of priors
        return [_Child(-1, int(t.edge[g, first_edge]), 0, 0)]
    below = t.child[g, first : first + count]
    edges = t.edge[g, first_edge : first_edge + count].tolist()
    columns = range(first, first + count), edges, below["visits"].tolist(), below["proof"].tolist()
    drawn = int(here["proof"]) == DRAW  # in a proved draw, only actions that draw are good
    return sorted(
        map(_Child, *columns),
        key=lambda each: (_rank(each.proof, mover), drawn and each.proof != DRAW, -each.visits, -(each.edge >> 16)),
    )


def _drawn(children: list[_Child], mover: int, temperature: float, rng: np.random.Generator) -> _Child:
    """Draw one of the visited actions whose proof is as good as that of the best."""
    rank = _rank(children[0].proof, mover)
    sound = [each for each in children if _rank(each.proof, mover) == rank and each.visits > 0]
    weights = np.array([each.visits for each in sound], np.float64)
    weights = (weights / weights.max()) ** (1.0 / temperature)
    return sound[int(rng.choice(len(sound), p=weights / weights.sum()))]


def _rank(proof: int, mover: int) -> int:
    """Return the rank of a proof for the mover: 0 for a win, 1 for a draw or no proof, 2 for a loss."""
    if proof in (0, DRAW):
        return 1
    return 0 if proof == 1 + mover else 2


def _candidate(t: Trees, g: int, child: _Child, foreseen: int, game: Game | None, *, with_line: bool) -> Candidate:
    """Return the candidate of a child; if the root's outcome was foreseen, its actions all lead to that outcome."""
    value, draw = _judged(foreseen, _mean(t, g, child, "value_sum"), _mean(t, g, child, "draw_sum"))
    line, _, line_visits = _main_line(t, g, child) if with_line else ([], [], [])
    return Candidate(
        action=child.action,
        visits=child.visits,
        value=value,
        prior=(child.edge >> 16) / 65535,
        proof=foreseen or child.proof,
        draw=draw,
        line=line,
        line_visits=line_visits,
        wins_in=wins_within(game, t, g, child.place) if game and with_line else 0,
    )


def _judged(foreseen: int, value: float, draw: float) -> tuple[float, float]:
    """Return value and draw probability of the foreseen outcome if there is one, else those of the search."""
    return (exact_value(foreseen), float(foreseen == DRAW)) if foreseen else (value, draw)


def _mean(t: Trees, g: int, child: _Child, name: str) -> float:
    return float(t.child[name][g, child.place]) / max(1, child.visits) if child.place >= 0 else 0.0


def _main_line(t: Trees, g: int, best: _Child) -> tuple[list[int], list[int], list[int]]:
    """Return the actions of the main line that begins with a child of the root, with the mover and visits of each."""
    actions, movers, visits = [best.action], [int(t.child["mover"][g, 0])], [best.visits]
    while best.place >= 0 and int(t.child["kind"][g, best.place]) == EXPANDED:
        movers.append(int(t.child["mover"][g, best.place]))
        best = _children(t, g, best.place)[0]
        actions.append(best.action)
        visits.append(best.visits)
    return actions, movers, visits
