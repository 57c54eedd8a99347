"""A run in the background: low priority, progress as JSON lines, and an end with the program that started it."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludus import config
from ludus.cli.training import background
from ludus.cli.training.background import ProgressLines
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.stages.stage import RunNotice, RunProgress
from ludus.network.config import NetworkSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.system import LOWEST


@contextmanager
def training(directory):
    """Train a long run in the background, in a session of its own."""
    preset = Preset(
        name="tiny",
        games=["tictactoe"],
        generations=500,
        workers=1,
        network=NetworkSettings(blocks=1, channels=8, head_channels=2),
        selfplay=SelfplaySettings(games=16, parallel=8, visits=8, fast_visits=4, random_actions=2),
        match=MatchSettings(pairs=0),
    )
    file = directory / "tiny.toml"
    file.write_text(config.dump(preset))
    command = [sys.executable, "-m", "ludus", "train", str(file), "--run", str(directory / "run"), "--background"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, start_new_session=True, **pipes) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no priorities of this kind")
def test_a_run_in_the_background_gives_way_and_ends_with_its_input(tmp_path):
    with training(tmp_path) as process:
        line = json.loads(process.stdout.readline())
        assert line.keys() == {"generation", "stage", "done", "total"}
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == LOWEST
        groups = Path(f"/proc/{process.pid}/autogroup")
        if groups.is_file() and groups.read_text().strip():  # Linux with autogroups
            assert groups.read_text().split()[-1] == str(LOWEST)
        while Folder(tmp_path / "run").playing() is None:
            assert process.stdout.readline()
        process.stdin.close()
        process.stdout.read()
        assert process.wait(timeout=120) == 143, "as after SIGTERM"
    assert not Folder(tmp_path / "run").is_training()
    assert Folder(tmp_path / "run").metrics()


def test_progress_is_told_twice_a_second_and_at_each_stage(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr(background.time, "monotonic", lambda: now)
    lines = ProgressLines()
    for seconds, stage, done in (
        (0.1, "self-play", 1),
        (0.2, "self-play", 2),
        (0.3, "learning", 0),
        (0.9, "learning", 9),
    ):
        now = seconds
        lines.hear(RunProgress(3, stage, done, 10))
    lines.hear(RunNotice("A machine was lost."))
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["stage"], each["done"]) for each in told] == [("self-play", 1), ("learning", 0), ("learning", 9)]
