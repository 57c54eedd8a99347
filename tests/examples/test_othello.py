"""The Othello example: its laws, its perft counts, and the pass."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.games.check.run import check
from ludus.games.drawing import draw
from ludus.loop.preset import load_preset
from ludus.seeding import stream

ROOT = Path(__file__).parents[2]
GAME = ludus.game(str(ROOT / "examples" / "othello.py"))


def after(*moves):
    position = GAME.start()
    for move in moves:
        position = position.play(move)
    return position


def sequences(position, length):
    """Count the sequences of `length` actions."""
    if length == 0 or position.outcome:
        return 1
    return sum(sequences(position.play(action), length - 1) for action in position.actions)


@pytest.mark.full
def test_the_example_keeps_every_law():
    assert check(GAME, games=10).breach is None


@pytest.mark.parametrize(("length", "number"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_perft_counts_agree_with_published_ones(length, number):
    assert sequences(GAME.start(), length) == number


def test_a_game_ends_when_a_side_has_no_discs():
    position = after("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    assert position.outcome.winner == 0
    assert draw(position.describe()).splitlines() == [
        "1  .   .   .   .   .   .   .   .",
        "2  .   .   .   .   .   .   .   .",
        "3  .   .   .   .   x   .   .   .",
        "4  .   .   .   x   x   x   .   .",
        "5  .   .   x   x   x   x   x   .",
        "6  .   .   .   x   x   x   .   .",
        "7  .   .   .   .   x   .   .   .",
        "8  .   .   .   .   .   .   .   .",
        "   a   b   c   d   e   f   g   h",
    ]


def test_a_pass_is_legal_only_without_other_moves_and_never_twice_in_a_row():
    rng, passes = stream(1, "othello"), 0
    for _ in range(20):
        position, passed = GAME.start(), False
        while not position.outcome:
            texts = [position.text(action) for action in position.actions]
            passes += "pass" in texts
            if "pass" in texts:
                assert texts == ["pass"]
                assert not passed
                (button,) = position.describe().choices
                assert (button.kind, button.label) == ("button", "Pass")
                assert np.flatnonzero(position.play("pass").state != position.state).tolist() == [64]
            passed = "pass" in texts
            position = position.play(int(rng.choice(position.actions)))
    assert passes


def test_the_preset_trains_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    preset = load_preset("examples/othello.toml")
    assert [ludus.game(spec).num_actions for spec in preset.games] == [65]


def test_the_note_counts_the_discs():
    assert after("d3").describe().note == "Black has 4 discs, White 1."


def test_the_heuristic_takes_corners_and_avoids_cells_next_to_empty_ones():
    empty = np.zeros(65, np.uint8)
    actions, weights = np.array([0, 9, 18, 64], np.int16), np.zeros(4, np.float32)
    assert GAME.rules.heuristic(empty, actions, 4, weights) == 0.0
    assert weights.tolist() == [10.0, np.float32(0.1), 1.0, 1.0]
    empty[[0, 7, 63]] = 1, 1, 2
    assert GAME.rules.heuristic(empty, actions, 4, weights) == pytest.approx(0.2)
    assert weights[1] == 1.0
