"""Invariants of a tree: sums add up, virtual losses are removed, and proofs agree with minimax."""

from functools import cache

import numpy as np
import pytest

import ludus
from ludus.kernel import COMPILED

TICTACTOE, CONNECT4, WALLGAME = (ludus.game(name) for name in ("tictactoe", "connect4", "wallgame:classic:4x4"))
ROUNDS = 12 if COMPILED else 2


class Odd:
    """An evaluator with values like a real network's, so that sums are not exact."""

    def __init__(self, kit, game):
        self.hashed = kit.hashed(game)

    def evaluate_states(self, game, words):
        logits, _ = self.hashed.evaluate_states(game, words)
        weights = np.exp(3 * logits[:, :3])
        return logits, weights / weights.sum(1, keepdims=True)


def random_settings(rng):
    """Return random search settings, in which each feature is on or off."""
    chance = rng.random
    return {
        "cpuct": rng.choice([0.5, 2.0, 5.0]),
        "cpuct_base": rng.choice([0.0, 50.0]),
        "fpu_reduction": rng.choice([-2.0, 0.0, 0.3]),
        "leaves": int(rng.choice([1, 2, 5, 16])),
        "cache_entries": int(rng.choice([0, 64, 4096])),
        "noise_share": float(chance() < 0.5) / 4,
        "noise_shaped": rng.choice([0.0, 0.5]),
        "root_temperature": rng.choice([1.0, 1.3]),
        "forced_playouts": rng.choice([0.0, 2.0]),
        "gumbel_actions": int(rng.choice([0, 0, 4, 16])),
        "choice": str(rng.choice(["visits", "bound"])),
    }


def start_of(kit, game, rng):
    """Return a start position of a game as words."""
    if game is not kit.hand_made:
        return kit.random_words(game, int(rng.integers(1 << 30)), most=12)
    setups = [kit.twice, kit.twice + 10, kit.wide, kit.corridor, kit.blunder]
    return kit.words_after(game, setup=int(rng.choice([*setups, *(kit.thicket + rng.integers(1 << 30, size=9))])))


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "wallgame", "hand-made"])
def test_everything_adds_up_after_every_step_of_any_search(kit, name):
    game = {"tictactoe": TICTACTOE, "connect4": CONNECT4, "wallgame": WALLGAME}.get(name, kit.hand_made)
    for seed in range(ROUNDS):
        rng = np.random.default_rng(seed)
        visits, evaluator = int(rng.choice([20, 150])), kit.hashed(game) if seed % 2 else Odd(kit, game)
        group = kit.make_group(game, evaluator, num_trees=3, max_visits=visits, seed=seed, **random_settings(rng))
        for g in range(3):
            group.new_tree(g, start_of(kit, game, rng), actions_left=int(rng.choice([0, 0, 3, 9])))
        for _ in range(4):
            for g in range(3):
                group.set_target(g, visits, explores=bool(rng.integers(2)))
            while count := group.begin():
                for g in range(3):
                    kit.audit(group.trees, g, inexact=0.0 if seed % 2 else 1e-5)
                group.finish(count)
            for g in range(3):
                kit.audit(group.trees, g, inexact=0.0 if seed % 2 else 1e-5)
                tree = kit.read_tree(group.trees, g)
                if tree.proof == 0 and tree.children:
                    assert tree.visits >= visits or group.trees.tree["full"][g]
                    child = tree.child(group.best(g))
                    group.play(g, group.best(g), np.array(child.words, np.uint64))
                    kit.audit(group.trees, g, inexact=0.0 if seed % 2 else 1e-5)


# ---- proofs against minimax ------------------------------------------------------------------------------------------

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACES = 3 ** np.arange(9)


@cache
def tictactoe_solved(cells, mover):
    """Return the outcome of tic-tac-toe under best play, without using Ludus."""
    for line in LINES:
        if cells[line[0]] and len({cells[cell] for cell in line}) == 1:
            return cells[line[0]]
    if all(cells):
        return 3
    after = {
        tictactoe_solved((*cells[:at], 1 + mover, *cells[at + 1 :]), 1 - mover) for at in range(9) if not cells[at]
    }
    return next(result for result in (1 + mover, 3, 2 - mover) if result in after)


@cache
def all_positions():
    """Return all positions of tic-tac-toe that are not over [N, W], and a table of all outcomes under best play."""
    found, table, todo = {}, np.zeros(3**9, int), [((0,) * 9, 0)]
    while todo:
        cells, mover = todo.pop()
        place = int(np.dot(cells, PLACES))
        if table[place]:
            continue
        table[place] = tictactoe_solved(cells, mover)
        state = np.array([*cells, mover, *[0] * 6], np.uint8)
        if not TICTACTOE.rules.outcome(state):
            found[place] = state.view(np.uint64)
            todo += [((*cells[:at], 1 + mover, *cells[at + 1 :]), 1 - mover) for at in range(9) if not cells[at]]
    return np.stack(list(found.values())), table


@pytest.mark.parametrize("leaves", [1, 4])
def test_every_proof_in_every_position_of_tictactoe_is_right(kit, leaves):
    words, table = all_positions()
    assert (len(words), (table > 0).sum()) == (4520, 5478), "the known numbers of positions"
    words = words if COMPILED else words[::40]
    visits, proved = 120, 0
    group = kit.make_group(TICTACTOE, num_trees=len(words), max_visits=visits, leaves=leaves)
    for g, state in enumerate(words):
        group.new_tree(g, state)
        group.set_target(g, visits)
    while group.step():
        pass
    t = group.trees
    cells = t.words.view(np.uint8)[..., :9] @ PLACES  # [G, N]
    for g in range(len(words)):
        child = t.child[g][kit.places(t, g)[0]]
        known = child["proof"] > 0
        assert (child["proof"] == table[cells[g, child["node"]]])[known].all()
        proved += int(known.sum())
    assert proved > 10 * len(words)
    few = (words.view(np.uint8)[:, :9] == 0).sum(axis=1) <= 4  # empty cells
    assert (t.child["proof"][few, 0] > 0).mean() > 0.85, "most small positions are solved"


def solved(game, words, known):
    """Return the outcome under best play, by minimax; `known` stores solved positions."""
    state = np.array(words, np.uint64).view(game.dtype)
    if words not in known:
        known[words] = int(game.rules.outcome(state))
        if not known[words]:
            won, lost = 1 + int(game.rules.to_play(state)), 2 - int(game.rules.to_play(state))
            after = set()
            for action in game.calls.legal(state):
                after.add(solved(game, tuple(map(int, game.calls.play(state, action).view(np.uint64))), known))
                if won in after:
                    break
            known[words] = next(outcome for outcome in (won, 3, lost) if outcome in after)
    return known[words]


def assert_proofs(game, tree, known):
    """Compare every proof in a tree with minimax; return the number of proofs."""
    proved = [node for node in tree.walk() if node.proof]
    for node in proved:
        assert node.proof == solved(game, node.words, known)
    return len(proved)


@pytest.mark.parametrize("leaves", [1, 6])
def test_every_proof_in_random_trees_is_right(kit, leaves):
    game, known, proved, solved_roots = kit.hand_made, {}, 0, 0
    count = 200 if COMPILED else 10
    states = [kit.words_after(game, setup=kit.thicket + 101 * seed) for seed in range(count)]
    group = kit.make_group(game, num_trees=count, max_visits=600, leaves=leaves)
    for tree in kit.search(group, states, 600):
        proved += assert_proofs(game, tree, known)
        solved_roots += tree.proof > 0
    assert proved > 6 * count
    assert solved_roots > count / 2


def near_the_end(game, seed, left):
    """Return a position `left` actions before the end of a random game."""
    rng, positions = np.random.default_rng(seed), [game.start()]
    while not positions[-1].outcome:
        positions.append(positions[-1].play(int(rng.choice(positions[-1].actions))))
    return positions[max(0, len(positions) - 1 - left)].state.view(np.uint64)


def test_every_proof_near_the_end_of_connect4_is_right(kit):
    count = 12 if COMPILED else 2
    states = [kit.words_after(CONNECT4, full_board(seed)) for seed in range(count)]
    trees = kit.search(kit.make_group(CONNECT4, num_trees=count, max_visits=800), states, 800)
    proved = sum(assert_proofs(CONNECT4, tree, {}) for tree in trees)
    assert proved > (10 * count if COMPILED else 2)
    assert {tree.proof for tree in trees} >= {1, 2} or not COMPILED


def full_board(seed):
    """Return random actions after which at most 8 cells of Connect Four are empty and nobody has won."""
    rng, position, actions = np.random.default_rng(seed), CONNECT4.start(), []
    while len(actions) < 34:
        after = position.play(int(rng.choice(position.actions)))
        if after.outcome:
            position, actions = CONNECT4.start(), []
            continue
        actions.append(next(a for a in position.actions if (position.play(a).state == after.state).all()))
        position = after
    return actions


@pytest.mark.parametrize("size", ["3x3", "4x4"])
def test_every_proof_near_the_end_of_a_wall_game_has_its_reasons(kit, size):
    """Check that every proof follows from the proofs below it, down to the ends of games."""
    game, reasons = ludus.game(f"wallgame:classic:{size}"), 0
    states = [near_the_end(game, seed, 3) for seed in range(6 if COMPILED else 2)]
    for tree in kit.search(kit.make_group(game, num_trees=len(states), max_visits=400, leaves=3), states, 400):
        for node in tree.walk():
            state = np.array(node.words, np.uint64).view(game.dtype)
            assert node.mover == game.rules.to_play(state)
            if not node.proof:
                continue
            reasons += 1
            if not node.children:
                assert node.proof == game.calls.outcome(state)
                continue
            below = {child.proof for child in node.children}
            for action, child in zip(node.actions, node.children, strict=True):
                assert child.words == tuple(map(int, game.calls.play(state, action).view(np.uint64)))
            if node.proof != 1 + node.mover:
                assert sorted(node.actions) == sorted(game.calls.legal(state))
                assert node.proof == (3 if 3 in below else 2 - node.mover)
            else:
                assert node.proof in below
    assert reasons > (20 if COMPILED else 10)
