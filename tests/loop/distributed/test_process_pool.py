"""Self-play in several processes plays each game once, and the run keeps what they told when one of them dies."""

import multiprocessing
import os
import signal

import msgspec
import pytest

from ludus.errors import Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.journal import read_journal
from ludus.loop.distributed.process_pool import share_of, workers_of
from ludus.loop.run import Run, RunProgress
from ludus.loop.stages.stage import Order
from ludus.selfplay.reading import Reading, together
from ludus.store import read_shard, shard_path


@pytest.fixture
def preset(tiny):
    """Return two processes, for a generation that a teacher plays and one that a network plays."""
    match = msgspec.structs.replace(tiny.match, pairs=0)
    return msgspec.structs.replace(tiny, deterministic=False, processes=2, workers=2, match=match)


def test_shares_cover_what_is_missing_once():
    order = Order(3, 11, [0, 4, 7], 5)
    shares = [share_of(order, number, 3) for number in range(3)]
    played = [sorted(set(range(11)) - set(share.done)) for share in shares]
    assert sorted(game for each in played for game in each) == [1, 2, 3, 5, 6, 8, 9, 10]
    assert max(map(len, played)) - min(map(len, played)) <= 1
    assert len({share.seed for share in shares}) == 3
    assert {(share.generation, share.games) for share in shares} == {(3, 11)}


@pytest.mark.parametrize(("boards", "size"), [(10, 5), (2, 2), (4, 8)])
def test_each_process_plays_all_boards(boards, size):
    for number in range(size):
        share = share_of(Order(3, 400, [], 5), number, size)
        played = [game % boards for game in range(400) if game not in share.done]
        assert {played.count(board) > 0 for board in range(boards)} == {True}


@pytest.mark.parametrize(
    ("workers", "size", "shared"), [(7, 4, [2, 2, 2, 1]), (16, 3, [6, 5, 5]), (2, 3, [1, 1, 1]), (4, 2, [2, 2])]
)
def test_all_workers_are_shared_out(workers, size, shared):
    assert [workers_of(workers, number, size) for number in range(size)] == shared


def test_readings_are_one():
    quick = Reading(1.0, 3, 300.0, 100.0, 10.0, 5.0, 0.5, 0.4, 0.9, 20, 0.1, 1)
    slow = Reading(2.0, 1, 100.0, 300.0, 30.0, 15.0, 0.1, 0.8, 0.5, 40, 0.5, 2)
    both = together([quick, slow])
    assert both == Reading(2.0, 4, 400.0, 400.0, 40.0, 20.0, pytest.approx(0.4), 0.5, 0.6, 60, 0.4, 3)


@pytest.mark.full
def test_a_run_goes_on_after_a_process_was_killed(preset, tmp_path):
    killed = []

    def kill(event):
        if isinstance(event, RunProgress) and event.generation == 1 and event.stage == "self-play" and event.done:
            for member in multiprocessing.active_children():
                if member.name == "self-play-0" and not killed:
                    os.kill(member.pid, signal.SIGKILL)
                    killed.append(event.done)

    selfplay = msgspec.structs.replace(preset.selfplay, games=400)  # more than fit into a line that nobody reads
    played = msgspec.structs.replace(preset, selfplay=selfplay)
    with pytest.raises(Unavailable, match=r"^Process 1 of 2 that share the self-play has ended \(it died by SIGKILL\)"):
        Run(played, tmp_path, kill).go()
    assert not multiprocessing.active_children()
    kept = read_journal(tmp_path / "games.journal")
    assert kept.generation == 1
    assert len(kept.games) >= killed[0] > 0
    Run(played, tmp_path).go()
    metrics = Folder(tmp_path).metrics()
    assert [line.facts.games for line in metrics] == [16, 400]
    assert metrics[1].evaluations > 0
    again = read_shard(shard_path(tmp_path / "shards", 1, 0))
    assert len(set(again.game_id.tolist())) == 400
    assert set(again.network.tolist()) == {0}
    assert metrics[1].facts.repeated < 0.5, "the processes do not play the same games"


def test_processes_have_no_order(preset):
    with pytest.raises(ValueError, match="no deterministic"):
        msgspec.structs.replace(preset, deterministic=True, workers=1)
    with pytest.raises(ValueError, match='mode = "generations"'):
        msgspec.structs.replace(preset, mode="pipelined")
