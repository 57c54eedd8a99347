"""The places that a cluster offers, and wrong addresses, without Ray."""

from types import SimpleNamespace
from unittest import mock

import msgspec
import pytest

from ludus.errors import BadPreset, Unavailable
from ludus.loop.distributed import ray_machines as module
from ludus.loop.distributed.messages import Failed, Lost, MemberPlace
from ludus.loop.distributed.ray_machines import MISSES, RayMachines
from ludus.loop.run import Run


class Nodes:
    """A stand-in for Ray that lists nodes."""

    def __init__(self, *resources):
        self.resources = resources

    def nodes(self):
        return [
            {"Alive": True, "NodeID": f"n{number}", "NodeManagerAddress": f"10.0.0.{number}", "Resources": each}
            for number, each in enumerate(self.resources)
        ]


@pytest.fixture
def reached(monkeypatch):
    """Make the head answer."""
    monkeypatch.setattr(RayMachines, "answers", lambda _self: True)


def machines_of(device, *resources):
    machines = RayMachines("10.0.0.0:6379", object, device)
    machines._ray = Nodes(*resources)
    return machines


@pytest.mark.parametrize(
    ("device", "places"),
    [
        ("auto", [(1, "", 0, 8, "openvino"), (2, "", 0, 4, "cuda"), (2, " (GPU 1)", 1, 4, "cuda")]),
        ("cuda:1", [(2, "", 0, 4, "cuda"), (2, " (GPU 1)", 1, 4, "cuda")]),
        ("torch", [(1, "", 0, 8, "torch"), (2, "", 0, 8, "torch")]),
    ],
)
def test_a_machine_that_gives_no_cores_does_not_play_whatever_gpus_it_has(reached, device, places):
    machines = machines_of(device, {"GPU": 1.0}, {"CPU": 8.0}, {"CPU": 8.0, "GPU": 2.0}, {})
    found = [MemberPlace(f"n{node}", f"10.0.0.{node}{which}", *rest) for node, which, *rest in places]
    assert machines.places() == found


def test_a_cluster_without_cores_is_refused_at_once(reached):
    machines = machines_of("auto", {"GPU": 1.0})
    with pytest.raises(Unavailable, match=r"^10\.0\.0\.0:6379: no machine of the cluster has cores"):
        machines.places()
    machines = machines_of("auto", {"CPU": 1.0})
    assert len(machines.places()) == 1
    machines._ray = Nodes()
    assert machines.places() == [], "the run waits if machines existed before"


def test_a_head_that_is_gone_ends_the_run(monkeypatch):
    monkeypatch.setattr(RayMachines, "answers", lambda _self: False)
    machines = machines_of("auto", {"CPU": 1.0})
    assert [machines.places() for _ in range(MISSES - 1)] == [None] * (MISSES - 1)
    with pytest.raises(Unavailable, match=r"the head .* no longer answers; .*the same command continues the run"):
        machines.places()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("The actor with name Member failed to import on the worker.", Failed),
        ("ModuleNotFoundError: No module named 'ludus'", Failed),
        ("The actor died unexpectedly.", Lost),
    ],
)
def test_a_machine_that_cannot_load_members_differs_from_one_that_dies(said, answer):
    machines = machines_of("auto")
    machines._ray.exceptions = SimpleNamespace(RayTaskError=ZeroDivisionError, RayError=OSError)
    machines._ray.get = mock.Mock(side_effect=OSError(said))
    found = machines._answer("asked")
    assert type(found) is answer
    assert answer is Lost or str(found.error).startswith("cannot run this Ludus; install the same Ludus")


@pytest.mark.parametrize("address", ["10.0.0..1:6379", ".:6379", f"{'a' * 64}:6379"])
def test_an_invalid_host_name_is_refused(address):
    with pytest.raises(Unavailable, match="no Ray cluster found; start one"):
        module.check_address(address)


def test_a_device_that_no_machine_can_have_is_refused_before_the_first_game(tiny, tmp_path):
    preset = msgspec.structs.replace(tiny, deterministic=False, device="abacus")
    with pytest.raises(BadPreset, match=r"^tiny: device is 'abacus'; use auto or one of openvino, torch, cuda, "):
        Run(preset, tmp_path, cluster="10.0.0.1:6379")
