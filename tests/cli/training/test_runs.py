"""The commands for runs: the live view, the table of runs, the page, and the end by a signal."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from ludus import config
from ludus.arena.summary import MatchResult
from ludus.cli.app import app
from ludus.cli.training import view as view_module
from ludus.learner.losses import Losses
from ludus.learner.settings import LearnerSettings
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import Alarm, Facts, GenerationMetrics, RunStart
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.run import run_named
from ludus.loop.stages.stage import RunProgress
from ludus.network.config import NetworkSettings
from ludus.selfplay.reading import Reading
from ludus.selfplay.settings import SelfplaySettings

PRESET = Preset(name="tiny", games=["tictactoe"], generations=4)
READING = Reading(0.5, 2, 9000.0, 4000.0, 100.0, 1000.0, 0.6, 0.3, 0.8, 128, 0.0, 0)


def line(generation=0, **changed):
    numbers = dict.fromkeys(("evaluator_share", "search_share", "fill"), 0.5)
    times = {"selfplay_s": 60.0, "learner_s": 30.0, "match_s": 30.0, "seconds": 120.0}
    counts = dict.fromkeys(("evaluations", "simulations", "cache_hits"), 6000)
    facts, losses = Facts(12, 60, 5.0, 0.5, 0.25, 0.0, 0.1, 0.9), Losses(2.0, 1.0, 0.5, 8)
    whole = {"generation": generation, "facts": facts, "losses": losses, "probe": None, "elo": 20.0, "elo_error": 9.0}
    return GenerationMetrics(**whole | numbers | times | counts | changed)


EVENTS = [
    RunProgress(1, "self-play", 3, 12, READING),
    RunProgress(1, "learning", 2, 8),
    MatchResult("gen-0001", "gen-0000", ["tictactoe"], 3, 0, 1, [0, 0, 1, 0, 1], [5], [], 9.5, 40.0, sequential=True),
    MatchResult("gen-0001", "gen-0000", ["tictactoe"], 1, 2, 1, [0, 0, 2, 0, 0], [5], [], 3.5, 40.0),
    line(1, alarms=[Alarm("entropy", "the policy has collapsed.")], played_out=40, wrongly_resigned=3),
    RunProgress(2, "self-play", 5, 12, READING),
]


@pytest.fixture
def shown(monkeypatch):
    """Return a function that shows events on a terminal or elsewhere, and returns the output."""

    def shown(*, terminal, width=150, height=50, known=1):
        out = io.StringIO()
        console = Console(
            file=out, force_terminal=terminal, width=width, height=height, highlight=False, color_system=None
        )
        monkeypatch.setattr(view_module, "console", console)
        monkeypatch.setattr(view_module, "EVERY_S", 0.0)
        view = view_module.RunView(PRESET, Path("runs/tiny"))
        with view:
            view.start([line(number) for number in range(known)], workers=2)
            for event in EVENTS:
                view.hear(event)
        if terminal:
            out.truncate(0)
            console.print(view.render())
        return out.getvalue()

    return shown


def test_where_there_is_no_terminal_there_are_plain_lines(shown):
    lines = shown(terminal=False).splitlines()
    assert lines[0] == "tiny in runs/tiny continues after generation 0: tictactoe; 2 workers"
    assert lines[1].startswith(
        "  self-play 3/12: 100 positions/s, 4,000 evaluations/s, 20% cache hits, batches 80% full"
    )
    assert "  learning 2/8" in lines
    assert "  gen-0001 against gen-0000: +1 =2 -1" in lines
    assert "  gen-0001 against gen-0000: +3 =0 -1 (the gate's test; not rated, because it stops early)" in lines
    assert any(each.startswith("generation 1, games 12, length 5.0, first wins 50%") for each in lines)
    assert sum("resigning would have been wrong in 3 of 40 games" in each for each in lines) == 1
    assert "  ! the policy has collapsed." in lines
    assert not any("\x1b" in each for each in lines)


def test_on_a_terminal_there_is_one_picture(shown):
    text = shown(terminal=True).replace("\0", "")
    assert "tiny generation 2 of 4: self-play 5/12" in text
    assert "100 positions/s, 4,000 evaluations/s, 20% cache hits, batches 80% full" in text
    assert "time went to search 25%, network 25%, learner 25%, matches 25%" in text
    assert "resigning would have been wrong in 3 of 40 games" in text
    assert "! the policy has collapsed." in text
    assert "+20 ±9" in text
    assert "to go" in text


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 24), (80, 12), (200, 60)])
def test_the_picture_of_a_small_terminal_contains_the_newest_rows_and_alarms(shown, width, height):
    text = shown(terminal=True, width=width, height=height, known=30).replace("\0", "")
    assert len(text.splitlines()) <= height
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert "! the policy has collapsed." in text
    newest = [each.split() for each in text.splitlines() if "2 min" in each][-1]
    assert newest[0] == "1", "the event's own generation stands last"
    assert "2.000" in newest


def test_a_terminal_that_shows_no_pictures_has_plain_lines(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(view_module, "console", Console(file=io.StringIO(), force_terminal=True))
    assert view_module.RunView(PRESET, Path("runs/tiny"))._live is None


def test_a_generation_without_measured_self_play_shows_no_such_figures():
    unmeasured = dict.fromkeys(("evaluations", "simulations", "cache_hits"), 0)
    shares = dict.fromkeys(("search_share", "evaluator_share", "fill"), 0.0)
    row = line(3, **unmeasured, **shares, selfplay_s=0.01)
    assert "evals/s -, cache -, fill -, " in view_module.line_of(row)
    assert view_module.shares_of(row) == "search -, network -, learner 50%, matches 50%"
    assert "evals/s 100, cache 50%, fill 50%, " in view_module.line_of(line(3))


def test_one_worker_is_written_in_the_singular(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(view_module, "console", Console(file=out))
    view_module.RunView(PRESET, Path("runs/tiny")).start([], workers=1)
    assert out.getvalue() == "tiny in runs/tiny begins: tictactoe; 1 worker\n"


def test_the_end_of_a_generation_does_not_shorten_the_prediction():
    view = view_module.RunView(PRESET, Path("runs/tiny"))
    view.start([line(number) for number in range(2)], workers=1)
    view.hear(line(2, seconds=3.0))
    assert view.remaining() == "about 2 min 00 s to go"


def test_the_remaining_time_is_predicted_from_previous_generations(monkeypatch):
    view = view_module.RunView(PRESET, Path("runs/tiny"))
    assert view.remaining() == ""
    view.start([line(0)], workers=1)
    assert view.remaining() == "about 6 min 00 s to go"


def test_the_remaining_time_follows_growing_visits(monkeypatch):
    selfplay = SelfplaySettings(first_visits=10, visits=80, fast_visits=2, full_share=1.0)
    view = view_module.RunView(msgspec.structs.replace(PRESET, selfplay=selfplay), Path("runs/tiny"))
    view.start([line(0)], workers=1)
    minutes = [1 + growth for growth in (2, 4, 8)]
    assert view.remaining() == f"about {sum(minutes)} min 00 s to go"
    now = view_module.working_s()
    monkeypatch.setattr(view_module, "working_s", lambda: now + 600.0)
    assert view.remaining() == f"about {sum(minutes[1:])} min 00 s to go", "a late generation hastens no other"


@pytest.fixture
def two_runs(tmp_path):
    for name, generations in (("one", 3), ("two", 0)):
        folder = Folder(tmp_path / name)
        folder.path.mkdir()
        folder.begin(PRESET, RunStart(0, "", "", "", "", "", 1, {}))
        for generation in range(generations):
            folder.note(line(generation, alarms=[Alarm("draws", "x.")]))
    return tmp_path


def test_runs_are_listed_beside_each_other(two_runs):
    shown = CliRunner().invoke(app, ["runs", str(two_runs)], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    assert "3/4" in shown.stdout
    assert "0/4" in shown.stdout
    rows = [json.loads(row) for row in CliRunner().invoke(app, ["runs", str(two_runs), "--json"]).stdout.splitlines()]
    assert [(Path(row["run"]).name, row["generations"], row["alarms"]) for row in rows] == [
        ("one", 3, ["draws"]),
        ("two", 0, []),
    ]
    assert rows[0]["hours"] == pytest.approx(0.1)
    assert "6 min 00 s" in shown.stdout
    assert (rows[0]["evaluations_per_s"], rows[1]["evaluations_per_s"]) == (100.0, None), "none was measured yet"


def test_a_table_of_runs_is_whole_in_a_file_and_a_run_has_its_name(two_runs, monkeypatch):
    monkeypatch.chdir(two_runs / "one")
    (two_runs / "two").rename(two_runs / "a-name-that-is-as-long-as-those-of-runs-may-well-be")
    assert "one " in CliRunner().invoke(app, ["runs", "."], env={"COLUMNS": "80"}).stdout
    listed = CliRunner().invoke(app, ["runs", ".."], env={"COLUMNS": "80"}).stdout
    assert "a-name-that-is-as-long-as-those-of-runs-may-well-be" in listed


def test_a_damaged_run_is_listed_with_its_fault(two_runs):
    with (two_runs / "one/metrics.jsonl").open("r+b") as file:
        file.write(b"?")
    shown = CliRunner().invoke(app, ["runs", str(two_runs)], env={"COLUMNS": "200"})
    assert shown.exit_code == 1
    assert "line 1: is damaged" in shown.stdout
    told = CliRunner().invoke(app, ["runs", str(two_runs), "--json"])
    assert told.exit_code == 1, "as without --json"
    assert [len(json.loads(row)["faults"]) for row in told.stdout.splitlines()] == [1, 0]


def damaged(*files):
    for file in files:
        file.write_bytes(b"?" + file.read_bytes()[1:])


def test_all_that_is_damaged_is_listed_at_once(two_runs):
    run = two_runs / "one"
    damaged(run / "preset.toml", run / "metrics.jsonl")
    shown = CliRunner().invoke(app, ["runs", str(run)], env={"COLUMNS": "200"})
    assert "preset.toml: " in shown.stdout
    assert "metrics.jsonl, line 1: " in shown.stdout


def test_verification_continues_if_preset_or_metrics_are_damaged(two_runs):
    run = two_runs / "one"
    damaged(run / "preset.toml", run / "metrics.jsonl", run / "history.jsonl")
    (run / "models").mkdir()
    (run / "models/gen-0000.safetensors").write_bytes(b"?")
    (row,) = CliRunner().invoke(app, ["runs", str(run), "--verify", "--json"]).stdout.splitlines()
    faults = json.loads(row)["faults"]
    assert len(faults) == len(set(faults)) == 4, "each once"
    for name in ("preset.toml", "metrics.jsonl", "history.jsonl", "gen-0000.safetensors"):
        assert any(name in fault for fault in faults)


def test_a_run_with_only_a_damaged_preset_shows_its_progress(two_runs):
    damaged(two_runs / "one/preset.toml")
    shown = CliRunner().invoke(app, ["runs", str(two_runs / "one")], env={"COLUMNS": "200"})
    assert "3/?" in shown.stdout


def test_missing_files_are_found_by_verification(two_runs):
    shown = CliRunner().invoke(app, ["runs", str(two_runs / "one"), "--verify"], env={"COLUMNS": "200"})
    assert shown.exit_code == 1
    assert "gen-0000.safetensors: is missing" in shown.stdout.replace("\n", "")


def test_tensorboard_without_its_package_gives_one_error_message(tmp_path, monkeypatch):
    from ludus.errors import Unavailable
    from ludus.loop.directory.tensorboard import TensorBoard

    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(Unavailable, match=r"needs a package; install it with .* -m pip install 'ludus\[tensorboard\]'"):
        TensorBoard(tmp_path, [])


def test_tensorboard_gets_every_generation_once(tmp_path, monkeypatch):
    from ludus.loop.directory.tensorboard import TensorBoard

    scalars = []

    class Writer:
        def __init__(self, folder):
            self.folder = folder

        def add_scalar(self, name, value, step):
            scalars.append((name, value, step))

        def flush(self):
            pass

    monkeypatch.setitem(sys.modules, "tensorboardX", type(sys)("tensorboardX"))
    monkeypatch.setattr(sys.modules["tensorboardX"], "SummaryWriter", Writer, raising=False)
    told = TensorBoard(tmp_path, [line(0)])
    assert not scalars, "another process may train there"
    told.hear(line(1))
    told.hear(RunProgress(2, "learning", 0, 1))
    assert [step for name, _, step in scalars if name == "loss/policy"] == [0, 1]
    assert ("elo", 20.0, 1) in scalars
    assert "games/wrongly_resigned" not in {name for name, _, _ in scalars}, "nobody resigns in this run"
    told.hear(line(2, played_out=40, wrongly_resigned=10))
    assert ("games/wrongly_resigned", 0.25, 2) in scalars


def test_a_run_is_named_by_its_directory_or_its_own_preset(two_runs):
    run = two_runs / "one"
    for named in (run, run / "preset.toml"):
        assert run_named(named) == run
    (two_runs / "preset.toml").touch()
    assert run_named(two_runs / "preset.toml") is None, "beside it lies no run"
    assert run_named(Path("connect4-laptop")) is None


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.full)])
def test_a_signal_ends_a_run_with_a_message_and_the_command_continues_it(tmp_path, number):
    preset = msgspec.structs.replace(
        PRESET,
        generations=50,
        workers=1,
        network=NetworkSettings(blocks=1, channels=8, head_channels=2),
        selfplay=SelfplaySettings(games=40, parallel=6, visits=20, fast_visits=4),
        learner=LearnerSettings(batch=32, max_steps=4),
        match=MatchSettings(pairs=0),
    )
    (tmp_path / "tiny.toml").write_text(config.dump(preset))
    command = [sys.executable, "-m", "ludus", "train", "tiny.toml", "--run", "run"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env={**os.environ})
    while process.poll() is None and not (tmp_path / "run/models").is_dir():
        time.sleep(0.1)
    process.send_signal(number)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 128 + number, said
    assert "Interrupted; the run in run is intact" in said
    assert "Traceback" not in said
    done = len(Folder(tmp_path / "run").metrics())
    (tmp_path / "tiny.toml").write_text(config.dump(msgspec.structs.replace(preset, generations=done + 1)))
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert again.returncode == 0, again.stderr
    assert len(Folder(tmp_path / "run").metrics()) == done + 1
