"""Which machines of a cluster play, and addresses that are none, without Ray."""

import msgspec
import pytest

from ludus.errors import BadPreset, Unavailable
from ludus.loop.distributed.ray_machines import Machines, MemberPlace
from ludus.loop.run import Run


class Nodes:
    """Ray, as far as it says who is there."""

    def __init__(self, *resources):
        self.resources = resources

    def nodes(self):
        return [
            {"Alive": True, "NodeID": f"n{number}", "NodeManagerAddress": f"10.0.0.{number}", "Resources": each}
            for number, each in enumerate(self.resources)
        ]


@pytest.mark.parametrize(
    ("device", "places"),
    [
        ("auto", [(1, 0, 8, 0), (2, 0, 4, 1), (2, 1, 4, 1)]),
        ("cuda", [(2, 0, 4, 1), (2, 1, 4, 1)]),
        ("openvino", [(1, 0, 8, 0), (2, 0, 8, 0)]),
    ],
)
def test_a_machine_that_gives_no_cores_does_not_play_whatever_gpus_it_has(device, places):
    machines = Machines("auto", object)
    machines._ray = Nodes({"GPU": 1.0}, {"CPU": 8.0}, {"CPU": 8.0, "GPU": 2.0}, {})
    assert machines.places(device) == [MemberPlace(f"n{node}", f"10.0.0.{node}", *rest) for node, *rest in places]


@pytest.mark.parametrize("address", ["10.0.0..1:6379", ".:6379", f"{'a' * 64}:6379"])
def test_an_address_that_no_name_server_would_take_is_a_sentence(address):
    with pytest.raises(Unavailable, match="no Ray cluster answers there; start one"), Machines(address, object):
        pytest.fail("nobody is there")


def test_a_device_that_no_machine_can_have_is_refused_before_the_first_game(tiny, tmp_path):
    preset = msgspec.structs.replace(tiny, deterministic=False, device="abacus")
    with pytest.raises(BadPreset, match=r"^tiny: device is 'abacus'; there are auto, openvino, torch, cuda and"):
        Run(preset, tmp_path, cluster="10.0.0.1:6379")
