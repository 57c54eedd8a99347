"""Final maps in play: the evaluators' predictions, and their weight in the value."""

import msgspec
import numpy as np
import pytest
import torch

from ludus.errors import BadPreset
from ludus.network.backends import open_evaluator
from ludus.network.config import NetworkSettings, Shapes, check_heads
from ludus.network.evaluator import evaluate

SHARE, POINTS = 0.3, 4.0
WEIGHTS = (0.0, 0.5, -0.02)
SHAPES = Shapes(
    planes=(3, 4, 5), plane_scale=(1.0, 0.5, 1 / 60), num_actions=11, num_maps=2, score_weights=WEIGHTS, mask_plane=0
)
UNMASKED = msgspec.structs.replace(SHAPES, mask_plane=None)
SETTINGS = NetworkSettings(
    blocks=1, channels=12, head_channels=5, auxiliary=("maps",), end_share=SHARE, end_points=POINTS
)


@pytest.fixture(scope="module", params=["masked", "whole"])
def ending(request, draw):
    drawn = draw(SETTINGS, SHAPES if request.param == "masked" else UNMASKED)
    drawn.auxiliary["maps"].weight.data.mul_(6.0)  # some points are sure
    return drawn


def by_hand(network, planes):
    """Return maps [B, 2, H, W] and mixed outcomes [B, 3], computed position by position from cbaduk's description."""
    with torch.inference_mode():
        heads = network.heads(torch.from_numpy(planes))
    shares = torch.softmax(heads.outcome, 1).numpy()
    chances = torch.sigmoid(heads.auxiliary["maps"]).numpy()
    maps, mixed = np.zeros_like(chances), np.zeros_like(shares)
    for row in range(len(planes)):
        board = planes[row, 0] > 0 if network.shapes.mask_plane == 0 else np.ones((4, 5), bool)
        maps[row] = np.where(board, chances[row], 0.0)
        mine, theirs = chances[row, 0][board], chances[row, 1][board]
        handed = sum(weight * plane[board].mean() for weight, plane in zip(WEIGHTS, planes[row], strict=True))
        score = mine.sum() - theirs.sum() + handed
        sure = 2.0 / board.sum() * (((0.5 - mine) ** 2).sum() + ((0.5 - theirs) ** 2).sum())
        value = np.tanh(score * sure / POINTS)
        mixed[row] = (1.0 - SHARE) * shares[row] + SHARE * np.array([(1 + value) / 2, 0.0, (1 - value) / 2])
    return maps, mixed


@pytest.fixture(scope="module")
def boards(planes):
    """Return planes, the first of which show a board at the top left of its frame."""
    boards = planes.copy()
    boards[:, 0] = 0
    for row in range(len(boards)):
        boards[row, 0, : 2 + row % 3, : 3 + row % 3] = 1
    return boards


@pytest.mark.parametrize("backend", ["openvino", "torch", "onnxruntime"])
def test_the_value_is_mixed_with_the_final_maps_as_calculated_by_hand(ending, checkpoint_of, boards, backend):
    checkpoint, (maps, mixed) = checkpoint_of(ending), by_hand(ending, boards)
    info = checkpoint.info
    judge = open_evaluator(backend, checkpoint.arrays, info.network, info.shapes, precision="f32")
    _, outcomes = evaluate(judge, boards)
    np.testing.assert_allclose(outcomes, mixed, atol=2e-5)
    np.testing.assert_allclose(judge.maps(boards), maps, atol=2e-5)
    np.testing.assert_allclose(outcomes.sum(1), 1.0, atol=1e-5)
    plain = msgspec.structs.replace(info.network, end_share=0.0)
    alone = open_evaluator(backend, checkpoint.arrays, plain, info.shapes, precision="f32")
    assert np.abs(evaluate(alone, boards)[1] - mixed).max() > 0.05, "the share changes the value"
    np.testing.assert_allclose(alone.maps(boards), maps, atol=2e-5)


def test_komi_on_a_large_board_is_whole_in_half_precision(draw, checkpoint_of):
    """Check a large board with komi: in bf16 its 361 points would be 360, and the sum of the komi plane less exact."""
    shapes = msgspec.structs.replace(
        SHAPES, planes=(3, 19, 19), plane_scale=(1.0, 1.0, 1.0), num_actions=361, score_weights=(0.0, 0.0, 0.5)
    )
    network = draw(msgspec.structs.replace(SETTINGS, end_share=1.0), shapes)
    network.auxiliary["maps"].weight.data.zero_()  # equal expected points: the score is komi alone
    boards = np.ones((2, 3, 19, 19), np.uint8)
    boards[:, 2] = np.array([[[13]], [[1]]])
    checkpoint = checkpoint_of(network)
    said = {
        precision: evaluate(
            open_evaluator("openvino", checkpoint.arrays, network.settings, shapes, precision=precision), boards
        )[1]
        for precision in ("f32", "bf16")
    }
    np.testing.assert_allclose(said["bf16"], said["f32"], atol=2e-3)


@pytest.mark.parametrize("backend", ["openvino", "torch", "onnxruntime"])
def test_new_weights_have_new_maps(ending, checkpoint_of, boards, backend):
    checkpoint = checkpoint_of(ending)
    info = checkpoint.info
    judge = open_evaluator(backend, checkpoint.arrays, info.network, info.shapes, precision="f32")
    before = judge.maps(boards)
    judge.load(
        {name: -array if name == "auxiliary.maps.weight" else array for name, array in checkpoint.arrays.items()}
    )
    assert np.abs(judge.maps(boards) - before).max() > 0.1


@pytest.mark.parametrize("backend", ["openvino", "torch", "onnxruntime"])
def test_a_network_without_the_head_predicts_no_final_maps(checkpoint, planes, backend):
    info = checkpoint.info
    assert open_evaluator(backend, checkpoint.arrays, info.network, info.shapes).maps(planes) is None


def test_a_share_of_the_end_needs_a_score():
    with pytest.raises(BadPreset, match="no score"):
        check_heads(SETTINGS, msgspec.structs.replace(SHAPES, score_weights=()))
    with pytest.raises(ValueError, match="maps"):
        NetworkSettings(end_share=0.2)
