"""The figures of the ledger are still true: their commands print them again on the same kind of machine."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludus.selfplay.measure import describe_machine

ROOT = Path(__file__).parents[2]
SPEED = [
    path.relative_to(ROOT / "docs/ledger").with_suffix("").as_posix()
    for path in sorted((ROOT / "docs/ledger").glob("*/*.toml"))
    if "figures" in tomllib.loads(path.read_text())
]
COMMAND = """
import json, sys
print("some words first")
print(json.dumps({{"simulations_per_cpu_s": {speed}, "settings": "{key}", "told": sys.argv[1:]}}))
"""
RECORD = """question = "How fast?"
subject = "search"
command = "python command.py"
machine = "{machine}"
commit = "abc"
date = 2026-01-01
settings_key = "1234abcd"
brief = "--seconds 1"
prediction = "none"
kept = "the figure of today"

[figures]
simulations_per_cpu_s = 1000.0
"""


def rerun(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools/rerun.py"), *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_the_figures_of_speed_come_from_commands_that_can_be_rerun():
    assert len(SPEED) >= 6
    tables = (ROOT / "README.md").read_text().split("<!-- ledger: speed ")[1:]
    shown = {name for text in tables for name in text.split(" -->")[0].split()}
    assert shown
    assert shown <= {*SPEED}


@pytest.mark.full
@pytest.mark.parametrize("name", SPEED)
def test_a_figure_of_the_ledger_is_still_true(name):
    found = rerun(ROOT, name)
    if "not compared" in found.stdout:
        pytest.skip(f"measured on another kind of machine: {found.stdout.strip()}")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.fixture
def house(tmp_path):
    """Return a folder with the tools and one record of this machine, whose command prints a given speed and key."""
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.is_file():
        pytest.skip("kinds of machines are recognised on Linux only")
    fields: dict[str, str] = {}
    for line in cpuinfo.read_text().splitlines():
        fields.setdefault(line.partition(":")[0].strip(), line.partition(":")[2].strip())
    processor = " ".join(fields.get(name, "?") for name in ("vendor_id", "cpu family", "model"))
    for folder in ("tools", "docs/ledger/speed"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("findings.py", "rerun.py"):
        shutil.copy(ROOT / "tools" / name, tmp_path / "tools")
    machines = f'[here]\ntext = "this one"\nprocessors = ["{processor}"]\ncores = {os.cpu_count()}\n'
    (tmp_path / "docs/ledger/machines.toml").write_text(machines + '[other]\ntext = "another one"\n')

    def build(speed=1100.0, key="1234abcd", machine="here"):
        (tmp_path / "command.py").write_text(COMMAND.format(speed=speed, key=key))
        (tmp_path / "docs/ledger/speed/tree.toml").write_text(RECORD.format(machine=machine))
        return tmp_path

    return build


def test_a_command_that_prints_its_figure_again_is_right(house):
    found = rerun(house(speed=1100.0))
    assert found.returncode == 0, found.stdout + found.stderr
    assert "speed/tree: simulations_per_cpu_s 1,000 in the record, 1,100 now (1.10 times)" in found.stdout


@pytest.mark.parametrize("speed", [499.0, 2001.0])
def test_a_figure_that_is_off_by_more_than_a_factor_of_two_is_a_fault(house, speed):
    found = rerun(house(speed=speed))
    assert found.returncode == 1
    assert f"simulations_per_cpu_s was 1,000 and is {speed:,.0f}" in found.stdout
    assert "python tools/rerun.py speed/tree --record" in found.stdout


def test_other_settings_are_a_fault(house):
    found = rerun(house(key="ffff0000"))
    assert found.returncode == 1
    assert "the settings of the command have changed (1234abcd, ffff0000)" in found.stdout


def test_figures_of_another_kind_of_machine_are_not_compared(house):
    found = rerun(house(speed=1.0, machine="other"))
    assert found.returncode == 0
    assert found.stdout == "speed/tree: not compared: measured on another one; this is this one.\n"


def test_new_figures_replace_those_of_the_record(house):
    root = house(speed=45678.9, key="ffff0000", machine="other")
    assert rerun(root, "--record", "speed/tree").returncode == 0
    record = tomllib.loads((root / "docs/ledger/speed/tree.toml").read_text())
    assert record["figures"] == {"simulations_per_cpu_s": 45700.0}
    assert (record["machine"], record["settings_key"]) == ("here", "ffff0000")
    assert record["commit"] == describe_machine()["commit"], "of Ludus, before records change"
    assert rerun(root).returncode == 0


def test_a_command_that_fails_is_named(house):
    root = house()
    (root / "command.py").write_text("import sys; sys.exit(3)")
    found = rerun(root)
    assert found.returncode == 1
    assert found.stderr == "python command.py --seconds 1 --json: exit status 3\n"
