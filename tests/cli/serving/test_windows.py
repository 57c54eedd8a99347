"""On a simulated Windows, site, bots and engines start and stop together, and a run trains in the background."""

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import msgspec
import psutil
import pytest

from ludus.cli.training.background import ProgressLine

TESTS = Path(__file__).parents[2]


@pytest.fixture
def environment():
    """Return the environment of a simulated Windows, also for all child processes."""
    paths = [str(TESTS / "house" / "windows"), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def test_site_bots_and_engines_start_and_stop_together(environment, tmp_path):
    command = [sys.executable, "-m", "ludus", "serve", "--dummy", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as site:
        try:
            address = next(line.split()[3] for line in site.stdout if line.startswith("Ludus is at http://"))
            assert next(site.stdout) == "All 2 bots are ready.\n"
            with urllib.request.urlopen(f"{address}/healthz") as answer:
                assert b'"status":"ok"' in answer.read()
            started = psutil.Process(site.pid).children(recursive=True)
            assert len(started) >= 2
            site.send_signal(signal.SIGINT)
            assert site.wait(300.0) == 0
        except BaseException:
            site.kill()
            raise
    assert psutil.wait_procs(started, 300.0)[1] == []


@pytest.mark.full
def test_a_run_in_the_background_ends_with_its_input(environment, tmp_path):
    command = [sys.executable, "-m", "ludus", "train", "tictactoe-smoke", "--run", str(tmp_path), "--background"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, **pipes) as run:
        assert msgspec.json.decode(run.stdout.readline(), type=ProgressLine).stage == "self-play"
        run.stdin.close()
        assert run.wait(300.0) == 128 + signal.SIGTERM
