"""A network exported for other inference servers gives the same results there."""

import numpy as np
import openvino as ov
import pytest
from google.protobuf import text_format
from tests.network.conftest import SHAPES, drawn, in_checkpoint
from tritonclient.grpc import model_config_pb2

from ludus.errors import BadInput, Unavailable
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import evaluate
from ludus.network.openvino import OpenVinoEvaluator
from ludus.network.repository import lay_out
from ludus.network.tensors import served_name

PLANES = np.random.default_rng(4).integers(0, 9, (6, *SHAPES.planes), np.uint8)


@pytest.fixture(scope="module", params=[(), ("maps",)], ids=["plain", "maps"])
def checkpoint(request):
    shapes = Shapes(**{name: getattr(SHAPES, name) for name in ("planes", "plane_scale", "num_actions")}, num_maps=2)
    return in_checkpoint(
        drawn(NetworkSettings(blocks=2, channels=12, head_channels=5, auxiliary=request.param), shapes)
    )


def test_the_files_hold_the_network(checkpoint, tmp_path):
    folder = lay_out(checkpoint, tmp_path / "repository")
    assert folder.name == served_name(checkpoint)
    found = ov.Core().compile_model(folder / "1" / "model.xml", "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(
        {"planes": PLANES}
    )
    own = OpenVinoEvaluator(checkpoint.arrays, checkpoint.info.network, checkpoint.info.shapes, precision="f32")
    logits, outcomes = evaluate(own, PLANES)
    np.testing.assert_allclose(found["logits"], logits, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(found["outcomes"], outcomes, atol=1e-3)
    if (maps := own.maps(PLANES)) is not None:
        np.testing.assert_allclose(found["maps"], maps, atol=1e-3)


def test_triton_can_read_its_configuration(checkpoint, tmp_path):
    folder = lay_out(checkpoint, tmp_path)
    config = text_format.Parse((folder / "config.pbtxt").read_text(), model_config_pb2.ModelConfig())
    assert (config.name, config.backend) == (folder.name, "openvino")
    tensors = {each.name: [*each.dims] for each in [*config.input, *config.output]}
    maps = {"maps": [-1, 2, 4, 5]} if checkpoint.info.network.auxiliary else {}
    assert tensors == {"planes": [-1, 3, 4, 5], "logits": [-1, 11], "outcomes": [-1, 3]} | maps


def test_the_triton_configuration_fixes_no_batch_size(checkpoint, tmp_path):
    folder = lay_out(checkpoint, tmp_path)
    config = text_format.Parse((folder / "config.pbtxt").read_text(), model_config_pb2.ModelConfig())
    assert config.max_batch_size == 0
    assert not config.HasField("dynamic_batching"), "a backend without a size of batches is given one request at a time"
    graph = ov.Core().read_model(folder / "1" / "model.xml")
    shapes = {port.any_name: port.partial_shape for port in [*graph.inputs, *graph.outputs]}
    for each in [*config.input, *config.output]:
        assert shapes[each.name] == ov.PartialShape([*each.dims]), each.name


def test_an_existing_export_is_not_overwritten(checkpoint, tmp_path):
    lay_out(checkpoint, tmp_path)
    with pytest.raises(BadInput, match="exists already"):
        lay_out(checkpoint, tmp_path)


def test_an_unwritable_repository_gives_one_error_message(checkpoint, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be written"):
        lay_out(checkpoint, tmp_path / "file")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]
