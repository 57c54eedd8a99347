"""Games against perfect play tell a perfect player from a careless one."""

import numpy as np

import ludus
from ludus.arena.perfect import play_perfect
from ludus.arena.share import share_text
from ludus.players.match import RandomPlayer
from ludus.players.solver import SolverPlayer

CONNECT4 = ludus.game("connect4")


def test_perfect_play_keeps_every_outcome():
    kept = play_perfect(CONNECT4, SolverPlayer(5), openings=12, discs=14, seed=2)
    assert kept.kept == kept.games >= 12
    assert 0 < kept.wins_kept == kept.wins
    assert str(kept).startswith(f"{share_text(kept.games, kept.games)} of {kept.games} games against perfect play kept")


def test_random_play_loses_what_it_had():
    kept = play_perfect(CONNECT4, RandomPlayer(5), openings=12, discs=14, seed=2)
    assert kept.games >= 12
    assert kept.kept < kept.games / 2
    assert kept.as_dict()["share"] == kept.kept / kept.games


def test_an_illegal_action_is_a_loss():
    class Stubborn:
        name = "stubborn"

        def choose(self, game, states):
            return np.zeros(len(states), np.int16)

    kept = play_perfect(CONNECT4, Stubborn(), openings=6, discs=14, seed=2)
    assert kept.games >= 6
    assert kept.kept < kept.games
