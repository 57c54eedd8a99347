"""A game in the terminal: the displayed position, the accepted input, and the end of the game."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.cli.games.play import HELP
from ludus.cli.terminal.picture import picture, prompt

ROOT = Path(__file__).parents[3]
BREAKTHROUGH = (ROOT / "examples" / "breakthrough.py").read_text()
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


def test_input_that_is_not_utf8_is_rejected_like_any_other_move():
    command = [sys.executable, "-m", "ludus", "play", "random", "--game", "tictactoe"]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, input=b"\xff\xfe\nquit\n", capture_output=True, env=environment)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert b"names no action; legal here" in done.stdout


def test_chance_differs_each_time_unless_it_is_named(monkeypatch):
    chances = iter((1, 2))
    monkeypatch.setattr("ludus.cli.games.play.secrets.randbits", lambda bits: next(chances))
    games = [played("gomoku:15x15", "quit\n", "--second") for _ in range(2)]
    assert games[0] != games[1]
    named = [played("gomoku:15x15", "quit\n", "--second", "--seed", "1") for _ in range(2)]
    assert named == [games[0], games[0]]


def test_a_game_with_a_random_setup_draws_a_new_one_each_time():
    boards = [played("chess:960", "quit\n", "--seed", seed) for seed in ("1", "2", "1")]
    assert boards[0] == boards[2] != boards[1]


@pytest.mark.parametrize("word", ["?", "help"])
def test_help_lists_the_inputs(word):
    said = played("tictactoe", f"{word}\nquit\n")
    assert "names no action" not in said
    assert said.splitlines()[-1] == HELP


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_quitting_a_game_prints_no_board(end):
    assert played("chess", end).count("a   b   c") == 1
    assert played("chess", f"moves\n{end}").splitlines()[-1].startswith("a2a3 b2b3 ")


def test_notes_of_the_game_are_printed_with_the_board():
    assert "2 handicap stones to place." in played("go:3x3:free=2", "quit\n")
    assert "Put two black stones and a white one; " in played("gomoku:9x9:swap2", "quit\n")


def test_the_last_stone_and_forbidden_points_are_marked():
    stones = '{"black": ["h9", "h10", "f8", "g8"], "white": ["a1", "a3", "a5", "a7"]}'
    said = played("gomoku:renju:15x15", "quit\n", "--setup", stones).splitlines()
    assert any("x   x  !." in line for line in said)
    assert said[-1] == "! forbidden"
    said = played("tictactoe", "b2\nquit\n").splitlines()
    assert said[-1] == "> last"
    assert any(">o" in line for line in said[-5:])


def test_prisoners_dead_stones_and_buttons_are_printed():
    position = ludus.game("go:4x4:japanese:marking").start({"black": "A2 C1 C2", "white": "A1 D4"})
    shown = picture(position.play("B1"))
    assert shown.splitlines()[-1] == "Black has taken 1 stone."
    for move in ("B1", "pass", "pass", "D4"):
        position = position.play(move)
    *board, legend, taken, stage, note, buttons = picture(position).splitlines()
    assert board[0] == "4 +.  +.  +.  ~o"
    assert legend == "+ Black's, ~ dead"
    assert taken == "Black has taken 1 stone."
    assert stage.startswith("Scoring: B+")
    assert note.startswith("Click dead stones")
    assert buttons.startswith("`pass`: Agree: B+")


def test_a_second_action_is_asked_for_as_such_and_a_stone_by_its_colour():
    wallgame = ludus.game("wallgame:classic:4x4").start()
    step = next(action for action in wallgame.actions if wallgame.text(action) == "Cb4")
    assert [prompt(wallgame), prompt(wallgame.play(step))] == ["your move: ", "your move, second action: "]
    gomoku = ludus.game("gomoku:9x9:swap2").start()
    assert [prompt(gomoku), prompt(gomoku.play(40).play(41))] == ["your move (x): ", "your move (x), third action: "]


def test_undo_before_the_first_move_is_rejected():
    said = played("tictactoe", "undo\nquit\n", "--second")
    assert said.splitlines()[-1] == "There is no move of yours to take back."
    assert said.count("random plays") == 1


@pytest.mark.parametrize("opponent", ["random", "minimax:3", "heuristic:9"])
def test_visits_are_rejected_for_players_that_do_not_use_them(opponent):
    result = CliRunner().invoke(app, ["play", opponent, "--game", "tictactoe", "--visits", "9"])
    assert str(result.exception) == f"--visits: {opponent} does not use visits; leave the option out."


def test_a_game_begins_at_the_given_setup():
    said = played("chess", "Qf7\n", "--setup", "7k/Q7/6K1/8/8/8/8/8 w - - 0 1")
    assert "g7g8" not in said
    assert "7  Q " in said


@pytest.mark.parametrize(("model", "game"), [("go-9x9", "go:5x5"), ("wallgame-8x8", "wallgame:classic:4x4")])
def test_a_model_plays_smaller_boards_in_its_frame(model, game):
    command = ["play", str(ROOT / "models" / model), "--game", game, "--visits", "2"]
    result = CliRunner().invoke(app, command, input="quit\n")
    assert result.exit_code == 0, result.output
    assert "you are" in result.stdout


@pytest.mark.parametrize("command", [["play", "minimax:1"], ["match", "minimax:1", "random", "--pairs", "1"]])
def test_minimax_without_a_survey_warns(command):
    result = CliRunner().invoke(app, [*command, "--game", "tictactoe"], input="quit\n")
    assert result.exit_code == 0, result.output
    assert result.output.count("minimax:1: tictactoe has no survey for minimax") == 1


def test_win_chances_are_told_with_their_owner():
    said = CliRunner().invoke(app, ["play", "playouts:50", "--game", "tictactoe"], input="chances\nquit\n").stdout
    assert re.search(r"\w+: \d+ % win chance, as playouts@50 judges it\.", said)
    assert "random judges no positions" in played("tictactoe", "chances\nquit\n")
