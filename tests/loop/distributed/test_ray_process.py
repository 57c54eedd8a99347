"""The process that uses Ray passes questions, answers and errors on, and its silent end becomes a sentence."""

import os
import time
from pathlib import Path

import pytest
from tests.loop.distributed.scripted import ONE, TWO, Machines

from ludus.errors import BadInput, Unavailable
from ludus.loop.distributed import ray_process as module
from ludus.loop.distributed.messages import Weights
from ludus.loop.distributed.ray_process import Handle, RayProcess, _Objects
from ludus.loop.processes import WorkerProcess

PATIENCE_S = 120.0  # a busy machine starts processes slowly
ADDRESS = "10.0.0.1:6379"


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    """Make this file importable in the process."""
    monkeypatch.syspath_prepend(Path(__file__).parents[3])
    monkeypatch.setattr(module, "check_address", lambda _address: None)


def answer(run):
    """Answer all questions with themselves; end silently when told to, as Ray does."""
    run.say(ADDRESS)
    while (asked := run.heard.get()) is not None:
        if asked[0] == "places":
            os._exit(1)
        if asked[0] == "dismiss":
            raise BadInput("This is wrong.")
        run.say(asked)


def end_soon(run):
    """Connect, and end silently while nobody asks."""
    run.say(ADDRESS)
    time.sleep(0.2)
    os._exit(1)


def never_answer(run):
    run.say(ADDRESS)
    time.sleep(PATIENCE_S)


def opened(work, told=None):
    process = RayProcess("auto", object, "auto", (told if told is not None else []).append)
    process._process = WorkerProcess("ray", work, ())
    return process


def test_questions_and_errors_pass_through():
    told = []
    with opened(answer, told) as ray:
        assert ray.address == ADDRESS
        assert ray.put("thing") == ("put", ("thing",))
        assert ray.ask(Handle(3), "play", 1, 2) == ("ask", (Handle(3), "play", 1, 2))
        with pytest.raises(BadInput, match=r"^This is wrong\.$"):
            ray.dismiss(Handle(3))
    assert told == []


def test_a_silent_end_during_a_question_is_an_error():
    told = []
    with opened(answer, told) as ray:
        for _ in range(2):
            with pytest.raises(Unavailable, match=rf"^{ADDRESS}: the connection to the Ray cluster was lost; start"):
                ray.places()
    assert told == []


def test_a_silent_end_between_questions_is_told_and_is_an_error_later():
    told = []
    with opened(end_soon, told) as ray:
        deadline = time.monotonic() + PATIENCE_S
        while not told and time.monotonic() < deadline:
            time.sleep(0.05)
        (sentence,) = told
        assert sentence.startswith(f"{ADDRESS}: the connection to the Ray cluster was lost; learning and matches go on")
        with pytest.raises(Unavailable, match="then the same command continues the run"):
            ray.hear([], 1.0)


def test_a_process_that_hangs_is_an_error(monkeypatch):
    with opened(never_answer) as ray:
        monkeypatch.setattr(module, "ANSWER_S", 0.1)
        monkeypatch.setattr(module, "CLOSING_S", 0.1)
        with pytest.raises(Unavailable, match="was lost"):
            ray.places()


def test_objects_are_known_by_their_handles():
    machines = Machines(ONE, TWO)
    objects = _Objects(machines)
    assert objects.places() == [ONE, TWO]
    first, second = (objects.start(place) for place in (ONE, TWO))
    assert first != second
    weights = [objects.put(Weights(b"", number)) for number in range(3)]
    asked = {objects.ask(first, "version"): "first", objects.ask(second, "begin", "order", weights[2]): "second"}
    heard = dict(objects.hear(list(asked), 0.0))
    assert sorted(asked[each] for each in heard) == ["first", "second"]
    assert machines.members[1].begun == ["order"]
    objects.ask(first, "begin", "order", weights[1])
    with pytest.raises(KeyError):
        objects.ask(first, "begin", "order", weights[0])
    objects.dismiss(first)
    objects.dismiss(first)
    assert [member.place for member in machines.members] == [TWO]
