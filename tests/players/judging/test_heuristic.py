"""Playouts estimate the value of random play, and heuristic values are seen by the mover."""

from functools import cache

import numpy as np
import pytest

import ludus
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.players.judging.priors import priors
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings
from ludus.viewpoint import turn

TICTACTOE, CONNECT4, WALLGAME = (ludus.game(name) for name in ("tictactoe", "connect4", "wallgame:classic:5x5"))


@cache
def random_play(cells, mover):
    """Return the exact probabilities of a win of crosses, a draw, and a win of noughts in random play."""
    position = TICTACTOE.start()
    state = position.state.copy()
    state[:9], state[9] = cells, mover
    outcome = int(TICTACTOE.rules.outcome(state))
    if outcome:
        return {1: (1.0, 0.0, 0.0), 3: (0.0, 1.0, 0.0), 2: (0.0, 0.0, 1.0)}[outcome]
    empty = [cell for cell in range(9) if not cells[cell]]
    parts = [random_play((*cells[:cell], mover + 1, *cells[cell + 1 :]), 1 - mover) for cell in empty]
    return tuple(map(float, np.mean(parts, axis=0)))


@pytest.mark.parametrize(
    "actions", [[], [4], [0, 1], [0, 4, 8], [2, 4, 6, 1], [0, 1, 3]], ids=lambda actions: f"after {actions}"
)
def test_playouts_converge_to_the_value_of_random_play(actions):
    position = TICTACTOE.start()
    for action in actions:
        position = position.play(action)
    exact = random_play(tuple(map(int, position.state[:9])), position.to_play)
    words = position.state.view(np.uint64)[None]
    logits, outcomes = PlayoutEvaluator(playouts=20_000, seed=1).evaluate_states(TICTACTOE, words)
    expected = exact if position.to_play == 0 else exact[::-1]
    assert outcomes[0] == pytest.approx(expected, abs=0.015)
    assert np.ptp(logits) < 0.05  # equal except for their order


def test_the_order_of_legal_actions_favours_no_action():
    words = np.repeat(TICTACTOE.start_state().view(np.uint64)[None], 400, axis=0)
    logits, _ = PlayoutEvaluator(seed=2).evaluate_states(TICTACTOE, words)
    first = np.bincount(logits.argmax(axis=1), minlength=9)
    assert first.min() > 20  # 44 expected, standard deviation 6.3


def test_the_order_is_random_even_for_many_actions_with_priors_of_16_bits():
    board = ludus.game("gomoku:9x9")
    group = Group(board, PlayoutEvaluator(seed=2), SearchSettings(cache_entries=0), num_trees=256, max_visits=2)
    for tree in range(256):
        group.new_tree(tree, board.start_state().view(np.uint64))
        group.set_target(tree, 1)
    while group.step():
        pass
    places = [group.best(tree) / (board.num_actions - 1) for tree in range(256)]
    assert np.mean(places) == pytest.approx(0.5, abs=0.08)  # standard deviation 0.018; by numbers: 0.73


def test_playouts_differ_by_seed_and_from_call_to_call():
    words = np.repeat(CONNECT4.start_state().view(np.uint64)[None], 50, axis=0)
    evaluators = [PlayoutEvaluator(seed=seed) for seed in (1, 1, 2)]
    first, same, other = (evaluator.evaluate_states(CONNECT4, words)[1] for evaluator in evaluators)
    assert (first == same).all()
    assert (first != other).any()
    assert (first != evaluators[0].evaluate_states(CONNECT4, words)[1]).any()
    assert set(np.unique(first)) <= {0.0, 1.0}, "one playout has one result"


def test_playouts_do_not_change_the_positions():
    words = CONNECT4.start_state().view(np.uint64)[None]
    before = words.copy()
    PlayoutEvaluator(playouts=5).evaluate_states(CONNECT4, words)
    assert (words == before).all()


def heuristic_value(game, state):
    """Return the rule's value, seen by player 0, and its weights by action."""
    actions, weights = np.zeros(game.max_legal, np.int16), np.zeros(game.max_legal, np.float32)
    with np.errstate(over="ignore"):
        count = game.rules.legal(state, actions)
        value = float(game.rules.heuristic(state, actions, count, weights))
    return value, dict(zip(map(int, actions[:count]), map(float, weights[:count]), strict=True))


def test_no_planes_are_allocated_for_evaluators_of_states():
    group = Group(CONNECT4, PlayoutEvaluator(), SearchSettings(cache_entries=0), num_trees=2, max_visits=8)
    assert group.trees.planes.shape == (2, 0, 0, 0)


def test_the_heuristic_is_seen_by_the_mover():
    rng = np.random.default_rng(0)
    position, positions = WALLGAME.start(), []
    while not position.outcome and len(positions) < 24:
        positions.append(position)
        position = position.play(int(rng.choice(position.actions)))
    words = np.stack([each.state.view(np.uint64) for each in positions])
    logits, outcomes = HeuristicEvaluator().evaluate_states(WALLGAME, words)
    assert {each.to_play for each in positions} == {0, 1}
    values = []
    for position, row, (win, draw, loss) in zip(positions, logits, outcomes, strict=True):
        value, weights = heuristic_value(WALLGAME, position.state)
        values.append(value)
        assert win - loss == pytest.approx(turn(value, position.to_play), abs=1e-6)
        assert win + loss == pytest.approx(1)
        assert draw == 0
        found = {action: np.exp(row[action]) for action in position.actions}
        assert found == pytest.approx({action: max(weight, 1e-6) for action, weight in weights.items()}, rel=1e-4)
    assert max(map(abs, values)) > 0.1


def test_the_heuristic_favours_the_player_who_is_ahead():
    position = WALLGAME.start()
    for _ in range(2):  # player 0 makes the two steps with the highest heuristic value
        steps = [action for action in position.actions if action >= 2 * 25]
        position = position.play(max(steps, key=lambda a: heuristic_value(WALLGAME, position.play(a).state)[0]))
    assert position.to_play == 1
    assert heuristic_value(WALLGAME, position.state)[0] > 0
    _, outcomes = HeuristicEvaluator().evaluate_states(WALLGAME, position.state.view(np.uint64)[None])
    assert outcomes[0, 0] < outcomes[0, 2], "player 1 moves and is behind"


def test_a_game_without_heuristic_is_evaluated_as_even():
    logits, outcomes = HeuristicEvaluator().evaluate_states(CONNECT4, CONNECT4.start_state().view(np.uint64)[None])
    assert (outcomes == [[0.5, 0, 0.5]]).all()
    assert not logits.any()


@pytest.mark.parametrize(("spec", "moves"), [("wallgame:classic:4x4:short", []), ("go:5x5", ["B1", "E5", "A2", "E4"])])
def test_actions_that_only_people_may_play_have_a_prior_of_zero(spec, moves):
    position = ludus.game(spec).start()
    for move in moves:
        position = position.play(move)
    searched = set(position.game.calls.legal(position.game.for_search(position.state)))
    found = priors(HeuristicEvaluator(), position)
    spared = set(position.actions) - searched
    assert spared
    assert {found[action] for action in spared} == {0.0}
    assert sum(found.values()) == pytest.approx(1.0)
