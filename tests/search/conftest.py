"""Shared parts of the search tests: a reproducible evaluator, a reader and checker of trees, and a hand-made game."""

from typing import NamedTuple

import numpy as np
import pytest

from ludus.games.game import Game
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings
from ludus.search.tree import COUNTERS, EXPANDED, FORESEEN, PENDING, TERMINAL

# A hand-made game, so that tests know every position: state[0] is the current node.
#
#     TWICE (mover 0), TWICE + 10 (mover 1): two actions by the same player, 0 or 1 each; only 1, 1 wins, others lose
#     WIDE: always WIDTH legal actions; the players take turns, nobody wins within 60 actions
#     CORRIDOR: always one legal action; the players take turns, player 0 wins after 50
#     ENDLESS: as CORRIDOR, but nobody ever wins
#     BLUNDER (mover 0): 0 lets player 1 win or draw, 1 wins for player 0 whatever follows, 2 is a draw at once
#     THICKET + a seed: a random tree of some hundred positions, at most 5 deep: 1 to 4 actions or 20 to 39 of them,
#         any player to move, any outcome
TWICE, BLUNDER, WIDE, CORRIDOR, ENDLESS, THICKET = 0, 20, 100, 101, 102, 1000
WIDTH = 300
WHERE, DEPTH, LAST, SEED = 0, 1, 2, 3
OUTCOMES = np.zeros(64, np.int8)
OUTCOMES[[3, 4, 5, 6]] = 2, 2, 2, 1
OUTCOMES[[13, 14, 15, 16]] = 1, 1, 1, 2
OUTCOMES[[23, 24, 25, 26, 27]] = 3, 2, 3, 1, 1
CHILDREN = np.zeros((64, 3), np.int16)
CHILDREN[[0, 1, 2], :2] = [[1, 2], [3, 4], [5, 6]]
CHILDREN[[10, 11, 12], :2] = [[11, 12], [13, 14], [15, 16]]
CHILDREN[[20, 21, 22]] = [[21, 22, 23], [24, 25, 0], [26, 27, 0]]
MOVERS = np.zeros(64, np.int8)
MOVERS[[10, 11, 12, 21, 22]] = 1


def start(state, setup):
    state[WHERE] = min(setup or 0, THICKET)
    state[SEED] = max(0, (setup or 0) - THICKET)


def to_play(state):
    where = int(state[WHERE])
    if where == THICKET:
        return int(state[SEED]) >> 7 & 1
    return int(MOVERS[where]) if where < WIDE else int(state[DEPTH]) & 1


def legal(state, actions):
    where = int(state[WHERE])
    if where in (WIDE, THICKET):
        seed, width = int(state[SEED]), WIDTH
        if where == THICKET:
            width = 1 + (seed >> 9) % 4 if (seed >> 13) % 12 else 20 + (seed >> 16) % 20
        for action in range(width):
            actions[action] = action
        return width
    count = 0
    for action in range(3):
        if (where in (CORRIDOR, ENDLESS) and action == 0) or (where < WIDE and CHILDREN[where, action] != 0):
            actions[count] = action
            count += 1
    return count


def play(state, action):
    where = int(state[WHERE])
    if where < WIDE:
        state[WHERE] = CHILDREN[where, action]
    state[DEPTH] += 1
    state[LAST] = action
    if where == THICKET:
        state[SEED] = (int(state[SEED]) * 48271 + 7919 * (int(action) + 1)) % 2147483647 * 69621 % 2147483647


def outcome(state):
    where = int(state[WHERE])
    if where < WIDE:
        return int(OUTCOMES[where])
    if where == CORRIDOR:
        return 1 if int(state[DEPTH]) >= 50 else 0
    if where == THICKET:
        seed, depth = int(state[SEED]), int(state[DEPTH])
        return 1 + (seed >> 24) % 3 if depth > 0 and ((seed >> 20) % 4 == 0 or depth == 5) else 0
    return 3 if where == WIDE and int(state[DEPTH]) >= 60 else 0


def encode(state, planes):
    planes[0, 0, 0] = state[WHERE]


HAND_MADE = Game(
    name="hand-made",
    state_size=4,
    dtype="int64",
    num_actions=WIDTH,
    planes=(1, 1, 1),
    max_actions=60,
    start=start,
    to_play=to_play,
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
)


class Hashed:
    """An evaluator with pseudo-random results for each state; values are multiples of 1/64, so their sums are exact."""

    def __init__(self, game):
        self.game, self.num_actions, self.num_judged = game, game.num_actions, 0

    def evaluate_states(self, game, words):
        self.num_judged += len(words)
        hashes = np.full(len(words), 0x9E3779B97F4A7C15, np.uint64)
        for column in range(words.shape[1]):
            hashes = scramble(hashes ^ words[:, column])
        actions = np.arange(1, self.num_actions + 1, dtype=np.uint64)
        draws = (hashes >> np.uint64(8)).astype(np.int64) % 33
        values = (hashes >> np.uint64(20)).astype(np.int64) % (2 * (64 - draws) + 1) - (64 - draws)
        outcomes = np.stack([64 - draws + values, 2 * draws, 64 - draws - values], axis=1) / 128
        bits = scramble(hashes[:, None] + actions * np.uint64(0xD1342543DE82EF95)) >> np.uint64(40)
        return (bits.astype(np.float32) / 2**22 - 2).astype(np.float32), outcomes.astype(np.float32)

    def value_and_draw(self, words, mover):
        """Return the value and draw probability of one state, from player 0's perspective."""
        _, outcomes = self.evaluate_states(self.game, np.asarray(words)[None])
        win, draw, loss = map(float, outcomes[0])
        return (loss - win if mover else win - loss), draw


def scramble(words):
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


class Node(NamedTuple):
    """A node of a tree with its subtree."""

    place: int
    index: int
    words: tuple[int, ...]
    kind: int
    mover: int
    proof: int
    visits: int
    in_flight: int
    value_sum: float
    draw_sum: float
    num_edges: int
    edges: list[tuple[int, int]]  # (action, prior in 65535ths) of the kept edges, the visited ones first
    children: list["Node"]

    @property
    def actions(self):
        return [action for action, _ in self.edges[: len(self.children)]]

    @property
    def child_visits(self):
        return [child.visits for child in self.children]

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def child(self, action):
        return self.children[self.actions.index(action)]


def read_tree(trees, g, place=0):
    """Return a tree from the arenas as nested nodes."""
    child = trees.child[g, place]
    node = trees.node[g, int(child["node"])]
    first = int(node["first_edge"])
    block = range(int(child["first_child"]), int(child["first_child"]) + int(child["num_children"]))
    return Node(
        place=place,
        index=int(child["node"]),
        words=tuple(map(int, trees.words[g, int(child["node"])])),
        kind=int(child["kind"]),
        mover=int(child["mover"]),
        proof=int(child["proof"]),
        visits=int(child["visits"]),
        in_flight=int(child["in_flight"]),
        value_sum=float(child["value_sum"]),
        draw_sum=float(child["draw_sum"]),
        num_edges=int(node["num_edges"]),
        edges=[(int(edge) & 0xFFFF, int(edge) >> 16) for edge in trees.edge[g, first : first + int(node["kept"])]],
        children=[read_tree(trees, g, below) for below in block],
    )


# ---- invariants of a tree --------------------------------------------------------------------------------------------


def places(trees, g):
    """Return the indices of all children of a tree, level by level, and each parent's position in this list."""
    child, levels, parents, seen = trees.child[g], [np.zeros(1, int)], [np.zeros(1, int)], 0
    while len(levels[-1]):
        first, count = (child[name][levels[-1]].astype(int) for name in ("first_child", "num_children"))
        begin = np.cumsum(count) - count
        levels.append(np.repeat(first - begin, count) + np.arange(count.sum()))
        parents.append(seen + np.repeat(np.arange(len(count)), count))
        seen += len(count)
    return np.concatenate(levels), np.concatenate(parents)


def audit(trees, g, *, inexact=0.0, deepest=False, pruned=False):
    """Check the invariants of tree `g` between two steps.

    Args:
        trees: the arrays.
        g: index of the tree.
        inexact: allowed error of the values per visit, for evaluators without exact sums.
        deepest: whether walks may have reached the depth limit, where visits create no children.
        pruned: whether nodes may have lost their children.
    """
    at, parents = places(trees, g)
    audit_memory(trees, g, at)
    tree, child = trees.tree[g], trees.child[g][at]
    node = trees.node[g][child["node"]]
    visits, proof, kind = (child[name].astype(int) for name in ("visits", "proof", "kind"))
    expanded = (kind == EXPANDED) | (child["num_children"] > 0)
    sums = {
        name: np.bincount(parents[1:], child[name][1:].astype(float), len(at))
        for name in ("visits", "value_sum", "draw_sum")
    }
    assert set(kind.tolist()) <= {EXPANDED, PENDING, TERMINAL, FORESEEN}
    assert (visits[expanded] >= 1 + sums["visits"][expanded]).all(), "visits of proved nodes have no walks below them"
    assert (visits == 1 + sums["visits"])[expanded & (proof == 0)].all() or deepest or pruned
    assert (visits[(kind == TERMINAL) | (kind == FORESEEN)] > 0).all()
    in_flight, rows = np.zeros(len(trees.child[g]), int), trees.row[: int(trees.counter[COUNTERS.index("rows")])]
    for row in np.flatnonzero(rows["tree"] == g):
        in_flight[trees.path[int(rows["path"][row]), : int(rows["depth"][row]) + 1]] += 1
    assert (child["in_flight"] == in_flight[at]).all(), "virtual losses match the pending leaves"
    assert int(tree["pending"]) == (rows["tree"] == g).sum()

    slack = inexact * visits
    exact_value = np.array([0.0, 1.0, -1.0, 0.0])[proof] * visits
    assert (np.abs(child["value_sum"]) + child["draw_sum"] <= visits + slack).all()
    assert (child["draw_sum"] >= -slack).all()
    proved = proof > 0
    assert (np.abs(child["value_sum"] - exact_value)[proved] <= slack[proved]).all()
    assert (np.abs(child["draw_sum"] - visits * (proof == 3))[proved] <= slack[proved]).all()
    open_ones = expanded & ~proved & (not (deepest or pruned))
    for total, own in (("value_sum", "value"), ("draw_sum", "draw")):
        off = np.abs(child[total] - node[own] - sums[total])
        assert (off[open_ones] <= slack[open_ones]).all()

    mover, below = child["mover"].astype(int), proof[1:]
    won = np.bincount(parents[1:], below == 1 + mover[parents[1:]], len(at)) > 0
    drawn, known = np.bincount(parents[1:], below == 3, len(at)), np.bincount(parents[1:], below > 0, len(at))
    closed = known == node["num_edges"]
    verdict = np.where(won, 1 + mover, np.where(closed, np.where(drawn > 0, 3, 2 - mover), 0))
    assert (proof == verdict)[expanded & ~(proved & pruned)].all()


def audit_memory(trees, g, at):
    """Check that every node, block and edge in use belongs to one child of the tree or is on a free list."""
    tree, child = trees.tree[g], trees.child[g][at]
    node = trees.node[g][child["node"]]
    assert sorted(child["node"].tolist()) == list(range(int(tree["num_nodes"])))
    assert (child["num_children"] <= node["room"]).all()
    assert (child["num_children"] <= node["kept"]).all()
    assert (node["kept"] <= node["num_edges"]).all()
    in_use = zip(child["first_child"].tolist(), node["room"].tolist(), strict=True)
    blocks = [(first, room) for first, room in in_use if room]
    for size, first in enumerate(map(int, trees.free[g])):
        while first >= 0:
            blocks.append((first, 1 << size))
            first = int(trees.child[g]["node"][first])
    end, may_be_lost = 1, 0
    for first, size in [*sorted(blocks), (int(tree["num_children"]), 0)]:
        assert first >= end, "blocks do not overlap"
        assert first - end <= may_be_lost, "no memory is lost between blocks"
        # A block may be part of a larger one, which may have had the exact size of a reused tree.
        end, may_be_lost = first + size, max(2, 3 * size - 5)
    edges = sorted(
        (int(first), int(kept)) for first, kept in zip(node["first_edge"], node["kept"], strict=True) if kept
    )
    ends = [0, *(first + kept for first, kept in edges)]
    assert all(first >= end for (first, _), end in zip(edges, ends, strict=False)), "edges are not shared"
    assert ends[-1] <= int(tree["num_edges"]) <= trees.edge.shape[1]
    if not int(trees.counter[COUNTERS.index("widenings")]):
        assert sum(kept for _, kept in edges) == int(tree["num_edges"])


# ---- searching -------------------------------------------------------------------------------------------------------


def plain(trees):
    """Return the trees in the form for kernels that are called as plain Python; the memory is shared."""
    records = ("tree", "child", "node", "row", "walker", "scratch_child", "scratch_node")
    return trees._replace(**{name: getattr(trees, name).view(np.recarray) for name in records})


def make_group(game, evaluator=None, *, num_trees=1, max_visits=200, batch=0, cache=None, seed=0, **settings):
    settings, evaluator = SearchSettings(**({"cache_entries": 0} | settings)), evaluator or Hashed(game)
    sizes = {"num_trees": num_trees, "max_visits": max_visits, "batch": batch}
    group = Group(game, evaluator, settings, cache=cache, seed=seed, **sizes)
    group.evaluator = evaluator
    return group


def search(group, states, visits, *, explores=False):
    """Search the given states (words), one per tree, and return the trees."""
    for g, state in enumerate(states):
        group.new_tree(g, state)
    return search_on(group, range(len(states)), visits, explores=explores)


def search_on(group, slots, visits, *, explores=False):
    """Continue the search of the trees in `slots` until their roots have `visits` visits."""
    for g in slots:
        group.set_target(g, visits, explores=explores)
    while group.step():
        pass
    for g in slots:
        group.set_target(g, 0)
    return [read_tree(group.trees, g) for g in slots]


def words_after(game, actions=(), setup=None):
    """Return the state after some actions, as words."""
    state = game.start_state(setup)
    with np.errstate(over="ignore"):
        for action in actions:
            game.rules.play(state, action)
    return state.view(np.uint64)


def random_words(game, seed, most=8):
    """Return the state after up to `most` random actions that do not end the game, as words."""
    rng = np.random.default_rng(seed)
    position = game.start()
    for _ in range(int(rng.integers(most + 1))):
        after = position.play(int(rng.choice(position.actions)))
        position = position if after.outcome else after
    return position.state.view(np.uint64)


class Kit(NamedTuple):
    """The helpers of this file, for test modules, which cannot import a conftest."""

    hand_made: Game = HAND_MADE
    hashed: type = Hashed
    make_group: object = make_group
    search: object = search
    search_on: object = search_on
    read_tree: object = read_tree
    places: object = places
    audit: object = audit
    plain: object = plain
    words_after: object = words_after
    random_words: object = random_words
    twice: int = TWICE
    wide: int = WIDE
    corridor: int = CORRIDOR
    endless: int = ENDLESS
    blunder: int = BLUNDER
    thicket: int = THICKET
    width: int = WIDTH


@pytest.fixture(scope="session")
def kit():
    return Kit()
