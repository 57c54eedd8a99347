"""Games against perfect play distinguish a perfect player from a careless one."""

import numpy as np
import pytest

import ludus
from ludus.arena import perfect
from ludus.arena.perfect import KeptOutcomes, play_perfect
from ludus.arena.share import share_text
from ludus.arena.table import Tables
from ludus.errors import BadInput
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.players.opponents.random import RandomPlayer
from ludus.players.opponents.solver import SolverPlayer

CONNECT4 = ludus.game("connect4")


def test_perfect_play_keeps_every_outcome():
    heard = []
    kept = play_perfect(
        CONNECT4, SolverPlayer(5), openings=12, opening_actions=14, seed=2, tell=lambda *said: heard.append(said)
    )
    assert [said for said in heard if said[0] == "openings"] == [("openings", n, 12) for n in range(1, 13)]
    assert heard[-1] == ("games", kept.games, kept.games)
    assert kept.kept == kept.games >= 12
    assert 0 < kept.wins_kept == kept.wins
    assert kept.draws_kept == kept.draws
    assert str(kept).startswith(f"{share_text(kept.games, kept.games)} of {kept.games} games against perfect play kept")
    assert not kept.forfeits


def test_random_play_loses_won_and_drawn_positions():
    kept = play_perfect(CONNECT4, RandomPlayer(5), openings=12, opening_actions=14, seed=2)
    assert kept.games >= 12
    assert kept.kept < kept.games / 2
    assert kept.as_dict()["share"] == kept.kept / kept.games


def test_an_illegal_action_is_a_loss():
    class Stubborn:
        name = "stubborn"

        def choose(self, game, states):
            return np.zeros(len(states), np.int16)

    kept = play_perfect(CONNECT4, Stubborn(), openings=6, opening_actions=14, seed=2)
    assert kept.games >= 6
    assert kept.kept < kept.games
    assert any("stubborn played 0, which is illegal" in forfeit for forfeit in kept.forfeits)


def test_wins_and_draws_are_reported_with_intervals_if_there_are_any():
    kept = KeptOutcomes(games=10, kept=8, wins=4, wins_kept=4)
    assert (kept.draws, kept.draws_kept) == (6, 4)
    assert str(kept) == (
        "80.0% (95% interval: 49.0% to 94.3%) of 10 games against perfect play kept the outcome; "
        "4 of 4 wins: 100.0% (95% interval: 51.0% to 100.0%); 4 of 6 draws: 66.7% (95% interval: 30.0% to 90.3%)"
    )
    assert "wins" not in str(KeptOutcomes(games=10, kept=8, wins=0, wins_kept=0))
    assert kept.as_dict()["draws_interval"] == pytest.approx((0.300, 0.903), abs=1e-3)


def test_drawn_openings_are_kept_by_perfect_play_from_both_sides():
    kept = play_perfect(CONNECT4, SolverPlayer(5), openings=3, opening_actions=16, seed=2, drawn=True)
    assert (kept.games, kept.wins, kept.draws) == (6, 0, 6)
    assert kept.draws_kept == 6


def test_random_play_loses_drawn_openings():
    kept = play_perfect(CONNECT4, RandomPlayer(5), openings=8, opening_actions=16, seed=2, drawn=True)
    assert kept.games == 16
    assert kept.kept < 6


class Watcher:
    """A random player that records the positions it gets, and fails at some."""

    name = "watcher"

    def __init__(self, fails=lambda words: False):
        self.asked, self._fails, self._random = [], fails, RandomPlayer(1)

    def choose(self, game, states):
        if any(self._fails(words) for words in states):
            raise RuntimeError("no idea")
        self.asked += [words.copy() for words in states]
        return self._random.choose(game, states)


def test_drawn_openings_are_the_first_that_the_seed_names():
    watcher, solver = Watcher(), ConnectFourSolver()
    tables = Tables(CONNECT4, 2 * 200)
    tables.open_with(20, 2)
    expected = [tuple(map(int, words)) for words in tables.words[::2] if solver.value(words) == 0]
    play_perfect(CONNECT4, watcher, openings=2, opening_actions=20, seed=2, drawn=True)
    begun = {tuple(map(int, words)) for words in watcher.asked if int(words[0] | words[1]).bit_count() == 20}
    assert len(expected) > 2
    assert begun == set(expected[:2])


def test_a_failing_player_loses_that_game_alone():
    able = Watcher()
    usual = play_perfect(CONNECT4, able, openings=6, opening_actions=20, seed=2)
    begin = next(words for words in able.asked if int(words[0] | words[1]).bit_count() == 20)
    kept = play_perfect(
        CONNECT4, Watcher(lambda words: np.array_equal(words, begin)), openings=6, opening_actions=20, seed=2
    )
    assert kept.games == usual.games >= 6
    assert [forfeit.partition(": ")[2] for forfeit in kept.forfeits] == ["watcher failed: RuntimeError: no idea"]


def test_too_few_drawn_openings_are_refused_with_the_remedy(monkeypatch):
    monkeypatch.setattr(perfect, "MOST_LOOKS", 1)
    with pytest.raises(BadInput, match="too few positions after 20 random actions are drawn; choose fewer actions"):
        play_perfect(CONNECT4, RandomPlayer(5), openings=8, opening_actions=20, seed=2, drawn=True)


def hasty(most_nodes):
    """Return a solver with a limit on the number of nodes."""
    return ConnectFourSolver(entries=1 << 10, most_nodes=most_nodes)


def test_unsolved_openings_and_unproved_moves_are_reported():
    kept = play_perfect(CONNECT4, RandomPlayer(5), openings=12, opening_actions=18, seed=2, solver=hasty(40))
    assert kept.left_out > 0
    assert kept.unproved > 0
    assert (kept.as_dict()["left_out"], kept.as_dict()["unproved"]) == (kept.left_out, kept.unproved)
    said = str(kept)
    assert f"; openings skipped because the solver could not solve them: {kept.left_out}" in said
    assert f"; unproved moves of perfect play, which may be mistakes: {kept.unproved}" in said


def test_drawn_and_unsolved_openings_are_counted_separately():
    class GivesUpAtFirst(ConnectFourSolver):
        asked = 0

        def value(self, state):
            self.asked += 1
            return None if self.asked <= 3 else super().value(state)

    kept = play_perfect(
        CONNECT4, RandomPlayer(5), openings=2, opening_actions=20, seed=2, drawn=True, solver=GivesUpAtFirst()
    )
    assert (kept.games, kept.left_out, kept.unproved) == (4, 3, 0)


def test_without_unsolved_and_unproved_ones_the_report_omits_them():
    kept = play_perfect(CONNECT4, RandomPlayer(5), openings=4, opening_actions=20, seed=2)
    assert (kept.left_out, kept.unproved) == (0, 0)
    assert not any(word in str(kept) for word in ("left out", "proved"))


@pytest.mark.parametrize("drawn", [False, True])
def test_unsolvable_openings_are_refused_with_the_remedy(drawn):
    with pytest.raises(BadInput) as caught:
        play_perfect(CONNECT4, RandomPlayer(5), openings=2, opening_actions=2, seed=2, drawn=drawn, solver=hasty(1))
    assert str(caught.value) == (
        "connect4: the solver cannot solve positions after 2 random actions within its limit; choose more actions."
    )
