"""The compiled search agrees visit by visit with a slow one based on dictionaries and recursion."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

import ludus
from ludus.games.calls import RULES
from ludus.search.gumbel import draw_actions
from ludus.search.settings import SearchSettings
from ludus.search.tree import EXPANDED, FORESEEN, TERMINAL

foresee = RULES["foresee"].entry

GAMES = {name: ludus.game(name) for name in ("tictactoe", "connect4", "wallgame:classic:5x5")}


@dataclass(eq=False)
class Seen:
    """A position in the tree of the reference search."""

    words: np.ndarray
    mover: int
    outcome: int
    foreseen: int = 0
    own: tuple[float, float] = (
        0.0,
        0.0,
    )  # the evaluator's value from player 0's perspective, and probability of a draw
    visits: int = 0
    value_sum: float = 0.0  # seen by player 0
    draw_sum: float = 0.0
    proof: int = 0
    priors: dict[int, int] = field(default_factory=dict)  # action -> 65535ths; empty before the evaluation
    children: dict[int, "Seen"] = field(default_factory=dict)  # in the order of their first visit


EXACT = {1: (1.0, 0.0), 2: (-1.0, 0.0), 3: (0.0, 1.0)}


class Reference:
    """Textbook PUCT with proofs by recursion, without arenas, batches, virtual loss or packed edges."""

    def __init__(self, kit, game, cpuct=2.0, fpu_reduction=0.2, cpuct_base=0.0):
        self.kit, self.game, self.evaluator = kit, game, kit.hashed(game)
        self.cpuct, self.fpu_reduction, self.cpuct_base = cpuct, fpu_reduction, cpuct_base
        self.one_visit = {seen: kit.make_group(game, max_visits=2, foresight=seen) for seen in (False, True)}
        self.foresees, self.top, self.plays = True, None, True

    def position(self, words):
        """Return a new position below the root, with the outcome that the rules foresee for it."""
        state = words.view(self.game.dtype)
        outcome = int(self.game.rules.outcome(state))
        foreseen = 0 if outcome or not self.foresees else int(foresee(self.game.rules, state))
        return Seen(words, int(self.game.rules.to_play(state)), outcome, foreseen, proof=outcome or foreseen)

    def root(self, words):
        """Return a new root; if its outcome is foreseen, keep only actions that preserve it, and turn foresight off."""
        root = self.position(words)
        won, lost, foreseen = 1 + root.mover, 2 - root.mover, root.foreseen
        root.proof, root.foreseen = root.outcome, 0
        if foreseen in (won, 3):
            after = [self.follow(root, action) for action in self.game.calls.legal(words.view(self.game.dtype))]
            self.foresees = all(foreseen != (each.outcome or each.foreseen) for each in after)
            root.children.clear()
        elif foreseen == lost:
            self.foresees = False
        self.top = root
        return root

    def search(self, root, visits):
        with np.errstate(over="ignore"):
            while root.visits < visits and not root.proof:
                self.simulate(root)
                self.settle(root)

    def simulate(self, seen):
        """Add one visit to a position and to the line that it selects."""
        seen.visits += 1
        if seen.proof:
            return
        if seen.priors:
            ending = self.ending(seen) if self.plays and seen is self.top else None
            self.simulate(self.follow(seen, self.choose(seen) if ending is None else ending))
        else:
            seen.own = self.evaluator.value_and_draw(seen.words, seen.mover)
            seen.priors = dict(self.kit.search(self.one_visit[seen is self.top], [seen.words], 1)[0].edges)

    def settle(self, seen):
        """Recompute all values and proofs from the leaves up: slow, but simple."""
        for child in seen.children.values():
            self.settle(child)
        proofs = [child.proof for child in seen.children.values()]
        won, lost = 1 + seen.mover, 2 - seen.mover
        if won in proofs:
            seen.proof = won
        elif seen.priors and len(proofs) == len(seen.priors) and all(proofs):
            seen.proof = 3 if 3 in proofs else lost
        if seen.proof:
            seen.value_sum, seen.draw_sum = (seen.visits * each for each in EXACT[seen.proof])
        else:
            below = seen.children.values()
            seen.value_sum = seen.own[0] + sum(child.value_sum for child in below)
            seen.draw_sum = seen.own[1] + sum(child.draw_sum for child in below)

    def ending(self, seen):
        """Return an unvisited action that wins at once or, if the position is worse than that, draws at once."""
        calls, state = self.game.calls, seen.words.view(self.game.dtype)
        ends = {action: calls.outcome(calls.play(state, action)) for action in calls.legal(state)}
        good = [action for wanted in (1 + seen.mover, 3) for action in ends if ends[action] == wanted][:1]
        is_worse = (-1.0 if seen.mover == 1 else 1.0) * seen.value_sum < 0.0
        return next((a for a in good if a not in seen.children and (ends[a] != 3 or is_worse)), None)

    def choose(self, seen):
        """Return the best action; for equal scores, visited actions come first, then those with higher priors."""
        unvisited = sorted(seen.priors.keys() - seen.children.keys(), key=lambda a: (seen.priors[a], a), reverse=True)
        sound = [action for action, child in seen.children.items() if child.proof != 2 - seen.mover]
        return max([*sound, *unvisited], key=lambda action: self.score(seen, action))

    def score(self, seen, action):
        side = -1.0 if seen.mover == 1 else 1.0
        rate = self.cpuct
        if self.cpuct_base:
            rate += np.log((seen.visits - 1 + self.cpuct_base + 1) / self.cpuct_base)
        weight = rate * np.sqrt(seen.visits - 1.0) * (1 / 65535) * seen.priors[action]  # this visit is not done yet
        if action in seen.children:
            child = seen.children[action]
            return side * child.value_sum * (1 / child.visits) + weight * (1 / (1 + child.visits))
        return side * seen.value_sum * (1 / (seen.visits - 1)) - self.fpu_reduction + weight

    def follow(self, seen, action):
        if action not in seen.children:
            state = seen.words.copy().view(self.game.dtype)
            self.game.rules.play(state, action)
            seen.children[action] = self.position(state.view(np.uint64))
        return seen.children[action]


class Forcing(Reference):
    """Forced playouts at the root (Wu 2019)."""

    def __init__(self, kit, game, root, forced_playouts, priors):
        super().__init__(kit, game)
        self.root(root.words)
        self.plays = False
        self.top, self.forced_playouts, self.noisy = root, forced_playouts, priors

    def simulate(self, seen):
        super().simulate(seen)
        if seen is self.top:
            seen.priors = self.noisy

    def choose(self, seen):
        for action, child in seen.children.items():
            share = seen.priors[action] / 65535
            wanted = math.sqrt(self.forced_playouts * share * (seen.visits - 1))
            if seen is self.top and child.visits < wanted and child.proof != 2 - seen.mover:
                return action
        return super().choose(seen)


def published_table(considered, simulations):
    """Return the visit count of the followed action at each simulation (mctx, from the paper's algorithm)."""
    if considered <= 1:
        return list(range(simulations))
    rounds, table, visits, left = math.ceil(math.log2(considered)), [], [0] * considered, considered
    while len(table) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            table += visits[:left]
            for place in range(left):
                visits[place] += 1
        left = max(2, left // 2)
    return table[:simulations]


class Halving(Reference):
    """Gumbel's sequential halving at the root (Danihelka et al. 2022)."""

    def __init__(self, kit, game, root, visits, drawn, c_visit=50.0, c_scale=1.0):
        super().__init__(kit, game)
        self.plays = False
        self.foresees = False  # the reference does not sample another action when all are proved lost
        self.one_visit[True] = self.one_visit[False]
        self.top, self.drawn, self.c_visit, self.c_scale = root, drawn, c_visit, c_scale  # action -> logit + noise
        self.table = published_table(len(drawn), visits - 1)

    def choose(self, seen):
        if seen is not self.top:
            return super().choose(seen)
        wanted = self.table[seen.visits - 2]
        unvisited = [action for action in self.drawn if action not in seen.children]
        if wanted == 0 and unvisited:
            return max(unvisited, key=self.drawn.get)
        sound = {action: child for action, child in seen.children.items() if child.proof != 2 - seen.mover}
        nearest = min(abs(child.visits - wanted) for child in sound.values())
        near = [action for action, child in sound.items() if abs(child.visits - wanted) == nearest]
        return max(near, key=lambda action: self.worth(seen, action))

    def worth(self, seen, action):
        most = max(child.visits for child in seen.children.values())
        child = seen.children[action]
        value = (-1.0 if seen.mover == 1 else 1.0) * child.value_sum / child.visits
        return self.drawn[action] + (self.c_visit + most) * self.c_scale * (0.5 + 0.5 * value)


def assert_same(found, seen):
    """Compare whole trees: counts, values, proofs, order of the children, unvisited priors."""
    assert found.words == tuple(map(int, seen.words))
    assert (found.visits, found.value_sum, found.draw_sum) == (seen.visits, seen.value_sum, seen.draw_sum)
    assert (found.kind, found.proof) == (
        TERMINAL if seen.outcome else FORESEEN if seen.foreseen else EXPANDED,
        seen.proof,
    )
    assert (found.mover, found.in_flight, found.num_edges) == (seen.mover, 0, len(seen.priors))
    assert found.actions == list(seen.children)
    if len(found.edges) == found.num_edges:
        assert dict(found.edges) == seen.priors
    else:
        assert len(found.edges) >= len(found.children)
        best = sorted(seen.priors.items(), key=lambda edge: edge[::-1], reverse=True)[: len(found.edges)]
        assert dict(found.edges) == dict(best)
    for below, child in zip(found.children, seen.children.values(), strict=True):
        assert_same(below, child)


@pytest.mark.parametrize(
    ("name", "positions", "visits"), [("tictactoe", 12, 150), ("connect4", 16, 160), ("wallgame:classic:5x5", 2, 60)]
)
def test_whole_trees_agree_also_after_reuse(kit, name, positions, visits):
    game = GAMES[name]
    states = [kit.random_words(game, seed) for seed in range(positions)]
    group = kit.make_group(game, num_trees=positions, max_visits=2 * visits)
    trees = kit.search(group, states, visits)
    for g, (state, tree) in enumerate(zip(states, trees, strict=True)):
        reference = Reference(kit, game)
        root = reference.root(state)
        reference.search(root, visits)
        assert_same(tree, root)
        action = max(root.children, key=lambda each: (not root.children[each].outcome, root.children[each].visits))
        root = reference.top = root.children[action]
        group.play(g, action, root.words)
        if root.foreseen or not reference.foresees:
            reference = Reference(kit, game)
            root = reference.root(root.words)
        else:
            assert_same(kit.read_tree(group.trees, g), root)
        if not root.proof:
            reference.search(root, visits)
            assert_same(*kit.search_on(group, [g], visits), root)


@pytest.mark.parametrize(("cpuct", "fpu_reduction"), [(0.5, 0.0), (1.25, 0.7), (4.0, -0.3)])
def test_trees_agree_for_other_settings(kit, cpuct, fpu_reduction):
    game = GAMES["connect4"]
    states = [kit.random_words(game, 100 + seed) for seed in range(4)]
    group = kit.make_group(game, num_trees=4, max_visits=150, cpuct=cpuct, fpu_reduction=fpu_reduction)
    for state, tree in zip(states, kit.search(group, states, 150), strict=True):
        reference = Reference(kit, game, cpuct, fpu_reduction)
        root = reference.root(state)
        reference.search(root, 150)
        assert_same(tree, root)


@pytest.mark.parametrize("setup", ["twice", "blunder", "wide"])
def test_trees_agree_where_a_player_moves_twice_and_where_there_is_much_choice(kit, setup):
    game = kit.hand_made
    state = kit.words_after(game, setup=getattr(kit, setup))
    (tree,) = kit.search(kit.make_group(game, max_visits=400), [state], 400)
    reference = Reference(kit, game)
    root = reference.root(state)
    reference.search(root, 400)
    assert_same(tree, root)


@pytest.mark.parametrize("visits", [2, 12, 60])
def test_trees_agree_where_actions_end_the_game(kit, visits):
    """Random trees, where many actions win or draw at once; every other root is the best child of a searched one."""
    game, ended = kit.hand_made, 0
    states = [kit.words_after(game, setup=kit.thicket + 17 * seed) for seed in range(60)]
    states = [state for state in states if not game.calls.outcome(state.view(game.dtype))]
    group = kit.make_group(game, num_trees=len(states), max_visits=2 * visits)
    for g, (state, tree) in enumerate(zip(states, kit.search(group, states, visits), strict=True)):
        reference = Reference(kit, game)
        root = reference.root(state)
        reference.search(root, visits)
        assert_same(tree, root)
        ended += any(child.outcome for child in root.children.values())
        action = max(root.children, key=lambda each: root.children[each].visits)
        root = reference.top = root.children[action]
        if not root.outcome:
            group.play(g, action, root.words)
            reference.search(root, visits)
            assert_same(*kit.search_on(group, [g], visits), root)
    assert ended > 5


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


# ---- the root of an exploring search ---------------------------------------------------------------------------------


def look_once(kit, group, states):
    """Evaluate the roots and return them, so that a test may modify them."""
    return kit.search(group, states, 1, explores=True)


@pytest.mark.parametrize("forced_playouts", [0.5, 2.0, 8.0])
def test_trees_agree_with_forced_playouts(kit, forced_playouts):
    game = GAMES["connect4"]
    states = [kit.random_words(game, 200 + seed) for seed in range(6)]
    settings = {"forced_playouts": forced_playouts, "noise_share": 0.0}
    group = kit.make_group(game, num_trees=6, max_visits=150, **settings)
    for state, tree in zip(states, kit.search(group, states, 150, explores=True), strict=True):
        reference = Reference(kit, game)
        root = reference.root(state)
        reference.search(root, 1)
        reference = Forcing(kit, game, root, forced_playouts, root.priors)
        reference.search(root, 150)
        assert_same(tree, root)


def halved(kit, game, states, visits, num_actions, **settings):
    """Search with Gumbel's root; return the trees, and the results of the reference search with the same draws."""
    settings |= {"gumbel_actions": num_actions, "foresight": False}
    groups = [kit.make_group(game, num_trees=len(states), max_visits=visits, **settings) for _ in range(2)]
    look_once(kit, groups[0], states)
    expected = []
    for g, state in enumerate(states):
        trees, parameters = kit.plain(groups[0].trees), SearchSettings(**settings).parameters(5000)
        with np.errstate(over="ignore"):
            draw_actions(trees, g, parameters)
        count = int(trees.tree[g].considered)
        actions = [action for action, _ in kit.read_tree(trees, g).edges[:count]]
        drawn = dict(zip(actions, map(float, trees.gumbel[g]), strict=False))
        root = Reference(kit, game).root(state)
        reference = Halving(kit, game, root, visits, drawn, parameters.gumbel_visits, parameters.gumbel_scale)
        reference.search(root, visits)
        expected.append((reference, root))
    return groups[1], kit.search(groups[1], states, visits, explores=True), expected


@pytest.mark.parametrize(
    ("name", "visits", "num_actions"),
    [("connect4", 5, 16), ("connect4", 33, 4), ("connect4", 120, 7), ("tictactoe", 60, 6), ("wide", 65, 16)],
)
def test_trees_agree_with_sequential_halving(kit, name, visits, num_actions):
    game = GAMES.get(name, kit.hand_made)
    if name == "wide":
        states = [kit.words_after(game, setup=kit.wide), kit.words_after(game, [5, 7], setup=kit.wide)]
    else:
        states = [kit.random_words(game, 300 + seed) for seed in range(8)]
    _, trees, expected = halved(kit, game, states, visits, num_actions)
    for tree, (_, root) in zip(trees, expected, strict=True):
        assert_same(tree, root)


def test_trees_agree_where_a_player_moves_twice_and_lines_are_proved_by_halving(kit):
    game = kit.hand_made
    setups = [kit.twice, kit.twice + 10, kit.blunder, *(kit.thicket + 17 * seed for seed in range(12))]
    states = [kit.words_after(game, setup=setup) for setup in setups]
    states = [state for state in states if not game.rules.outcome(state.view(game.dtype))]
    _, trees, expected = halved(kit, game, states, 40, 5, gumbel_visits=10.0, gumbel_scale=0.3)
    assert any(tree.proof for tree in trees)
    for tree, (_, root) in zip(trees, expected, strict=True):
        assert_same(tree, root)
