"""The Open Inference Protocol: a foreign client understands the server, and wrong requests get an explanation."""

import threading

import msgspec
import numpy as np
import pytest
from tests.inference.conftest import SHAPES, Sums, drawn_planes, judged
from tritonclient import grpc as triton
from tritonclient.utils import InferenceServerException

from ludus.inference.batcher import Batcher
from ludus.inference.service import MOST_ROWS, Served
from ludus.network.oip import answered, ask


@pytest.fixture
def client(start_server, served):
    with triton.InferenceServerClient(start_server({"net.1": served})) as client:
        yield client


def tensor(planes, kind="UINT8"):
    found = triton.InferInput("planes", planes.shape, kind)
    found.set_data_from_numpy(planes)
    return found


def test_tritons_client_has_positions_judged(client):
    planes = drawn_planes(20)
    found = client.infer("net.1", [tensor(planes)])
    logits, outcomes = judged(planes)
    np.testing.assert_array_equal(found.as_numpy("logits"), logits)
    np.testing.assert_array_equal(found.as_numpy("outcomes"), outcomes)


def test_tritons_client_lists_the_networks(client):
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("net.1")
    assert client.is_model_ready("net.1", "1")
    assert not client.is_model_ready("net.1", "2")
    assert not client.is_model_ready("other")
    assert client.get_server_metadata().name == "ludus"
    assert [model.name for model in client.get_model_repository_index().models] == ["net.1"]
    known = client.get_model_metadata("net.1", as_json=True)
    assert [(each["name"], each["datatype"], each["shape"]) for each in known["inputs"] + known["outputs"]] == [
        ("planes", "UINT8", ["-1", "2", "3", "3"]),
        ("logits", "FP32", ["-1", "5"]),
        ("outcomes", "FP32", ["-1", "3"]),
    ]


def as_numbers(request, numbers):
    """Store a request's planes as numbers instead of bytes."""
    del request.raw_input_contents[:]
    request.inputs[0].contents.uint_contents.extend(numbers)


def test_planes_may_be_numbers_as_well_as_bytes(client):
    planes = drawn_planes(2)
    request = ask("net.1", planes)
    as_numbers(request, planes.ravel().tolist())
    response = client._client_stub.ModelInfer(request)
    np.testing.assert_array_equal(answered(response, SHAPES, ("logits",), 2)[0], judged(planes)[0])


def test_an_answer_may_hold_numbers_as_well_as_bytes(client):
    planes = drawn_planes(2)
    response = client._client_stub.ModelInfer(ask("net.1", planes))
    for tensor, raw in zip(response.outputs, response.raw_output_contents, strict=True):
        tensor.contents.fp32_contents.extend(np.frombuffer(raw, np.float32))
    del response.raw_output_contents[:]
    for found, expected in zip(answered(response, SHAPES, ("logits", "outcomes"), 2), judged(planes), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_the_most_rows_of_a_network_with_many_actions_are_answered(start_server):
    shapes = msgspec.structs.replace(SHAPES, num_actions=(64 << 20) // (4 * MOST_ROWS) + 1)
    address = start_server({"net.1": Served(shapes, Batcher([Sums(shapes)], batch=MOST_ROWS), None)})
    with triton.InferenceServerClient(address) as client:
        found = client.infer("net.1", [tensor(drawn_planes(MOST_ROWS))]).as_numpy("logits")
    assert found.shape == (MOST_ROWS, shapes.num_actions)
    assert found.nbytes > 64 << 20


class Held:
    """A forecaster that waits until the test releases it."""

    def __init__(self):
        self.begun, self.free = threading.Semaphore(0), threading.Event()

    def maps(self, planes):
        self.begun.release()
        assert self.free.wait(300)
        return np.zeros((len(planes), 1, 3, 3), np.float32)


def test_requests_for_final_maps_wait_in_a_queue_that_ends(start_server, served, monkeypatch):
    monkeypatch.setattr("ludus.inference.service.FORECASTS", 2)
    held = Held()
    request = ask("net.1", drawn_planes(1), ("maps",))
    with triton.InferenceServerClient(start_server({"net.1": Served(SHAPES, served.batcher, held)})) as client:
        infer = client._client_stub.ModelInfer
        there = [infer.future(request) for _ in range(2)]
        assert all(held.begun.acquire(timeout=300) for _ in there)
        with pytest.raises(Exception, match="2 requests for final maps are already waiting; use another server"):
            infer(request)
        held.free.set()
        for response in [*(each.result() for each in there), infer(request)]:
            assert [*response.outputs[0].shape] == [1, 1, 3, 3]


def test_an_answer_names_the_request(client):
    assert client.infer("net.1", [tensor(drawn_planes(1))], request_id="17").get_response().id == "17"


@pytest.mark.parametrize(
    ("name", "planes", "kind", "wanted", "said"),
    [
        ("other", drawn_planes(1), "UINT8", None, r"does not serve other; it serves net\.1"),
        ("net.1", drawn_planes(1)[:, :, :2], "UINT8", None, r"planes is UINT8 \[1, 2, 2, 3\] instead of UINT8"),
        ("net.1", drawn_planes(1).astype(np.float32), "FP32", None, r"planes is FP32 \[1, 2, 3, 3\] instead of UINT8"),
        ("net.1", drawn_planes(5000), "UINT8", None, "5000 rows; this server accepts 1 to 4096"),
        ("net.1", drawn_planes(1), "UINT8", "winner", "no output 'winner'"),
        ("net.1", drawn_planes(1), "UINT8", "maps", "does not predict final maps"),
    ],
)
def test_a_wrong_request_gets_an_explanation(client, name, planes, kind, wanted, said):
    outputs = [triton.InferRequestedOutput(wanted)] if wanted else None
    with pytest.raises(InferenceServerException, match=said):
        client.infer(name, [tensor(planes, kind)], outputs=outputs)
    assert client.infer("net.1", [tensor(drawn_planes(1))]).as_numpy("logits").shape == (1, 5)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda request: request.raw_input_contents.pop(), r"has 0 bytes, which does not match \[2, 2"),
        (lambda request: request.raw_input_contents.append(b""), "2 raw contents for 1 tensors"),
        (lambda request: as_numbers(request, [7] * 35), r"has 35 bytes, which does not match \[2, 2"),
        (lambda request: as_numbers(request, [7] * 35 + [256]), "numbers that are not UINT8"),
        (
            lambda request: request.raw_input_contents.__setitem__(0, b"short"),
            r"has 5 bytes, which does not match \[2, 2",
        ),
        (lambda request: setattr(request.inputs[0], "name", "board"), "one input, 'planes'"),
        (lambda request: request.inputs[0].shape.__setitem__(0, -2), r"planes is UINT8 \[-2, 2, 3, 3\]"),
        (lambda request: request.inputs[0].shape.__setitem__(0, 0), "has 36 bytes"),
    ],
)
def test_a_damaged_message_is_refused(client, spoil, said):
    request = ask("net.1", drawn_planes(2))
    spoil(request)
    with pytest.raises(Exception, match=said):
        client._client_stub.ModelInfer(request)  # bypass the client's own checks
    assert client.is_server_live()


def test_an_error_on_the_server_reaches_only_its_caller(client, sums):
    sums.fails = True
    with pytest.raises(InferenceServerException, match="no numbers today"):
        client.infer("net.1", [tensor(drawn_planes(1))])
    sums.fails = False
    client.infer("net.1", [tensor(drawn_planes(1))])
