"""Profiles a site's CPU time: `python bench/site.py --profile OUT.json` runs its site through this program.

Every few milliseconds of the process's CPU time, it records the position of the event loop's thread (its innermost
frame, and the innermost function of the site) and that thread's CPU time since the last record.  For other threads,
only their total CPU times are recorded.
"""

import json
import runpy
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

EVERY_S = 0.005
TOLD = 40


def place(frame):
    """Return `package/file: function` of the innermost frame, and of the site's innermost function."""
    package = named(frame)
    while frame and "ludus/site/" not in frame.f_code.co_filename:
        frame = frame.f_back
    return package, named(frame) if frame else "outside the site"


def named(frame):
    """Return `package/file: function` of a frame."""
    path = frame.f_code.co_filename
    for root in ("site-packages/", "src/", "/python3.", "/bench/"):
        path = path.rsplit(root, 1)[-1]
    return f"{path}: {frame.f_code.co_qualname}"


def cpu_s():
    """Return the CPU seconds of this process's running threads, by name."""
    clock = {thread.native_id: thread.name for thread in threading.enumerate()}
    found = defaultdict[str, float](float)
    for task in Path("/proc/self/task").iterdir():
        fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        found[clock.get(int(task.name), "not of Python")] += (int(fields[11]) + int(fields[12])) / 100
    return dict(found)


def main():
    """Run `ludus` with the other arguments; profile from the first signal USR1 to the second."""
    out, sys.argv = Path(sys.argv[1]), ["ludus", *sys.argv[2:]]
    innermost, of_site, began = Counter(), Counter(), {}

    def sample(_number, frame):
        inner, site = place(frame)
        now = time.thread_time()
        innermost[inner] += now - began["thread"]
        of_site[site] += now - began["thread"]
        began["thread"] = now

    def toggle(_number, _frame):
        if not began:
            began.update(cpu=cpu_s(), at=time.perf_counter(), thread=time.thread_time())
            signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
            return
        signal.setitimer(signal.ITIMER_PROF, 0)
        spent = {name: round(s - began["cpu"].get(name, 0), 2) for name, s in cpu_s().items()}
        figures = {"wall_s": round(time.perf_counter() - began["at"], 1), "cpu_s": spent}
        for name, table in (("innermost", innermost), ("of_site", of_site)):
            figures[name] = {where: round(s / table.total(), 4) for where, s in table.most_common(TOLD)}
        out.write_text(json.dumps(figures, indent=1))

    signal.signal(signal.SIGPROF, sample)
    signal.signal(signal.SIGUSR1, toggle)
    runpy.run_module("ludus", run_name="__main__")


if __name__ == "__main__":
    main()
