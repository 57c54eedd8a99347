"""The bench of the recipe's parts: its arms, its equal times, its error bars, and a whole small run."""

import itertools
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus import config
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import load_preset
from ludus.rating import MatchScore

ROOT = Path(__file__).parents[2]
SMALL = """
name = "tictactoe"
games = ["tictactoe"]
network = {blocks = 1, channels = 4, head_channels = 2}
selfplay = {games = 10, first_games = 10, teacher_visits = 4, visits = 8, full_share = 1.0, parallel = 8}
learner = {batch = 16, passes = 1.0}
match = {pairs = 0, opening_actions = 1}
"""
ARMS = """
[dropout]
part = "dropout in the heads"
setting = "learner.dropout"
prediction = "none"
presets = "off"
changes.learner = {dropout = 0.3}
"""


@pytest.fixture(scope="module")
def bench(load_program):
    return load_program("bench/ablate.py")


@pytest.fixture(scope="module")
def parts(bench):
    """Return the modules that the command is made of, which it has imported."""
    return {name: sys.modules[f"recipe.{name}"] for name in ("gains", "training")}


def test_every_arm_changes_every_base_in_what_it_names(bench):
    arms = config.load(bench.ARMS, dict[str, bench.Arm])
    for file, (name, arm) in itertools.product(bench.GAMES, arms.items()):
        base = load_preset(str(file))
        assert bench.changed(base, arm) != base, name
        assert bench.changed(base, arm).make_games()


def test_a_training_ends_with_the_generation_nearest_to_its_time(parts):
    planned = parts["training"].generations_of
    assert planned([10.0], 100.0) == 10
    assert planned([10.0, 30.0], 100.0) == 6  # 70 s are left, 3.5 generations of 20 s: 30, 50, 70, 90, 110
    assert planned([10.0, 30.0, 95.0], 100.0) == 3
    assert planned([10.0, 130.0], 100.0) == 2
    assert planned([10.0, 20.0, 20.0], 40.0) == 6  # the last one was never timed


def test_student_matches_the_tables(parts):
    tables = {3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962}
    assert {each: parts["gains"].student(each) for each in tables} == pytest.approx(tables, rel=0.01)
    assert parts["gains"].student(2) == pytest.approx(4.303, rel=0.04)


def test_the_error_of_a_gain_contains_the_truth_nineteen_times_of_twenty(parts):
    rng, hits, trials = np.random.default_rng(3), 0, 2000
    for _ in range(trials):
        names = [parts["gains"].BASE, *"abcde"]
        found = {name: rng.normal(50.0 + 2.0 * index, 1.5, size=2).tolist() for index, name in enumerate(names)}
        gain = parts["gains"].gains(found)["c"]
        hits += abs(gain.gain - 6.0) <= gain.error
    assert 0.93 < hits / trials < 0.97


def test_one_seed_has_no_error_bar(parts):
    gain = parts["gains"].gains({"base": [50.0], "arm": [53.0]})["arm"]
    assert (gain.gain, gain.error) == (3.0, math.inf)
    assert parts["gains"].verdict([gain]) == "not clear: one seed"


@pytest.mark.parametrize(
    ("points", "verdict"),
    [((70, 10, 20), "gain"), ((20, 10, 70), "harm"), ((46, 10, 44), "no difference shown")],
)
def test_a_verdict_follows_from_the_games(parts, points, verdict):
    wins, draws, losses = points
    seeds = {"base": ["base-1", "base-2"], "arm": ["arm-1", "arm-2"]}
    results = [MatchScore("base-1", "base-2", 45, 10, 45)]
    results += [MatchScore(a, b, wins, draws, losses) for a, b in itertools.product(seeds["arm"], seeds["base"])]
    gain = parts["gains"].elo_gains(results, seeds)["arm"]
    assert parts["gains"].verdict([gain]) == verdict


def test_an_unknown_arm_is_named(bench, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["ablate.py", "--out", str(tmp_path), "dropuot"])
    with pytest.raises(SystemExit, match="There is no arm 'dropuot'; known: playout-caps"):
        bench.main()


def test_a_record_is_one_of_the_ledger(bench, parts, load_program, monkeypatch, tmp_path):
    names = ["squeeze", "passes"]
    command = ["ablate.py", *names, "--out", str(tmp_path), "--minutes", "0", "--record", str(tmp_path / "record.toml")]
    gain = parts["gains"].Gain
    found = {
        "connect4, alone, points": {"squeeze": gain(1.25, 0.5), "passes": gain(0.2, 0.5)},
        "connect4, Elo": {"squeeze": gain(-40.4, 30.0), "passes": gain(9.6, 30.0)},
    }
    monkeypatch.setattr(sys, "argv", command)
    monkeypatch.setattr(bench.Ablation, "train", lambda _self: None)
    monkeypatch.setattr(bench, "figures", lambda _ablation: found)
    bench.main()
    record = config.load(tmp_path / "record.toml", load_program("tools/findings.py").Record)
    assert [each.setting for each in record.parts] == ["network.squeeze", "learner.passes"]
    assert record.parts[0].found == "connect4, alone +1.2 ± 0.5 points; connect4 -40 ± 30 Elo"
    assert [each.verdict for each in record.parts] == ["gain and harm", "no difference shown"]
    assert record.result == "gain and harm: squeeze-and-excite; no difference shown: passes"
    assert record.tables[0].rows[1] == ["passes", "+0.2 ± 0.5", "+10 ± 30", "no difference shown"]


def run_small(folder: Path, preset: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a small base preset, written into the folder."""
    (folder / "base.toml").write_text(preset)
    (folder / "arms.toml").write_text(ARMS)
    command = [sys.executable, "bench/ablate.py", "--out", str(folder / "out"), "--positions", "", *more]
    command += ["--game", str(folder / "base.toml"), "--arms", str(folder / "arms.toml")]
    command += ["--minutes", "0.003", "--pairs", "2", "--visits", "4", "--seeds", "1"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found


@pytest.mark.full
def test_a_base_may_be_a_game_of_one_s_own(tmp_path):
    (tmp_path / "kalah.py").write_bytes(ROOT.joinpath("examples/kalah.py").read_bytes())
    found = run_small(tmp_path, SMALL.replace('"tictactoe"]', '"kalah.py"]'))
    assert "dropout in the heads" in found.stdout


@pytest.mark.full
def test_a_small_run_gives_a_record_and_continues(tmp_path):
    record = tmp_path / "record.toml"
    found = run_small(tmp_path, SMALL, "--record", str(record))
    assert "2 trainings of 0.003 processor minutes" in found.stdout
    table = config.load(record, dict)
    assert [part["setting"] for part in table["parts"]] == ["learner.dropout"]
    assert table["tables"][0]["columns"] == ["part", "tictactoe, Elo", "verdict"]
    runs = [Folder(place) for place in sorted((tmp_path / "out").glob("*/tictactoe/seed-1/run"))]
    assert [run.preset().learner.dropout for run in runs] == [0.0, 0.3]
    before = [len(run.metrics()) for run in runs]
    again = run_small(tmp_path, SMALL, "--record", str(record))
    assert "0.0 processor hours are left" in again.stdout
    assert [len(run.metrics()) for run in runs] == before
