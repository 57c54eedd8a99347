"""A Ray cluster with two nodes on this machine."""

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 300.0  # a busy machine starts processes slowly


def start(log, *options):
    """Start a node with the command line; return its process and output."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--num-cpus=1", "--block", *options]
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    with log.open("w") as written:
        node = subprocess.Popen(command, env=environment, stdout=written, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + PATIENCE_S
    while "block forever" not in log.read_text():
        assert node.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
    return node, log.read_text()


def end(node):
    node.terminate()
    node.wait(PATIENCE_S)


@contextmanager
def two_nodes():
    """Start a head and another node; yield the address, the folder of the cluster and the process of the head."""
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as name:  # short for sockets
        folder, started = Path(name), []
        try:
            head, said = start(
                folder / "head.log", "--head", "--port=0", "--include-dashboard=false", f"--temp-dir={folder}"
            )
            started.append(head)
            where = re.search(r"--address='(.*?)'", said)[1]
            started.append(start(folder / "node.log", f"--address={where}")[0])
            yield where, folder, head
        finally:
            for node in reversed(started):
                end(node)
