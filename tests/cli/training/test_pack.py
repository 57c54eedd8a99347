"""`ludus pack` halves a model's size, and adds compatible games to it."""

import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.errors import BadInput, Unavailable
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import load_checkpoint, save_checkpoint

CHINESE, TROMP_TAYLOR = "go:5x5:chinese", "go:5x5"


@pytest.fixture
def model(tmp_path, flat_model):
    save_checkpoint(tmp_path / "model.safetensors", flat_model(CHINESE, weight=1.0))
    return tmp_path / "model.safetensors"


def test_a_model_is_halved_renamed_and_offered_for_more(model, tmp_path):
    command = ["pack", str(model), str(tmp_path / "small"), "--name", "five", "--game", TROMP_TAYLOR]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    small = tmp_path / "small" / "model.safetensors"
    assert small.stat().st_size < model.stat().st_size
    info = load_checkpoint(small).info
    assert (info.name, info.generation, [*info.games]) == ("five", 3, [CHINESE, TROMP_TAYLOR])
    assert info.games[TROMP_TAYLOR] == behaviour(ludus.game(TROMP_TAYLOR))


def test_a_game_with_other_planes_is_refused(model, tmp_path):
    result = CliRunner().invoke(app, ["pack", str(model), str(tmp_path / "small"), "--game", "go:7x7"])
    assert isinstance(result.exception, BadInput)
    assert "go:7x7: its planes or actions differ from those of tiny" in str(result.exception)
    assert not (tmp_path / "small").exists()


def test_a_place_that_is_a_file_is_refused_in_a_sentence(model, tmp_path):
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        result = CliRunner().invoke(app, ["pack", str(model), str(out)])
        assert isinstance(result.exception, Unavailable)
        assert "cannot be written" in str(result.exception)


@pytest.mark.parametrize("out", ["", "model.safetensors"])
@pytest.mark.parametrize("named", ["", "model.safetensors"])
def test_a_model_is_not_written_over_itself(model, tmp_path, named, out):
    before = model.read_bytes()
    result = CliRunner().invoke(app, ["pack", str(tmp_path / named), str(tmp_path / out)])
    assert isinstance(result.exception, BadInput)
    assert "model.safetensors: is the model to be read and would be overwritten" in str(result.exception)
    assert model.read_bytes() == before


def test_a_model_for_another_game_is_not_replaced(model, tmp_path, flat_model):
    other = tmp_path / "other" / "model.safetensors"
    save_checkpoint(other, flat_model("tictactoe", weight=1.0))
    before = other.read_bytes()
    result = CliRunner().invoke(app, ["pack", str(model), str(other.parent)])
    assert isinstance(result.exception, BadInput)
    assert "other/model.safetensors: contains tiny, a model for tictactoe; choose another path." in str(
        result.exception
    )
    assert other.read_bytes() == before
    save_checkpoint(tmp_path / "newer.safetensors", flat_model("tictactoe", weight=0.5))
    packed = CliRunner().invoke(app, ["pack", str(tmp_path / "newer.safetensors"), str(other.parent)])
    assert packed.exit_code == 0, "its own is"
    other.write_bytes(b"damaged")
    assert CliRunner().invoke(app, ["pack", str(model), str(other.parent)]).exit_code == 0
