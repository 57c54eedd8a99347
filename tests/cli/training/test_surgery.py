"""`ludus surgery` writes a model with its ancestors, or rejects impossible conversions."""

import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.errors import BadInput, Unavailable
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo, load_checkpoint, save_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import draw_arrays


@pytest.fixture
def model(tmp_path):
    game = ludus.game("wallgame:classic:4x4")
    settings, shapes = NetworkSettings(blocks=1, channels=8, head_channels=4), Shapes.of(game)
    info = ModelInfo("little", settings, shapes, {game.name: behaviour(game)}, generation=5, preset="p")
    path = tmp_path / "little.safetensors"
    save_checkpoint(path, Checkpoint(info, draw_arrays(settings, shapes, 0)))
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["surgery", *map(str, arguments)], catch_exceptions=False)


def test_a_network_grows_to_a_larger_board_and_names_its_ancestor(model, tmp_path):
    games = ("wallgame:classic:5x5", "wallgame:standard:4x5@5x5")
    options = [option for spec in games for option in ("--game", spec)]
    said = run(model, tmp_path / "out", *options, "--blocks", 2, "--offset", "1,0", "--name", "big").output
    assert "weights come from little, generation 5 (1x8, 4x4)" in said
    info = load_checkpoint(tmp_path / "out").info
    assert (info.name, info.generation, tuple(info.games)) == ("big", 0, games)
    assert (info.network.blocks, info.shapes.planes) == (2, (9, 5, 5))
    assert info.ancestors == ("little, generation 5 (1x8, 4x4)",)


def test_heads_get_a_hidden_layer(model, tmp_path):
    run(model, tmp_path / "out", "--hidden", 6)
    grown = load_checkpoint(tmp_path / "out")
    assert grown.info.network.hidden == 6
    assert grown.arrays["policy.linear.weight"].shape[1] == 6


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--channels", 4), "it has 8 channels, more than 4"),
        (("--heads", "round"), "The new network is not valid: "),
        (("--heads", "size-free", "--hidden", 6), "hidden is a layer of linear heads"),
        (("--offset", "1"), "is not a pair of whole numbers"),
        (("--game", "wallgame:classic:5x5", "--game", "connect4"), "give the smaller one a frame"),
        (("--game", "wallgame:classic:3x3"), "do not fit into planes"),
    ],
)
def test_an_impossible_conversion_gives_one_error_message(model, tmp_path, options, what):
    with pytest.raises(BadInput, match=what) as refusal:
        run(model, tmp_path / "out", *options)
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "out").exists()


def test_a_place_that_is_a_file_is_refused_in_a_sentence(model, tmp_path):
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        result = CliRunner().invoke(app, ["surgery", str(model), str(out)])
        assert isinstance(result.exception, Unavailable)
        assert "cannot be written" in str(result.exception)
