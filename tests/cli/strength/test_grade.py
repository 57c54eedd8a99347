"""`ludus grade`: a model is graded by what its game brings, with the planes that it was trained on."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.errors import BadGame, BadInput
from ludus.players.opponents.random import RandomPlayer

SOLVED = Path("tests/golden/connect4-solved.jsonl.gz")


@pytest.fixture(scope="module", params=["connect4", "connect4:ahead"])
def model(request, tmp_path_factory, save_tiny):
    return str(save_tiny(tmp_path_factory.mktemp("model"), spec=request.param)), request.param


def test_a_model_is_graded(model):
    path, _ = model
    options = ["--positions", str(SOLVED), "--visits", "1", "--perfect", "1", "--opening", "26", "--json"]
    found = CliRunner().invoke(app, ["grade", "connect4", path, *options])
    assert found.exit_code == 0, found.output
    graded, played = (json.loads(line) for line in found.stdout.splitlines())
    assert graded["positions"] == 1000
    assert 0.3 < graded["share"] < 0.95
    assert 1 <= played["games"] <= 2
    assert played["kept"] <= played["games"]


def test_a_model_defends_drawn_openings(model):
    path, _ = model
    options = ["--visits", "1", "--perfect", "1", "--drawn", "--opening", "26"]
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
    found = CliRunner().invoke(app, ["grade", "connect4", "random", "--perfect", "1", "--opening", "26"])
    assert found.exit_code == 0, found.output
    assert "forfeit: opening 0: random failed: RuntimeError: no idea" in found.stdout


@pytest.mark.parametrize(
    ("player", "visits"),
    [("playouts:50", 50), ("{model}:3", 3), ("playouts:0.001s", None), ("random", None), ("minimax:1", None)],
)
def test_a_player_with_a_limit_of_its_own_is_graded_once(model, player, visits):
    named = player.format(model=model[0])
    command = ["grade", "connect4", named, "--perfect", "1", "--opening", "26", "--json"]
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.output
    (graded,) = map(json.loads, found.stdout.splitlines())
    assert graded["visits"] == visits
    refused = CliRunner().invoke(app, [*command, "--visits", "1"])
    assert isinstance(refused.exception, BadInput)
    assert str(refused.exception) == f"--visits: {named} does not use visits; leave the option out."


def test_a_player_without_a_limit_is_graded_at_each_number_of_visits(model):
    command = ["grade", "connect4", model[0], "--perfect", "1", "--opening", "26", "--json"]
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


OWN_GAME = """
import copy

import ludus
from ludus.games import tictactoe

game = copy.copy(tictactoe.game)  # loading a file names its game


class Reader:
    order = (4, 0, 2, 6, 8, 1, 3, 5, 7)

    def value(self, state):
        best = None
        for action in game.calls.legal(state):
            after = game.calls.play(state, action)
            outcome = game.calls.outcome(after)
            value = (None, 1, -1, 0)[outcome] if outcome else self.value(after)
            best = value if best is None else (max, min)[int(state[tictactoe.TURN])](best, value)
        return best


def read_solved(path):
    moves = tuple(path.read_text().split())
    return [ludus.SolvedPosition(path.name, moves, 0, ("a3",), ("a2", "b1", "b3", "c2", "c3"))]


def read_tactics(path):
    yield ludus.TacticPuzzle("end", None, ("b2", "a3"), 900, ("own",), 1)


about = ludus.About(solver=lambda _game: Reader(), read_solved=read_solved, read_tactics=read_tactics)
"""


@pytest.fixture
def own_game(tmp_path):
    (tmp_path / "noughts.py").write_text(OWN_GAME)
    return str(tmp_path / "noughts.py")


def test_a_game_of_ones_own_brings_its_solver_and_files(own_game, tmp_path):
    (tmp_path / "solved.txt").write_text("b2 a1 c1")  # a nought at a3 stops the line
    (tmp_path / "puzzles.txt").write_text("")
    options = ["--positions", str(tmp_path / "solved.txt"), "--perfect", "3", "--opening", "3", "--json"]
    puzzles = ["--puzzles", str(tmp_path / "puzzles.txt"), "--theme", "own"]
    found = CliRunner().invoke(app, ["grade", own_game, "minimax:9", *options, *puzzles])
    assert found.exit_code == 0, found.output
    solved, perfect, tactics = map(json.loads, found.stdout.splitlines())
    assert (solved["positions"], solved["decisive_kept"], solved["drawn_kept"]) == (1, 1, 1)
    assert perfect["kept"] == perfect["games"] >= 3
    assert (perfect["left_out"], perfect["unproved"]) == (0, 0)
    assert (tactics["puzzles"], tactics["bands"].keys()) == (1, {"800"})
    match = CliRunner().invoke(app, ["match", "solver", "random", "--game", own_game, "--pairs", "2", "--opening", "3"])
    assert match.exit_code == 0, match.output


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (
            ["go", "random"],
            BadInput,
            "go: the game brings nothing to grade players with; chess .--puzzles FILE. and conn",
        ),
        (["go:9x9", "random", "--perfect", "1"], BadInput, "go:9x9: the game brings nothing to grade players with"),
        (["conect4", "random"], BadGame, "There is no game 'conect4'"),
        (["chess", "random", "--perfect", "1"], BadInput, "--perfect: chess brings nothing .*; give --puzzles FILE"),
        (
            ["connect4", "random", "--puzzles", "p"],
            BadInput,
            "--puzzles: .*; give --positions FILE or --perfect OPENINGS",
        ),
    ],
)
def test_a_game_that_cannot_be_graded_so_is_refused(arguments, error, said):
    found = CliRunner().invoke(app, ["grade", *arguments])
    assert isinstance(found.exception, error), found.output
    assert re.match(said, str(found.exception))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "random"], "give --puzzles FILE"),
        (["connect4", "random"], "give --positions FILE or"),
        (["connect4", "random", "--perfect", "1", "--most", "3"], "give --puzzles FILE"),
    ],
)
def test_something_to_measure_with_is_needed(arguments, said):
    found = CliRunner().invoke(app, ["grade", *arguments], env={"COLUMNS": "200"})
    assert found.exit_code == 2
    assert said in found.output
