"""Players of matches choose the same actions for many positions together as for each alone."""

from copy import copy
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane, UniformEvaluator
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.players.matches import search_player as match
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.opponents.minimax import MinimaxPlayer
from ludus.players.opponents.random import RandomPlayer
from ludus.players.opponents.solver import SolverPlayer
from ludus.players.opponents.ucb import UcbPlayer
from ludus.players.thinking.thought import read_thought
from ludus.search.settings import SearchSettings

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")


def after(game, *actions):
    position = game.start()
    for action in actions:
        position = position.play(action)
    return position


def words(*positions):
    return np.stack([position.state.view(np.uint64) for position in positions])  # [K, W]


THREATS = {  # tic-tac-toe: actions so far -> what must be played
    (0, 3, 1, 4): {2},  # crosses win
    (0, 3, 1, 4, 8): {5},  # noughts win
    (0, 3, 1): {2},  # noughts must block
    (8, 4, 0): {1, 3, 5, 7},  # noughts must threaten, not take a corner
}


@pytest.mark.parametrize(
    "evaluator",
    [UniformEvaluator(Shapes.of(TICTACTOE)), PlayoutEvaluator(), HeuristicEvaluator()],
    ids=lambda each: type(each).__name__,
)
def test_the_right_moves_of_many_positions_are_found_together(evaluator):
    player = SearchPlayer("p", evaluator, SearchSettings(cache_entries=0), visits=600)
    chosen = player.choose(TICTACTOE, words(*(after(TICTACTOE, *actions) for actions in THREATS)))
    assert chosen.dtype == np.int16
    for action, good in zip(chosen, THREATS.values(), strict=True):
        assert int(action) in good


def test_positions_get_the_same_actions_together_and_alone(monkeypatch):
    monkeypatch.setattr(match, "MOST_AT_ONCE", 7)
    rng = np.random.default_rng(3)
    positions = [after(CONNECT4, *map(int, rng.integers(0, 7, rng.integers(5)))) for _ in range(25)]
    player = SearchPlayer("p", UniformEvaluator(Shapes.of(CONNECT4)), SearchSettings(cache_entries=0), visits=40)
    together = player.choose(CONNECT4, words(*positions))
    alone = [int(player.choose(CONNECT4, words(position))[0]) for position in positions]
    again = player.choose(CONNECT4, words(*positions))
    assert together.tolist() == alone == again.tolist()
    assert all(action in position.actions for action, position in zip(alone, positions, strict=True))


class Fragile:
    """A uniform evaluator that fails on states with eight taken cells."""

    def evaluate_states(self, game, words):
        if (np.count_nonzero(words.view(game.dtype)[:, :9], axis=1) == 8).any():
            raise RuntimeError("eight cells")
        even = np.tile(np.array([0.5, 0.0, 0.5], np.float32), (len(words), 1))
        return np.zeros((len(words), game.num_actions), np.float32), even


def test_a_failed_search_does_not_affect_the_next_one():
    player = SearchPlayer("fragile", Fragile(), SearchSettings(cache_entries=0), visits=30)
    sound, unsound = after(TICTACTOE, 0, 4), after(TICTACTOE, 0, 1, 4, 3, 5, 8, 6)
    with pytest.raises(RuntimeError, match="eight cells"):
        player.choose(TICTACTOE, words(sound, unsound))
    fresh = SearchPlayer("fragile", Fragile(), SearchSettings(cache_entries=0), visits=30)
    assert player.choose(TICTACTOE, words(sound)).tolist() == fresh.choose(TICTACTOE, words(sound)).tolist()


def test_no_positions_need_no_actions():
    assert SearchPlayer("p", UniformEvaluator(Shapes.of(CONNECT4)), visits=10).choose(
        CONNECT4, words(CONNECT4.start())[:0]
    ).shape == (0,)


def test_one_visit_plays_the_action_with_the_highest_prior():
    class Middle:
        def lane(self, batch):
            logits, outcomes = (np.tile(np.float32(row), (batch, 1)) for row in ([0, 1, 2, 9, 8, 0, 0], [0.5, 0, 0.5]))
            return TableLane(Shapes.of(CONNECT4), batch, logits, outcomes)

    player = SearchPlayer("p", Middle(), visits=1)
    full = after(CONNECT4, 3, 3, 3, 3, 3, 3)
    assert player.choose(CONNECT4, words(CONNECT4.start(), full)).tolist() == [3, 4]


def test_boards_of_one_game_are_not_confused():
    games = [ludus.game(f"wallgame:classic:{size}") for size in ("5x5", "6x6")]
    assert games[0].rules.key == games[1].rules.key, "they share their rules"
    player = SearchPlayer("p", HeuristicEvaluator(), SearchSettings(cache_entries=0), visits=20)
    for game in (*games, *games):
        position = game.start()
        assert int(player.choose(game, words(position, position))[0]) in position.actions


def test_the_random_player_is_uniform():
    position = after(CONNECT4, 3, 3, 3, 3, 3, 3)
    many = words(*[position] * 1200)
    chosen = RandomPlayer(seed=1).choose(CONNECT4, many)
    counts = np.bincount(chosen, minlength=7)
    assert counts[3] == 0
    assert (np.abs(np.delete(counts, 3) - 200) < 60).all()
    assert (RandomPlayer(seed=1).choose(CONNECT4, many) == chosen).all()
    assert (RandomPlayer(seed=2).choose(CONNECT4, many) != chosen).any()


def by_temperature():
    return SearchPlayer("p", UniformEvaluator(Shapes.of(CONNECT4)), visits=30, temperature=2.0)


def by_playouts():
    return SearchPlayer("p", PlayoutEvaluator(), SearchSettings(cache_entries=0), visits=5)


@pytest.mark.parametrize(
    "make", [RandomPlayer, lambda: UcbPlayer("u", playouts=5), SolverPlayer, by_temperature, by_playouts]
)
def test_continuing_a_match_uses_other_random_numbers(make):
    all_lose = after(CONNECT4, *map(int, "513661035404213660"))  # so that the solver also chooses at random
    many = words(*[all_lose] * 40)

    def chosen(games):
        player = make()
        if games:
            player.go_on(games)
        return player.choose(CONNECT4, many).tolist()

    assert chosen(0) == chosen(0)
    assert chosen(8) == chosen(8)
    assert chosen(0) != chosen(8) != chosen(9)


@pytest.mark.parametrize("seconds", [None, 30.0])
def test_with_a_clock_a_large_tree_has_several_leaves_in_a_batch(scripted, seconds):
    evaluator = scripted(CONNECT4)
    player = SearchPlayer("p", evaluator, SearchSettings(cache_entries=0), visits=600, seconds=seconds)
    (action,) = player.choose(CONNECT4, words(CONNECT4.start()))
    assert int(action) in range(7)
    assert evaluator.batches[:8] == [1] * 8, "a small tree has one leaf"
    assert (max(evaluator.batches) > 4) == (seconds is not None)


def test_the_first_use_of_an_evaluator_does_not_count_as_time(scripted, monkeypatch):
    clock = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now)
    monkeypatch.setattr(match, "time", clock)

    class Slow(scripted):
        def lane(self, batch):
            lane = super().lane(batch)
            answer = lane.answer

            def slow_answer():
                clock.now += 100.0 if len(self.batches) == 1 else 0.0
                return answer()

            lane.answer = slow_answer
            return lane

    evaluator = Slow(CONNECT4)
    player = SearchPlayer("p", evaluator, SearchSettings(cache_entries=0), visits=20, seconds=1.0)
    player.choose(CONNECT4, words(CONNECT4.start()))
    assert sum(evaluator.batches) > 20, "all visits are used"
    evaluator.batches.clear()
    player.choose(CONNECT4, words(CONNECT4.start()))
    assert evaluator.batches[:1] == [1], "the evaluator is slow again"
    assert sum(evaluator.batches) == 1


def test_the_time_limit_ends_a_search_before_its_visits(scripted):
    evaluator = scripted(CONNECT4)
    evaluator.delay_s = 0.02
    player = SearchPlayer("p", evaluator, SearchSettings(cache_entries=0), visits=20_000, seconds=0.3)
    assert player.choose(CONNECT4, words(CONNECT4.start())).shape == (1,)
    assert 1 <= len(evaluator.batches) <= 17, "two of them before the clock runs"


@pytest.mark.full
def test_trees_of_players_with_a_clock_stay_within_the_memory_limit(monkeypatch):
    monkeypatch.setattr(match, "MEGABYTES_BY_CLOCK", 256)
    game = ludus.game("go:13x13")
    player = SearchPlayer("p", PlayoutEvaluator(), SearchSettings(cache_entries=0), visits=400_000, seconds=0.01)
    for count in (1, 8):
        trees = player._group_for(game, count).trees
        assert 100 < sum(getattr(trees, name).nbytes for name in trees._fields if name != "states") / 2**20 < 300
    assert len(player._group_for(TICTACTOE, 1).trees.node[0]) > 400_000, "small states do not reach the memory limit"


@pytest.mark.parametrize(("actions", "value"), [((0, 3, 1, 4), 1.0), ((0, 3, 1, 4, 8), -1.0), ((0, 4, 8, 1), 0.0)])
def test_the_value_of_a_proved_position_is_exact(actions, value):
    player = SearchPlayer("deep", PlayoutEvaluator(), visits=3000)
    assert player.value(TICTACTOE, words(after(TICTACTOE, *actions))[0]) == value


def test_a_value_is_seen_by_player_0_for_both_movers():
    player = SearchPlayer("shallow", PlayoutEvaluator(playouts=16), visits=40)
    good_for_first = after(CONNECT4, 3, 0, 3, 0), after(CONNECT4, 3, 0, 3, 0, 3)  # two and three in a column
    assert all(player.value(CONNECT4, state) > 0.2 for state in words(*good_for_first))
    good_for_second = after(CONNECT4, 0, 3, 0, 3, 6), after(CONNECT4, 0, 3, 6, 3, 0, 3)
    assert all(player.value(CONNECT4, state) < -0.2 for state in words(*good_for_second))


# ---- actions that engines consider -----------------------------------------------------------------------------------


def test_a_search_considers_only_the_actions_for_engines():
    game = ludus.game("go:3x3:komi=0")
    position = game.start({"black": "B1 A2 B2 C2 B3", "to_play": "black"})  # Black has four eyes
    player = SearchPlayer("p", UniformEvaluator(Shapes.of(game)), visits=10)
    group = player._searched(game, words(position))
    assert [each.action for each in read_thought(group.trees, 0).candidates] == position.parse("pass")


@pytest.mark.parametrize(
    "player",
    [SearchPlayer("p", PlayoutEvaluator(), visits=20), MinimaxPlayer("m", depth=2), UcbPlayer("u", playouts=20)],
    ids=lambda each: type(each).__name__,
)
def test_every_searching_player_starts_at_the_state_for_search(monkeypatch, player):
    one_cell_left = after(TICTACTOE, 0, 1, 4, 2, 5, 3, 7, 6)
    monkeypatch.setattr(TICTACTOE, "for_search", lambda _state: one_cell_left.state.copy())
    assert player.choose(TICTACTOE, words(TICTACTOE.start())).tolist() == [8]


def test_a_model_with_other_planes_uses_the_search_state_of_the_played_game(monkeypatch):
    monkeypatch.setattr(TICTACTOE, "for_search", lambda _state: after(TICTACTOE, 4).state.copy())
    borrowed = copy(TICTACTOE)
    borrowed.for_search = lambda _state: pytest.fail("only its planes may be used")
    player = SearchPlayer("p", UniformEvaluator(Shapes.of(borrowed)), visits=40, seen_as={TICTACTOE.name: borrowed})
    group = player._searched(TICTACTOE, words(TICTACTOE.start()))
    assert {each.action for each in read_thought(group.trees, 0).candidates} == set(range(9)) - {4}
