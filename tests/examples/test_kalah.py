"""Kalah: the laws, sowing, extra turns, captures and the end."""

from pathlib import Path

import numpy as np

import ludus
from ludus.games.check.run import check
from ludus.games.drawing import draw
from ludus.loop.preset import load_preset

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "kalah.py"
GAME = ludus.game(str(SOURCE))


def sown(south, north, stores=(0, 0), to_play=0):
    """Return a position: South's pits from a to f, North's from f to a, the stores of both."""
    state = GAME.start().state.copy()
    state[:15] = [*south, stores[0], *north, stores[1], to_play]
    return GAME.start().instead(state)


def seeds(position):
    """Return the seeds of South's pits, North's pits, and the stores."""
    holes = position.state[:14].tolist()
    return holes[:6], holes[7:13], (holes[6], holes[13])


def test_the_example_keeps_every_law_in_200_lines(one_in_ten):
    assert check(GAME, games=len(one_in_ten(range(50)))).breach is None
    assert len(SOURCE.read_text().splitlines()) <= 200


def test_a_last_seed_in_the_store_earns_another_move():
    position = GAME.start().play("c")
    assert seeds(position) == ([4, 4, 0, 5, 5, 5], [4] * 6, (1, 0))
    assert position.to_play == 0
    position = position.play("f")
    assert seeds(position) == ([4, 4, 0, 5, 5, 0], [5, 5, 5, 5, 4, 4], (2, 0))
    assert position.to_play == 1
    assert position.moves == ["c.f"]


def test_north_sows_to_the_left():
    position = GAME.start().play("a").play("d")
    assert seeds(position) == ([0, 5, 5, 5, 5, 4], [4, 4, 0, 5, 5, 5], (0, 1))
    assert position.to_play == 1


def test_sowing_leaves_out_the_store_of_the_opponent():
    position = sown([0, 1, 0, 0, 0, 9], [1] * 6).play("f")
    assert seeds(position) == ([1, 2, 0, 0, 0, 0], [2] * 6, (1, 0))


def test_a_last_seed_in_an_empty_pit_captures_the_seeds_opposite():
    position = sown([1, 0, 0, 0, 0, 3], [2, 0, 0, 0, 7, 0]).play("a")
    assert seeds(position) == ([0, 0, 0, 0, 0, 3], [2, 0, 0, 0, 0, 0], (8, 0))
    nothing = sown([1, 0, 0, 0, 0, 3], [2, 0, 0, 0, 0, 0]).play("a")
    assert seeds(nothing) == ([0, 1, 0, 0, 0, 3], [2, 0, 0, 0, 0, 0], (0, 0)), "the pit opposite is empty"


def test_a_lap_that_ends_in_its_own_pit_captures():
    position = sown([13, 0, 0, 0, 0, 0], [1] * 6).play("a")
    assert seeds(position) == ([0, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 0], (4, 0))


def test_the_side_with_seeds_keeps_them_when_the_other_side_is_empty():
    position = sown([0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 2], (20, 22)).play("f")
    assert seeds(position) == ([0] * 6, [0] * 6, (21, 27))
    assert position.outcome.winner == 1
    assert position.outcome.reason == "21 to 27 seeds"
    even = sown([0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0], (23, 21)).play("f")
    assert even.outcome.winner is None


def test_no_seed_is_lost_in_random_games():
    for seed in range(20):
        rng, position = np.random.default_rng(seed), GAME.start()
        while not position.outcome:
            position = position.play(position.text(int(rng.choice(position.actions))))
            assert position.state[:14].sum() == 48


def test_both_rows_and_stores_are_drawn():
    position = GAME.start().play("c")
    assert draw(position.describe()).splitlines() == [
        "    4   4   4   4   4   4",
        ".                           1",
        "    4   4   .   5   5   5",
        "    a   b   c   d   e   f",
    ]
    board = GAME.start().play("a").describe()
    assert (board.choices[0].text, board.choices[0].at) == ("f", (0, 6))
    assert board.opposite, "North sees its own pits below"


def test_the_preset_trains_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    preset = load_preset("examples/kalah.toml")
    assert [ludus.game(spec).num_actions for spec in preset.games] == [6]
