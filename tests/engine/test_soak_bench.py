"""The soak benchmark of an engine fails if any single request waits longer than its limit."""

import queue
import time
from types import SimpleNamespace

import pytest

from ludus.errors import Unavailable


@pytest.fixture(scope="module")
def bench(load_program):
    return load_program("bench/engine_soak.py")


def sitting(name, asked_s_ago):
    return SimpleNamespace(name=name, open=[("evaluate_position", 0, True, time.monotonic() - asked_s_ago)])


def heard(*said):
    answers = queue.SimpleQueue()
    for each in said:
        answers.put(each)
    return answers


def test_a_waiting_request_fails_even_while_others_are_answered(bench):
    sittings = [sitting("s0", 3600.0), sitting("s1", 3600.0)]
    answers = heard({"bgsId": "s0"}, {"bgsId": "s1"})
    with pytest.raises(Unavailable, match=r"No answer for 1800 s: s1\."):
        bench.next_answer(answers, sittings, 1800.0)
    assert bench.next_answer(answers, sittings[1:], 1800.0) == {"bgsId": "s1"}
    assert bench.next_answer(heard({"bgsId": "s0"}), sittings, 7200.0) == {"bgsId": "s0"}


def test_the_end_of_the_engine_is_reported_at_once(bench):
    with pytest.raises(Unavailable, match="ended with status 1"):
        bench.next_answer(heard(Unavailable("The engine ended with status 1.")), [sitting("s0", 0.0)], 1800.0)
