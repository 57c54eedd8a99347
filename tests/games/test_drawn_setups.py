"""Games with drawn setups, and the checker's reports of faulty ones."""

import itertools

import numpy as np
import pytest

import ludus
from ludus.errors import BadNotation
from ludus.games import tictactoe
from ludus.games.check.run import check


def starts_of(spec, draws=30):
    game, rng = ludus.game(spec), np.random.default_rng(5)
    return {game.start_state(game.draw_setup(rng)).tobytes() for _ in range(draws)}


@pytest.mark.parametrize("spec", ["wallgame:freestyle:12x10", "wallgame:freestyle:6x5@8x8:ways", "chess:960"])
def test_these_games_draw_a_setup_for_each_game(spec):
    assert ludus.game(spec).draws_setups
    assert len(starts_of(spec)) > 25


@pytest.mark.parametrize(
    "spec", ["wallgame:standard:12x10", "wallgame:survival:8x8", "chess", "chess:960:7", "go:9x9", "connect4"]
)
def test_other_games_have_the_usual_start_and_draw_nothing(spec):
    game, rng = ludus.game(spec), np.random.default_rng(5)
    before = rng.bit_generator.state
    assert (game.draws_setups, game.draw_setup(rng)) == (False, None)
    assert rng.bit_generator.state == before


COUNT = itertools.count()


def begin(state, setup=None):
    """Start with a cross on a cell, or on none."""
    tictactoe.start(state)
    if setup is not None:
        if not isinstance(setup, dict) or setup.get("cross") not in range(9):
            raise BadNotation(f"{setup!r} has no cell.")
        state[setup["cross"]], state[9] = 1, 1


def game_that_draws(draw):
    return ludus.Game(
        name="drawn",
        state_size=10,
        num_actions=9,
        planes=(2, 3, 3),
        max_actions=9,
        start=begin,
        to_play=tictactoe.to_play,
        legal=tictactoe.legal,
        play=tictactoe.play,
        outcome=tictactoe.outcome,
        encode=tictactoe.encode,
        draw_setup=draw,
    )


def test_the_checker_plays_from_drawn_setups():
    report = check(game_that_draws(lambda rng: {"cross": int(rng.integers(9))}), games=40)
    assert report.breach is None
    assert (report.most_branching, report.mean_length < 8) == (9, True)  # the first game has the usual start


@pytest.mark.parametrize(
    ("draw", "what"),
    [
        (lambda rng: {"cross": 9 + int(rng.integers(2))}, "start() raises BadNotation: "),
        (lambda rng: {"cross": rng.integers(9)}, "which is not JSON"),
        (lambda rng: int(rng.integers(9)), "it must draw a text or a JSON object"),
        (lambda rng: 1 // 0, "draw_setup() raises ZeroDivisionError"),
        (lambda rng: {"cross": next(COUNT) % 9}, "from equal random generators"),
    ],
)
def test_a_drawn_setup_that_start_refuses_breaks_the_law_setup(draw, what):
    breach = check(game_that_draws(draw), games=40).breach
    assert breach.law == "setup"
    assert what in breach.what


def test_an_example_includes_its_setup():
    def play(state, action):
        tictactoe.play(state, action)
        if action == 0 and state[8] == 1 and state[4] == 0:
            state[9] = 2

    game = game_that_draws(lambda rng: {"cross": int(rng.integers(9))})
    game.rules.play = play
    breach = check(game, games=200).breach
    assert breach.law == "turn"
    assert (breach.setup, breach.actions) in [({"cross": 8}, [0]), (None, [8, 0])]
