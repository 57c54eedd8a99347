"""A game in the terminal: what is shown of a position, and how the game ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.cli.play import HELP

BREAKTHROUGH = (Path(__file__).parents[2] / "examples" / "breakthrough.py").read_text()
FIRST_MOVES = "a2-a3 a2-b3 b2-a3 b2-b3 b2-c3"


def played(game, moves, *options):
    command = ["play", "random", "--game", str(game), *(options or ("--seed", "0"))]
    result = CliRunner().invoke(app, command, input=moves)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("left_out", "shown"),
    [
        (["describe=describe"], f"moves: {FIRST_MOVES} "),
        (["describe=describe", "action_text=action_text"], "moves: 19 20 21 22 "),
    ],
)
def test_a_game_without_a_board_shows_the_moves_that_can_be_made(tmp_path, left_out, shown):
    source = BREAKTHROUGH
    for part in left_out:
        assert f"    {part},\n" in source
        source = source.replace(f"    {part},\n", "")
    (tmp_path / "mygame.py").write_text(source)
    assert shown in played(tmp_path / "mygame.py", "quit\n")


def test_a_board_shows_its_cells_alone(tmp_path):
    (tmp_path / "mygame.py").write_text(BREAKTHROUGH)
    assert "moves: " not in played(tmp_path / "mygame.py", "quit\n")


def test_a_game_without_reasons_ends_without_one(tmp_path):
    source = BREAKTHROUGH.replace(
        "def outcome(state):\n", "def outcome(state):\n    return int(state[0] == 0)\n\n\ndef _(state):\n"
    )
    (tmp_path / "mygame.py").write_text(source)
    assert played(tmp_path / "mygame.py", "a2-a3\na1-a2\na1-b2\n").splitlines()[-1] == "You win."


def test_a_move_of_two_actions_may_be_typed_one_after_the_other():
    said = played("wallgame:classic:4x4", "Cb4\nundo\nCb4\nCd4\nCc4\nquit\n")
    assert "wallgame: Cd4" in said, "that is too far"
    assert "random plays" in said
    assert "too short" not in said


def test_bytes_that_are_no_text_are_refused_as_any_other_move():
    command = [sys.executable, "-m", "ludus", "play", "random", "--game", "tictactoe"]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, input=b"\xff\xfe\nquit\n", capture_output=True, env=environment)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert b"names no action; legal here" in done.stdout


def test_chance_differs_each_time_unless_it_is_named(monkeypatch):
    chances = iter((1, 2))
    monkeypatch.setattr("ludus.cli.play.secrets.randbits", lambda bits: next(chances))
    games = [played("gomoku:15x15", "quit\n", "--second") for _ in range(2)]
    assert games[0] != games[1]
    named = [played("gomoku:15x15", "quit\n", "--second", "--seed", "1") for _ in range(2)]
    assert named == [games[0], games[0]]


def test_a_game_that_begins_anew_each_time_does_so_here_too():
    boards = [played("chess:960", "quit\n", "--seed", seed) for seed in ("1", "2", "1")]
    assert boards[0] == boards[2] != boards[1]


@pytest.mark.parametrize("word", ["?", "help"])
def test_who_asks_for_help_is_told_what_can_be_typed(word):
    said = played("tictactoe", f"{word}\nquit\n")
    assert "names no action" not in said
    assert said.splitlines()[-1] == HELP


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_who_leaves_a_game_is_shown_no_board_again(end):
    assert played("chess", end).count("a   b   c") == 1
    assert played("chess", f"moves\n{end}").splitlines()[-1].startswith("a2a3 b2b3 ")
