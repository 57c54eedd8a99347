"""A strong player's search finds openings that decide the game."""

from functools import cache
from itertools import permutations

import numpy as np

import ludus
from ludus.arena.balance import EVEN_BY_SEARCH, Balance
from ludus.arena.match import play_match
from ludus.players.judging.heuristic import PlayoutEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.opponents.random import RandomPlayer

TICTACTOE = ludus.game("tictactoe")


def after(actions):
    position = TICTACTOE.start()
    for action in actions:
        position = position.play(action)
    return position


@cache
def perfect(actions):
    """Return player 0's value of a position under perfect play, by exhaustive search."""
    position = after(actions)
    if position.outcome:
        return int(position.outcome.value)
    values = [perfect((*actions, each)) for each in position.actions]
    return max(values) if position.to_play == 0 else min(values)


def test_a_deep_search_accepts_exactly_the_drawn_openings(one_in_ten):
    judge = Balance(judge=SearchPlayer("judge", PlayoutEvaluator(), visits=3000))
    openings = one_in_ten([actions for actions in permutations(range(9), 3) if actions[0] < actions[2]])
    states = [after(actions).state.view(np.uint64) for actions in openings]
    drawn = np.array([perfect(actions) == 0 for actions in openings])
    assert 0 < drawn.sum() < len(drawn), "there are drawn and decided openings"
    assert judge(TICTACTOE, np.stack(states)).tolist() == drawn.tolist()


def test_each_opening_is_judged_alone():
    class Told:
        def __init__(self):
            self.values = iter([0.0, EVEN_BY_SEARCH, -EVEN_BY_SEARCH, 0.41, -0.41, 1.0])

        def value(self, _game, words):
            assert words.ndim == 1
            return next(self.values)

    states = np.arange(6 * TICTACTOE.state_words, dtype=np.uint64).reshape(6, -1)
    assert Balance(judge=Told())(TICTACTOE, states).tolist() == [True, True, True, False, False, False]


def test_an_opening_is_judged_once_on_each_board_however_many_matches_begin_with_it():
    class Counting:
        asked = 0

        def value(self, _game, words):
            self.asked += 1
            return float(words[0] % 2)

    boards = [ludus.game("wallgame:classic:3x3@4x4"), ludus.game("wallgame:classic:4x4")]
    states = np.array([[0], [1], [2], [1]], np.uint64)
    judge = Counting()
    balance = Balance(judge=judge)
    for _match in range(3):
        assert balance(boards[0], states).tolist() == [True, False, True, False]
        assert balance(boards[1], states[:2]).tolist() == [True, False]
    assert judge.asked == 3 + 2


def test_a_match_uses_only_openings_that_its_judge_accepts():
    seen = []
    players = RandomPlayer(1), RandomPlayer(2)
    players[1].name = "other"
    judge = Balance(judge=SearchPlayer("judge", PlayoutEvaluator(), visits=3000))
    play_match([TICTACTOE], *players, pairs=12, seed=3, opening_actions=3, accepts=judge, on_game=seen.append)
    assert len(seen) == 24
    assert all(perfect(tuple(game.actions[:3])) == 0 for game in seen)
    assert any(perfect((0, 1, each)) != 0 for each in (3, 4, 6)), "unfiltered openings include decided ones"


def test_a_judge_of_random_playouts_is_deterministic():
    judge = SearchPlayer("judge", PlayoutEvaluator(), visits=30)
    states = [after(actions).state.view(np.uint64) for actions in ((0,), (0, 1), (4, 0, 8))]
    before = [judge.value(TICTACTOE, state) for state in states]
    assert [judge.value(TICTACTOE, state) for state in states[::-1]] == before[::-1]


def test_random_games_that_judge_begin_at_the_state_for_engines(monkeypatch):
    balance, first = Balance(), after((1,)).state.view(np.uint64)[None]
    assert balance(TICTACTOE, first).tolist() == [True]
    crosses_win = after((0, 1, 4, 2, 5, 3, 7, 6))  # X wins with the only free cell
    monkeypatch.setattr(TICTACTOE, "for_search", lambda _state: crosses_win.state.copy())
    assert Balance()(TICTACTOE, first).tolist() == [False]
