"""Byo-yomi, Canadian overtime and days for each move: exact, as a slow model that counts every millisecond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.errors import IllegalMove
from ludus.site.table.clock import DAY_MS, Periods, TimeControl, new_clock, time_class
from ludus.site.table.table import new_table

BYO_YOMI = TimeControl(1000, 0, overtime=Periods(100, 3))
CANADIAN = TimeControl(1000, 0, overtime=Periods(500, moves=4))


class Model:
    """One side's clock, told as the rules of overtime tell it, one millisecond at a time."""

    def __init__(self, main, period, periods, moves):
        self.main, self.period, self.periods, self.moves = main, period, periods, moves
        self.rest, self.played = period, 0

    @property
    def fallen(self):
        return self.main == 0 and self.periods == 0

    def tick(self):
        if self.main:
            self.main -= 1
            return
        self.rest -= 1
        if self.rest == 0:
            self.periods, self.played = self.periods - 1, 0
            self.rest = self.period if self.periods else 0

    def press(self):
        if self.main:
            return
        self.played += 1
        if self.played == self.moves:
            self.rest, self.played = self.period, 0

    def give(self, ms):
        if self.main:
            self.main += ms
            return
        filled = min(ms, self.period - self.rest)
        self.rest, self.main = self.rest + filled, ms - filled
        if self.main:
            self.played = 0


controls = st.builds(
    lambda main, period, periods, moves: TimeControl(main, 0, overtime=Periods(period, periods, moves)),
    st.integers(0, 60),
    st.integers(1, 20),
    st.integers(1, 4),
    st.integers(1, 4),
)
scripts = st.lists(st.tuples(st.sampled_from(["press", "press", "wait", "give"]), st.integers(0, 25)), max_size=40)


@given(controls, scripts)
def test_overtime_agrees_with_a_model_that_counts_every_millisecond(control, script):
    periods = control.overtime
    clock, now = new_clock(control).started(0, 0), 0
    model = Model(control.initial_ms, periods.ms, periods.count, periods.moves)
    for word, passed in script:
        for _ in range(passed):
            now += 1
            model.tick()
            assert (clock.left_at(now)[0] == 0) == (now >= clock.falls_at) == model.fallen
            if model.fallen:
                return
        left, there = clock.left_at(now)[0], clock.periods_at(0, control, now)
        assert there == model.periods
        assert left == model.main + model.rest + (model.periods - 1) * periods.ms
        if word == "press":
            clock = clock.pressed(0, control, now)
            model.press()
            assert clock.played[0] == model.played
            clock = clock.started(0, now)
        elif word == "give":
            clock = clock.given(0, 7, control, now)
            model.give(7)


def test_a_move_within_a_period_of_byo_yomi_gets_the_period_again():
    clock = new_clock(BYO_YOMI).started(0, 0).pressed(0, BYO_YOMI, 1060)
    assert clock.left == (300, 1300)
    assert clock.periods_at(0, BYO_YOMI, 0) == 3


def test_a_lost_period_of_byo_yomi_does_not_come_back():
    clock = new_clock(BYO_YOMI).started(0, 0).pressed(0, BYO_YOMI, 1130)
    assert clock.left[0] == 200
    assert clock.started(0, 5000).falls_at == 5200


def test_canadian_overtime_is_renewed_by_its_last_move():
    clock, now = new_clock(CANADIAN), 0
    for passed, left in ((1100, 400), (150, 250), (100, 150), (149, 500)):
        clock, now = clock.started(0, now), now + passed
        clock = clock.pressed(0, CANADIAN, now)
        assert clock.left[0] == left
    assert clock.played == (0, 0)


def test_given_time_fills_the_period_and_then_becomes_main_time():
    clock = new_clock(BYO_YOMI).started(0, 0).given(0, 100, BYO_YOMI, 1130)
    assert clock.left_at(1130)[0] == 200 - 30 + 100
    assert clock.pressed(0, BYO_YOMI, 1130).left[0] == 270  # 70 ms of main time, and two periods
    assert clock.pressed(0, BYO_YOMI, 1250).left[0] == 200


def days(number):
    return TimeControl(0, 0, overtime=Periods(number * DAY_MS))


def test_a_game_over_days_gives_each_move_its_days():
    table = new_table(ludus.game("connect4").start(), days(3), waiting=True, max_plies=100).seated(1000)
    assert table.clock.falls_at == 1000 + 3 * DAY_MS
    table = table.play(0, "4", 1000 + 2 * DAY_MS)
    assert table.clock.left == (3 * DAY_MS, 3 * DAY_MS)
    assert table.flag(1000 + 5 * DAY_MS).result.winner == 0
    assert table.flag(999 + 5 * DAY_MS) is table


def test_a_game_over_days_without_a_move_is_aborted_at_its_deadline():
    table = new_table(ludus.game("connect4").start(), days(1), waiting=True, max_plies=100).seated(0)
    assert table.flag(DAY_MS).result.reason == "aborted"


def test_after_a_takeback_of_the_first_move_the_clock_of_a_game_over_days_runs():
    table = new_table(ludus.game("connect4").start(), days(1), waiting=True, max_plies=100).seated(0)
    table = table.play(0, "4", 10).taken_back(0, 20)
    assert table.clock.running == 0


def test_no_time_is_given_in_a_game_over_days():
    table = new_table(ludus.game("connect4").start(), days(1), waiting=True, max_plies=100).seated(0)
    with pytest.raises(IllegalMove, match="over days"):
        table.give_time(0, 15, 0)


@pytest.mark.parametrize(
    ("control", "name"),
    [
        (None, "unlimited"),
        (TimeControl(60_000, 2_000), "bullet"),
        (TimeControl(180_000, 2_000), "blitz"),
        (TimeControl(600_000, 5_000), "rapid"),
        (TimeControl(1_800_000, 0), "classical"),
        (TimeControl(600_000, 0, overtime=Periods(30_000, 5)), "rapid"),
        (TimeControl(600_000, 0, overtime=Periods(600_000, moves=25)), "rapid"),
        (TimeControl(0, 0, overtime=Periods(5_000, 3)), "bullet"),
        (days(1), "days"),
        (days(14), "days"),
    ],
)
def test_each_time_control_has_a_time_class(control, name):
    assert time_class(control) == name
