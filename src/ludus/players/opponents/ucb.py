"""A fixed opponent: plain Monte Carlo tree search with UCB1 and random playouts, without priors, proofs or a network.

P. Auer, N. Cesa-Bianchi, P. Fischer: Finite-time Analysis of the Multiarmed Bandit Problem (2002); L. Kocsis,
C. Szepesvari: Bandit based Monte-Carlo Planning (2006).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.games.rules import ONGOING
from ludus.kernel import COMPILED, Rules, entry, kernel
from ludus.players.judging.heuristic import play_out
from ludus.search.backup import exact_value
from ludus.search.random import uniform
from ludus.seeding import stream
from ludus.viewpoint import turn

EXPLORATION = math.sqrt(2.0)  # UCB1's factor for means between 0 and 1
MOST_NODES = 1 << 22  # with a full tree, leaves are played out but not expanded

NODE = np.dtype(
    [
        ("value", "f8"),  # sum over its visits, seen by player 0
        ("visits", "i4"),
        ("first", "i4"),  # index of the first child; 0: not expanded
        ("count", "i2"),  # number of children
        ("action", "i2"),  # action that leads to this node
    ],
    align=True,
)


class _Tree(NamedTuple):
    nodes: NDArray[Any]  # [N] NODE
    path: NDArray[np.int32]  # [P] nodes from the root to the leaf
    state: NDArray[Any]  # [S] scratch
    actions: NDArray[np.int16]  # [L] scratch
    stream: NDArray[np.uint64]  # [1]


class UcbPlayer:
    """Searches each position with a fixed number of playouts, and plays the action with the most visits."""

    def __init__(self, name: str, *, playouts: int, seed: int = 0) -> None:
        """Create the player, with `playouts` random games per search; `seed` selects the random stream."""
        self.name, self.identity = name, ""
        self._playouts, self._seed = playouts, seed
        self._stream = stream(seed, "ucb").integers(0, 1 << 63, 1, np.uint64)

    def go_on(self, games: int) -> None:
        """Switch to the random stream for continuing a match after `games` games."""
        self._stream = stream(self._seed, "ucb", games).integers(0, 1 << 63, 1, np.uint64)

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action [K] for each state [K, words]."""
        size = min(MOST_NODES, 1 + game.max_legal * self._playouts)
        nodes = np.zeros(size, NODE)
        tree = _Tree(
            nodes=nodes if COMPILED else nodes.view(np.recarray),
            path=np.zeros(game.max_actions + 2, np.int32),
            state=game.empty_state(),
            actions=np.zeros(game.max_legal, np.int16),
            stream=self._stream,
        )
        return np.array(
            [
                _search(game.rules, tree, game.for_search(words.view(game.dtype)), self._playouts, game.max_actions)
                for words in states
            ],
            np.int16,
        )


@entry
def _search(rules: Rules, t: _Tree, root: np.ndarray, playouts: int, max_actions: int) -> int:
    """Search the state `root` [S] with `playouts` playouts and return the most visited action."""
    t.nodes[0].visits, t.nodes[0].value = 0, 0.0
    size = _expand(rules, t, 0, root, 1)
    for _ in range(playouts):
        for item in range(root.shape[0]):
            t.state[item] = root[item]
        node, length = 0, 0
        t.path[0] = 0
        result = int(ONGOING)
        while result == ONGOING and int(t.nodes[node].first) > 0 and length < max_actions:
            node = _choose(t, node, int(rules.to_play(t.state)))
            rules.play(t.state, int(t.nodes[node].action))
            length += 1
            t.path[length] = node
            result = int(rules.outcome(t.state))
        if result == ONGOING and int(t.nodes[node].visits) > 0 and size + t.actions.shape[0] <= t.nodes.shape[0]:
            size = _expand(rules, t, node, t.state, size)  # at its second visit
        value = exact_value(play_out(rules, t.state, t.actions, t.stream, max_actions))
        for k in range(length + 1):
            passed = t.nodes[int(t.path[k])]
            passed.visits += 1
            passed.value += value
    best = int(t.nodes[0].first)
    for child in range(best, best + int(t.nodes[0].count)):
        if int(t.nodes[child].visits) > int(t.nodes[best].visits):
            best = child
    return int(t.nodes[best].action)


@kernel
def _expand(rules: Rules, t: _Tree, node: int, state: np.ndarray, size: int) -> int:
    """Add a child for each legal action to a node, in random order; return the new number of nodes."""
    count = int(rules.legal(state, t.actions))
    t.nodes[node].first, t.nodes[node].count = size, count
    for k in range(count):
        other = k + int(uniform(t.stream) * (count - k))
        t.actions[k], t.actions[other] = t.actions[other], t.actions[k]
        child = t.nodes[size + k]
        child.value, child.visits, child.first, child.count = 0.0, 0, 0, 0
        child.action = t.actions[k]
    return size + count


@kernel
def _choose(t: _Tree, node: int, mover: int) -> int:
    """Return the child with the highest upper confidence bound; unvisited children come first."""
    first = int(t.nodes[node].first)
    log_visits = math.log(float(t.nodes[node].visits) + 1.0)
    best, highest = first, -1.0
    for child in range(first, first + int(t.nodes[node].count)):
        visits = float(t.nodes[child].visits)
        if visits == 0.0:
            return child
        mean = 0.5 + 0.5 * turn(float(t.nodes[child].value) / visits, mover)
        bound = mean + EXPLORATION * math.sqrt(log_visits / visits)
        if bound > highest:
            best, highest = child, bound
    return best
