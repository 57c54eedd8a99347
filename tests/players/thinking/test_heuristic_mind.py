"""A player without a network plays any game, by the game's heuristic if there is one, else by playouts."""

import numpy as np
import pytest

import ludus
from ludus.players.judging.heuristic import FallbackEvaluator, HeuristicEvaluator, PlayoutEvaluator
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.thinking.group import shape_of
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.search.settings import SearchSettings

TICTACTOE, WALLGAME = ludus.game("tictactoe"), ludus.game("wallgame:classic:5x5")


@pytest.fixture
def mind():
    mind = HeuristicMind(games=("tictactoe",), slots=2, max_visits=2000)
    yield mind
    mind.close()


def test_it_finds_wins_and_blocks_in_a_game_without_a_heuristic(mind):
    mind.warm_up()
    wins = TICTACTOE.start().play(0).play(4).play(1).play(8)
    assert mind.seat(wins).think(500).best == [2]
    must = TICTACTOE.start().play(0).play(4).play(1)
    assert mind.seat(must).think(500).best == [2]


def test_a_game_with_a_heuristic_is_evaluated_by_it(mind):
    words = WALLGAME.start().state.view(np.uint64)[None]
    found, own = (each.evaluate_states(WALLGAME, words) for each in (FallbackEvaluator(), HeuristicEvaluator()))
    for one, other in zip(found, own, strict=True):
        np.testing.assert_array_equal(one, other)
    assert mind.seat(WALLGAME.start()).think(50).best


def test_seats_of_different_games_have_pools_of_their_own(mind):
    seats = [mind.seat(game.start(), seed=1) for game in (TICTACTOE, WALLGAME, TICTACTOE)]
    thoughts = [seat.think(40) for seat in seats]
    assert all(thought.visits >= 40 for thought in thoughts)
    assert thoughts[0].value == pytest.approx(thoughts[2].value, abs=0.5)


def test_playouts_of_boards_in_one_frame_have_their_own_length_caps():
    small, large = (ludus.game(f"wallgame:classic:{size}") for size in ("3x3@6x6", "6x6"))
    assert shape_of(small) == shape_of(large)
    mind = HeuristicMind("playouts")
    try:
        draws = [mind.seat(game.start()).think(visits=400).draw for game in (small, large)]
        assert draws[1] < 0.3, "with the other length cap most playouts would be cut off"
        player = SearchPlayer("p", PlayoutEvaluator(seed=1), SearchSettings(cache_entries=0), visits=20)
        for game in (small, large):
            player.choose(game, game.start().state.view(np.uint64)[None])
        assert len(player._groups) == 2
    finally:
        mind.close()
