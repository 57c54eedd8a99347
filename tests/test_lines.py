"""Append-only files: several processes append at once, and only torn lines are overwritten."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from ludus.lines import append, sealed, unsealed, whole_lines

APPENDS = """
import sys, msgspec, pathlib, ludus.lines
Line = msgspec.defstruct("Line", [("who", int), ("number", int), ("text", str)], frozen=True)
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    ludus.lines.append(pathlib.Path(sys.argv[1]), Line(int(sys.argv[2]), number, "x" * (number % 300)))
"""


class Line(msgspec.Struct, frozen=True):
    """A line of the test file."""

    who: int
    number: int
    text: str = ""


def lines_of(file):
    bodies = [unsealed(file, number, line) for number, line in enumerate(whole_lines(file), 1)]
    return [msgspec.json.decode(body, type=Line) for body in bodies]


def test_several_processes_append_without_loss(tmp_path):
    file, count = tmp_path / "new" / "lines.jsonl", 150
    command = [sys.executable, "-c", APPENDS, str(file)]
    processes = [
        subprocess.Popen([*command, str(who), str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for who in range(3)
    ]
    for process in processes:
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    found = lines_of(file)
    assert len(found) == 3 * count
    for who in range(3):
        assert [line.number for line in found if line.who == who] == list(range(count))


def test_several_threads_append_without_loss(tmp_path):
    file = tmp_path / "lines.jsonl"
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda number: append(file, Line(0, number)), range(200)))
    assert sorted(line.number for line in lines_of(file)) == list(range(200))


@pytest.mark.parametrize("length", [1, 4095, 4096, 4097, 20_000])
def test_only_a_torn_last_line_is_overwritten(tmp_path, length):
    file = tmp_path / "lines.jsonl"
    for whole in ([], [Line(0, 0)], [Line(0, 0), Line(0, 1, "y" * 5000)]):
        before = b"".join(map(sealed, whole))
        file.write_bytes(before + b"z" * length)
        append(file, Line(0, 2))
        assert file.read_bytes() == before + sealed(Line(0, 2))


def test_an_append_does_not_read_the_whole_file(tmp_path, monkeypatch):
    file = tmp_path / "lines.jsonl"
    append(file, Line(0, 0))

    def refuse(path):
        raise AssertionError(f"{path} is read")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refuse)
        append(file, Line(0, 1))
    assert lines_of(file) == [Line(0, 0), Line(0, 1)]
