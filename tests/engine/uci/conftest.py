"""Fixtures: a chess engine without a network, and a conversation with it line by line."""

import queue
import re
import time

import numpy as np
import pytest

import ludus
from ludus.engine.ladder import Ladder, Rung
from ludus.engine.uci.talker import UciTalker
from ludus.games.chess.engines.uci import CHESS960, UciChess
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.pool import Pool
from ludus.search.settings import SearchSettings

PATIENCE_S = 300.0  # includes compiling the rules and the search
MAX_VISITS = 3_000
FULL = "info string The search tree is full"
LADDER = Ladder("", 1, [Rung("2,1", 800, 0), Rung("200", 1200, 0)])


class SlowEvaluator(UniformEvaluator):
    """A uniform evaluator with an optional delay and error."""

    def __init__(self, game, delay_s=0.0):
        super().__init__(Shapes.of(game))
        self.delay_s, self.fault = delay_s, None

    def lane(self, batch):
        lane, inner = super().lane(batch), None
        inner = lane.answer

        def answer():
            time.sleep(self.delay_s)
            if self.fault:
                raise self.fault
            return inner()

        lane.answer = answer
        return lane


class PoolMind:
    """A player that searches in one pool."""

    def __init__(self, evaluator):
        self.game = ludus.game("chess")
        self.pool = Pool(
            self.game, evaluator, SearchSettings(cache_entries=0), slots=1, max_visits=MAX_VISITS, leaves=1
        )

    def seat(self, position, *, seed=0):
        return self.pool.seat(position, seed=seed)

    def close(self):
        self.pool.close()


class Conversation:
    """Sends lines to an engine and waits for its answers."""

    def __init__(self, ladder=LADDER):
        self.evaluator = SlowEvaluator(ludus.game("chess"))
        self.opened, self.lines, self.said, self.taken = [], [], [], 0
        self._events = queue.SimpleQueue()
        self.talker = UciTalker(
            self.open,
            UciChess,
            self._events.put,
            self.said.append,
            name="nobody",
            ladder=ladder,
            most_threads=4,
            switches=[CHESS960],
        )

    def open(self, settings):
        self.opened.append(settings)
        return PoolMind(self.evaluator)

    def say(self, *lines):
        for line in lines:
            self.talker.hear(line)

    def expect(self, pattern):
        """Return the next line that matches; only `info` lines may come before it."""
        end = time.perf_counter() + PATIENCE_S
        while time.perf_counter() < end:
            while self.taken < len(self.said):
                line = self.said[self.taken]
                self.taken += 1
                if re.match(pattern, line):
                    return line
                assert line.startswith(("info depth", FULL)), f"{line!r} came before {pattern!r}"
            self.run(0.05)
        raise AssertionError(f"no line matches {pattern!r}: {self.said}")

    def run(self, seconds):
        """Deliver the next search result, waiting up to `seconds` for it."""
        try:
            self._events.get(timeout=seconds)()
        except queue.Empty:
            return

    def listen(self, seconds):
        """Return the further lines within `seconds`, without `info` lines."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.run(left)
        rest, self.taken = self.said[self.taken :], len(self.said)
        return [line for line in rest if not line.startswith(("info depth", FULL))]


@pytest.fixture
def engine():
    conversation = Conversation()
    yield conversation
    conversation.evaluator.delay_s = 0.0
    conversation.talker.close()


@pytest.fixture
def rng():
    return np.random.default_rng(0)
