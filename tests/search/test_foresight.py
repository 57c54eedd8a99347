"""Foresight: leaves with a foreseen outcome, and roots with one, where only actions that keep it are searched.

The game is Nim: players take one to three stones, and the player who takes the last one wins; a player to move with a
multiple of four stones has lost.
"""

from pathlib import Path

import pytest

import ludus
from ludus.games.connect4.solved import read_columns
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.players.opponents.solver import action_values
from ludus.players.thinking.thought import read_thought
from ludus.search.backup import exact_value
from ludus.search.cache import make_cache
from ludus.search.tree import EXPANDED, FORESEEN, KEPT, LEAVES, TERMINAL, UNASKED

SOLVED = Path("tests/golden/connect4-solved.jsonl.gz")
FEW = 8  # up to this many stones, the rules foresee the outcome


def start(state, setup):
    state[0] = setup or 21


def to_play(state):
    return int(state[1])


def legal(state, actions):
    for action in range(min(3, int(state[0]))):
        actions[action] = action
    return min(3, int(state[0]))


def play(state, action):
    state[0] -= action + 1
    state[1] = 1 - state[1]


def outcome(state):
    return 2 - int(state[1]) if int(state[0]) == 0 else 0


def encode(state, planes):
    planes[0, 0, 0] = state[0]


def known_below(stones):
    def foresee(state):
        if int(state[0]) > stones:
            return 0
        return 1 + int(state[1]) if int(state[0]) % 4 else 2 - int(state[1])

    return foresee


def known_at_ten(state):
    return 1 + int(state[1]) if int(state[0]) == 10 else 0


def to_play_in_pairs(state):
    """Return the player to move in the variant with two actions per turn."""
    return int(state[1]) // 2


def take_in_pairs(state, action):
    state[0] -= action + 1
    state[1] = (state[1] + 1) % 4


def out_of_stones_in_pairs(state):
    return 1 + ((int(state[1]) + 3) % 4) // 2 if int(state[0]) == 0 else 0


def last_stones_in_pairs(state):
    """Foresee the winner in this variant: with up to three stones left, the mover takes them in two actions."""
    return 1 + int(state[1]) // 2 if int(state[0]) <= 3 else 0


def nim(foresee, **others):
    rules = {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome, "encode": encode, **others}
    sizes = {"state_size": 2, "num_actions": 3, "planes": (1, 1, 1), "max_actions": 40}
    return ludus.Game(name="nim", start=start, foresee=foresee, **rules, **sizes)


NIM = nim(known_below(FEW))


def stones_of(node):
    return node.words[0] & 0xFF


def test_leaves_of_known_outcome_are_proved_and_not_evaluated(kit):
    group = kit.make_group(NIM)
    (tree,) = kit.search(group, [kit.words_after(NIM, setup=12)], 100)
    nodes = list(tree.walk())
    assert {stones_of(node) for node in nodes if node.kind == EXPANDED} == {9, 10, 11, 12}
    assert {stones_of(node) for node in nodes if node.kind == FORESEEN} <= set(range(5, FEW + 1))
    assert not any(node.children for node in nodes if node.kind == FORESEEN)
    assert tree.proof == 2, "proving the loss of twelve stones takes twelve positions"
    assert group.evaluator.num_judged == sum(node.kind == EXPANDED for node in nodes)


def test_no_outcome_is_foreseen_with_foresight_off(kit):
    for settings in ({"foresight": False}, {"proofs": False}):
        (tree,) = kit.search(kit.make_group(NIM, **settings), [kit.words_after(NIM, setup=12)], 100)
        assert {node.kind for node in tree.walk()} == {EXPANDED, TERMINAL}


@pytest.mark.parametrize(("stones", "taken"), [(5, [1]), (6, [2]), (7, [3]), (8, [1, 2, 3]), (2, [2])])
@pytest.mark.parametrize("symmetries", [1, 2])
def test_a_root_of_known_outcome_keeps_the_actions_that_lead_to_it(kit, stones, taken, symmetries):
    group = kit.make_group(NIM, root_symmetries=symmetries)
    (tree,) = kit.search(group, [kit.words_after(NIM, setup=stones)], 60)
    assert sorted(action + 1 for action, _ in tree.edges) == taken
    assert all(node.kind != FORESEEN for node in tree.walk()), "no foresight is used below it"
    thought = read_thought(group.trees, 0)
    assert thought.proof == (1 if stones % 4 else 2)
    assert (thought.value, thought.draw) == (1.0 if stones % 4 else -1.0, 0.0)
    assert {each.proof for each in thought.candidates} == {thought.proof}


def test_no_outcome_is_foreseen_in_the_middle_of_a_turn(kit):
    """Otherwise the best line of a search could end with half a move."""
    pairs = {"to_play": to_play_in_pairs, "play": take_in_pairs, "outcome": out_of_stones_in_pairs}
    game = nim(last_stones_in_pairs, **pairs)
    group = kit.make_group(game)
    (tree,) = kit.search(group, [kit.words_after(game, setup=5)], 60)
    assert all(tree.child(action).kind != FORESEEN for action in tree.actions), "the first player goes on"
    thought = read_thought(group.trees, 0)
    assert (thought.proof, len(thought.best)) == (1, 2)
    (early,) = kit.search(group, [kit.words_after(game, setup=12)], 60)
    last = [node for node in early.walk() if node.kind == FORESEEN]
    assert last
    assert {int(node.words[0] >> 8) & 0xFF for node in last} <= {0, 2}, "where turns begin"


@pytest.mark.parametrize("asks", [UNASKED, LEAVES])
def test_a_root_without_foresight_keeps_all_its_actions(kit, asks):
    group = kit.make_group(NIM)
    group.trees.tree["foreseen"][0] = asks
    (tree,) = kit.search(group, [kit.words_after(NIM, setup=7)], 60)
    assert sorted(action for action, _ in tree.edges) == [0, 1, 2]
    assert {tree.child(action).kind for action in tree.actions} == {FORESEEN if asks == LEAVES else EXPANDED}
    if asks == LEAVES:
        proofs = {action: tree.child(action).proof for action in tree.actions}
        assert (proofs[2], proofs.items() <= {0: 2, 1: 2, 2: 1}.items()) == (1, True), (
            "the search stops after the proof of a win"
        )


def test_a_root_of_known_outcome_is_searched_to_the_end(kit):
    (tree,) = kit.search(kit.make_group(NIM, proofs=True), [kit.words_after(NIM, setup=8)], 60)
    assert tree.visits > 10, "it is lost, but not proved by ends of games alone"


def test_a_root_without_an_action_that_keeps_its_outcome_is_searched_normally(kit):
    game = nim(known_at_ten)
    (tree,) = kit.search(kit.make_group(game), [kit.words_after(game, setup=10)], 60)
    assert sorted(action for action, _ in tree.edges) == [0, 1, 2]
    (above,) = kit.search(kit.make_group(game), [kit.words_after(game, setup=11)], 60)
    assert above.child(0).kind == FORESEEN


def test_a_tree_below_a_foreseen_root_is_not_reused(kit):
    group = kit.make_group(NIM)
    (before,) = kit.search(group, [kit.words_after(NIM, setup=7)], 30)
    group.play(0, 2, kit.words_after(NIM, [2], setup=7))
    (after,) = kit.search_on(group, [0], 30)
    assert stones_of(before.child(2)) == stones_of(after) == 4
    assert after == kit.search(kit.make_group(NIM), [kit.words_after(NIM, [2], setup=7)], 30)[0]


def test_a_leaf_that_was_foreseen_becomes_a_root_with_edges(kit):
    group = kit.make_group(NIM)
    (before,) = kit.search(group, [kit.words_after(NIM, setup=9)], 2)
    (foreseen,) = [action for action, child in zip(before.actions, before.children, strict=True)]
    assert before.child(foreseen).kind == FORESEEN
    group.play(0, foreseen, kit.words_after(NIM, [foreseen], setup=9))
    (after,) = kit.search_on(group, [0], 2)
    assert (after.kind, after.visits, len(after.children)) == (EXPANDED, 2, 1)


def test_the_cache_keeps_a_root_that_has_lost_edges_apart(kit):
    cache = make_cache(64, KEPT)
    group = kit.make_group(NIM, cache=cache, cache_entries=64)
    seven, eight = (kit.words_after(NIM, setup=stones) for stones in (7, 8))
    for _ in range(2):
        (root,) = kit.search(group, [seven], 5)
        assert len(root.edges) == 1
        (above,) = kit.search(group, [eight], 60)
        below = above.child(0)
        assert (stones_of(below), len(below.edges)) == (7, 3)


@pytest.mark.parametrize("first", range(0, 500, 100))
def test_connect_four_roots_keep_their_outcome(kit, first):
    game, solver, foreseen = ludus.game("connect4"), ConnectFourSolver(entries=1 << 16), 0
    group = kit.make_group(game)
    for each in [each for each in read_columns(SOLVED) if len(each.moves) >= 16][first : first + 40]:
        state = kit.words_after(game, [int(column) - 1 for column in each.moves])
        (tree,) = kit.search(group, [state], 2)
        certain = int(group.trees.tree["foreseen"][0])
        if certain:
            foreseen += 1
            values = action_values(solver, game, state)
            kept = {action for action, _ in tree.edges}
            assert {values[action] for action in kept} == {exact_value(certain)}
            if certain == 2 - tree.mover:
                assert kept == set(values), "a lost root keeps all actions"
    assert foreseen > 15
