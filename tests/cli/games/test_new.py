"""`ludus new` writes a complete game, which the checker accepts and the site offers with everything it has."""

import subprocess
import sys

import pytest

import ludus
from ludus.bot.config import BotsFile
from ludus.bot.levels import with_heuristics
from ludus.cli.games.new import new
from ludus.errors import BadInput
from ludus.games.check.run import check
from ludus.loop.preset import load_preset
from ludus.site.bots.bots import BotKey
from ludus.site.catalogue.catalogue import bot_offers, catalogue
from ludus.site.messages.study import StudyLine
from ludus.site.study.arrange import kit
from ludus.site.study.lessons import Classroom
from ludus.trust import permit


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return the path of a new game in the working directory, written by the command."""
    monkeypatch.chdir(tmp_path)
    new("my-game")
    return "my-game.py"


def test_a_new_game_passes_the_check(written):
    report = check(ludus.game(written), 40, 0)
    assert report.breach is None
    assert report.actions_seen == report.num_actions
    assert report.num_symmetries == 8
    assert report.capped == 0.0


def test_the_site_offers_a_new_game_with_its_texts_board_lesson_and_kit(written):
    permit(written)
    bots = with_heuristics(BotsFile(bots=[]), {"own": [written]}).bots
    attached = [(BotKey("ludus", bot.bot_id), bot.registered(), True) for bot in bots]
    (listed,) = (each for each in catalogue(bot_offers(attached, (written,)), (written,)).games if each.spec == written)
    assert (listed.title, listed.summary) == ("My game", "Four of yours in a line win.")
    assert (listed.board_width, listed.board_height, len(listed.board.pieces), len(listed.bots)) == (5, 5, 8, 6)
    lessons = Classroom((written,))
    assert "my-game" in [each.game for each in lessons.lessons().lessons]
    (part,) = lessons.lesson("my-game").parts
    assert len(part.view.board.pieces) == len(part.before) == 6
    position = ludus.game(written).start()
    for move in [*part.before, "c5"]:
        assert position.outcome is None
        position = position.play(move)
    assert position.outcome, "the goal of the lesson can be reached"
    assert position.outcome.winner == 0
    assert kit(StudyLine(spec=written)).kinds == []


def test_a_new_preset_names_its_game_from_every_folder(written, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    (game,) = load_preset(str(tmp_path / "my-game.toml")).make_games()
    assert game.num_actions == 25


def test_a_new_game_keeps_to_the_projects_style(written):
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "120", "--select", "E,F,I,B,D1"]
    subprocess.run([*ruff, written], check=True)


@pytest.mark.parametrize("there", ["mine.py", "mine.toml", "mine.lesson.toml"])
def test_no_file_is_overwritten_and_then_none_is_written(tmp_path, there):
    (tmp_path / there).write_text("kept")
    with pytest.raises(BadInput, match=rf"{there}: exists; choose another name, or delete it\."):
        new(str(tmp_path / "mine"))
    assert [file.name for file in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "kept"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("go", "go: there is a game of this name; choose another."),
        ("My game", "'My game' cannot be the name of a game; use 1 to 40 small letters"),
        ("x" * 41, "cannot be the name of a game"),
        ("", "'' cannot be the name of a game"),
    ],
)
def test_names_that_cannot_be_used_are_refused(tmp_path, monkeypatch, name, complaint):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=complaint):
        new(name)
    assert not list(tmp_path.iterdir())


def test_a_path_and_the_ending_may_be_given(tmp_path):
    new(str(tmp_path / "games" / "mine.py"))
    assert ludus.game(str(tmp_path / "games" / "mine.py")).start().moves == []
