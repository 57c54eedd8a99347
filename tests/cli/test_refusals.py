"""Invalid arguments are rejected with one message, before a command starts its work."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.errors import LudusError

HUGE = 99_999_999_999
CONNECT4 = Path(__file__).parents[2] / "models" / "connect4"
EXAMPLE = Path(__file__).parents[2] / "examples" / "breakthrough.toml"
TICTACTOE = ["--game", "tictactoe"]


def refusal(*arguments):
    """Return the error message of a command: its own, or typer's for an option."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code, result.output
    assert result.exit_code == 2 or isinstance(result.exception, LudusError), result.exception
    text = str(result.exception) if isinstance(result.exception, LudusError) else result.output
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["match", f"heuristic:{HUGE}", "random", *TICTACTOE], "the limit must be at most 10,000,000"),
        (["match", f"nowhere:{HUGE},2", "random", *TICTACTOE], "the limit must be at most 10,000,000"),
        (["match", f"ucb:{HUGE}", "random", *TICTACTOE], "the limit must be at most 10,000,000"),
        (["match", "heuristic", "random", *TICTACTOE, "--visits", HUGE], "--visits"),
        (["match", "heuristic", "random", *TICTACTOE], "tictactoe has no heuristic; name playouts or ucb"),
        (["match", "random", "random", *TICTACTOE, "--record", "/dev/null"], "is not a regular file"),
        (
            ["match", "random", "ucb", *TICTACTOE, "--sprt", "0,20", "--pairs", 52],
            "52 pairs are too few for a decision",
        ),
        (["match", "random", "ucb", *TICTACTOE, "--sprt", "0,20", "--pairs", 52], "needs 53 pairs in this test"),
        (["match", "random", "ucb", *TICTACTOE, "--sprt", "0,1"], "1000 pairs are too few for a decision"),
        (["league", "random", "heuristic", *TICTACTOE, "--folder", "x", "--visits", HUGE], "--visits"),
        (["rate", "/dev/null"], "is not a regular file"),
        (["train", "tictactoe-smoke", "--run", "x", "--minutes", "-1"], "--minutes"),
        (["train", "tictactoe-smoke", "--run", "x", "--minutes", "nan"], "--minutes"),
        (["train", "tictactoe-smoke", "--run", "/dev/null"], "/dev/null: is not a folder; choose another with --run."),
        (["tune", "tictactoe-smoke", "--write", "."], "--write .: is a folder; give a .toml file."),
        (["tune", "tictactoe-smoke", "--write", "x"], "--write x: give a file that ends in .toml."),
        (["tune", EXAMPLE, "--write", EXAMPLE], "breakthrough.toml: exists already; choose a new file."),
        (["report", "runs/none"], "runs/none: contains no run"),
        (["report", "runs/none", "--out", "game.py"], "--out game.py: give a file that ends in .html."),
        (["learn-from", "x", "--preset", "tictactoe-smoke", "--out", "game.py"], "give a file that ends in .safeten"),
        (
            ["train", EXAMPLE.with_suffix(".py")],
            'is a game, not a preset; write a .toml file beside it with name = "breakth',
        ),
        (["train", "tictactoe-smoke", "--workers", 99_999], "--workers"),
        (["serve", "--port", 99_999], "--port"),
        (["match", f"{CONNECT4}:many", "random"], "connect4:many: write visits or seconds after the colon, such as"),
        (["engine", "gtp", "--rules", "japanes"], "there is no such rule set; choose one of"),
        (["play", "random", *TICTACTOE, "--append"], "--append: there is no file to append to"),
        (["surgery", CONNECT4, "x", "--heads", "line"], "heads: 'line' is none of linear, size-free; did you mean"),
        (
            ["surgery", CONNECT4, "x", "--preset", "connect4", "--game", "tictactoe"],
            "--preset determines the games: leave out --preset or --game.",
        ),
        (["serve", "--no-bots", "--evaluations", "e"], "--dummy and --no-bots start none"),
        (["serve", "--dummy", "--evaluations", "e", "--append"], "--dummy and --no-bots start none"),
        (["serve", "--bots", "browser", "--dummy"], "--dummy is about engines"),
        (["serve", "--bots", "browser", "--engine-processes", "2"], "--engine-processes is about engines"),
        (["learn-from", "x", "--preset", "tictactoe-smoke", "--out", "x", "--passes", "inf"], "--passes"),
        (["engine", "bgs", "--sense", "tictactoe", "--tree-visits", HUGE], "--tree-visits"),
        (["engine", "bgs", "--sense", "tictactoe", "--trees", HUGE], "--trees"),
        (["engine", "gtp", "--resign-below", "nan"], "--resign-below"),
        (["engine", "gtp", "--resign-below", "inf"], "--resign-below"),
        (["engine", "gtp", "--resign-below", "-1.5"], "--resign-below"),
        (["engine", "dummy", "--game", "nosuch"], "There is no game 'nosuch'"),
        (["bench", "start", "--game", "nosuch"], "There is no game 'nosuch'"),
        (["learn-from", "x", "--preset", "tictactoe-smoke", "--out", "."], "is a folder"),
        (["learn-from", "x", "--preset", "tictactoe-smoke", "--out", "/dev/null/x.safetensors"], "cannot be written"),
        (["show", "connect4", "--out", "x", "--model", "nosuch"], "nosuch"),
        (
            ["show", "tictactoe", "--out", "x", "--moves", "a1 b1 a2 b2 a3", "--model", "x"],
            "the game is over in this position",
        ),
    ],
)
def test_an_invalid_argument_is_rejected(tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    assert complaint in refusal(*arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("setting", ["[selfplay]\nvisits", "[match]\nvisits", "[match]\nanchor_visits"])
def test_a_preset_with_more_visits_than_any_memory_holds_is_refused(tmp_path, setting):
    preset = tmp_path / "preset.toml"
    preset.write_text(f'name = "x"\ngames = ["tictactoe"]\n{setting} = {HUGE}\n')
    assert f"and 10000000, and is {HUGE}." in refusal("train", preset, "--run", tmp_path / "run")


def test_an_anchor_with_an_invalid_number_is_rejected(tmp_path):
    record = tmp_path / "match.jsonl"
    arguments = ["match", "random", "playouts", *TICTACTOE, "--pairs", "1", "--visits", "4", "--record", str(record)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert "'nan' is not a number of Elo points" in refusal("rate", record, "--anchor", "random=nan")


def test_a_record_without_a_match_is_refused(tmp_path):
    record = tmp_path / "match.jsonl"
    record.touch()
    assert "contains no match yet" in refusal("rate", record)
