"""The commands that let players meet, from the terminal to the table."""

import json

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app

GAME = ["--game", "tictactoe"]


def ludus(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_match_is_recorded_continued_and_rated(tmp_path):
    file = tmp_path / "match.jsonl"
    first = ludus("match", "minimax:9", "random", *GAME, "--pairs", 5, "--record", file, "--json")
    whole = json.loads(ludus("match", "minimax:9", "random", *GAME, "--pairs", 8, "--record", file, "--json"))
    assert json.loads(first)["wins"] <= whole["wins"]
    assert (whole["a"], sum(whole["pairs"]), whole["forfeits"]) == ("minimax@9", 8, [])
    table = json.loads(ludus("rate", file, "--anchor", "random=100", "--json"))
    assert [rating["name"] for rating in table["ratings"]] == ["minimax@9", "random"]
    assert table["ratings"][1]["elo"] == 100.0
    assert table["ratings"][0]["games"] == 16


def test_a_sequential_test_ends_a_match_early_and_says_what_it_found():
    arguments = ["match", "minimax:9", "random", *GAME, "--opening", 2, "--pairs", 400, "--sprt", "0,50"]
    said = ludus(*arguments)
    assert "minimax@9 is better (difference 50 against 0 Elo: log likelihood ratio +" in said
    result = json.loads(ludus(*arguments, "--json"))
    assert result["sprt"]["verdict"] == "better"
    assert sum(result["pairs"]) < 400


@pytest.mark.parametrize("text", ["5", "20,0", "a,b", "0,20,2,3"])
def test_a_test_that_is_none_is_refused(text):
    result = CliRunner().invoke(app, ["match", "random", "random", *GAME, "--sprt", text])
    assert result.exit_code == 2
    assert "write ELO0,ELO1" in " ".join(result.output.replace("│", " ").split()), "whatever the width of the terminal"


def test_a_league_prints_everyone_and_goes_on_from_its_records(tmp_path):
    arguments = ["league", "random", "ucb:30", "minimax:3", *GAME, "--folder", tmp_path, "--pairs", 3]
    said = ludus(*arguments)
    assert all(name in said for name in ("random", "ucb@30", "minimax@3", "Elo"))
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["random--minimax@3.jsonl", "random--ucb@30.jsonl", "ucb@30--minimax@3.jsonl"]
    before = [(tmp_path / name).read_bytes() for name in files]
    again = ludus(*arguments)
    assert said == again
    assert before == [(tmp_path / name).read_bytes() for name in files]
    assert "ucb@30" in ludus("rate", tmp_path)
