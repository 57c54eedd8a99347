"""`ludus pack` halves a model's size, and adds compatible games to it."""

import msgspec
import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.errors import BadInput, Unavailable
from ludus.games.behaviour import behaviour
from ludus.kernel import multiplies_int8
from ludus.network import int8
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


@pytest.fixture
def small_model(save_tiny, tmp_path):
    return save_tiny(tmp_path / "tiny")


@pytest.mark.skipif(not multiplies_int8(), reason="this processor has no instructions for int8")
def test_a_model_is_checked_in_int8_and_keeps_the_record(small_model, tmp_path):
    result = CliRunner().invoke(app, ["pack", str(small_model), str(tmp_path / "checked"), "--int8"])
    assert result.exit_code == 0, result.output
    assert "int8: 2 convolutions; on 1,536 positions, the value differs by 0.0" in result.output
    record = load_checkpoint(tmp_path / "checked").info.int8
    assert record
    assert sorted(record.ranges) == ["blocks.0.first", "blocks.0.second"]
    assert int8.accepted_ranges(load_checkpoint(tmp_path / "checked")) == record.ranges
    again = CliRunner().invoke(app, ["pack", str(tmp_path / "checked"), str(tmp_path / "renamed"), "--name", "b"])
    assert again.exit_code == 0, again.output
    assert load_checkpoint(tmp_path / "renamed").info.int8 == record


def test_a_record_of_other_weights_is_dropped(small_model, tmp_path):
    checkpoint = load_checkpoint(small_model)
    some = int8.Difference(0.0, 0.0)
    record = int8.Int8({"blocks.0.first": 1.0}, "of others", 1, int8.Differences(some, some, 1.0), "", "")
    info = msgspec.structs.replace(checkpoint.info, int8=record)
    save_checkpoint(tmp_path / "stale.safetensors", msgspec.structs.replace(checkpoint, info=info))
    result = CliRunner().invoke(app, ["pack", str(tmp_path / "stale.safetensors"), str(tmp_path / "new")])
    assert result.exit_code == 0, result.output
    assert load_checkpoint(tmp_path / "new").info.int8 is msgspec.UNSET


def test_a_processor_without_int8_is_told(small_model, tmp_path, monkeypatch):
    monkeypatch.setattr(int8, "multiplies_int8", lambda: False)
    result = CliRunner().invoke(app, ["pack", str(small_model), str(tmp_path / "new"), "--int8"])
    assert isinstance(result.exception, Unavailable)
    assert "This processor has no instructions for int8 (VNNI or AMX)" in str(result.exception)
    assert not (tmp_path / "new").exists()
