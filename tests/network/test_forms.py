"""For any network settings, every evaluator gives the results of the trained network."""

import numpy as np
import pytest
import torch

from ludus.network.backends import open_evaluator
from ludus.network.checkpoint import array_shapes, load_checkpoint, save_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import evaluate

SCALE = (1.0, 0.5, 1 / 60)
PLACES = (
    (1, -1, -1),
    *((1, row, 4) for row in range(4)),
    *((0, 3 - row, row) for row in range(4)),
    (0, -1, -1),
    (3, 0, 0),
)
SHAPES = Shapes(planes=(3, 4, 5), plane_scale=SCALE, num_actions=11)
PLACED = Shapes(planes=(3, 4, 5), plane_scale=SCALE, num_actions=11, action_places=PLACES)
MASKED = Shapes(planes=(3, 4, 5), plane_scale=SCALE, num_actions=11, action_places=PLACES, mask_plane=0)
SMALL = {"blocks": 2, "channels": 12, "head_channels": 5}
FORMS = {
    "plain": (SHAPES, {}),
    "scalar": (SHAPES, {"value": "scalar"}),
    "pooling": (SHAPES, {"pooling_every": 2}),
    "squeeze": (SHAPES, {"squeeze": 4}),
    "hidden": (SHAPES, {"hidden": 9, "auxiliary": ("reply", "moves_left")}),
    "size-free": (PLACED, {"heads": "size-free"}),
    "masked": (MASKED, {}),
    "everything": (
        MASKED,
        {
            "heads": "size-free",
            "value": "scalar",
            "pooling_every": 1,
            "squeeze": 2,
            "auxiliary": ("reply", "short_values"),
        },
    ),
}


@pytest.fixture(scope="module", params=FORMS)
def form(request, draw, planes):
    """Return a network of each form, with different results for the given positions."""
    shapes, changes = FORMS[request.param]
    network = draw(NetworkSettings(**SMALL | changes), shapes)
    with torch.inference_mode():
        found = network(torch.from_numpy(planes))[1]  # [B, 3 or 1]
        network.outcome.linear.weight.div_(found.std(0)[:, None])
        network.outcome.linear.bias.sub_(found.mean(0)).div_(found.std(0))
    return network


def trained(network, planes):
    """Return the network's results: logits [B, A] and outcomes [B, 3]."""
    with torch.inference_mode():
        logits, outcome = network(torch.from_numpy(planes))
    if outcome.shape[1] == 3:
        return logits.numpy(), torch.softmax(outcome, 1).numpy()
    value = torch.tanh(outcome[:, 0])
    return logits.numpy(), torch.stack([(1 + value) / 2, torch.zeros_like(value), (1 - value) / 2], 1).numpy()


@pytest.mark.parametrize(
    ("backend", "precision", "tolerance"),
    [
        *((backend, "f32", 2e-5) for backend in ("openvino", "torch", "onnxruntime")),
        *((backend, "bf16", 0.12) for backend in ("openvino", "torch")),
    ],
)
def test_evaluators_agree_with_the_trained_network(form, checkpoint_of, planes, backend, precision, tolerance):
    checkpoint, expected = checkpoint_of(form), trained(form, planes)
    info = checkpoint.info
    judge = open_evaluator(backend, checkpoint.arrays, info.network, info.shapes, precision=precision)
    for planes_of_batch, first in ((planes, 0), (planes[7:10], 7)):
        rows = slice(first, first + len(planes_of_batch))
        logits, outcomes = evaluate(judge, planes_of_batch)
        scale = np.abs(expected[0]).max()
        assert scale > 0.5, "the compared values are not trivial"
        assert expected[1].std(0).max() > 0.1, "and here, too"
        np.testing.assert_allclose(logits / scale, expected[0][rows] / scale, atol=tolerance)
        np.testing.assert_allclose(outcomes, expected[1][rows], atol=tolerance)


def test_checkpoints_hold_what_the_network_needs(form, checkpoint_of, tmp_path):
    checkpoint = checkpoint_of(form)
    state = {name: array.shape for name, array in checkpoint.arrays.items() if "num_batches" not in name}
    assert array_shapes(form.settings, form.shapes) == state
    save_checkpoint(tmp_path / "model.safetensors", checkpoint)
    assert load_checkpoint(tmp_path).info == checkpoint.info


def framed(planes, height, width):
    """Return planes of a small board in a larger frame, with random bytes around it, and a mask as first plane."""
    count, number, rows, columns = planes.shape
    whole = np.random.default_rng(5).integers(1, 200, (count, number + 1, height, width)).astype(np.uint8)
    whole[:, 0] = 0
    whole[:, 0, :rows, :columns] = 1
    whole[:, 1:, :rows, :columns] = planes
    return whole


def shapes_of(height, width):
    places = [(0, row, column) for row in range(4) for column in range(5)] + [(0, -1, -1)]
    return Shapes(
        planes=(4, height, width), plane_scale=(1.0,) * 4, num_actions=21, mask_plane=0, action_places=tuple(places)
    )


@pytest.mark.parametrize("training", [False, True])
def test_cells_outside_a_masked_board_do_not_matter(draw, planes, training):
    settings = NetworkSettings(
        blocks=2, channels=12, head_channels=5, heads="size-free", pooling_every=2, squeeze=3, auxiliary=("reply",)
    )
    small, large = (draw(settings, shapes_of(*sides)) for sides in ((4, 5), (7, 6)))
    large.load_state_dict(small.state_dict())
    answers = []
    for network, sides in ((small, (4, 5)), (large, (7, 6))):
        network.train(training)
        heads = network.heads(torch.from_numpy(framed(planes, *sides)))
        answers.append([heads.policy, heads.outcome, heads.auxiliary["reply"]])
    for one, other in zip(*answers, strict=True):
        assert one.abs().max() > 0.5, "the compared values are not trivial"
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
    for (name, one), other in zip(small.state_dict().items(), large.state_dict().values(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5, msg=name)


def test_masked_statistics_are_those_of_torch_where_the_board_fills_the_frame(draw):
    small = draw(NetworkSettings(blocks=1, channels=8, head_channels=4), MASKED).train()
    norm = small.stem[1]
    x = torch.randn(6, 8, 4, 5, generator=torch.Generator().manual_seed(0))
    plain = torch.nn.BatchNorm2d(8).train()
    plain.load_state_dict(norm.state_dict())
    torch.testing.assert_close(norm(x, torch.ones(6, 1, 4, 5)), plain(x), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(norm.running_mean, plain.running_mean)
    torch.testing.assert_close(norm.running_var, plain.running_var)


def test_the_forms_differ(draw, planes):
    networks = [draw(NetworkSettings(**SMALL | changes), shapes) for shapes, changes in FORMS.values()]
    answers = [trained(network, planes)[0] for network in networks]
    for index, one in enumerate(answers):
        for number, other in enumerate(answers[:index]):
            assert not np.allclose(one, other), (index, number)
