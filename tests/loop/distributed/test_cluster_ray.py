"""A run on a Ray cluster with two nodes on this machine survives lost members and refuses machines that differ."""

import os
import signal
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest
from tests.loop.distributed.nodes import PATIENCE_S, two_nodes

from ludus.errors import BadInput, BadPreset, Unavailable
from ludus.games import tictactoe
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.verify import verify
from ludus.loop.distributed import cluster as cluster_module
from ludus.loop.distributed import cluster_pool as cluster_pool
from ludus.loop.distributed.ray_machines import RayMachines
from ludus.loop.run import Run, RunProgress
from ludus.loop.stages.stage import RunNotice
from ludus.store import read_shard, shard_path
from ludus.trust import permit


@pytest.fixture(scope="module")
def nodes():
    with two_nodes() as (address, folder, _head):
        yield address, folder


@pytest.fixture
def address(nodes):
    return nodes[0]


@pytest.fixture
def preset(tiny):
    match = msgspec.structs.replace(tiny.match, pairs=0)
    selfplay = msgspec.structs.replace(tiny.selfplay, games=400, first_games=40)
    return msgspec.structs.replace(tiny, deterministic=False, match=match, selfplay=selfplay)


def members(folder):
    """Return the processes of members on the nodes in a folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if (each / "cmdline").read_bytes().startswith(b"ray::Member"):
                parent = (each / "stat").read_text().rpartition(")")[2].split()[1]
                if str(folder) in Path(f"/proc/{parent}/cmdline").read_text():
                    found.append(int(each.name))
        except OSError:  # the process has ended
            continue
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    ("blow", "why"),
    [(signal.SIGKILL, "its process or the machine ended"), (signal.SIGSTOP, "no answer for 20 seconds")],
)
def test_a_run_continues_without_a_lost_member_and_counts_every_game_once(
    nodes, preset, tmp_path, monkeypatch, blow, why
):
    (address, place), killed, told = nodes, [], []
    monkeypatch.setattr(cluster_pool, "JOINING_S", PATIENCE_S)  # keep games for both members
    monkeypatch.setattr(cluster_module, "SILENT_S", 20.0)

    def hear(event):
        if isinstance(event, RunNotice):
            told.append(event.text)
        if isinstance(event, RunProgress) and event.reading and event.reading.machines == 2 and event.generation == 1:
            while not killed:
                killed.append(members(place)[0])
                os.kill(killed[0], blow)

    Run(preset, tmp_path, hear, cluster=address).go()
    folder = Folder(tmp_path)
    assert verify(folder) == []
    metrics = folder.metrics()
    assert [line.facts.games for line in metrics] == [40, 400]
    assert metrics[1].evaluations > 0
    samples = read_shard(shard_path(tmp_path / "shards", 1, 0))
    assert set(samples.game_id.tolist()) == set(range(400))
    assert set(samples.network.tolist()) == {0}
    assert metrics[1].facts.repeated < 0.5, "members play different games"
    assert killed
    assert any(f"was lost ({why})" in each for each in told), "a busy machine may also lose others"
    deadline = time.monotonic() + PATIENCE_S
    while members(place) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not members(place), "members end with the run"


@pytest.mark.full
def test_a_pipelined_run_of_a_game_in_a_file_gives_members_new_weights(address, preset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_bytes(Path(tictactoe.__file__).read_bytes())
    permit("mine.py")  # as the command does whose preset names it
    selfplay = msgspec.structs.replace(preset.selfplay, games=60)
    mine = msgspec.structs.replace(preset, games=["mine.py"], mode="pipelined", generations=3, selfplay=selfplay)
    Run(mine, tmp_path / "run", cluster=address).go()
    folder = Folder(tmp_path / "run")
    assert verify(folder) == []
    assert [line.facts.games for line in folder.metrics()] == [40, 60, 60]
    samples = read_shard(shard_path(folder.shards, 2, 0))
    assert set(samples.network.tolist()) <= {0, 1}


@pytest.mark.full
def test_other_rules_are_refused(address, preset, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "behaviour", lambda _game: "0" * 16)
    with pytest.raises(BadInput, match=r": plays tictactoe by other rules \(\w{16}, here 0{16}\); install the same"):
        Run(preset, tmp_path, cluster=address).go()
    assert Folder(tmp_path).metrics() == []


def test_an_address_without_a_cluster_is_refused(preset, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"  # bound but not listening
        for wrong in (nobody, "nowhere", "10.0.0.1:", "127.0.0.1:99999999"):
            with pytest.raises(Unavailable, match=f"^{wrong}: no Ray cluster found; start one"):
                Run(preset, tmp_path, cluster=wrong).go()
    assert Folder(tmp_path).preset() is None, "no run was started in the directory"


def test_a_web_server_is_not_taken_for_a_cluster(preset, tmp_path):
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        server.RequestHandlerClass.log_message = lambda *_: None
        Thread(target=server.handle_request, daemon=True).start()
        with pytest.raises(Unavailable, match="no Ray cluster found"):
            Run(preset, tmp_path, cluster=f"127.0.0.1:{server.server_port}").go()


def test_without_ray_the_error_has_a_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(Unavailable, match=r"install it with `.* -m pip install 'ludus\[cluster\]'`"),
        RayMachines("a:1", object, "auto"),
    ):
        pytest.fail("there is no Ray")


def test_a_deterministic_run_has_no_cluster(tiny, tmp_path):
    with pytest.raises(BadPreset, match="leave out --cluster"):
        Run(tiny, tmp_path, cluster="auto")
