"""What the examples say about themselves: title, aim, an example position, and lessons whose goals can be reached."""

from pathlib import Path

import pytest

import ludus
from ludus.games.registry import about
from ludus.site.study.lessons import Classroom

FOLDER = Path(__file__).parents[2] / "examples"
TAUGHT = {"hex": "Hex", "morris": "Nine Men's Morris", "kalah": "Kalah", "amazons": "Amazons"}
FILES = tuple(str(FOLDER / f"{name}.py") for name in TAUGHT)


@pytest.fixture(scope="module")
def classroom():
    for file in FILES:
        ludus.game(file)
    return Classroom(FILES)


def part(classroom, game, title):
    """Return the position of a part of a lesson."""
    found = next(each for each in classroom.lesson(game).parts if each.title == title)
    position = ludus.game(str(FOLDER / f"{game}.py")).start()
    for move in found.before:
        position = position.play(move)
    assert position.to_play == found.view.to_play
    return position


@pytest.mark.parametrize("name", TAUGHT)
def test_an_example_has_a_title_an_aim_and_a_position_to_show(classroom, name):
    says = about(str(FOLDER / f"{name}.py"))
    assert classroom.lesson(name).title == says.title == TAUGHT[name]
    assert says.aim.endswith(".")
    position = ludus.game(str(FOLDER / f"{name}.py")).start()
    for move in says.example.split():
        position = position.play(move)
    assert position.moves == says.example.split()
    assert not position.outcome


@pytest.mark.parametrize("name", TAUGHT)
def test_every_part_of_a_lesson_can_be_played_on(classroom, name):
    parts = classroom.lesson(name).parts
    assert len(parts) >= 2
    assert all(each.goal and each.view.board.choices and not each.view.result for each in parts)


def test_the_bridge_of_hex_holds_whatever_blue_does(classroom):
    bridge = part(classroom, "hex", "Bridges")
    assert bridge.play("e6").play("f6").to_play == bridge.play("f6").play("e6").to_play == 1
    assert "swap" in {choice.text for choice in part(classroom, "hex", "The swap").describe().choices}


def test_mills_can_be_closed_as_the_lesson_of_morris_says(classroom):
    for title, move in (("Mills", "g7"), ("Move", "e5-d5")):
        closed = part(classroom, "morris", title).play(move)
        assert closed.to_play == 0
        assert all(closed.text(action).startswith("x") for action in closed.actions)


def test_kalah_moves_again_and_captures_as_its_lesson_says(classroom):
    assert part(classroom, "kalah", "Sow").play("c").to_play == 0
    before = part(classroom, "kalah", "Capture")
    assert int(before.play("e").state[6]) - int(before.state[6]) == 7
