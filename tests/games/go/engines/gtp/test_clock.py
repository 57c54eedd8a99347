"""The clocks of a Go engine, with and without `time_left` from the controller."""

from types import SimpleNamespace

import pytest
from tests.games.go.engines.gtp.conftest import Seat

from ludus.games.go.engines.gtp import talker
from ludus.games.go.engines.gtp.clock import Clocks, Times, read_kgs_times, read_times

LITTLE_S = 0.011


def clocks(times, *spent, overhead_s=0.0):
    """Return clocks on which the first player has spent the given seconds, move by move."""
    found = Clocks(overhead_s)
    found.agree(times)
    for seconds in spent:
        found.spend(0, seconds)
    return found


def seconds(found, player=0):
    limits = found.limits(player, 100, 30)
    return limits.seconds + limits.extension


def test_used_time_is_subtracted_until_no_time_is_left():
    left = [seconds(clocks(read_times(("60", "0", "0")), *spent)) for spent in ([], [30.0], [30.0, 29.0], [61.0])]
    assert left == sorted(left, reverse=True)
    assert left[2] < 1.0
    assert left[3] <= LITTLE_S


def test_the_overhead_of_each_move_is_subtracted():
    assert seconds(clocks(Times(10.0), *[0.0] * 100, overhead_s=0.1)) <= LITTLE_S


def test_the_other_clock_is_unchanged():
    assert seconds(clocks(Times(60.0), 61.0), player=1) == seconds(clocks(Times(60.0)))


def test_canadian_periods_follow_the_main_time():
    spent = [58.0, 4.0, 10.0, 10.0]  # the second move ends the main time and takes 2 s of the period
    shown = [clocks(Times(60.0, 30.0, 3), *spent[: count + 1])._left[0] for count in range(4)]
    assert shown == [(2.0, 0), (28.0, 2), (18.0, 1), (30.0, 3)]


def test_each_move_has_a_period_of_its_own_in_japanese_byoyomi():
    found = clocks(read_kgs_times(("byoyomi", "5", "10", "3")), 6.0, 8.0, 8.0)
    assert 7.0 < seconds(found) <= 10.0


@pytest.mark.parametrize("told", ["byoyomi 60 30 5", "canadian 60 300 25", "canadian 60 20 1"])
def test_moves_at_the_end_of_the_main_time_use_the_next_period(told):
    found = clocks(read_kgs_times(tuple(told.split())), overhead_s=0.1)
    wanted = []
    for _ in range(60):
        left, stones = found._left.get(0, (60.0, 0))
        assert seconds(found) + 0.1 <= left + (0.0 if stones else found.times.period_s), "no loss on time"
        wanted.append(found.limits(0, 100, 30).seconds)
        found.spend(0, wanted[-1])
    assert min(wanted) >= 0.75 * wanted[0]


def test_time_left_from_the_controller_overrides_the_count():
    found = clocks(Times(60.0), 50.0)
    found.tell(0, 55.0, 0)
    assert seconds(found) > seconds(clocks(Times(60.0), 50.0))


@pytest.mark.parametrize("times", [Times(), Times(0.0, 5.0)])
def test_used_time_is_ignored_without_a_clock(times):
    assert clocks(times, 1000.0).limits(0, 100, 30) == clocks(times).limits(0, 100, 30)


def test_clocks_restart_with_new_time_settings_and_with_each_game(desk_of, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(talker, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    desk = desk_of(waits=True)

    def allowed(command, takes_s):
        desk.ask(command)
        limits, _, future, seat = desk.asked[-1]
        now[0] += takes_s
        future.set_result(seat.thought(limits))
        desk.work()
        return limits.seconds

    desk.ask("time_settings 60 0 0")
    first = allowed("reg_genmove b", 40.0)  # not a move of the game
    assert allowed("genmove b", 59.5) == first
    assert allowed("genmove b", 0.0) <= 0.1 < allowed("genmove w", 0.0)
    desk.ask("clear_board")
    assert allowed("genmove b", 0.0) == first
    allowed("lz-genmove_analyze b", 59.9)
    assert allowed("genmove b", 0.0) <= LITTLE_S
    desk.ask("time_settings 60 0 0")
    assert allowed("genmove w", 0.0) >= 0.9 * first


def test_compiling_takes_no_time_of_a_move(desk_of, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(talker, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def allowed(compiling_s):
        monkeypatch.setattr(Seat, "warm_up", lambda _seat: now.__setitem__(0, now[0] + compiling_s))
        desk, found = desk_of(waits=True), []
        for line in ("time_settings 60 0 0", "genmove b", "genmove w", "genmove b", "time_left b 2 0", "genmove b"):
            desk.ask(line)
            if line.startswith("genmove"):
                limits, _, future, seat = desk.asked[-1]
                found.append(limits.seconds)
                now[0] += 1.0
                future.set_result(seat.thought(limits))
                desk.work()
        return found

    assert allowed(compiling_s=230.0) == allowed(compiling_s=0.0)
    assert now == [230.0 + 2 * 4.0], "compiled once, before the first move"
