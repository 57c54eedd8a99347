"""A table compared with a simple model: random moves, takebacks, draws, clocks, and restarts from database rows."""

from itertools import pairwise

import msgspec
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import ludus
from ludus.errors import BadInput
from ludus.site.database.records import GameProgress, GameRow, SeatRow
from ludus.site.table.clock import TimeControl
from ludus.site.table.rows import gone_on, milliseconds, moment, move_row, num_shared, progress_of, table_of
from ludus.site.table.table import new_table

SIDES = st.sampled_from([0, 1])
PERSON = SeatRow("person", "Ann")


class Life(RuleBasedStateMachine):
    """A table with its database rows, and a simple model of the same game."""

    @initialize(timed=st.booleans(), wall=st.booleans())
    def begin(self, timed, wall):
        self.now = 1_000_000
        self.game = ludus.game("wallgame:classic:4x4:short" if wall else "connect4")
        control = TimeControl(10_000, 1_000) if timed else None
        self.table = new_table(self.game.start(), control, waiting=False, max_plies=12)
        self.written = GameRow(
            "g", self.game.name, "connect4", "standard", 7, 6, None, "friend", False,
            control.initial_ms if control else None, control.increment_ms if control else None, None, "g", 0.0, 0.0,
            moment(self.now), (PERSON, PERSON), GameProgress("playing"),
        )  # fmt: skip
        self.write(self.table, self.table)
        self.actions = []  # the model's actions; the rules replay them to find the side to move
        self.ends = []  # the number of actions after each whole move
        self.movers = []
        self.left = [10_000, 10_000] if timed else None
        self.runs = None
        self.result = None
        self.draw = set()

    def write(self, before, after):
        kept = num_shared(before, after)
        moves = self.written.moves[:kept] + [move_row(move) for move in after.moves[kept:]]
        progress = progress_of(after)
        self.written = msgspec.structs.replace(self.written, moves=moves, progress=progress)

    def change(self, work):
        """Change the table as a live game does; return whether the change was allowed."""
        before = self.table
        flagged = before.flag(self.now)
        try:
            after = work(flagged)
        except BadInput:
            after = flagged
            allowed = False
        else:
            allowed = True
        self.write(before, after)
        self.table = after
        return allowed

    def replay(self):
        position = self.game.start()
        for action in self.actions:
            position = position.play(action)
        return position

    def by_move(self, actions):
        """Return the sorted actions of each finished move, and the actions of the unfinished one in order."""
        bounds = [0, *self.ends]
        return [sorted(actions[begin:end]) for begin, end in pairwise(bounds)], actions[bounds[-1] :]

    def pass_time(self):
        if self.left and self.runs is not None and self.result is None and self.left[self.runs] == 0:
            self.result = (1 - self.runs, "timeout")
            self.finish()

    def finish(self):
        self.runs = None
        self.draw = set()
        del self.actions[self.ends[-1] if self.ends else 0 :]

    @rule(ms=st.integers(0, 4000))
    def wait(self, ms):
        self.now += ms
        if self.left and self.runs is not None:
            self.left[self.runs] = max(0, self.left[self.runs] - ms)

    @rule(side=SIDES, pick=st.integers(0, 100))
    def play(self, side, pick):
        self.pass_time()
        position = self.replay()
        legal = position.actions
        may = self.result is None and position.to_play == side and bool(legal)
        action = legal[pick % len(legal)] if legal else 0
        assert self.change(lambda table: table.act(side, action, table.ply, self.now)) == may
        if not may:
            return
        self.actions.append(action)
        after = position.play(action)
        if after.outcome or after.to_play != side or len(self.actions) >= 12:
            self.ends.append(len(self.actions))
            self.movers.append(side)
            self.draw &= {side}
            if self.left:
                self.left[side] += 1_000
                self.runs = after.to_play
            if after.outcome:
                self.result = (after.outcome.winner, after.outcome.reason)
            elif len(self.actions) >= 12:
                self.result = (None, "12 actions without a winner")
            if self.result:
                self.finish()

    @rule(side=SIDES)
    def undo(self, side):
        self.pass_time()
        staged = len(self.actions) - (self.ends[-1] if self.ends else 0)
        may = self.result is None and staged > 0 and self.replay().to_play == side
        assert self.change(lambda table: table.undo(side)) == may
        if may:
            self.actions.pop()

    @rule(side=SIDES)
    def take_back(self, side):
        self.pass_time()
        may = self.result is None and side in self.movers
        assert self.change(lambda table: table.taken_back(side, self.now)) == may
        if may:
            while self.movers[-1] != side:
                self.movers.pop()
                self.ends.pop()
            self.movers.pop()
            self.ends.pop()
            del self.actions[self.ends[-1] if self.ends else 0 :]
            self.draw = set()
            self.runs = side if self.left and self.ends else None

    @rule(side=SIDES)
    def offer_draw(self, side):
        self.pass_time()
        may = self.result is None and side not in self.draw
        assert self.change(lambda table: table.offer(side, "draw", self.now)) == may
        if may and 1 - side in self.draw:
            self.result = (None, "draw-agreement")
            self.finish()
        elif may:
            self.draw.add(side)

    @precondition(lambda self: len(getattr(self, "ends", [])) > 3)
    @rule(side=SIDES)
    def resign(self, side):
        self.pass_time()
        may = self.result is None
        assert self.change(lambda table: table.resign(side, self.now)) == may
        if may:
            self.result = (1 - side, "resignation")
            self.finish()

    @rule(down=st.integers(0, 100_000), lost=st.integers(0, 3000))
    def restart(self, down, lost):
        """Rebuild the table from its rows, after a downtime and a last heartbeat up to 3 s before the crash."""
        since = self.written.progress.since
        pulse = max(self.now - lost, milliseconds(since)) if since else self.now
        back = self.now - pulse
        self.now += down
        self.table = gone_on(table_of(self.written, self.game.start(self.written.setup), 12), pulse, self.now)
        if self.left and self.runs is not None:  # a clock may regain the time after the last heartbeat
            clock = self.table.clock
            assert self.left[self.runs] <= clock.left_at(self.now)[self.runs] <= self.left[self.runs] + back
            self.left[self.runs] = clock.left_at(self.now)[self.runs]
        self.write(self.table, self.table)

    @invariant()
    def the_table_is_as_the_model_says(self):
        table = self.table
        flagged = table.flag(self.now)
        if self.left and self.runs is not None and self.left[self.runs] == 0:
            assert flagged.result.reason == "timeout"
            return
        assert flagged is table
        # Rows store moves as text, in which the order of a move's walls may differ.
        assert self.by_move([after.action for after in table.position.history[1:]]) == self.by_move(self.actions)
        assert np.array_equal(table.position.state, self.replay().state)
        assert [move.end for move in table.moves] == self.ends
        assert [move.player for move in table.moves] == self.movers
        assert (table.result and (table.result.winner, table.result.reason)) == self.result
        assert {offer.by for offer in table.offers} == self.draw
        if self.left:
            assert table.clock.left_at(self.now) == tuple(self.left)
            assert table.clock.running == self.runs


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
