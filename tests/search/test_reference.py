"""The compiled search agrees, visit by visit, with a slow PUCT search in dictionaries and recursion."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

import ludus
from ludus.search.tree import EXPANDED, TERMINAL

GAMES = {name: ludus.game(name) for name in ("tictactoe", "connect4", "wallgame:classic:5x5")}


@dataclass
class Seen:
    """A position in the reference's tree."""

    words: np.ndarray
    mover: int
    outcome: int
    visits: int = 0
    value_sum: float = 0.0  # seen by player 0
    draw_sum: float = 0.0
    priors: dict[int, int] = field(default_factory=dict)  # action -> 65535ths; empty before the evaluation
    children: dict[int, "Seen"] = field(default_factory=dict)  # in the order of their first visit


class Reference:
    """PUCT as the textbook has it; knows nothing of arenas, batches, virtual loss or packed edges."""

    def __init__(self, kit, game, cpuct=2.0, fpu_reduction=0.2):
        self.kit, self.game, self.evaluator = kit, game, kit.hashed(game)
        self.cpuct, self.fpu_reduction = cpuct, fpu_reduction
        self.one_visit = kit.make_group(game, max_visits=2)

    def position(self, words):
        state = words.view(self.game.dtype)
        return Seen(words, int(self.game.rules.to_play(state)), int(self.game.rules.outcome(state)))

    def search(self, root, visits):
        with np.errstate(over="ignore"):
            while root.visits < visits:
                self.simulate(root)

    def simulate(self, seen):
        if seen.outcome:
            value, draw = {1: (1.0, 0.0), 2: (-1.0, 0.0), 3: (0.0, 1.0)}[seen.outcome]
        elif not seen.priors:
            value, draw = self.evaluator.value_and_draw(seen.words, seen.mover)
            seen.priors = dict(self.kit.search(self.one_visit, [seen.words], 1)[0].edges)
        else:
            value, draw = self.simulate(self.follow(seen, self.choose(seen)))
        seen.visits += 1
        seen.value_sum += value
        seen.draw_sum += draw
        return value, draw

    def choose(self, seen):
        """The visited actions in order of their first visit, then the unvisited ones from the highest prior down."""
        unvisited = sorted(seen.priors.keys() - seen.children.keys(), key=lambda a: (seen.priors[a], a), reverse=True)
        return max([*seen.children, *unvisited], key=lambda action: self.score(seen, action))

    def score(self, seen, action):
        side = -1.0 if seen.mover == 1 else 1.0
        if action in seen.children:
            child = seen.children[action]
            visits, value = child.visits, side * child.value_sum / child.visits
        else:
            visits, value = 0, side * seen.value_sum / seen.visits - self.fpu_reduction
        return value + self.cpuct * (seen.priors[action] / 65535) * math.sqrt(seen.visits) / (1 + visits)

    def follow(self, seen, action):
        if action not in seen.children:
            state = seen.words.copy().view(self.game.dtype)
            self.game.rules.play(state, action)
            seen.children[action] = self.position(state.view(np.uint64))
        return seen.children[action]


def assert_same(found, seen):
    """Compare whole trees: counts, values, order of the children, unvisited priors."""
    assert found.words == tuple(map(int, seen.words))
    assert (found.visits, found.value_sum, found.draw_sum) == (seen.visits, seen.value_sum, seen.draw_sum)
    assert (found.kind, found.outcome) == (TERMINAL if seen.outcome else EXPANDED, seen.outcome)
    assert found.mover == seen.mover
    assert found.actions == list(seen.children)
    assert dict(found.edges) == seen.priors
    assert found.child_visits == [child.visits for child in seen.children.values()]
    assert found.child_value_sums == [child.value_sum for child in seen.children.values()]
    for below, child in zip(found.children, seen.children.values(), strict=True):
        assert_same(below, child)


@pytest.mark.parametrize(
    ("name", "positions", "visits"), [("tictactoe", 12, 150), ("connect4", 16, 160), ("wallgame:classic:5x5", 2, 60)]
)
def test_whole_trees_agree_and_go_on_agreeing_after_reuse(kit, name, positions, visits):
    game = GAMES[name]
    states = [kit.random_words(game, seed) for seed in range(positions)]
    group = kit.make_group(game, num_trees=positions, max_visits=2 * visits)
    trees = kit.search(group, states, visits)
    for g, (state, tree) in enumerate(zip(states, trees, strict=True)):
        reference = Reference(kit, game)
        root = reference.position(state)
        reference.search(root, visits)
        assert_same(tree, root)
        action = max(root.children, key=lambda each: (not root.children[each].outcome, root.children[each].visits))
        root = root.children[action]
        group.play(g, action, root.words)
        assert_same(kit.read_tree(group.trees, g), root)
        if not root.outcome:
            reference.search(root, visits)
            assert_same(*kit.search_on(group, [g], visits), root)


@pytest.mark.parametrize(("cpuct", "fpu_reduction"), [(0.5, 0.0), (1.25, 0.7), (4.0, -0.3)])
def test_trees_agree_for_other_settings(kit, cpuct, fpu_reduction):
    game = GAMES["connect4"]
    states = [kit.random_words(game, 100 + seed) for seed in range(4)]
    group = kit.make_group(game, num_trees=4, max_visits=150, cpuct=cpuct, fpu_reduction=fpu_reduction)
    for state, tree in zip(states, kit.search(group, states, 150), strict=True):
        reference = Reference(kit, game, cpuct, fpu_reduction)
        root = reference.position(state)
        reference.search(root, 150)
        assert_same(tree, root)


@pytest.mark.parametrize("setup", ["twice", "blunder", "wide"])
def test_trees_agree_where_a_player_moves_twice_and_where_there_is_much_choice(kit, setup):
    game = kit.hand_made
    state = kit.words_after(game, setup=getattr(kit, setup))
    (tree,) = kit.search(kit.make_group(game, max_visits=400), [state], 400)
    reference = Reference(kit, game)
    root = reference.position(state)
    reference.search(root, 400)
    assert_same(tree, root)


def test_a_tree_that_was_not_searched_where_the_game_went_starts_afresh(kit):
    game = GAMES["connect4"]
    start = kit.words_after(game)
    group = kit.make_group(game, max_visits=200)
    (tree,) = kit.search(group, [start], 2)
    (unvisited, *_) = {action for action, _ in tree.edges} - set(tree.actions)
    after = kit.words_after(game, [unvisited])
    group.play(0, unvisited, after)
    (tree,) = kit.search_on(group, [0], 50)
    assert tree == kit.search(kit.make_group(game), [after], 50)[0]
