"""Compiled and plain rules play the same random games of every built-in game, bit by bit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.games import BUILT_IN

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
    "wallgame:standard:12x10": 1,  # wider boards have separate compiled code
    "wallgame:classic:15x13": 1,
}


def play(games):
    """Return the lines printed by the compiled and the plain run, which run in parallel."""
    command = [sys.executable, SCRIPT, *(f"{name}={num_games}" for name, num_games in games.items())]
    processes = [
        subprocess.Popen(command, env={**os.environ, "NUMBA_DISABLE_JIT": plain}, stdout=subprocess.PIPE, text=True)
        for plain in "01"
    ]
    return [process.communicate(timeout=1100)[0].splitlines() for process in processes]


@pytest.fixture(scope="module")
def played():
    return play(GAMES)


def test_every_built_in_game_is_compared():
    assert {name.partition(":")[0] for name in GAMES} == set(BUILT_IN)


@pytest.mark.parametrize("name", GAMES)
def test_compiled_and_plain_rules_play_the_same_games(played, name):
    compiled, plain = ([line for line in lines if line.startswith(f"{name} ")] for lines in played)
    assert len(compiled) > 5 * GAMES[name]
    assert compiled == plain


@pytest.mark.full
@pytest.mark.parametrize("name", LARGE_GAMES)
def test_compiled_and_plain_rules_play_the_same_large_games(name):
    compiled, plain = play({name: LARGE_GAMES[name]})
    assert len(compiled) > 5 * LARGE_GAMES[name]
    assert compiled == plain
