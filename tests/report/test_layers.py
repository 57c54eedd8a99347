"""The picture of a network has every layer, with the shapes and numbers of weights of the network itself."""

import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.network.checkpoint import ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import Network
from ludus.report.layers import layers_of, layers_svg, layers_text

ROOT = Path(__file__).parents[2]
FORMS = {
    "linear": NetworkSettings(blocks=2, channels=8, head_channels=4),
    "hidden": NetworkSettings(blocks=1, channels=8, head_channels=4, hidden=16, value="scalar", squeeze=4),
    "size-free": NetworkSettings(
        blocks=3,
        channels=8,
        head_channels=4,
        heads="size-free",
        pooling_every=2,
        auxiliary=("reply", "short_values", "moves_left", "maps"),
    ),
}


def info(form: str) -> ModelInfo:
    return ModelInfo("mine", FORMS[form], Shapes.of(ludus.game("go:5x5")), {})


@pytest.mark.parametrize("form", FORMS)
def test_the_layers_have_all_weights_of_the_network(form):
    network = Network(FORMS[form], info(form).shapes)
    layers = layers_of(info(form))
    assert sum(layer.parameters for layer in layers) == sum(each.numel() for each in network.parameters())
    assert len({layer.name for layer in layers}) == len(layers)


def test_the_text_names_each_layer_with_its_output():
    lines = layers_text(info("size-free")).splitlines()
    assert lines[0].startswith("mine, generation 0: 3 residual blocks of 8 channels, size-free heads; ")
    assert "used in play" in lines[0], "auxiliary heads only help training"
    table = {line.split()[0]: line for line in lines[3:]}
    assert "2 channels pooled" in table["blocks.1"]
    assert "8 x 5 x 5" in table["stem"]
    assert "26" in table["policy.actions"].split()
    assert "2 x 5 x 5" in table["auxiliary.maps"]


@pytest.mark.parametrize("form", FORMS)
def test_the_picture_has_a_box_for_each_layer_inside_its_frame(form):
    root = ET.fromstring(layers_svg(info(form)))
    boxes = [each.attrib for each in root.iter() if each.tag.endswith("rect")][1:]
    assert len(boxes) == len(layers_of(info(form)))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    corners = {(float(box["x"]), float(box["y"])) for box in boxes}
    assert len(corners) == len(boxes), "no box hides another"
    assert all(0 <= x <= width - 300 for x, _ in corners)
    assert all(0 <= y <= height - 40 for _, y in corners)


def test_the_command_prints_the_layers_and_draws_them(tmp_path):
    model = str(ROOT / "models/connect4")
    found = CliRunner().invoke(app, ["show", "--network", model, "--out", str(tmp_path)])
    assert found.exit_code == 0, found.output
    assert found.output.startswith("connect4, generation ")
    assert "policy.linear" in found.output
    ET.fromstring((tmp_path / "network.svg").read_text())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show"], "needs a game and a folder"),
        (["show", "tictactoe"], "needs a game and a folder"),
        (["show", "tictactoe", "--network", "models/connect4"], "shown without a game"),
    ],
)
def test_a_command_that_shows_nothing_is_refused(arguments, complaint):
    found = CliRunner().invoke(app, arguments)
    assert complaint in str(found.exception)


def test_an_auxiliary_head_of_every_kind_is_described():
    every = msgspec.structs.fields(NetworkSettings)
    (kinds,) = (field.type for field in every if field.name == "auxiliary")
    assert set(FORMS["size-free"].auxiliary) == set(kinds.__args__[0].__args__)
