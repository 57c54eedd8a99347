"""Pipelined self-play is at most a generation ahead, and receives new weights while it plays."""

import threading

import msgspec
import numpy as np
import pytest

from ludus.errors import Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.verify import verify
from ludus.loop.run import Run
from ludus.loop.stages import pipeline
from ludus.store import read_shard, shard_path


@pytest.fixture(scope="module")
def pipelined(tiny):
    match = msgspec.structs.replace(tiny.match, pairs=0)
    return msgspec.structs.replace(tiny, generations=5, workers=2, deterministic=False, mode="pipelined", match=match)


def test_a_pipelined_run_is_whole_and_holds_the_ratio(pipelined, tmp_path):
    num_threads = threading.active_count()
    Run(pipelined, tmp_path).go()
    assert threading.active_count() == num_threads
    folder = Folder(tmp_path)
    assert verify(folder) == []
    learner = pipelined.learner
    for line in folder.metrics():
        uses = learner.passes * line.facts.positions * (1 - learner.validation)
        assert line.losses.steps == min(learner.max_steps, max(1, round(uses / learner.batch)))
        samples = read_shard(shard_path(folder.shards, line.generation, 0))
        newest = line.generation - 1
        assert set(np.unique(samples.network)) <= ({-1} if line.generation == 0 else {max(0, newest - 1), newest})


def test_new_weights_reach_the_games_that_are_being_played(pipelined, tmp_path, monkeypatch):
    swapped = []
    real = pipeline.Source.swap

    def swap(self, arrays, network):
        swapped.append(network)
        real(self, arrays, network)

    monkeypatch.setattr(pipeline.Source, "swap", swap)
    Run(pipelined, tmp_path).go()
    assert swapped == sorted(swapped)
    assert set(swapped) >= {2, 3, 4}, "from generation 1 on, games are played while the network learns"


def test_self_play_that_fails_ends_the_run_with_its_error(pipelined, tmp_path, monkeypatch):
    real = pipeline.play

    def fail(stage, generation, sources):
        if generation == 2:
            raise Unavailable("the disk's trouble")
        return real(stage, generation, sources)

    monkeypatch.setattr(pipeline, "play", fail)
    num_threads = threading.active_count()
    with pytest.raises(Unavailable, match="the disk's trouble"):
        Run(pipelined, tmp_path).go()
    assert threading.active_count() == num_threads
    assert len(Folder(tmp_path).metrics()) == 2


def test_a_run_may_change_its_mode(pipelined, tmp_path):
    answers = iter([False, False, True])
    Run(pipelined, tmp_path).go(until=lambda: next(answers))
    Run(msgspec.structs.replace(pipelined, mode="generations"), tmp_path).go()
    assert verify(Folder(tmp_path)) == []
    assert len(Folder(tmp_path).metrics()) == 5
    assert Folder(tmp_path).history()[-1].changes == ['mode: "pipelined" -> "generations"']
