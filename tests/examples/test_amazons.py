"""Amazons: the laws, the three actions of a turn, and the end."""

from pathlib import Path

import pytest

import ludus
from ludus.errors import IllegalMove
from ludus.games.check.run import check
from ludus.games.drawing import draw
from ludus.loop.preset import load_preset

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "amazons.py"
GAME = ludus.game(str(SOURCE))
SIZE = 6


def reached(taken, at):
    """Return the cells that a queen reaches: written apart from the game's own rule."""
    found = set()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            for distance in range(1, SIZE):
                cell = (at[0] + down * distance, at[1] + right * distance)
                if not (0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE) or cell in taken:
                    break
                found.add(cell)
    return found


def turns(position):
    """Return all turns of the player to move: amazon, target, arrow."""
    taken = {piece.at for piece in position.describe().pieces}
    own = [piece.at for piece in position.describe().pieces if piece.owner == position.to_play]
    return {
        (begin, end, arrow)
        for begin in own
        for end in reached(taken, begin)
        for arrow in reached(taken - {begin} | {end}, end)
    }


def played(position):
    """Return all turns that the game allows, as cells."""
    found = set()
    for begin in position.actions:
        moving = position.play(position.text(begin))
        for end in moving.actions:
            shooting = moving.play(moving.text(end))
            found |= {tuple(divmod(cell, SIZE) for cell in (begin, end, arrow)) for arrow in shooting.actions}
    return found


def test_the_example_keeps_every_law_in_200_lines(one_in_ten):
    assert check(GAME, games=len(one_in_ten(range(20)))).breach is None
    assert len(SOURCE.read_text().splitlines()) <= 200


def test_the_turns_are_those_of_queens_that_shoot():
    first = GAME.start()
    second = first.play("b1").play("b4").play("e4")
    assert played(first) == turns(first)
    assert played(second) == turns(second)
    assert len(turns(first)) > 100


def test_an_arrow_may_fly_over_the_cell_that_the_amazon_left():
    position = GAME.start().play("b1").play("b2")
    assert "b1" in {position.text(action) for action in position.actions}


def test_nothing_passes_a_burnt_cell():
    position = GAME.start().play("b1").play("b2").play("b3")  # burns b3
    position = position.play("b6")
    assert {position.text(action) for action in position.actions} >= {"b5", "b4"}
    with pytest.raises(IllegalMove):
        position.play("b2")
    with pytest.raises(IllegalMove):
        position.play("b3")


def test_a_player_who_cannot_move_loses():
    state = GAME.start().state.copy()
    state[:39] = 0
    state[0], state[[1, 6, 7]] = 2, 3  # Black's only amazon is walled in, but for b5
    state[35], state[7] = 1, 0
    position = GAME.start().instead(state)
    position = position.play("f1").play("e1")
    assert position.play("e5").outcome is None
    last = GAME.start().instead(state).play("f1").play("e2").play("b5")
    assert last.outcome.winner == 0
    assert last.outcome.reason == "no move"


def test_each_action_of_a_turn_says_what_to_do():
    position = GAME.start()
    notes = [position.describe().note]
    for move in ("b1", "b4", "e4"):
        position = position.play(move)
        notes.append(position.describe().note)
    assert notes == [
        "Choose an amazon.",
        "Choose where the amazon goes.",
        "Choose the cell that its arrow burns.",
        "Choose an amazon.",
    ]
    assert position.moves == ["b1.b4.e4"]
    assert draw(position.describe()).splitlines() == [
        "6  .   q   .   .   q   .",
        "5  .   .   .   .   .   .",
        "4  q   Q   .   .   #   q",
        "3  Q   .   .   .   .   Q",
        "2  .   .   .   .   .   .",
        "1  .   .   .   .   Q   .",
        "   a   b   c   d   e   f",
    ]


def test_the_preset_trains_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    preset = load_preset("examples/amazons.toml")
    assert [ludus.game(spec).num_actions for spec in preset.games] == [36]
