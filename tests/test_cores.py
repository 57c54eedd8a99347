"""The cores that a process may use: of the machine, its affinity mask, and the quotas of its control groups."""

import os

import pytest

from ludus.cores import usable_cores

ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.fixture
def group(tmp_path):
    """Return a function that writes files of control groups and counts the cores."""

    def cores(own, files):
        (tmp_path / "own").write_text(own)
        for name, text in files.items():
            path = tmp_path / "groups" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return usable_cores(tmp_path / "groups", tmp_path / "own")

    return cores


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(64)), raising=False)


def test_without_groups_the_affinity_counts(tmp_path):
    assert usable_cores(tmp_path, tmp_path / "none") == ALL


@pytest.mark.parametrize(
    ("own", "files", "cores"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n"}, 64),
        ("0::/a/b\n", {"a/b/cpu.max": "200000 100000\n"}, 2),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "150000 100000\n"}, 2),  # 1.5, of the group above
        ("0::/\n", {"cpu.max": "50000 100000\n"}, 1),
        ("0::/../elsewhere\n", {"cpu.max": "300000 100000\n"}, 3),  # a container that shows its own group as the top
        ("0::/a\n", {"a/cpu.max": "soon\n"}, 64),
        ("3:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "400000\n", "cpu/a/cpu.cfs_period_us": "100000\n"}, 4),
        ("3:cpu,cpuacct:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1\n", "cpu/a/cpu.cfs_period_us": "100000\n"}, 64),
    ],
)
@pytest.mark.usefixtures("many")
def test_a_quota_limits_the_cores(group, own, files, cores):
    assert group(own, files) == cores
