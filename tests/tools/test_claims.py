"""Claims of strength say whether play has changed since, and can be rerun with several seeds."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLAIMS = [f"strength/{path.stem}" for path in sorted((ROOT / "docs/ledger/strength").glob("*.toml"))]
RECORD = """question = "How strong?"
subject = "it"
against = "itself"
command = "python play.py models/connect4 --seed 7 --record match.jsonl --judge models/connect4    # and others"
machine = "here"
commit = "abc"
date = 2026-01-01
outdated = true
prediction = "none"
result = "+1 ± 2 Elo"
kept = "ships"
"""
PLAY = """
import json, sys
print("words")
print(json.dumps({"elo": 12.0, "told": sys.argv[1:]}))
"""


def claims(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools/claims.py"), *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.mark.full
@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_says_whether_play_has_changed_since(name):
    found = claims(ROOT, name)
    assert found.returncode == 0, found.stderr
    outdated = tomllib.loads((ROOT / f"docs/ledger/{name}.toml").read_text())["outdated"]
    state = "older than" if outdated else "of"
    assert found.stdout.startswith(f"{name}: {state} today's play"), "run python tools/claims.py --mark"


@pytest.fixture
def house(tmp_path):
    """Return a folder with the tools, the model of Connect Four, and one claim."""
    for folder in ("tools", "docs/ledger/strength"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("findings.py", "rerun.py", "claims.py"):
        shutil.copy(ROOT / "tools" / name, tmp_path / "tools")
    (tmp_path / "models").symlink_to(ROOT / "models")
    cpuinfo = Path("/proc/cpuinfo")
    fields: dict[str, str] = {}
    for line in cpuinfo.read_text().splitlines() if cpuinfo.is_file() else []:
        fields.setdefault(line.partition(":")[0].strip(), line.partition(":")[2].strip())
    processor = " ".join(fields.get(name, "?") for name in ("vendor_id", "cpu family", "model"))
    machine = f'[here]\ntext = "this one"\nprocessors = ["{processor}"]\ncores = {os.cpu_count()}\n'
    (tmp_path / "docs/ledger/machines.toml").write_text(machine)
    (tmp_path / "docs/ledger/strength/it.toml").write_text(RECORD)
    (tmp_path / "play.py").write_text(PLAY)
    return tmp_path


def test_a_claim_is_rerun_once_with_each_seed_and_without_its_own_judge(house):
    for _ in range(2):
        assert claims(house, "--rerun", str(house / "again"), "--seeds", "1", "2").returncode == 0
    text = (house / "again/results.jsonl").read_text()
    found = [json.loads(line[: line.rindex("}") + 1]) for line in text.splitlines()]
    assert [(each["claim"], each["seed"], each["said"]["elo"]) for each in found] == [
        ("strength/it", 1, 12.0),
        ("strength/it", 2, 12.0),
    ]
    record = str(house / "again/it-2.jsonl")
    assert found[1]["said"]["told"] == ["models/connect4", "--seed", "2", "--record", record]


@pytest.mark.full
def test_a_renewed_claim_is_of_todays_play_until_its_key_differs(house):
    path = house / "docs/ledger/strength/it.toml"
    assert claims(house, "--renew", "strength/it").returncode == 0
    record = tomllib.loads(path.read_text())
    assert record["outdated"] is False
    assert record["commit"] != "abc"
    assert "it: of today's play" in claims(house).stdout
    kind, key = record["play_key"].split()
    assert (kind, len(key)) == ("here", 8)
    path.write_text(path.read_text().replace(key, "00000000"))
    assert "it: older than today's play" in claims(house, "--mark").stdout
    assert tomllib.loads(path.read_text())["outdated"] is True
