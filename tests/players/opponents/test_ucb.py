"""The UCB1 player finds simple tactics with a few hundred playouts, and equal seeds play equal games."""

import numpy as np

import ludus
from ludus.arena.match import play_match
from ludus.players.opponents.random import RandomPlayer
from ludus.players.opponents.ucb import UcbPlayer

CONNECT4, TICTACTOE, WALLGAME = (ludus.game(name) for name in ("connect4", "tictactoe", "wallgame:classic:4x4"))


def state_after(game, moves):
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position.state.view(np.uint64)


def test_it_wins_in_one_move_and_blocks_the_opponents_win():
    # Red has three in the first column: Red to move wins, Yellow to move must block
    states = np.stack([state_after(CONNECT4, [0, 1, 0, 1, 0, 1]), state_after(CONNECT4, [0, 1, 0, 6, 0])])
    assert UcbPlayer("ucb", playouts=400).choose(CONNECT4, states).tolist() == [0, 0]


def test_equal_seeds_play_equal_games():
    states = np.stack([state_after(WALLGAME, []), state_after(WALLGAME, [0, 20])])
    first, again = (UcbPlayer("ucb", playouts=60, seed=7).choose(WALLGAME, states) for _ in range(2))
    assert (first == again).all()
    others = {tuple(UcbPlayer("ucb", playouts=60, seed=seed).choose(WALLGAME, states).tolist()) for seed in range(8)}
    assert len(others) > 1, "another seed, another game"


def test_playouts_play_better_than_random_moves():
    result = play_match([TICTACTOE], UcbPlayer("ucb", playouts=300), RandomPlayer(2), pairs=15, seed=1)
    assert result.wins >= 20
    assert result.losses <= 2
    assert result.forfeits == []


def test_two_good_players_draw_tictactoe():
    players = UcbPlayer("one", playouts=3000, seed=1), UcbPlayer("two", playouts=3000, seed=2)
    assert play_match([TICTACTOE], *players, pairs=3, seed=1).draws == 6


def test_a_search_continues_with_a_full_tree(monkeypatch):
    from ludus.players.opponents import ucb

    monkeypatch.setattr(ucb, "MOST_NODES", 20)
    chosen = UcbPlayer("ucb", playouts=500).choose(CONNECT4, state_after(CONNECT4, [0, 1, 0, 1, 0, 1])[None])
    assert chosen.tolist() == [0]
