"""Servers that failed are tried again with the kind of batch that failed."""

import numpy as np
import pytest
from tests.inference.conftest import SHAPES, drawn_planes, judged, until

from ludus.network.oip import answered, ask
from ludus.network.servers import Servers
from ludus.network.tensors import LOGITS


def reader(rows):
    return lambda response: answered(response, SHAPES, (LOGITS,), rows)


@pytest.fixture
def servers(start_server, served, monkeypatch):
    monkeypatch.setattr("ludus.network.servers.TRIAL_S", 0.01)
    address = start_server({"net.1": served})
    found = Servers([address], "net.1", ask("net.1", drawn_planes(1), (LOGITS,)), reader(1))
    until(lambda: found.answering)
    yield found
    found.close()


def test_a_silent_server_is_used_again_after_it_evaluated_the_failed_batch(servers, sums):
    planes = drawn_planes(3)
    request = ask("net.1", planes, (LOGITS,))
    before = len(sums.sizes)
    sums.free.clear()
    assert servers.result(servers.call(request), reader(3)) is None, "the server does not answer"
    assert servers.answering == []
    sums.free.set()
    until(lambda: servers.answering)
    assert set(sums.sizes[before:]) == {3}, "the trial repeats the failed batch size"
    (logits,) = servers.result(servers.call(request), reader(3))
    np.testing.assert_array_equal(logits, judged(planes)[0])
