"""The commands that let players meet, from the terminal to the table."""

import json

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.errors import BadInput

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
    assert files == ["minimax@3--random.jsonl", "minimax@3--ucb@30.jsonl", "random--ucb@30.jsonl"]
    before = [(tmp_path / name).read_bytes() for name in files]
    again = ludus(*arguments)
    assert said == again
    assert before == [(tmp_path / name).read_bytes() for name in files]
    assert "ucb@30" in ludus("rate", tmp_path)


def test_a_league_in_another_order_plays_nothing_twice(tmp_path):
    ludus("league", "random", "minimax:3", *GAME, "--folder", tmp_path, "--pairs", 2)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    ludus("league", "minimax:3", "random", *GAME, "--folder", tmp_path, "--pairs", 2)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_is_named_twice_is_rated_once(tmp_path):
    file = tmp_path / "match.jsonl"
    ludus("match", "minimax:3", "random", *GAME, "--pairs", 3, "--record", file)
    assert ludus("rate", file, file, "--json") == ludus("rate", file, "--json")


def test_an_anchor_that_nobody_bears_is_refused_before_a_game_is_played(tmp_path):
    command = [
        "league",
        "random",
        "ucb:5",
        *GAME,
        "--folder",
        tmp_path / "new",
        "--anchor",
        "random",
        "--anchor",
        "ucb:5",
    ]
    result = CliRunner().invoke(app, [str(argument) for argument in command])
    assert isinstance(result.exception, BadInput)
    assert "ucb:5 has played no game; those who have are random, ucb@5" in str(result.exception)
    assert not (tmp_path / "new").exists()


def test_one_scale_for_different_games_is_remarked_upon(tmp_path):
    for game in ("tictactoe", "wallgame:classic:3x3"):
        ludus("match", "random", "heuristic:2", "--game", game, "--pairs", 1, "--record", tmp_path / f"{game}.jsonl")
    result = CliRunner().invoke(app, ["rate", str(tmp_path)])
    assert "one scale for different games (tictactoe; wallgame:classic:3x3)" in " ".join(result.output.split())


def test_a_match_says_when_its_games_repeat_each_other():
    said = ludus("match", "minimax:1", "minimax:2", *GAME, "--opening", 0, "--pairs", 3)
    assert "4 of the 6 games went like another one" in said


@pytest.mark.parametrize("text", ["0,inf", "0,100000", "-200000,0"])
def test_hypotheses_beyond_measure_are_refused(text):
    result = CliRunner().invoke(app, ["match", "random", "minimax:1", *GAME, f"--sprt={text}"])
    assert result.exit_code == 2
    assert "must lie within 2000 of 0" in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("option", ["--seed=-1", "--pairs=1000000000000", "--opening=10000000000000"])
def test_numbers_out_of_range_are_refused(option):
    assert CliRunner().invoke(app, ["match", "random", "minimax:1", *GAME, option]).exit_code == 2
