"""The example game: its rules, the laws, and the copy in the tutorial."""

import re
from pathlib import Path

import pytest

import ludus
from ludus.errors import IllegalMove
from ludus.games.check.run import check
from ludus.games.drawing import draw
from ludus.loop.preset import load_preset

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "breakthrough.py"
GAME = ludus.game(str(SOURCE))


def after(*moves):
    position = GAME.start()
    for move in moves:
        position = position.play(move)
    return position


def test_the_example_keeps_every_law_in_a_hundred_lines(one_in_ten):
    assert check(GAME, games=len(one_in_ten(range(30)))).breach is None
    assert len(SOURCE.read_text().splitlines()) <= 100


@pytest.mark.full
def test_the_heuristic_of_the_guide_keeps_every_law(tmp_path):
    block = re.search(r"```python\n(def heuristic.*?)```", (ROOT / "docs/how-to/train.md").read_text(), re.DOTALL)
    assert block
    source = SOURCE.read_text().replace("game = ludus.Game(", f"{block[1]}\n\ngame = ludus.Game(heuristic=heuristic,")
    (tmp_path / "mygame.py").write_text(source)
    game = ludus.game(str(tmp_path / "mygame.py"))
    assert game.has_rule("heuristic")
    assert check(game, games=30).breach is None


def test_pawns_step_forward_and_capture_diagonally_only():
    position = after("c2-c3", "d5-d4", "c3-c4", "d4-d3")
    assert draw(position.describe()).splitlines() == [
        "6  o   o   o   o   o   o",
        "5  o   o   o   .   o   o",
        "4  .   .   x   .   .   .",
        "3  .   .   .   o   .   .",
        "2  x   x   .   x   x   x",
        "1  x   x   x   x   x   x",
        "   a   b   c   d   e   f",
    ]
    moves = {position.text(action) for action in position.actions}
    assert {"c4xb5", "e2xd3", "c4-d5", "b1-c2"} <= moves
    assert not {"d2-d3", "d2xd3", "c4xc5", "c4-c5"} & moves
    with pytest.raises(IllegalMove, match="'c4xc5' may not be played here"):
        position.play("c4xc5")


def test_the_last_row_wins():
    position = after("c2-c3", "d5-d4", "c3-c4", "d4-d3", "c4xb5", "d3xe2", "b5xa6")
    assert position.outcome.winner == 0
    position = after("c2-c3", "d5-d4", "c3-c4", "d4-d3", "c4xb5", "d3xe2", "a2-a3", "e2xd1")
    assert position.outcome.winner == 1


def test_the_third_plane_shows_the_player():
    assert GAME.start().planes[2].max() == 0
    assert after("c2-c3").planes[2].min() == 1
    assert after("c2-c3").planes[0, 5].tolist() == [1] * 6  # the mover's pawns: player 1's home row


def test_the_tutorial_shows_the_example_unchanged():
    text = (ROOT / "docs/tutorial/own-game.md").read_text()
    blocks = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if ">>>" not in block]
    source = SOURCE.read_text()
    assert [block for block in blocks if block not in source] == []
    shown = sum(len(block.split()) for block in blocks)
    assert shown > 0.95 * (len(source.split()) - len(source.splitlines()[0].split()))


def test_the_preset_trains_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    preset = load_preset("examples/breakthrough.toml")
    assert [ludus.game(spec).num_actions for spec in preset.games] == [108]
