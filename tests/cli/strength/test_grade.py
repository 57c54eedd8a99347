"""`ludus grade connect4`: a model is graded with the planes that it was trained on, and can play against the solver."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.errors import BadInput
from ludus.players.opponents.random import RandomPlayer

SOLVED = Path("tests/golden/connect4-solved.jsonl.gz")


@pytest.fixture(scope="module", params=["connect4", "connect4:ahead"])
def model(request, tmp_path_factory, save_tiny):
    return str(save_tiny(tmp_path_factory.mktemp("model"), spec=request.param)), request.param


def test_a_model_is_graded(model):
    path, _ = model
    options = ["--positions", str(SOLVED), "--visits", "1", "--perfect", "1", "--discs", "26", "--json"]
    found = CliRunner().invoke(app, ["grade", "connect4", path, *options])
    assert found.exit_code == 0, found.output
    graded, played = (json.loads(line) for line in found.stdout.splitlines())
    assert graded["positions"] == 1000
    assert 0.3 < graded["share"] < 0.95
    assert 1 <= played["games"] <= 2
    assert played["kept"] <= played["games"]


def test_a_model_defends_drawn_openings(model):
    path, _ = model
    options = ["--visits", "1", "--perfect", "1", "--drawn", "--discs", "26"]
    found = CliRunner().invoke(app, ["grade", "connect4", path, *options])
    assert found.exit_code == 0, found.output
    assert re.search(r" of 2 games against perfect play kept the outcome; \d of 2 draws: ", found.stdout)
    alone = CliRunner().invoke(app, ["grade", "connect4", path, "--positions", str(SOLVED), "--drawn"])
    assert alone.exit_code == 2
    assert "--perfect" in alone.output


def test_forfeited_games_are_reported(monkeypatch):
    def choose(self, game, states):
        raise RuntimeError("no idea")

    monkeypatch.setattr(RandomPlayer, "choose", choose)
    found = CliRunner().invoke(app, ["grade", "connect4", "random", "--perfect", "1", "--discs", "26"])
    assert found.exit_code == 0, found.output
    assert "forfeit: opening 0: random failed: RuntimeError: no idea" in found.stdout


@pytest.mark.parametrize(
    ("player", "visits"),
    [("playouts:50", 50), ("{model}:3", 3), ("playouts:0.001s", None), ("random", None), ("minimax:1", None)],
)
def test_a_player_with_a_limit_of_its_own_is_graded_once(model, player, visits):
    named = player.format(model=model[0])
    command = ["grade", "connect4", named, "--perfect", "1", "--discs", "26", "--json"]
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.output
    (graded,) = map(json.loads, found.stdout.splitlines())
    assert graded["visits"] == visits
    refused = CliRunner().invoke(app, [*command, "--visits", "1"])
    assert isinstance(refused.exception, BadInput)
    assert str(refused.exception) == f"--visits: {named} does not use visits; leave the option out."


def test_a_player_without_a_limit_is_graded_at_each_number_of_visits(model):
    command = ["grade", "connect4", model[0], "--perfect", "1", "--discs", "26", "--json"]
    for options, visits in (([], [1, 100]), (["--visits", "2", "--visits", "3"], [2, 3])):
        found = CliRunner().invoke(app, [*command, *options])
        assert [json.loads(line)["visits"] for line in found.stdout.splitlines()] == visits


def test_a_model_meets_the_solver_named_first(model):
    path, spec = model
    found = CliRunner().invoke(
        app, ["match", "solver", path, "--pairs", "1", "--opening", "26", "--visits", "1", "--json"]
    )
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout.splitlines()[-1])["games"] == [spec]
