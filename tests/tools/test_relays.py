"""The engines play other people's programs under independent referees, where those programs are installed."""

import importlib
import json
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = "/usr/games:/usr/local/bin"  # Debian puts games where no shell looks for them

pytestmark = pytest.mark.full


def program(name):
    """Return the path of a program; skip the test if it is not installed."""
    found = shutil.which(name) or shutil.which(name, path=PLACES)
    if not found:
        pytest.skip(f"{name} is not installed (Debian: apt install {name})")
    return found


def test_the_go_engine_plays_gnu_go_and_sgfmill_counts_the_same(monkeypatch, tmp_path, capsys):
    gnugo = program("gnugo")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    twogtp = importlib.import_module("twogtp")
    ours = f"{sys.executable} -m ludus engine gtp --size 7 --rules chinese --visits 20 --tree-visits 200"
    theirs = f"{gnugo} --mode gtp --chinese-rules --level 1"
    options = ["--games", "2", "--size", "7", "--rules", "chinese", "--opening", "2", "--judge", "sgfmill"]
    assert twogtp.main([*options, "--record", str(tmp_path / "match.jsonl"), ours, theirs]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (summary["games"], summary["protocol_errors"]) == (2, [0, 0])
    assert (summary["other_winner"], summary["other_margin"]) == (0, 0)


def test_the_chess_engine_plays_stockfish_and_python_chess_sees_no_fault(monkeypatch, tmp_path, capsys, load_program):
    stockfish = program("stockfish")
    bench = load_program("bench/uci_match.py")
    command = ["uci_match.py", "--model", str(ROOT / "models/chess"), "--engine", stockfish, "--games", "2"]
    command += ["--time", "2+0.1", "--option", "Skill Level=0", "--record", str(tmp_path / "match.jsonl")]
    monkeypatch.setattr(sys, "argv", command)
    bench.main()
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (summary["games"], summary["faults"]) == (2, {})
