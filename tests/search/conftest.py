"""What the tests of the search share: an evaluator that anyone can recompute, a reading of trees, a hand-made game."""

from typing import NamedTuple

import numpy as np
import pytest

from ludus.games.game import Game
from ludus.players.group import Group
from ludus.search.settings import SearchSettings

# A game drawn by hand, so that a test knows every position: state[0] says where one stands.
#
#     TWICE (mover 0), TWICE + 10 (mover 1): two actions by the same player, 0 or 1 each; only 1, 1 wins, all else loses
#     WIDE: always WIDTH legal actions; the players take turns, nobody wins within 60 actions
#     CORRIDOR: always one legal action; the players take turns, player 0 wins after 50
#     BLUNDER (mover 0): 0 lets player 1 win or draw, 1 wins for player 0 whatever follows, 2 is a draw at once
TWICE, WIDE, CORRIDOR, BLUNDER = 0, 100, 101, 20
WIDTH = 300
WHERE, DEPTH, LAST = 0, 1, 2
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
    state[WHERE] = setup or 0


def to_play(state):
    where = int(state[WHERE])
    return int(MOVERS[where]) if where < WIDE else int(state[DEPTH]) & 1


def legal(state, actions):
    where = int(state[WHERE])
    if where == WIDE:
        for action in range(WIDTH):
            actions[action] = action
        return WIDTH
    count = 0
    for action in range(3):
        if (where == CORRIDOR and action == 0) or (where < WIDE and CHILDREN[where, action] != 0):
            actions[count] = action
            count += 1
    return count


def play(state, action):
    where = int(state[WHERE])
    if where < WIDE:
        state[WHERE] = CHILDREN[where, action]
    state[DEPTH] += 1
    state[LAST] = action


def outcome(state):
    where = int(state[WHERE])
    if where < WIDE:
        return int(OUTCOMES[where])
    if where == CORRIDOR:
        return 1 if int(state[DEPTH]) >= 50 else 0
    return 3 if int(state[DEPTH]) >= 60 else 0


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
    """Pseudo-random answers that depend on the state alone; values are whole 64ths, so their sums are exact."""

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
        """Return what the evaluator says of one state, seen by player 0."""
        _, outcomes = self.evaluate_states(self.game, np.asarray(words)[None])
        win, draw, loss = map(float, outcomes[0])
        return (loss - win if mover else win - loss), draw


def scramble(words):
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


class Node(NamedTuple):
    """One node of a tree with everything below it."""

    index: int
    words: tuple[int, ...]
    kind: int
    mover: int
    outcome: int
    visits: int
    value_sum: float
    draw_sum: float
    edges: list[tuple[int, int]]  # (action, prior in 65535ths), the visited ones first
    children: list["Node"]
    child_visits: list[int]  # as the parent's block of children has them
    child_value_sums: list[float]

    @property
    def actions(self):
        return [action for action, _ in self.edges[: len(self.children)]]

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def child(self, action):
        return self.children[self.actions.index(action)]


def read_tree(trees, g, index=0):
    """Return a tree of the arena as nested nodes."""
    node = trees.node[g, index]
    first, count = int(node["first_edge"]), int(node["num_edges"])
    block = trees.child[g, int(node["first_child"]) :][: int(node["num_children"])]
    return Node(
        index=index,
        words=tuple(map(int, trees.words[g, index])),
        kind=int(node["kind"]),
        mover=int(node["mover"]),
        outcome=int(node["outcome"]),
        visits=int(node["visits"]),
        value_sum=float(node["value_sum"]),
        draw_sum=float(node["draw_sum"]),
        edges=[(int(edge) & 0xFFFF, int(edge) >> 16) for edge in trees.edge[g, first : first + count]],
        children=[read_tree(trees, g, int(child["node"])) for child in block],
        child_visits=[int(child["visits"]) for child in block],
        child_value_sums=[float(child["value_sum"]) for child in block],
    )


def make_group(game, evaluator=None, *, num_trees=1, max_visits=200, seed=0, **settings):
    settings = SearchSettings(**({"cache_entries": 0} | settings))
    evaluator = evaluator or Hashed(game)
    return Group(game, evaluator, settings, num_trees=num_trees, max_visits=max_visits, seed=seed)


def search(group, states, visits, *, noise=False):
    """Search the given states (words), one in each tree, and return the trees."""
    for g, state in enumerate(states):
        group.plant(g, state)
    return search_on(group, range(len(states)), visits, noise=noise)


def search_on(group, slots, visits, *, noise=False):
    """Go on searching the trees in `slots` until their roots have `visits` visits."""
    for g in slots:
        group.wake(g, visits, noise=noise)
    while group.step():
        pass
    for g in slots:
        group.wake(g, 0)
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
    """The above, for test modules, which cannot import a conftest."""

    hand_made: Game = HAND_MADE
    hashed: type = Hashed
    make_group: object = make_group
    search: object = search
    search_on: object = search_on
    read_tree: object = read_tree
    words_after: object = words_after
    random_words: object = random_words
    twice: int = TWICE
    wide: int = WIDE
    corridor: int = CORRIDOR
    blunder: int = BLUNDER
    width: int = WIDTH


@pytest.fixture(scope="session")
def kit():
    return Kit()
