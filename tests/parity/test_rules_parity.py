"""Random games of every built-in game, played by machine code and by plain Python, are the same bit by bit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.games.registry import BUILT_IN

SCRIPT = Path(__file__).parent / "play_games.py"
GAMES = {
    "tictactoe": 20,
    "connect4": 12,
    "chess": 1,
    "go:4x4@5x5:liberties": 2,
    "gomoku:renju:7x7": 2,
    "wallgame:classic:4x4": 3,
    "wallgame:standard:5x6:2026-01": 3,
    "wallgame:freestyle:6x5:short": 2,
    "wallgame:survival:5x5@7x6": 2,
}
LARGE_GAMES = {
    "connect4:ahead": 4,
    "gomoku:renju:8x8:swap2:threats:fours": 1,
    "wallgame:standard:12x10": 1,  # wider boards have machine code of their own
    "wallgame:classic:15x13": 1,
}


def play(name, num_games, **settings):
    """Start a process that prints what the rules say."""
    command = [sys.executable, SCRIPT, name, str(num_games)]
    return subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True)


def test_every_built_in_game_is_compared_here():
    assert {name.partition(":")[0] for name in GAMES} == set(BUILT_IN)


@pytest.mark.parametrize(
    ("name", "num_games"),
    [*GAMES.items(), *(pytest.param(*item, marks=pytest.mark.full) for item in LARGE_GAMES.items())],
)
def test_machine_code_and_plain_python_play_the_same_games(name, num_games):
    processes = [play(name, num_games, NUMBA_DISABLE_JIT=disabled) for disabled in "01"]
    compiled, plain = (process.communicate(timeout=500)[0].splitlines() for process in processes)
    assert len(compiled) > 5 * num_games
    assert compiled == plain
