"""A package brings UCI with its game: Breakthrough, with the board class of docs/how-to/engines.md."""

import re
from pathlib import Path

import pytest
from tests.games.test_registry_packages import by_hand, ludus_command, on_the_path, small_model
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.network.checkpoint import save_checkpoint

ROOT = Path(__file__).parents[3]
ABOUT = 'about = ludus.About(engines=("uci",))\n'
MOVE = r"[a-f][1-6][a-f][1-6]"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Install the package; return the folder of a model."""
    folder = tmp_path_factory.mktemp("installed")
    by_hand(folder, "breakthrough", "breakthrough", (ROOT / "examples/breakthrough.py").read_text() + ABOUT)
    engines = folder / "ludus_breakthrough" / "engines"
    engines.mkdir()
    (engines / "__init__.py").touch()
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/engines.md").read_text(), re.DOTALL)
    (engines / "uci.py").write_text(code)
    with on_the_path(folder):
        save_checkpoint(folder / "model" / "model.safetensors", small_model("breakthrough"))
        yield folder / "model"


def told(model, *lines):
    asked = "".join(line + "\n" for line in lines)
    return ludus_command("engine", "breakthrough-uci", "--model", model, "--memory=1", input=asked).splitlines()


def test_a_program_plays_and_analyses_it(model):
    answers = told(
        model,
        "uci",
        "isready",
        "position startpos moves a2a3 b5a4",
        "go nodes 20",
        "position startpos moves a2a3 b5a4 a3b4 e5e4 b4a5 e4e3 a5b6",
        "go infinite",
        "isready",
        "stop",
    )
    assert "uciok" in answers
    assert not [line for line in answers if line.startswith("option name UCI_Chess960")]
    best, lost = (line for line in answers if line.startswith("bestmove"))
    assert re.fullmatch(rf"bestmove {MOVE}( ponder {MOVE})?", best)
    assert lost == "bestmove (none)"
    assert answers[-2] == "info depth 0 score mate 0", "the last row is reached"
    assert not [line for line in answers if line.startswith("info string")]


def test_moves_and_positions_that_it_does_not_have_are_reported(model):
    answers = told(
        model,
        "position startpos moves a2a4",
        "position fen 8/8",
        "position startpos moves a2a3",
        "go nodes 2 searchmoves a2a3 f5f4",
    )
    assert [line for line in answers if line.startswith("info string")] == [
        "info string a2a4 may not be played.",
        "info string Breakthrough has only its start position.",
        "info string These moves may not be played: a2a3",
    ]
    assert answers[-1].startswith("bestmove f5f4")


def test_a_model_of_another_game_is_refused(model):
    done = CliRunner().invoke(app, ["engine", "breakthrough-uci", "--model", str(ROOT / "models" / "chess")])
    assert "not breakthrough" in str(done.exception)
