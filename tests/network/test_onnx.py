"""A network in ONNX gives the results of the trained network and of OpenVINO, in a file as small as the model's."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

import ludus
from ludus.network.checkpoint import FILE, halve, load_checkpoint, save_checkpoint, weights_fingerprint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import evaluate
from ludus.network.model import Network
from ludus.network.onnx import write_onnx
from ludus.network.openvino import OpenVinoEvaluator
from ludus.seeding import stream

MODELS = sorted(path.parent for path in (Path(__file__).parents[2] / "models").glob(f"*/{FILE}"))
GAMES, LENGTH = 3, 24  # of random games, whose positions are compared


def positions(checkpoint):
    """Return planes [B, C, H, W] of positions of random games of each of a model's games."""
    rng, found = stream(0, "positions"), []
    for spec in checkpoint.info.games:
        for _ in range(GAMES):
            position = ludus.game(spec).start()
            for _ in range(LENGTH):
                found.append(position.planes)
                if position.outcome is not None:
                    break
                position = position.play(int(rng.choice(position.actions)))
    return np.stack(found)


def odd_convolutions(file):
    """Return the convolutions of an odd number of channels, which browsers compute wrongly by WebGPU."""
    graph = onnx.shape_inference.infer_shapes(onnx.load(file)).graph
    shape = {each.name: each.type.tensor_type.shape.dim for each in (*graph.value_info, *graph.input)}
    read = {node.name: shape[node.input[0]][1].dim_value for node in graph.node if node.op_type == "Conv"}
    assert len(read) > 2
    return [name for name, channels in read.items() if channels == 0 or channels % 2]


def run(file, planes):
    return onnxruntime.InferenceSession(str(file)).run(["logits", "outcome"], {"planes": planes})


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_shipped_networks_agree_with_openvino_and_torch(folder, tmp_path):
    checkpoint = load_checkpoint(folder)
    info, planes = checkpoint.info, positions(checkpoint)
    write_onnx(checkpoint, tmp_path / "network.onnx")
    logits, outcomes = run(tmp_path / "network.onnx", planes)
    other = evaluate(OpenVinoEvaluator(checkpoint.arrays, info.network, info.shapes, precision="f32"), planes)
    np.testing.assert_allclose(logits, other[0], atol=1e-3)
    np.testing.assert_allclose(outcomes, other[1], atol=1e-3)
    network = Network(info.network, info.shapes).eval()
    network.load_state_dict({name: torch.from_numpy(array) for name, array in checkpoint.arrays.items()}, strict=False)
    with torch.inference_mode():
        trained, trained_outcomes = network(torch.from_numpy(planes))
    np.testing.assert_allclose(logits, trained, atol=1e-3)
    if not info.network.end_share:  # else only evaluators add the share of the end
        np.testing.assert_allclose(outcomes, torch.softmax(trained_outcomes, 1), atol=1e-3)
    assert np.ptp(logits) > 1, "the compared values are not trivial"
    assert outcomes.std(0).max() > 0.02, "and here, too"
    assert (tmp_path / "network.onnx").stat().st_size < 1.15 * (folder / FILE).stat().st_size
    assert odd_convolutions(tmp_path / "network.onnx") == []


def test_the_file_is_standard_onnx_with_a_card(checkpoint, tmp_path):
    write_onnx(checkpoint, tmp_path / "odd.onnx", licence="CC0-1.0")
    onnx.checker.check_model(str(tmp_path / "odd.onnx"), full_check=True)
    model = onnx.load(tmp_path / "odd.onnx")
    assert {each.key: each.value for each in model.metadata_props} == {
        "name": "odd",
        "generation": "7",
        "games": "connect4",
        "weights": weights_fingerprint(checkpoint),
        "licence": "CC0-1.0",
    }
    assert [(each.domain, each.version) for each in model.opset_import] == [("", 17)]
    assert {node.domain for node in model.graph.node} == {""}
    session = onnxruntime.InferenceSession(str(tmp_path / "odd.onnx"))
    tensors = [(each.name, each.type, each.shape) for each in [*session.get_inputs(), *session.get_outputs()]]
    assert tensors == [
        ("planes", "tensor(uint8)", ["rows", 3, 4, 5]),
        ("logits", "tensor(float)", ["rows", 11]),
        ("outcome", "tensor(float)", ["rows", 3]),
    ]
    written = (tmp_path / "odd.onnx").read_bytes()
    write_onnx(checkpoint, tmp_path / "odd.onnx", licence="CC0-1.0")
    assert (tmp_path / "odd.onnx").read_bytes() == written, "equal networks have equal files"


def test_a_file_does_not_say_where_the_game_lay(checkpoint, tmp_path):
    import msgspec

    info = msgspec.structs.replace(checkpoint.info, games={"/some/secret/mygame.py:7x7": "0123456789abcdef"})
    write_onnx(msgspec.structs.replace(checkpoint, info=info), tmp_path / "mine.onnx")
    assert b"mygame.py:7x7" in (tmp_path / "mine.onnx").read_bytes()
    assert b"secret" not in (tmp_path / "mine.onnx").read_bytes()


def test_packed_weights_take_half_the_file_and_change_nothing(checkpoint_of, draw, planes, tmp_path):
    settings = NetworkSettings(blocks=2, channels=24, head_channels=8, value="scalar")
    shapes = Shapes(planes=(3, 4, 5), plane_scale=(1.0, 0.5, 1 / 60), num_actions=11)
    checkpoint = checkpoint_of(draw(settings, shapes))
    save_checkpoint(tmp_path / FILE, halve(checkpoint))
    packed = load_checkpoint(tmp_path)
    write_onnx(checkpoint, tmp_path / "whole.onnx")
    write_onnx(packed, tmp_path / "half.onnx")
    sizes = [(tmp_path / name).stat().st_size for name in ("half.onnx", "whole.onnx")]
    assert sizes[0] < 0.65 * sizes[1]
    exact = {name: array * np.float32(1 + 2**-23) for name, array in packed.arrays.items()}  # no longer 16 bits
    write_onnx(
        type(packed)(packed.info, packed.arrays | {"stem.0.weight": exact["stem.0.weight"]}), tmp_path / "a.onnx"
    )
    for one, other in zip(run(tmp_path / "half.onnx", planes), run(tmp_path / "a.onnx", planes), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("arguments", [["--format", "onnx"], []], ids=["onnx", "server"])
def test_models_are_exported_without_the_extra_for_inference(arguments, tmp_path):
    hidden = "import sys; sys.modules['grpc'] = sys.modules['tritonclient'] = None; from ludus.cli import main; main()"
    command = [sys.executable, "-c", hidden, "export", str(MODELS[0]), str(tmp_path / "out"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    name = f"{load_checkpoint(MODELS[0]).info.name}.{weights_fingerprint(load_checkpoint(MODELS[0]))}"
    assert [path.name for path in (tmp_path / "out").iterdir()] == [f"{name}.onnx" if arguments else name]
    if arguments:
        card = {each.key: each.value for each in onnx.load(tmp_path / "out" / f"{name}.onnx").metadata_props}
        assert card["licence"] == "MIT"


@pytest.mark.parametrize("hidden", ["onnx", "onnxruntime"])
def test_without_the_packages_the_remedy_is_named(hidden, tmp_path):
    code = f"import sys; sys.modules[{hidden!r}] = None; from ludus.cli import main; main()"
    export = ["export", str(MODELS[0]), str(tmp_path / "out.onnx"), "--format", "onnx"]
    engine = ["engine", "analysis", "--model", str(MODELS[0]), "--backend", "onnxruntime"]
    for arguments in [engine] if hidden == "onnxruntime" else [export, engine]:
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300)
        assert done.returncode != 0
        assert "pip install 'ludus[onnx]'" in done.stderr
        assert "Traceback" not in done.stderr
    assert not [*tmp_path.iterdir()]
