"""The goals of lessons that the page judges can be reached, and are not reached by other moves."""

import re
from pathlib import Path

import pytest

import ludus
from ludus.errors import BadGame
from ludus.games import BUILT_IN
from ludus.site.messages.study import StudyLine
from ludus.site.study.lessons import Classroom
from ludus.site.study.study import replay
from ludus.trust import permit

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = tuple(str(EXAMPLES / f"{name}.py") for name in ("amazons", "hex", "kalah", "morris"))
REACHED = {
    "chess": ["a3", "O-O", "e8=N", "Qxf7#"],
    "connect4": ["4 4", "4", "6"],
    "go": ["E4", "pass pass"],
    "gomoku": ["e8", "g8"],
    "tictactoe": ["a2"],
    "wallgame": ["Cb5.>c3", "Ca4.>c3", "", "Cd4.>a1", "Cd5", "Ce1"],
    "amazons": ["a3.b4.a5", ""],
    "hex": ["a1 b1", "e6 f6", "swap"],
    "kalah": ["c.a", "e"],
    "morris": ["a7 d7", "g7.xb6", "e5-d5.xa1"],
}
MISSED = {"chess": ["", "a3", "Kf3", "Qxe5+"], "connect4": ["", "5", "1"], "go": ["F4", "A1"], "tictactoe": ["c3"]}


@pytest.fixture(scope="module")
def classroom():
    for file in FILES:
        ludus.game(file)
    return Classroom(FILES)


def played(part, line):
    """Return the moves played after the position of a part, as the page joins them."""
    view = replay(StudyLine(spec=part.spec, setup=part.setup, moves=[*part.before, *line.split()]))
    return " ".join(move.text for move in view.moves if move.ply > part.view.ply)


@pytest.mark.parametrize("game", REACHED)
def test_each_goal_that_is_judged_can_be_reached(classroom, game):
    parts = classroom.lesson(game).parts
    assert len(parts) == len(REACHED[game])
    for part, line in zip(parts, REACHED[game], strict=True):
        if line:
            assert re.fullmatch(part.done, played(part, line)), part.title


@pytest.mark.parametrize("game", MISSED)
def test_other_moves_do_not_reach_it(classroom, game):
    for part, line in zip(classroom.lesson(game).parts, MISSED[game], strict=False):
        if line:
            assert not re.fullmatch(part.done, played(part, line)), part.title


def test_every_built_in_lesson_judges_a_goal():
    lessons = Classroom()
    assert all(any(part.done for part in lessons.lesson(game).parts) for game in BUILT_IN)


def test_a_wrong_expression_is_refused_with_its_file(tmp_path):
    game = tmp_path / "mine.py"
    game.write_text("import copy\n\nimport ludus\n\ngame = copy.copy(ludus.game('connect4'))")
    permit(str(game))
    lesson = tmp_path / "mine.lesson.toml"
    lesson.write_text('summary = "x"\n[[parts]]\ntitle = "t"\ntext = "x"\nspec = "mine"\ndone = "("\n')
    with pytest.raises(BadGame, match=r"mine\.lesson\.toml: the lesson cannot be read"):
        Classroom((str(game),))
