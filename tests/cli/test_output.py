"""What becomes of output that nobody takes: a pipe that is closed, a disk that is full."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.loop.folder import Folder
from ludus.loop.preset import Preset
from ludus.loop.records import Start

CONNECT4 = Path(__file__).parents[2] / "models" / "connect4"
FULL = [disk for disk in (Path("/dev/full"),) if disk.exists()]  # Linux has a disk that is always full


def list_runs(folder, output, *, unbuffered):
    """Return how `ludus runs --json` ends whose output goes there."""
    Folder(folder).begin(Preset(name="x", games=["tictactoe"]), Start(0, "", "", "", "", "", 1, {}))
    environment = os.environ | {"PYTHONUNBUFFERED": "1" if unbuffered else ""}
    command = [sys.executable, "-m", "ludus", "runs", str(folder), "--json"]
    return subprocess.run(
        command, stdout=output, stderr=subprocess.PIPE, text=True, check=False, timeout=300, env=environment
    )


@pytest.mark.parametrize("unbuffered", [False, True])
def test_a_closed_pipe_ends_a_command_without_a_word(tmp_path, unbuffered):
    reader, writer = os.pipe()
    os.close(reader)
    ran = list_runs(tmp_path, writer, unbuffered=unbuffered)
    os.close(writer)
    assert ran.stderr == ""
    assert ran.returncode == (1 if unbuffered else 141)  # as typer and as a shell has it


@pytest.mark.parametrize("disk", FULL)
@pytest.mark.parametrize("unbuffered", [False, True])
def test_output_that_the_disk_does_not_take_is_told_in_a_sentence(tmp_path, disk, unbuffered):
    with disk.open("w") as full:
        ran = list_runs(tmp_path, full, unbuffered=unbuffered)
    assert ran.stderr == "ludus: the output: cannot be written (No space left on device).\n"
    assert ran.returncode == 1


def test_a_command_without_any_output_is_no_accident(tmp_path):
    Folder(tmp_path).begin(Preset(name="x", games=["tictactoe"]), Start(0, "", "", "", "", "", 1, {}))
    command = f"{shlex.quote(sys.executable)} -m ludus runs {shlex.quote(str(tmp_path))} --json >&-"
    ran = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    assert (ran.stderr, ran.returncode) == ("", 0)


def test_names_that_are_no_text_are_printed_as_they_are(tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xe4n"))
    try:
        folder.mkdir()
    except OSError:
        return  # here all names are text
    Folder(folder / "run").begin(Preset(name="x", games=["tictactoe"]), Start(0, "", "", "", "", "", 1, {}))
    page = folder / "run" / "\udce4"
    for command, said in (
        (["runs", folder, "--json"], json.dumps(str(folder / "run")).encode()),
        (["show", "tictactoe", "--out", page], os.fsencode(page / "input.svg")),
    ):
        environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
        ran = subprocess.run(
            [sys.executable, "-m", "ludus", *command], capture_output=True, check=False, timeout=300, env=environment
        )
        assert ran.returncode == 0, ran.stderr
        assert said in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["match", "a" * 300, "random", "--game", "tictactoe"],
            f"ludus: {'a' * 300}: cannot be used (File name too long).",
        ),
        (
            ["pack", CONNECT4, "out", "--name", b"caf\xe9"],
            "ludus: caf\N{REPLACEMENT CHARACTER}: this name is not UTF-8, as it must be here; rename the file.",
        ),
    ],
)
def test_a_name_that_cannot_be_used_is_told_in_a_sentence(tmp_path, arguments, said):
    command = [sys.executable, "-m", "ludus", *arguments]
    ran = subprocess.run(command, capture_output=True, check=False, timeout=300, cwd=tmp_path)
    assert ran.stderr.decode() == f"{said}\n"
    assert ran.returncode == 1
