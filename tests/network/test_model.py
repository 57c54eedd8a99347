"""The trained network: its heads have the shapes that the learner expects, and play uses two of them."""

import pytest
import torch

from ludus.errors import BadPreset
from ludus.network.config import SHORT_HORIZONS, NetworkSettings, Shapes
from ludus.network.model import Network

SHAPES = Shapes(planes=(3, 4, 5), plane_scale=(1.0, 1.0, 0.1), num_actions=11, num_maps=2)
PLANES = torch.randint(0, 3, (6, 3, 4, 5), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
EXPECTED = {
    "reply": (6, 11),
    "short_values": (6, len(SHORT_HORIZONS), 3),
    "moves_left": (6,),
    "maps": (6, 2, 4, 5),
}


def network(*auxiliary, shapes=SHAPES):
    torch.manual_seed(0)
    return Network(NetworkSettings(blocks=1, channels=8, head_channels=4, auxiliary=auxiliary), shapes).eval()


def test_auxiliary_heads_have_the_shapes_of_their_targets():
    heads = network(*EXPECTED).heads(PLANES)
    assert {name: tuple(tensor.shape) for name, tensor in heads.auxiliary.items()} == EXPECTED
    assert (heads.policy.shape, heads.outcome.shape) == ((6, 11), (6, 3))
    assert network().heads(PLANES).auxiliary == {}


def test_the_network_in_play_is_the_trained_one():
    pupil = network("maps", "reply")
    policy, outcome = pupil(PLANES)
    heads = pupil.heads(PLANES)
    assert torch.equal(policy, heads.policy)
    assert torch.equal(outcome, heads.outcome)


def test_every_auxiliary_head_teaches_the_body():
    for name in EXPECTED:
        pupil = network(name).train()
        pupil.heads(PLANES).auxiliary[name].square().sum().backward()
        for part in (pupil.stem, pupil.auxiliary[name]):
            assert all(parameter.grad.abs().sum() > 0 for parameter in part.parameters() if parameter.ndim > 1), name


def test_maps_need_a_game_that_declares_them():
    with pytest.raises(BadPreset, match="declares no final maps"):
        network("maps", shapes=Shapes(planes=(3, 4, 5), plane_scale=(1.0,) * 3, num_actions=11))


def test_a_head_is_named_once():
    with pytest.raises(ValueError, match="twice"):
        NetworkSettings(auxiliary=("reply", "reply"))
