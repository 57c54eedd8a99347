"""Self-play in several processes plays each game once, and continues if a process dies."""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import msgspec
import pytest

from ludus.errors import BadGame, Unavailable
from ludus.games import tictactoe
from ludus.loop.directory.folder import Folder
from ludus.loop.distributed import local_processes as module
from ludus.loop.distributed.cluster import Cluster
from ludus.loop.distributed.local_processes import LocalProcesses
from ludus.loop.distributed.member import Member
from ludus.loop.distributed.messages import Lost
from ludus.loop.run import Run, RunProgress
from ludus.loop.stages.stage import RunNotice, Stage
from ludus.selfplay.reading import Reading, together
from ludus.store import read_shard, shard_path
from ludus.trust import permit

PATIENCE_S = 120.0  # a busy machine starts processes slowly


@pytest.fixture
def preset(tiny):
    """Return a preset with two processes, a generation of the teacher and one of a network."""
    match = msgspec.structs.replace(tiny.match, pairs=0)
    return msgspec.structs.replace(tiny, deterministic=False, processes=2, workers=2, match=match)


@pytest.mark.parametrize(
    ("workers", "size", "shared"), [(7, 4, [2, 2, 2, 1]), (16, 3, [6, 5, 5]), (2, 3, [1, 1, 1]), (4, 2, [2, 2])]
)
def test_all_workers_are_shared_out(workers, size, shared):
    places = LocalProcesses(object, "openvino", workers=workers, size=size).places()
    assert [place.cores for place in places] == shared
    assert len(set(places)) == size


def test_gpus_are_taken_in_turn(monkeypatch):
    monkeypatch.setattr(module, "devices", lambda _device: ["cuda:0", "cuda:1"])
    places = LocalProcesses(object, "auto", workers=3, size=3).places()
    assert [place.device for place in places] == ["cuda:0", "cuda:1", "cuda:0"]


def test_readings_are_one():
    quick = Reading(1.0, 3, 300.0, 100.0, 10.0, 5.0, 0.5, 0.4, 0.9, 20, 0.1, 1)
    slow = Reading(2.0, 1, 100.0, 300.0, 30.0, 15.0, 0.1, 0.8, 0.5, 40, 0.5, 2)
    both = together([quick, slow])
    assert both == Reading(2.0, 4, 400.0, 400.0, 40.0, 20.0, pytest.approx(0.4), 0.5, 0.6, 60, 0.4, 3)


class Calculator:
    """A member class for these tests."""

    def divide(self, one, other):
        return one // other

    def refuse(self):
        raise BadGame("play() raised.")

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)


def answer(processes, question, *given):
    """Return the answer of a new process."""
    process = processes.start(processes.places()[1])
    ((asked, found),) = processes.hear([processes.ask(process, question, *given)], PATIENCE_S)
    assert asked is process
    return found


def test_questions_return_answers_or_errors(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[3])  # so that processes can import this file
    with LocalProcesses(Calculator, "openvino", workers=2, size=2) as processes:
        assert answer(processes, "divide", 17, 5) == 3
        assert answer(processes, "die") == Lost("it died by SIGKILL")
        refused, failed = answer(processes, "refuse").error, answer(processes, "divide", 1, 0).error
        assert (type(refused), str(refused)) == (BadGame, "play() raised.")
        assert type(failed) is Unavailable
        assert str(failed).startswith("Process 2 of 2 of the self-play has ended (ZeroDivisionError: ")
        assert len(multiprocessing.active_children()) > 0
    assert not multiprocessing.active_children()


def hear_for(seconds, cluster):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert not list(cluster.hear(1.0)), "nothing was asked of a joined member"


def test_a_game_file_that_was_moved_is_named_by_the_process_that_needs_it(preset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_bytes(Path(tictactoe.__file__).read_bytes())
    permit("mine.py")
    mine = msgspec.structs.replace(preset, games=["mine.py"])
    stage = Stage(mine, Folder(tmp_path), mine.make_games(), 1, lambda _event: None)
    Path("mine.py").rename("moved.py")
    processes = LocalProcesses(Member, "openvino", workers=1, size=1)
    with pytest.raises(BadGame, match=r"^mine\.py: "), Cluster(stage, processes) as cluster:
        hear_for(PATIENCE_S, cluster)


@pytest.mark.full
def test_a_run_continues_without_a_killed_process_and_counts_every_game_once(preset, tmp_path):
    killed, told = [], []

    def kill(event):
        if isinstance(event, RunNotice):
            told.append(event.text)
        if isinstance(event, RunProgress) and event.generation == 1 and event.stage == "self-play" and event.done:
            for member in multiprocessing.active_children():
                if member.name == "self-play-0" and not killed:
                    os.kill(member.pid, signal.SIGKILL)
                    killed.append(event.done)

    selfplay = msgspec.structs.replace(preset.selfplay, games=400)
    Run(msgspec.structs.replace(preset, selfplay=selfplay), tmp_path, kill).go()
    assert not multiprocessing.active_children()
    assert killed
    (lost,) = told
    assert lost.startswith("Process 1 of 2 of the self-play was lost (it died by SIGKILL); its ")
    assert lost.endswith(" unfinished games are dealt again.")
    metrics = Folder(tmp_path).metrics()
    assert [line.facts.games for line in metrics] == [16, 400]
    assert metrics[1].evaluations > 0
    samples = read_shard(shard_path(tmp_path / "shards", 1, 0))
    assert set(samples.game_id.tolist()) == set(range(400))
    assert set(samples.network.tolist()) == {0}
    assert metrics[1].facts.repeated < 0.5, "the processes play different games"


def test_processes_need_a_mode_without_fixed_order(preset):
    with pytest.raises(ValueError, match="deterministic = false"):
        msgspec.structs.replace(preset, deterministic=True, workers=1)
    with pytest.raises(ValueError, match='mode = "generations"'):
        msgspec.structs.replace(preset, mode="pipelined")
