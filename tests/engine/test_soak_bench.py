"""The bench that asks an engine for an hour waits for each question, and no longer than it was told."""

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


def test_a_question_may_not_wait_while_others_are_answered(bench):
    sittings = [sitting("s0", 3600.0), sitting("s1", 3600.0)]
    answers = heard({"bgsId": "s0"}, {"bgsId": "s1"})
    with pytest.raises(Unavailable, match=r"No answer for 1800 s: s1\."):
        bench.next_answer(answers, sittings, 1800.0)
    assert bench.next_answer(answers, sittings[1:], 1800.0) == {"bgsId": "s1"}
    assert bench.next_answer(heard({"bgsId": "s0"}), sittings, 7200.0) == {"bgsId": "s0"}


def test_that_the_engine_has_ended_is_said_at_once(bench):
    with pytest.raises(Unavailable, match="ended with status 1"):
        bench.next_answer(heard(Unavailable("The engine ended with status 1.")), [sitting("s0", 0.0)], 1800.0)
