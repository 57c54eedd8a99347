"""Within how many moves proved wins come: never fewer than perfect play needs, and exact in short proofs."""

from functools import cache

import numpy as np
import pytest

import ludus
from ludus.games.rules import DRAW
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import Group
from ludus.players.thinking.thought import read_thought
from ludus.players.thinking.winning import Proof
from ludus.search.settings import SearchSettings

TICTACTOE = ludus.game("tictactoe")


def thought_of(position, visits=3000):
    """Return the result of a search with all lines, and its group."""
    game = position.game
    settings = SearchSettings(cache_entries=0)
    group = Group(game, UniformEvaluator(Shapes.of(game)), settings, num_trees=1, max_visits=visits)
    group.new_tree(0, position.state.view(np.uint64))
    group.set_target(0, visits)
    while group.step():
        pass
    return read_thought(group.trees, 0, lines=300, game=game), group


@cache
def shortest(moves, winner):
    """Return the number of moves that the winner needs against the best defence; None if it does not win."""
    position = TICTACTOE.start()
    for move in moves:
        position = position.play(move)
    if position.outcome:
        return 0 if position.outcome.winner == winner else None
    found = [shortest((*moves, action), winner) for action in position.actions]
    if position.to_play == winner:
        return min((each + 1 for each in found if each is not None), default=None)
    return max(found) if None not in found else None


@pytest.mark.parametrize(
    "moves",
    [("a1", "b1", "a3", "a2"), ("a1", "b1"), ("b2", "b1"), ("a1", "b2", "c3"), ("a1", "c1", "a3"), ("b2", "a1", "c1")],
)
def test_a_proved_win_is_counted_as_perfect_play_needs_it_or_longer(moves):
    position = TICTACTOE.start()
    for move in moves:
        position = position.play(move)
    thought, _ = thought_of(position)
    counted = 0
    for each in thought.candidates:
        if each.proof in (0, DRAW):
            assert each.wins_in == 0
            continue
        winner = each.proof - 1
        actions = tuple(move.action for move in position.history[1:])
        least = shortest((*actions, each.action), winner) + (winner == position.to_play)
        assert each.wins_in >= least > 0
        counted += 1
        if each.wins_in == 1 and winner == position.to_play:
            assert position.play(each.action).outcome.winner == winner
    assert counted or moves == ("a1", "b2", "c3")


def test_a_fork_wins_in_two_moves_and_leaves_the_other_side_lost_in_one():
    fork, _ = thought_of(TICTACTOE.start().play("a1").play("b1").play("a3").play("a2"))
    best = next(each for each in fork.candidates if each.action == fork.best[0])
    assert best.wins_in == 2
    lost, _ = thought_of(TICTACTOE.start().play("a1").play("b1").play("a3").play("a2").play("c3"))
    assert {each.wins_in for each in lost.candidates} == {1}


@pytest.mark.parametrize(
    ("fen", "moves"), [("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2), ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1)]
)
def test_a_mate_is_counted_though_the_rules_foresee_its_last_move(fen, moves):
    position = ludus.game("chess").start({"fen": fen})
    thought, _ = thought_of(position, 2000)
    best = next(each for each in thought.candidates if each.action == thought.best[0])
    assert (best.proof, best.wins_in) == (1, moves)


def test_a_proof_that_is_too_large_is_not_counted(monkeypatch):
    position = TICTACTOE.start().play("a1").play("b1")
    _, group = thought_of(position)
    child = group.trees.child[0]
    first = int(child["first_child"][0])
    below = range(first, first + int(child["num_children"][0]))
    place = next(at for at in below if int(child["proof"][at]) == 1)
    assert Proof(TICTACTOE, group.trees, 0, 0).moves_below(place) > 0
    monkeypatch.setattr("ludus.players.thinking.winning.MOST_NODES", 1)
    assert Proof(TICTACTOE, group.trees, 0, 0).moves_below(place) == 0
