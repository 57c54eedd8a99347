"""The number of processor cores that this process may use, which a container or an affinity may limit."""

import math
from pathlib import Path

from ludus.system import allowed_cores

GROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")


def usable_cores(groups: Path = GROUPS, own: Path = OWN_GROUPS) -> int:
    """Return the cores of the affinity mask, or fewer if a control group limits the processor time; at least 1.

    Args:
        groups: where the control groups are mounted (Linux).
        own: the file that lists the groups of this process.
    """
    return max(1, math.ceil(min(allowed_cores(), _quota(groups, own))))


def _quota(groups: Path, own: Path) -> float:
    """Return the smallest limit of this process's control groups, in cores; infinite if there is none."""
    limits = [math.inf]
    for line in _read(own).splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":  # version 2
            limits += [_limit(*_read(folder / "cpu.max").split()[:2]) for folder in _upwards(groups, path)]
        elif "cpu" in controllers.split(","):
            folders = _upwards(groups / "cpu", path)
            names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
            limits += [_limit(*(_read(folder / name).strip() for name in names)) for folder in folders]
    return min(limits)


def _upwards(top: Path, path: str) -> list[Path]:
    """Return a group's folder and those above it; inside a container, its own group may be mounted as the top."""
    own = top / path.strip("/")
    return [own, *(folder for folder in own.parents if folder.is_relative_to(top))]


def _limit(quota: str = "max", period: str = "") -> float:
    """Return a quota in cores, given microseconds of each period; infinite for `max`, -1 and what cannot be read."""
    try:
        found = int(quota) / int(period)
    except (ValueError, ZeroDivisionError):
        return math.inf
    return found if found > 0 else math.inf


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
