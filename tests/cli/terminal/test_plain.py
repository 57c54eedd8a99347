"""Commands print on terminals, files and pipes of any encoding."""

import ast
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.cli.terminal.plain import PLAIN, use_plain_signs

SOURCES = Path(__file__).parents[3] / "src" / "ludus"
PRINTED = ("arena", "bot", "cli", "engine", "inference", "learner", "loop", "network", "players", "rating", "selfplay")
"""The packages whose texts commands print; games and the site also have texts that they only read or send."""
EVERY_HELP = """
import io, sys
import typer
from typer.testing import CliRunner
from ludus.cli.app import app
from ludus.cli.terminal.plain import use_plain_signs
use_plain_signs()
def show(command, words):
    for name, each in getattr(command, "commands", {}).items():
        show(each, [*words, name])
    typer.main.get_command(app).main([*words, "--help"], standalone_mode=False)
show(typer.main.get_command(app), [])
"""


def printed(text, encoding, monkeypatch):
    """Return the bytes that standard output writes with an encoding."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict")
    monkeypatch.setattr(sys, "stdout", stream)
    use_plain_signs()
    print(text, end="", flush=True)
    return raw.getvalue()


@pytest.mark.parametrize(
    ("text", "encoding", "bytes_"),
    [
        ("+12 ±3 → 4", "ascii", b"+12 +/-3 -> 4"),
        ("+12 ±3", "latin-1", b"+12 \xb13"),
        ("±3 →", "utf-8", "±3 →".encode()),
        ("├╴─┐", "ascii", b"++-+"),
        ("n\udce4n.toml", "utf-8", b"n\xe4n.toml"),
        ("n\udce4n.toml", "ascii", b"n\xe4n.toml"),
        ("José 𝄞", "ascii", b"Jos\\u00e9 \\ud834\\udd1e"),
        ("\u280b compiling", "cp1252", b". compiling"),
    ],
)
def test_signs_that_an_encoding_lacks_are_printed_plainly(text, encoding, bytes_, monkeypatch):
    assert printed(text, encoding, monkeypatch) == bytes_


def test_all_signs_in_texts_that_commands_print_have_a_plain_form():
    for package in PRINTED:
        for file in (SOURCES / package).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            texts = {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant)}
            signs = {sign for text in texts if isinstance(text, str) for sign in text if not sign.isascii()}
            assert signs <= PLAIN.keys(), file


@pytest.mark.parametrize(
    "words",
    [
        "match random ucb:4 --game tictactoe --pairs 2",
        "league random ucb:2 ucb:4 --game tictactoe --folder x --pairs 2",
        "check tictactoe --games 2",
        "play random --game tictactoe --seed 1",
        "play random --game wallgame:classic:5x5 --seed 1",
        "estimate tictactoe-smoke",
        "runs nowhere",
        "match random --pairs",
        "report n\u00f6where",
    ],
)
def test_a_command_writes_to_an_ascii_terminal(tmp_path, words):
    ran = subprocess.run(
        [sys.executable, "-m", "ludus", *words.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "ascii:strict"},
        input=b"moves\nhelp\n",
        capture_output=True,
        check=False,
    )
    said = ran.stdout + ran.stderr
    assert said.isascii()
    assert b"Traceback" not in said
    assert ran.returncode == 0 or words in ("runs nowhere", "match random --pairs", "report n\u00f6where")


def test_the_help_of_every_command_is_written_to_an_ascii_terminal():
    ran = subprocess.run(
        [sys.executable, "-c", EVERY_HELP],
        env=os.environ | {"PYTHONIOENCODING": "ascii:strict", "FORCE_COLOR": "1"},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.isascii()
    assert b"sprt" in ran.stdout
