"""An interrupt that falls where Python drops exceptions still ends the command."""

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, signal, sys, time
from ludus.cli.interrupts import keep_interrupts

{keep}

class Finalised:
    def __del__(self):
        signal.raise_signal(signal.{number})

def end(number, frame):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, end)
dropping = {{
    "callback": ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.{number})),
    "finaliser": lambda: Finalised() and None,
}}
try:
    dropping["{where}"]()
    print("went on", flush=True)
    time.sleep({sleep})
except KeyboardInterrupt:
    print("ended")
"""


def _run(**values):
    command = [sys.executable, "-c", PROGRAM.format(**values)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("where", ["callback", "finaliser"])
def test_an_interrupt_that_python_drops_is_repeated(where, number):
    ran = _run(where=where, number=number, keep="keep_interrupts()", sleep=30)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("went on\nended\n", "", 0)


def test_without_it_python_drops_them():
    """What the module is for: where this fails, Python has changed, and the module can go."""
    ran = _run(where="callback", number="SIGINT", keep="", sleep=0.5)
    assert ran.stdout == "went on\n"
    assert "KeyboardInterrupt" in ran.stderr


def test_other_dropped_exceptions_are_reported_as_ever():
    program = (
        "import ctypes; from ludus.cli.interrupts import keep_interrupts; keep_interrupts()\n"
        "ctypes.CFUNCTYPE(None)(lambda: 1 / 0)()"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert "ZeroDivisionError" in ran.stderr
    assert ran.returncode == 0


def test_the_command_keeps_interrupts(monkeypatch):
    from ludus import cli
    from ludus.cli import app

    monkeypatch.setattr(sys, "unraisablehook", hook := sys.unraisablehook)
    monkeypatch.setattr(app, "app", lambda: None)
    cli.main()
    assert sys.unraisablehook is not hook


@pytest.mark.parametrize(
    ("raised", "status"), [("KeyboardInterrupt", 130), ("typer.Exit(143)", 143), ("typer.Exit(1)", -6)]
)
def test_an_interrupted_command_alone_is_left_without_pythons_own_end(raised, status):
    program = (
        "import atexit, os, typer; from ludus import cli; from ludus.cli import app\n"
        "app.app = typer.Typer(add_completion=False)\n"
        "@app.app.command()\n"
        f"def run(): print('said'); raise {raised}\n"
        "atexit.register(os.abort)\n"  # as libraries do that threads are still in
        "cli.main()"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert ran.stdout == "said\n"
    assert "Traceback" not in ran.stderr
    assert ran.returncode == status
