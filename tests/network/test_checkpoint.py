"""A saved checkpoint loads unchanged, or is rejected with one message."""

import json
import struct

import msgspec
import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save

from ludus.errors import BadModel
from ludus.network.checkpoint import Checkpoint, array_shapes, digest_of, halve, load_checkpoint, save_checkpoint
from ludus.network.config import NetworkSettings, Shapes

AUXILIARY = ("reply", "short_values", "moves_left", "maps")


@pytest.fixture
def saved(tmp_path, checkpoint):
    save_checkpoint(tmp_path / "model.safetensors", checkpoint)
    return tmp_path / "model.safetensors"


def refusal(path):
    with pytest.raises(BadModel) as caught:
        load_checkpoint(path)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert path.name in sentence
    return sentence


def write(path, info, arrays, digest=None):
    """Write a file with a correct checksum, so that the test fails for another reason."""
    digest = digest_of(arrays, info.encode()).hex() if digest is None else digest
    path.write_bytes(save(arrays, {"ludus": f'{{"info":{info},"blake2b":"{digest}"}}'}))


def altered(checkpoint, path, **arrays):
    """Save a checkpoint with some arrays replaced (None: omitted); return the error when it is loaded."""
    kept = {name: array for name, array in (checkpoint.arrays | arrays).items() if array is not None}
    write(path, msgspec.json.encode(checkpoint.info).decode(), kept)
    return refusal(path)


def test_a_checkpoint_comes_back_as_it_was_saved(saved, checkpoint):
    for path in (saved, saved.parent):
        loaded = load_checkpoint(path)
        assert loaded.info == checkpoint.info
        assert loaded.arrays.keys() == checkpoint.arrays.keys()
        for name, array in checkpoint.arrays.items():
            assert loaded.arrays[name].tobytes() == array.tobytes(), name


def test_a_halved_checkpoint_comes_back_with_numbers_of_32_bits_that_are_nearly_the_same(saved, tmp_path, checkpoint):
    half = tmp_path / "half.safetensors"
    save_checkpoint(half, halve(checkpoint))
    assert half.stat().st_size < 0.6 * saved.stat().st_size
    loaded = load_checkpoint(half)
    assert loaded.info == checkpoint.info
    for name in array_shapes(checkpoint.info.network, checkpoint.info.shapes):
        assert loaded.arrays[name].dtype == np.float32
        assert np.allclose(loaded.arrays[name], checkpoint.arrays[name], rtol=1e-3, atol=1e-7), name


def test_numbers_that_16_bits_cannot_hold_are_named(checkpoint):
    name = "blocks.1.second.1.running_var"
    large = {name: np.full_like(checkpoint.arrays[name], 1e6)}
    with pytest.raises(BadModel, match=r"blocks\.1\.second\.1\.running_var has numbers too large for 16 bits"):
        halve(msgspec.structs.replace(checkpoint, arrays=checkpoint.arrays | large))


def test_the_same_checkpoint_gives_the_same_file(saved, tmp_path, checkpoint):
    save_checkpoint(tmp_path / "again.safetensors", checkpoint)
    assert (tmp_path / "again.safetensors").read_bytes() == saved.read_bytes()


@pytest.mark.parametrize(
    ("network", "shapes"),
    [
        (
            NetworkSettings(blocks=0, channels=1, head_channels=1),
            Shapes(planes=(1, 1, 1), plane_scale=(1.0,), num_actions=1),
        ),
        (
            NetworkSettings(blocks=3, channels=8, head_channels=4),
            Shapes(planes=(5, 6, 7), plane_scale=(0.5,) * 5, num_actions=20),
        ),
        (
            NetworkSettings(blocks=1, channels=6, head_channels=4, auxiliary=AUXILIARY),
            Shapes(planes=(5, 6, 7), plane_scale=(0.5,) * 5, num_actions=20, num_maps=3),
        ),
    ],
    ids=["smallest", "small", "auxiliary"],
)
def test_the_expected_arrays_are_those_of_the_network(network, shapes):
    from ludus.network.model import Network

    state = Network(network, shapes).state_dict()
    found = {name: tuple(tensor.shape) for name, tensor in state.items() if "num_batches" not in name}
    assert array_shapes(network, shapes) == found


@pytest.mark.parametrize("halved", [False, True])
def test_every_wrong_bit_is_detected(saved, checkpoint, halved):
    if halved:
        save_checkpoint(saved, halve(checkpoint))
    data, rng = saved.read_bytes(), np.random.default_rng(0)
    begin = 8 + struct.unpack("<Q", data[:8])[0]  # of the weights
    for place in [*rng.integers(0, begin, 300), *rng.integers(begin, len(data), 100), len(data) - 1]:
        wrong = bytearray(data)
        wrong[place] ^= 1 << int(rng.integers(8))
        saved.write_bytes(wrong)
        refusal(saved)
    saved.write_bytes(data)
    load_checkpoint(saved)


def test_weights_without_a_checksum_are_refused(saved, checkpoint):
    info = msgspec.json.encode(checkpoint.info).decode()
    write(saved, info, checkpoint.arrays)
    load_checkpoint(saved)
    write(saved, info, checkpoint.arrays, digest="")
    assert "the checksum is wrong" in refusal(saved)


def test_a_missing_model_is_named_with_the_remedy(tmp_path):
    assert "ludus train" in refusal(tmp_path)
    assert "ludus train" in refusal(tmp_path / "nothing.safetensors")


def test_a_missing_file_names_the_newest_model_beside_it(tmp_path):
    missing = tmp_path / "gen-0007.safetensors"
    assert f"{missing}: there is no such file, and no model next to it; train one" in refusal(missing)
    for generation in (0, 1):
        (tmp_path / f"gen-000{generation}.safetensors").touch()
    assert refusal(missing) == f"{missing}: there is no such file; the newest model next to it is gen-0001.safetensors."


@pytest.mark.parametrize("length", [0, 3, 8, 100, -1, -1000])
def test_a_truncated_file_is_refused(saved, length):
    data = saved.read_bytes()
    saved.write_bytes(data[:length])
    refusal(saved)


def test_a_file_of_another_kind_is_refused(saved):
    for data in (b"PK\x03\x04" + bytes(500), b"\x00" * 500, b"\xff" * 500, "Rotkäppchen".encode() * 50):
        saved.write_bytes(data)
        refusal(saved)


def test_any_missing_array_is_named(saved, checkpoint):
    for name in array_shapes(checkpoint.info.network, checkpoint.info.shapes):
        assert f"{name} is missing" in altered(checkpoint, saved, **{name: None})


def test_an_array_of_the_wrong_shape_or_type_is_named(saved, checkpoint):
    name = "blocks.1.second.0.weight"
    array = checkpoint.arrays[name]
    assert "(11, 12, 3, 3) instead of float32 of shape (12, 12, 3, 3)" in altered(
        checkpoint, saved, **{name: array[:11].copy()}
    )
    assert "float64" in altered(checkpoint, saved, **{name: array.astype(np.float64)})
    assert "int32" in altered(checkpoint, saved, **{name: array.astype(np.int32)})


def test_an_array_of_numbers_that_are_not_finite_is_named(saved, checkpoint):
    array = checkpoint.arrays["policy.linear.bias"].copy()
    array[3] = np.nan
    assert "policy.linear.bias contains numbers that are not finite" in altered(
        checkpoint, saved, **{"policy.linear.bias": array}
    )


def test_a_strange_array_is_named(saved, checkpoint):
    strange = np.zeros((12, 12, 3, 3), np.float32)
    assert "blocks.2.first.0.weight is not part of this network" in altered(
        checkpoint, saved, **{"blocks.2.first.0.weight": strange}
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 2}, "the model has format 2"),
        ({"network": {"blocks": 1, "channels": 12, "head_channels": 5}}, "blocks.1.first.0.weight is not part of"),
        ({"network": {"blocks": 10**9, "channels": 12, "head_channels": 5}}, "`int` <= 1000 - at `$.network.blocks`"),
        ({"network": {"blocks": 2, "channels": -12, "head_channels": 5}}, "`int` >= 1 - at `$.network.channels`"),
        ({"network": {"blocks": 2, "channels": 12, "head_channels": 6}}, "instead of float32 of shape (6, 12, 3, 3)"),
        (
            {"shapes": {"planes": [3, 5, 4], "plane_scale": [1, 1, 1], "num_actions": 12}},
            "instead of float32 of shape (12, 100)",
        ),
        ({"shapes": {"planes": [3, 4], "plane_scale": [1, 1, 1], "num_actions": 11}}, "of length 3 - at `$.shapes.pl"),
        (
            {"shapes": {"planes": [0, 4, 5], "plane_scale": [], "num_actions": 11}},
            "planes and actions must be at least 1",
        ),
        ({"shapes": {"planes": [3, 4, 5], "plane_scale": [1, 1], "num_actions": 11}}, "a finite number above 0 for"),
        ({"shapes": {"planes": [3, 4, 5], "plane_scale": [1, 1, 0], "num_actions": 11}}, "a finite number above 0 for"),
        ({"shapes": {"planes": [3, 4, 5], "num_actions": 11}}, "missing required field `plane_scale`"),
        ({"colour": "red"}, "unknown field `colour`"),
        ({"games": ["connect4"]}, "got `array` - at `$.games`"),
    ],
    ids=str,
)
def test_a_header_that_does_not_fit_is_refused(saved, checkpoint, changes, reason):
    header = msgspec.to_builtins(checkpoint.info) | changes
    write(saved, json.dumps(header), checkpoint.arrays)
    assert reason in refusal(saved)


def test_a_file_without_our_header_is_refused(saved, checkpoint):
    saved.write_bytes(save(checkpoint.arrays))
    assert "not a model of this version of Ludus" in refusal(saved)
    write(saved, "{", checkpoint.arrays)
    assert "JSON is malformed" in refusal(saved)


def test_numbers_that_numpy_does_not_know_are_refused_in_a_sentence(saved, checkpoint):
    import torch
    from safetensors.torch import save as save_torch

    arrays = {name: torch.from_numpy(array).bfloat16() for name, array in checkpoint.arrays.items()}
    with safe_open(saved, framework="np") as opened:
        saved.write_bytes(save_torch(arrays, opened.metadata()))
    assert "bfloat16" in refusal(saved)


def test_saving_to_an_unwritable_path_is_an_error(tmp_path, checkpoint):
    from ludus.errors import Unavailable

    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot be written"):
        save_checkpoint(tmp_path / "file" / "model.safetensors", checkpoint)


def test_arrays_in_any_layout_are_saved_alike(saved, tmp_path, checkpoint):
    turned = {name: np.asfortranarray(array) for name, array in checkpoint.arrays.items()}
    save_checkpoint(tmp_path / "turned.safetensors", Checkpoint(checkpoint.info, turned))
    assert (tmp_path / "turned.safetensors").read_bytes() == saved.read_bytes()


def test_a_models_games_are_found_from_every_folder(tmp_path, monkeypatch, checkpoint):
    project = tmp_path / "project"
    project.mkdir()
    (project / "mine.py").touch()
    monkeypatch.chdir(project)
    info = msgspec.structs.replace(checkpoint.info, games={"mine.py:5x5": "rules", "go:9x9": "others"})
    save_checkpoint(project / "models" / "model.safetensors", Checkpoint(info, checkpoint.arrays))
    monkeypatch.chdir(tmp_path)
    assert list(load_checkpoint(project / "models").info.games) == ["project/mine.py:5x5", "go:9x9"]
    project.rename("moved")
    assert list(load_checkpoint(tmp_path / "moved" / "models").info.games) == ["moved/mine.py:5x5", "go:9x9"]
