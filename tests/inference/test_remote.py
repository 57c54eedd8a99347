"""An engine's remote evaluator returns the same results as a local one."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.inference.conftest import Sums

import ludus
from ludus.addresses import address_of
from ludus.errors import BadInput, BadModel
from ludus.inference.batcher import Batcher
from ludus.inference.server import load_networks
from ludus.inference.service import Served
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import evaluate
from ludus.network.openvino import evaluator_of
from ludus.network.remote import RemoteEvaluator
from ludus.network.servers import (
    FIRST_PATIENCE_S,
    KNOWN,
    LEAST_PATIENCE_S,
    MOST_PATIENCE_S,
    Server,
    checked_address,
)
from ludus.network.tensors import served_name
from ludus.players.thinking.mind import Mind

MODEL = Path("models/go-9x9")


@pytest.fixture(scope="module")
def checkpoint():
    return load_checkpoint(MODEL)


def fails():
    raise AssertionError("nothing may be evaluated here")


@pytest.fixture
def networks(monkeypatch):
    """Return the networks of a test server, whose clients have long timeouts."""
    for name in ("FIRST_PATIENCE_S", "LEAST_PATIENCE_S", "MOST_PATIENCE_S"):
        monkeypatch.setattr(f"ludus.network.servers.{name}", 300.0)
    return load_networks([MODEL], device="openvino", batch=32, streams=1)


def positions(checkpoint, rows):
    """Return the planes of positions of a random game."""
    game = ludus.game(next(iter(checkpoint.info.games)))
    position, rng, found = game.start(), np.random.default_rng(3), []
    for _ in range(rows):
        found.append(position.planes)
        position = position.play(int(rng.choice(position.actions)))
    return np.stack(found)


def test_servers_judge_as_this_machine_does(start_server, checkpoint, networks):
    remote = RemoteEvaluator(checkpoint, [start_server(networks)], fails)
    planes = positions(checkpoint, 40)
    own = evaluator_of(checkpoint)
    for size in (1, 7, 40):
        for one, other in zip(evaluate(remote, planes[:size]), evaluate(own, planes[:size]), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4)
    np.testing.assert_allclose(remote.maps(planes), own.maps(planes), atol=1e-4)
    remote.close()


def test_lanes_of_many_threads_do_not_mix_their_answers(start_server, checkpoint, networks):
    remote = RemoteEvaluator(checkpoint, [start_server(networks)], fails)
    planes = positions(checkpoint, 40)
    expected, _ = evaluate(evaluator_of(checkpoint), planes)

    def work(number):
        lane, rng = remote.lane(16), np.random.default_rng(number)
        for _ in range(20):
            rows = rng.integers(0, 40, rng.integers(1, 17))
            lane.planes[: len(rows)] = planes[rows]
            lane.submit(len(rows))
            np.testing.assert_allclose(lane.answer()[0][: len(rows)], expected[rows], atol=1e-4)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    remote.close()


def test_a_mind_thinks_the_same_through_a_server(start_server, networks):
    address = start_server(networks)
    thoughts = []
    for servers in ((), (address,)):
        mind = Mind.load(MODEL, servers=servers)
        thoughts.append(mind.think(ludus.game(mind.games[0]).start(), visits=120))
        mind.close()
    assert thoughts[0].best == thoughts[1].best
    assert thoughts[0].value == pytest.approx(thoughts[1].value, abs=1e-3)


def test_a_server_with_other_weights_is_never_used(start_server, checkpoint, networks, caplog):
    other = {served_name(checkpoint) + "x": networks[served_name(checkpoint)]}
    remote = RemoteEvaluator(checkpoint, [start_server(other)], lambda: evaluator_of(checkpoint))
    assert remote.servers.answering == []
    assert f"does not serve {served_name(checkpoint)}" in caplog.text
    evaluate(remote, positions(checkpoint, 3))
    remote.close()


def test_a_server_with_answers_of_another_shape_is_not_used(start_server, checkpoint, networks, caplog):
    served = networks[served_name(checkpoint)]
    strange = Sums(served.shapes)
    strange.shapes = msgspec.structs.replace(served.shapes, num_actions=5, action_places=())
    wrong = Served(served.shapes, Batcher([strange], batch=8), None)
    remote = RemoteEvaluator(checkpoint, [start_server({served_name(checkpoint): wrong})], fails)
    assert remote.servers.answering == []
    assert "logits is FP32 [1, 5] instead of FP32" in caplog.text
    remote.close()


def test_nan_answers_are_blamed_on_the_model_and_not_the_server(start_server, checkpoint, networks):
    served = networks[served_name(checkpoint)]
    broken = Sums(served.shapes)
    wrong = Served(served.shapes, Batcher([broken], batch=8), None)
    remote = RemoteEvaluator(checkpoint, [start_server({served_name(checkpoint): wrong})], fails)
    lane = remote.lane(2)
    lane.submit(2)
    lane.answer()
    broken.is_broken = True
    lane.submit(2)
    with pytest.raises(BadModel, match="not finite"):
        lane.answer()
    remote.close()


def test_patience_follows_the_slowest_answer_of_late():
    server = Server("127.0.0.1:9")
    server.took(0.001)
    assert server.patience_s == FIRST_PATIENCE_S, "no answer was measured yet"
    for _ in range(KNOWN):
        server.took(0.001)
    assert server.patience_s == LEAST_PATIENCE_S
    server.took(0.1)
    assert server.patience_s == pytest.approx(0.8)
    server.took(0.001)
    assert 0.7 < server.patience_s < 0.8
    for _ in range(200):
        server.took(0.001)
    assert server.patience_s == LEAST_PATIENCE_S
    server.took(5.0)
    assert server.patience_s == MOST_PATIENCE_S
    for _ in range(300):
        server.took(0.001)
    server.heard = 0  # as after a failure
    server.took(0.001)
    assert server.patience_s == FIRST_PATIENCE_S, "the server may be a new process"
    server.channel.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "host",
        "host:",
        ":8001",
        "host:0",
        "host:70000",
        "http://host:8001",
        "a:b",
        "::1:8001",
        "gpu1:1,gpu2:1",
        "a b:1",
    ],
)
def test_an_invalid_address_is_refused(address):
    with pytest.raises(BadInput, match="is not the address of a server; write HOST:PORT"):
        checked_address(address)


@pytest.mark.parametrize("host", ["::1", "[::1]", "fd00::2", "127.0.0.1", "gpu1"])
def test_the_address_that_a_server_reports_is_valid(host):
    address = address_of(host, 8001)
    assert checked_address(address) == address == address_of(address.removesuffix(":8001"), 8001)


@pytest.mark.parametrize("address", ["host:8001", "10.0.0.7:1", "[::1]:8001", "gpu.example.org:65535"])
def test_a_valid_address_is_accepted(address):
    assert checked_address(address) == address
