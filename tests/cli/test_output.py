"""Output to a closed pipe, a full disk, or a narrow terminal."""

import fcntl
import io
import json
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.console import Console

from ludus.cli.terminal.screen import fitted, last_sentence, say, say_error
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import RunStart
from ludus.loop.preset import Preset

CONNECT4 = Path(__file__).parents[2] / "models" / "connect4"
FULL = Path("/dev/full")


def list_runs(folder, output, *, unbuffered):
    """Run `ludus runs --json` with this output; return the finished process."""
    Folder(folder).begin(Preset(name="x", games=["tictactoe"]), RunStart(0, "", "", "", "", "", 1, {}))
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
    assert ran.returncode == (1 if unbuffered else 141)  # the exit statuses of typer and of shells


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("unbuffered", [False, True])
def test_output_to_a_full_disk_gives_one_error_message(tmp_path, unbuffered):
    with FULL.open("w") as full:
        ran = list_runs(tmp_path, full, unbuffered=unbuffered)
    assert ran.stderr == "ludus: the output: cannot be written (No space left on device).\n"
    assert ran.returncode == 1


def test_a_command_without_any_output_is_no_accident(tmp_path):
    Folder(tmp_path).begin(Preset(name="x", games=["tictactoe"]), RunStart(0, "", "", "", "", "", 1, {}))
    command = f"{shlex.quote(sys.executable)} -m ludus runs {shlex.quote(str(tmp_path))} --json >&-"
    ran = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    assert (ran.stderr, ran.returncode) == ("", 0)


def test_names_that_are_no_text_are_printed_as_they_are(tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xe4n"))
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("here all names are text")
    Folder(folder / "run").begin(Preset(name="x", games=["tictactoe"]), RunStart(0, "", "", "", "", "", 1, {}))
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
            "ludus: caf\N{REPLACEMENT CHARACTER}: this name is not valid UTF-8; rename the file.",
        ),
    ],
)
def test_an_unusable_file_name_gives_one_error_message(tmp_path, arguments, said):
    command = [sys.executable, "-m", "ludus", *arguments]
    ran = subprocess.run(command, capture_output=True, check=False, timeout=300, cwd=tmp_path)
    assert ran.stderr.decode() == f"{said}\n"
    assert ran.returncode == 1


SENTENCE = "Nothing is lost, and the same command continues it. " * 4


def narrow(width=80):
    return Console(file=io.StringIO(), force_terminal=True, width=width, highlight=False)


def test_text_is_wrapped_between_words_only_on_a_terminal(capsys):
    lines = fitted(SENTENCE, narrow()).split("\n")
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).split() == SENTENCE.split()
    terminal, file = narrow(), Console(file=io.StringIO())
    for on in (terminal, file, None):
        say(SENTENCE, on=on)
    assert terminal.file.getvalue() == "\n".join(lines) + "\n"
    assert file.file.getvalue() == capsys.readouterr().out == SENTENCE + "\n"


def test_lines_that_fit_a_terminal_stay_as_they_are():
    text = "a  b \n\n  c\t[d]\n" + "x" * 80
    assert fitted(text, narrow()) == text


def test_a_path_that_is_wider_than_a_terminal_stays_whole():
    path = "/" + "a-long-name/" * 20
    assert fitted(f"written to {path} today", narrow()) == f"written to\n{path}\ntoday"


def test_text_that_is_too_long_continues_below_itself():
    assert fitted("  law      one two three four", narrow(24)) == "  law      one two three\n           four"
    assert fitted("  indented text goes on", narrow(20)) == "  indented text goes\n  on"


def test_wide_letters_count_as_two_columns():
    assert fitted("\N{CJK UNIFIED IDEOGRAPH-68CB}" * 5 + " go", narrow(12)).endswith("\ngo")


def test_a_report_breaks_no_word_on_a_narrow_terminal():
    reader, writer = pty.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "xterm"}
    command = [sys.executable, "-m", "ludus", "check", "tictactoe", "--games", "1"]
    process = subprocess.Popen(command, stdin=writer, stdout=writer, stderr=subprocess.DEVNULL, env=environment)
    os.close(writer)
    said = b""
    try:
        while piece := os.read(reader, 4096):
            said += piece
    except OSError:
        pass  # on Linux, this error means that the writer has closed the terminal
    os.close(reader)
    assert process.wait(timeout=300) == 0
    lines = said.decode().removesuffix("\x1b[0m").splitlines()  # colorama's, where another package has brought it
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith("             "), "the results take two lines, under each other"
    assert "draws 0.0%, ended by the cap 0.0%" in " ".join(" ".join(lines[-2:]).split())


def test_a_quoted_error_does_not_begin_with_the_name_of_the_program(capfd):
    say("First line.")
    say_error("net: cannot be read.")
    assert last_sentence(capfd.readouterr().err + "\n") == "net: cannot be read."
    assert last_sentence("") == ""
