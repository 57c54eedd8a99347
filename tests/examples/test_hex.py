"""Hex: the laws, chains between two sides, and the swap."""

import re
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.errors import IllegalMove
from ludus.games.check.run import check
from ludus.games.drawing import draw
from ludus.loop.preset import load_preset

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "hex.py"
GAME = ludus.game(str(SOURCE))
SIZE = 11


def after(*moves):
    position = GAME.start()
    for move in moves:
        position = position.play(move)
    return position


def stones(position):
    return {piece.at: piece.owner for piece in position.describe().pieces}


def is_joined(found, owner):
    """Return whether an owner's stones join its two sides: a search that shares nothing with the game's own."""
    axis = owner  # Red (0) goes by rows, Blue (1) by columns
    open_cells = [at for at, who in found.items() if who == owner and at[axis] == 0]
    seen = set(open_cells)
    while open_cells:
        row, column = open_cells.pop()
        if (row, column)[axis] == SIZE - 1:
            return True
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)):
            at = (row + down, column + right)
            if found.get(at) == owner and at not in seen:
                seen.add(at)
                open_cells.append(at)
    return False


def test_the_example_keeps_every_law_in_200_lines(one_in_ten):
    assert check(GAME, games=len(one_in_ten(range(20)))).breach is None
    assert len(SOURCE.read_text().splitlines()) <= 200


def test_a_game_ends_with_the_first_chain_and_never_in_a_draw(one_in_ten):
    for seed in one_in_ten(range(30)):
        rng, position = np.random.default_rng(seed), GAME.start()
        while not position.outcome:
            assert not is_joined(stones(position), 0)
            assert not is_joined(stones(position), 1)
            position = position.play(position.text(int(rng.choice(position.actions))))
        winner = position.outcome.winner
        assert is_joined(stones(position), winner)
        chain = {mark.at for mark in position.describe().marks if mark.kind == "win"}
        assert is_joined(dict.fromkeys(chain, winner), winner)


def test_a_stone_that_joins_two_chains_wins():
    reds = [f"f{row}" for row in range(1, 12) if row != 6]
    blues = ["a1", "b1", "c1", "a11", "b11", "c11", "d11", "a6", "b6", "c6"]
    moves = [move for pair in zip(reds, blues, strict=True) for move in pair]
    position = after(*moves)
    assert position.outcome is None
    assert position.play("f6").outcome.winner == 0
    assert position.play("g5").play("a2").play("f6").outcome.winner == 0
    assert position.play("g5").outcome is None


def test_the_swap_replaces_the_first_stone_by_its_mirror_image():
    position = after("c2")
    assert "swap" in {position.text(action) for action in position.actions}
    swapped = position.play("swap")
    assert stones(swapped) == {(2, 1): 1}, "b3 is as far from Blue's left side as c2 was from Red's top"
    assert swapped.to_play == 0
    with pytest.raises(IllegalMove):
        swapped.play("b1").play("swap")
    assert after("f6").play("swap").describe().pieces == [ludus.Piece((5, 5), "stone", 1)]


def test_the_swap_links_the_stone_to_blue_s_sides():
    blues = [f"{letter}2" for letter in "bcdefghijk"]
    position = after("b1", "swap")  # a blue stone on a2
    for red, blue in zip([f"{letter}9" for letter in "abcdefghij"], blues, strict=True):
        position = position.play(red).play(blue)
    assert position.outcome.winner == 1


def test_the_board_is_drawn_as_a_rhombus():
    lines = draw(after("b1", "c2").describe()).splitlines()
    assert lines[0] == "1| .   x   .   .   .   .   .   .   .   .   . |"
    assert lines[1] == "  2| .   .   o   .   .   .   .   .   .   .   . |"
    assert lines[10].startswith(" " * 19 + "11| .")
    assert lines[-1].split() == list("abcdefghijk")


def test_the_tutorial_of_boards_shows_the_examples_unchanged():
    text = (ROOT / "docs/tutorial/boards.md").read_text()
    blocks = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if ">>>" not in block]
    sources = [path.read_text() for path in (ROOT / "examples").glob("*.py")]
    assert len(blocks) == 5
    assert [block for block in blocks if not any(block in source for source in sources)] == []


def test_the_preset_trains_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    preset = load_preset("examples/hex.toml")
    assert [ludus.game(spec).num_actions for spec in preset.games] == [122]
