"""Mined puzzles are correct: in solved games, their right moves are exactly the moves that keep the outcome."""

from functools import cache

import numpy as np
import pytest

import ludus
from ludus.games.behaviour import behaviour
from ludus.games.puzzle import begin_of, ends_of
from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.jobs.mine import GameToMine, mine
from ludus.players.jobs.puzzle_check import REASONS, Demands
from ludus.players.thinking.mind import Mind

TICTACTOE = ludus.game("tictactoe")
EVEN = Demands(short=4, visits=1000, worth=0.7, gap=0.6, near=0.1, most_right=3)


def uniform(game):
    """Return a mind with uniform evaluations, which knows only what it searches."""
    described = ModelInfo("plain", NetworkSettings(), Shapes.of(game), {game.name: behaviour(game)})
    checkpoint = Checkpoint(described, {"stem": np.ones(1, np.float32)})
    return Mind(checkpoint, UniformEvaluator(Shapes.of(game)), slots=16, max_visits=4000)


def random_games(game, count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        position = game.start()
        while not position.outcome:
            position = position.play(int(rng.choice(position.actions)))
        yield GameToMine(position)


def mined(game, games, demands=EVEN, **more):
    mind = uniform(game)
    try:
        return list(mine(mind, list(games), demands, **more))
    finally:
        mind.close()


@cache
def best_outcome(words):
    """Return the value of a tic-tac-toe position for player 0 under best play."""
    position = ludus.games.game.Position(TICTACTOE, np.frombuffer(words, np.uint64).copy().view(TICTACTOE.dtype))
    if position.outcome:
        return position.outcome.value
    values = [best_outcome(position.play(action).state.tobytes()) for action in position.actions]
    return max(values) if position.to_play == 0 else min(values)


@pytest.fixture(scope="module")
def games():
    return list(random_games(TICTACTOE, 40))


@pytest.fixture(scope="module")
def found(games):
    return [puzzle for each in mined(TICTACTOE, games) for puzzle in each.puzzles]


def test_every_puzzle_of_tic_tac_toe_is_correct(found):
    assert len(found) >= 5
    for puzzle in found:
        begin = begin_of(puzzle, TICTACTOE)
        value = best_outcome(begin.state.tobytes())
        after = {text: begin.play(text) for text in map(begin.text, begin.actions)}
        keeping = {text for text, position in after.items() if best_outcome(position.state.tobytes()) == value}
        assert {*puzzle.right} == keeping, "the right moves are exactly those that keep the outcome"
        assert puzzle.played not in keeping
        assert puzzle.value == value
    assert len({puzzle.id for puzzle in found}) == len(found), "each puzzle once, counting mirror images as equal"


def test_each_refused_position_has_a_reason():
    games = list(random_games(TICTACTOE, 12, seed=3))
    told = []
    found = mined(TICTACTOE, games, on_turn=lambda: told.append(1), at_once=4)
    assert {each.game for each in found} == {game.name for game in games}
    for each in found:
        assert each.refused.keys() <= REASONS.keys()
        assert each.turns == sum(each.refused.values()) + len(each.puzzles)
    assert sum(each.turns for each in found) == len(told) == sum(game.num_turns for game in games)


def test_existing_puzzles_are_not_found_again(games, found):
    known = {puzzle.id for puzzle in found}
    again = mined(TICTACTOE, games[:12], known=known)
    assert not [puzzle for each in again for puzzle in each.puzzles if puzzle.id in known]


def test_positions_that_a_short_search_solves_are_no_puzzles():
    clever = Demands(short=600, visits=700, gap=0.6)
    found = mined(TICTACTOE, random_games(TICTACTOE, 10), clever)
    assert not [puzzle for each in found for puzzle in each.puzzles]


# ---- a move of two actions -------------------------------------------------------------------------------------------

PICKS = 8


def start(state):
    state[0] = 0


def to_play(state):
    return 0 if state[0] < 2 else 1


def legal(state, actions):
    count = 0
    for action in range(PICKS):
        if not state[1] >> action & 1:
            actions[count] = action
            count += 1
    return count


def outcome(state):
    if state[0] < 4:
        return 0
    return 1 if state[2] else 2


def play(state, action):
    state[0] += 1
    state[1] |= 1 << action
    if state[0] == 2 and state[1] == (1 << 1) + (1 << 5):
        state[2] = 1


def encode(state, planes):
    planes[0, 0, 0] = state[0]


PAIR = ludus.Game(
    name="pair",
    state_size=4,
    dtype="int64",
    num_actions=PICKS,
    planes=(1, 1, 1),
    max_actions=4,
    start=start,
    to_play=to_play,
    legal=legal,
    play=play,
    outcome=outcome,
    encode=encode,
)


def pair_game(*actions):
    position = PAIR.start()
    for action in actions:
        position = position.play(action)
    return GameToMine(position)


@pytest.fixture(scope="module")
def found_pair():
    import ludus.players.jobs.puzzle_check as look

    patch = pytest.MonkeyPatch()
    patch.setattr(look, "find_game", lambda _spec: PAIR)
    [found] = mined(PAIR, [pair_game(0, 3, 1, 2)], Demands(short=2, visits=1000))
    patch.undo()
    return found


def test_two_orders_of_one_move_are_one_right_move(found_pair):
    [puzzle] = found_pair.puzzles
    assert puzzle.right in (["1.5"], ["5.1"]), "player 0 wins by picking 1 and 5, in either order"
    assert (puzzle.played, puzzle.value, puzzle.value_played) == ("0.3", 1.0, -1.0)
    assert puzzle.value_wrong == -1.0
    begin = begin_of(puzzle, PAIR)
    assert {*ends_of(puzzle, begin)} == {begin.play("5.1").state.tobytes()} == {begin.play("1.5").state.tobytes()}


def test_a_turn_of_several_actions_counts_once(found_pair):
    assert found_pair.turns == 2
    assert pair_game(0, 3, 1).num_turns == 1, "an incomplete turn does not count"


def test_random_opening_actions_are_not_checked():
    assert GameToMine(pair_game(0, 3, 1, 2).last, opening=2).num_turns == 1
    assert GameToMine(pair_game(0, 3, 1, 2).last, opening=1).num_turns == 1
    assert GameToMine(pair_game(0, 3).last, opening=2).num_turns == 0
