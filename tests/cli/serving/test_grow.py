"""`ludus grow`: a site whose bots get networks while it runs; whatever ends it, the next start goes on."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from ludus import config
from ludus.cli.app import app
from ludus.cli.serving.grow import _run
from ludus.cli.serving.growth import Growth
from ludus.errors import Unavailable
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import Preset, load_preset

TINY = """
name = "tiny"
games = ["tictactoe"]
generations = {generations}
workers = 1

[network]
blocks = 1
channels = 8
head_channels = 2

[selfplay]
games = 16
parallel = 8
visits = 8
fast_visits = 4
random_actions = 2

[learner]
batch = 32
max_steps = 8

[match]
pairs = 2
visits = 4
opening_actions = 2
anchor_visits = 6

[gate]
kind = "score"
score = 0.01
"""


@pytest.fixture
def run(tmp_path):
    """Return the directory of a run whose settings make generations of a second."""

    def make(generations):
        (tmp_path / "tiny.toml").write_text(TINY.format(generations=generations))
        return tmp_path / "tiny"

    return make


@contextlib.contextmanager
def growing(run, *options):
    """Run the command until the test ends it; a failing test does not wait for its end."""
    command = [sys.executable, "-m", "ludus", "grow", "tictactoe", "--run", str(run), "--port", "0"]
    command += ["--data", str(run.parent / "data"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def heard(process, text):
    """Read the output until a line contains a text; return that line."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return line
    pytest.fail(f"{text!r} is not in: {''.join(lines)}")


def asked(address, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read())


def playing(address, bot):
    """Open a game in which a bot moves first; return whether it moves within two minutes."""
    board = {"game": "tictactoe", "variant": "standard", "boardWidth": 3, "boardHeight": 3}
    body = {"botId": f"ludus:{bot}", "config": board, "hostDisplayName": "Test", "hostIsPlayer1": False}
    game = asked(address, "/api/bots/play", body)["gameId"]
    deadline = time.monotonic() + 120.0
    while time.monotonic() < deadline:
        state = asked(address, f"/api/games/{game}")["state"]
        if state["history"] or state["status"] == "finished":
            return bool(state["history"])
        time.sleep(0.2)
    return False


def test_bots_get_networks_while_the_site_runs(run):
    with growing(run(2)) as process:
        address = heard(process, "Ludus is at http://").split()[3]
        heard(process, "All 2 generations are trained")
        found = asked(address, "/api/training")
        assert (found["run"]["state"], found["run"]["playing"], found["mayControl"]) == ("finished", 1, True)
        assert len(found["run"]["generations"]) == 2
        (game,) = [each for each in asked(address, "/api/catalogue")["games"] if each["bots"]]
        names = [bot["name"] for bot in game["bots"]]
        while "Wally (generation 1)" not in names:  # bots attach again after the news
            (game,) = [each for each in asked(address, "/api/catalogue")["games"] if each["bots"]]
            names = [bot["name"] for bot in game["bots"]]
        assert len(names) == 6, "bots of single generations are not in the list"
        assert playing(address, "grown-tiny-generation-0")
        assert playing(address, "grown-tiny-full")
        assert asked(address, "/api/training/games/1/0")["steps"]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 0
        assert "the same command continues it" in process.stdout.read()


@pytest.mark.full
def test_after_a_kill_the_same_command_goes_on(run):
    directory = run(40)  # more than are trained before the page can pause the run
    with growing(directory) as process:
        heard(process, "Ludus is at http://")
        heard(process, "Generation 1")
        process.kill()
        process.wait()
        process.stdout.read()  # bots and training hold its other end until they have ended
    before = [line.weights for line in Folder(directory).metrics()]
    assert len(before) >= 2
    with growing(directory) as process:
        address = heard(process, "Ludus is at http://").split()[3]
        asked(address, "/api/training/pause", {})
        assert asked(address, "/api/training")["run"]["state"] == "paused"
        deadline = time.monotonic() + 120.0
        while Folder(directory).is_training():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        asked(address, "/api/training/resume", {})
        heard(process, "All 40 generations are trained")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 0
    after = [line.weights for line in Folder(directory).metrics()]
    assert (len(after), after[: len(before)]) == (40, before)


@pytest.mark.full
def test_a_run_ends_when_its_time_is_used_up(run):
    with growing(run(50), "--hours", "0.0001") as process:
        heard(process, "The time of 0.0001 hours is used up; a larger --hours continues.")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 0


def test_a_wrong_game_breaks_before_the_site_starts(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("import ludus\n\ngame = 7\n")
    ended = subprocess.run(
        [sys.executable, "-m", "ludus", "grow", str(file)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert ended.returncode == 1
    assert "the file must define `game = ludus.Game(...)`" in ended.stderr
    assert not (tmp_path / "runs").exists()


def test_rules_that_break_a_law_are_reported_and_not_served(tmp_path, monkeypatch):
    breakthrough = Path(__file__).parents[3] / "examples" / "breakthrough.py"
    text = breakthrough.read_text().replace("state[TURN] = 1 - state[TURN]", "state[TURN] = 2")
    (tmp_path / "broken.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, ["grow", "broken.py"])
    assert found.exit_code == 1
    assert "the law `" in found.output
    assert not (tmp_path / "runs").exists()


def test_settings_of_another_game_are_refused(run):
    found = CliRunner().invoke(app, ["grow", "connect4", "--run", str(run(2))])
    assert "is for tictactoe, not connect4" in str(found.exception)


def test_settings_that_must_not_change_are_refused(run, tmp_path):
    directory = run(2)
    preset = config.load(tmp_path / "tiny.toml", Preset)
    directory.mkdir()
    changed = config.dump(preset).replace("channels = 8", "channels = 16", 1)
    (directory / "preset.toml").write_text(changed)
    found = CliRunner().invoke(app, ["grow", "tictactoe", "--run", str(directory)])
    assert "network.channels: 16 -> 8" in str(found.exception)


def test_a_run_that_waits_for_another_process_can_be_paused(run, tmp_path, monkeypatch):
    monkeypatch.setattr("ludus.cli.serving.growth.LOOK_S", 0.01)
    directory = run(2)
    growth = Growth(load_preset(str(tmp_path / "tiny.toml")), tmp_path / "tiny.toml", Folder(directory), "", 0.0, print)

    async def pause():
        training = asyncio.create_task(growth.run_until_cancelled())
        while not growth.run().note:
            await asyncio.sleep(0.01)
        growth.pause()
        await asyncio.sleep(0.2)
        training.cancel()
        await asyncio.gather(training, return_exceptions=True)
        return growth.run()

    with Folder(directory).locked():
        paused = asyncio.run(pause())
    assert (paused.state, paused.note) == ("paused", "")


def test_a_second_site_on_a_database_does_not_train():
    with pytest.raises(Unavailable, match="`ludus grow` does not stand by"):
        asyncio.run(_run(None, SimpleNamespace(stands_by=True), None, None, "place", "address"))


def test_the_page_hears_of_a_failure_with_its_reason(tmp_path, run):
    directory, said = run(2), []
    directory.mkdir()
    (directory / "metrics.jsonl").write_text("damaged\n")
    preset = config.load(tmp_path / "tiny.toml", Preset)
    growth = Growth(preset, tmp_path / "tiny.toml", Folder(directory), "ludus:x", 0.0, said.append)

    async def look():
        await growth._look()

    asyncio.run(look())
    assert growth.run().state == "failed"
    assert "metrics.jsonl" in growth.run().note
