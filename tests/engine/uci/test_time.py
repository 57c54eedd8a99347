"""No game is lost on time: 500 simulated games at 1 s + 0.1 s, each move as late as its budget allows."""

import pytest

from ludus.engine.uci.search import limits_of
from ludus.protocol.uci import GoCommand, read


def limits(text, mover=0, **others):
    go = read(text)
    assert isinstance(go, GoCommand)
    return limits_of(go, mover, **({"overhead_s": 0.05} | others))


@pytest.mark.parametrize("lag_s", [0.0, 0.02, 0.05])
def test_no_flag_falls_in_five_hundred_games(rng, lag_s):
    lowest = 1.0
    for _ in range(500):
        clock = 1000  # as programs send it: whole milliseconds, rounded down
        for _ in range(int(rng.integers(20, 100))):
            found = limits_of(GoCommand(times=(clock, 5), increments=(100, 0)), 0, overhead_s=0.05)
            late = float(rng.choice([found.seconds, found.seconds + found.extension]))
            left = clock / 1000.0 - late - float(rng.uniform(0.0, lag_s))
            assert left > 0.0
            lowest = min(lowest, left)
            clock = int(1000.0 * (left + 0.1))
    assert lowest >= 0.05 - lag_s, "a reserve is left"


@pytest.mark.parametrize("lag_s", [0.0, 0.05])
def test_no_flag_falls_without_an_increment(rng, lag_s):
    clock, moves = 1000, 0
    while clock > 150 and moves < 200:
        found = limits(f"go wtime {clock} btime 5")
        clock = int(1000.0 * (clock / 1000.0 - found.seconds - found.extension - float(rng.uniform(0.0, lag_s))))
        moves += 1
        assert clock > 0
    assert moves > 8


def test_forty_moves_fit_into_their_time_control():
    clock = 60_000
    for to_go in range(40, 0, -1):
        found = limits(f"go btime {clock} wtime 1 movestogo {to_go}", mover=1, overhead_s=0.01)
        clock -= int(1000.0 * (found.seconds + found.extension))
        assert clock >= 0


def test_movetime_overrides_the_clock():
    found = limits("go movetime 500 wtime 100 btime 100")
    assert (found.seconds, found.extension, found.may_stop) == (pytest.approx(0.45), 0.0, False)


def test_the_movers_clock_is_used():
    assert limits("go wtime 1000 btime 60000", 0).seconds < limits("go wtime 1000 btime 60000", 1).seconds


@pytest.mark.parametrize("text", ["go", "go infinite", "go nodes 5", "go depth 3", "go mate 2"])
def test_without_a_clock_there_is_no_time_limit(text):
    assert limits(text).seconds == float("inf")


def test_a_pondering_search_has_no_time_limit():
    assert limits("go ponder wtime 100 btime 100", waits=True).seconds == float("inf")


@pytest.mark.parametrize("text", ["go wtime -50 btime 5", "go wtime 0 btime 0", "go movetime 0", "go movetime -5"])
def test_an_expired_clock_leaves_a_minimal_time(text):
    assert 0.0 < limits(text).seconds <= 0.001


def test_the_smaller_limit_of_visits_applies():
    assert limits("go nodes 50", most_visits=20).visits == 20
    assert limits("go nodes 10 wtime 1000 btime 1000", most_visits=20).visits == 10
