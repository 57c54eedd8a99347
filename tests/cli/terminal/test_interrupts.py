"""An interrupt always ends the command, and interrupted matches report which games are stored."""

import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ludus.arena.record import read_record
from ludus.cli.app import app
from ludus.cli.strength import match

PROGRAM = """
import ctypes, signal, sys, time
from ludus.cli.terminal.interrupts import keep_interrupts

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
    """Python drops these interrupts; if this test fails, Python has changed, and the module is no longer needed."""
    ran = _run(where="callback", number="SIGINT", keep="", sleep=0.5)
    assert ran.stdout == "went on\n"
    assert "KeyboardInterrupt" in ran.stderr


def test_other_dropped_exceptions_are_reported_as_ever():
    program = (
        "import ctypes; from ludus.cli.terminal.interrupts import keep_interrupts; keep_interrupts()\n"
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


def test_an_interrupt_while_the_commands_are_still_loaded_is_no_traceback():
    program = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'ludus.cli.app': raise KeyboardInterrupt\n"
        "from ludus import cli\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "cli.main()"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("", "", 130)


@pytest.fixture
def interrupted(monkeypatch):
    """Return a function that runs a command, and interrupts it after one or two games."""

    def run(number, *arguments):
        def play_match(*players, on_game, **named):
            def tell(game):
                on_game(game)
                signal.raise_signal(number)

            return whole(*players, on_game=tell, **named)

        whole, before = match.play_match, {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
        signal.signal(signal.SIGINT, signal.default_int_handler)  # background test processes ignore SIGINT by default
        with monkeypatch.context() as patch:
            patch.setattr(match, "play_match", play_match)
            try:
                return CliRunner().invoke(app, [str(argument) for argument in arguments])
            finally:
                for each, handler in before.items():
                    signal.signal(each, handler)

    return run


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_match_reports_the_games_in_its_record(interrupted, tmp_path, number, status):
    file = tmp_path / "match.jsonl"
    command = ["match", "random", "minimax:9", "--game", "tictactoe", "--pairs", 4, "--at-once", 1, "--record", file]
    ended = interrupted(number, *command)
    assert ended.exit_code == status, ended.exception
    kept = len(read_record(file)[1])
    assert 1 <= kept < 8
    told = f"Interrupted; {file} holds {kept} game{'s' * (kept != 1)}, and the same command continues."
    assert ended.stderr.splitlines()[-1] == told
    again = CliRunner().invoke(app, [str(argument) for argument in command])
    assert again.exit_code == 0, again.exception
    assert len(read_record(file)[1]) == 8


def test_an_interrupted_match_without_a_record_reports_the_lost_games(interrupted):
    ended = interrupted(signal.SIGINT, "match", "random", "minimax:9", "--game", "tictactoe", "--at-once", 1)
    assert ended.exit_code == 130, ended.exception
    assert "Interrupted; " in ended.stderr
    assert " lost: --record FILE would keep them." in ended.stderr


def test_an_interrupted_league_reports_the_location_of_its_games(interrupted, tmp_path):
    ended = interrupted(
        signal.SIGTERM, "league", "random", "minimax:9", "--game", "tictactoe", "--pairs", 4, "--folder", tmp_path
    )
    assert ended.exit_code == 143, ended.exception
    assert f"Interrupted; {tmp_path / 'minimax@9--random.jsonl'} holds " in ended.stderr
