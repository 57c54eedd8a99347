"""Fixtures: a Go engine with instant searches, and the lines that it receives and writes."""

import time
from concurrent.futures import Future
from queue import SimpleQueue

import numpy as np
import pytest

import ludus
from ludus.games.go.engines.gtp.parameters import GtpSettings
from ludus.games.go.engines.gtp.players import GoPlayer, go_player
from ludus.games.go.engines.gtp.talker import GtpTalker
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.players.thinking.thought import Candidate, Thought


class Request(Future):
    """A search that ends when it is stopped."""

    def __init__(self, thought):
        super().__init__()
        self._thought = thought

    def stop(self):
        self.set_result(self._thought)


class Seat:
    """A seat that finds the first legal action, at once or, with `waits`, when stopped."""

    def __init__(self, position, asked, warmed, *, waits=False, value=0.5):
        self.position, self._asked, self._warmed, self._waits, self._value = position, asked, warmed, waits, value

    def play(self, action):
        self.position = self.position.play(action)

    def thought(self, limits):
        only = limits.only or tuple(self.position.actions)
        candidates = [
            Candidate(action, 10 - index, self._value, 0.25, line=[action]) for index, action in enumerate(only[:3])
        ]
        return Thought([only[0]], self._value, 0.0, 30, candidates, [only[0]])

    def warm_up(self):
        self._warmed.append(self.position.game.name)

    def ask_within(self, limits, temperature=0.0, news=None):
        del temperature
        future = Request(self.thought(limits))
        self._asked.append((limits, news, future, self))
        if not self._waits:
            if news:
                news.tell(self.thought(limits))
            future.set_result(self.thought(limits))
        return future


class WhiteHasAll:
    """A network that expects every point to be White's."""

    def maps(self, planes):
        white = planes[:, 8].max((1, 2)) == 0  # [B]; plane 8: the mover is Black
        maps = np.zeros((len(planes), 2, *planes.shape[2:]), np.float32)
        maps[np.arange(len(planes)), np.where(white, 0, 1)] = 1.0
        return maps


class Desk:
    """An engine and the lines that it wrote."""

    def __init__(self, *, evaluator=None, **seat):
        self.said, self.asked, self.warmed, self.posted = [], [], [], []
        self.talker = GtpTalker(
            GoPlayer(
                "Test",
                lambda size, rules: ludus.game(f"go:{size}x{size}:{rules}"),
                lambda position: Seat(position, self.asked, self.warmed, **seat),
                evaluator,
                lambda: None,
            ),
            self.post,
            self.said.append,
            settings=GtpSettings(size=9),
        )

    def post(self, event):
        self.posted.append(event)

    def work(self):
        while self.posted:
            self.posted.pop(0)()

    def wait_and_work(self):
        """Wait until something is posted, such as by a timer, and work."""
        end = time.monotonic() + 60
        while not self.posted and time.monotonic() < end:
            time.sleep(0.005)
        assert self.posted
        self.work()

    def ask(self, line):
        """Send a line; return the answer without its closing blank line."""
        self.said.clear()
        self.talker.hear(line)
        self.work()
        return "\n".join(self.said).removesuffix("\n")


class PlayoutDesk:
    """An engine that searches a 5x5 board with playouts, and the lines that it wrote."""

    def __init__(self, visits=800, max_visits=1000):
        self.events, self.said = SimpleQueue(), []
        player = go_player(HeuristicMind("playouts", slots=1, max_visits=max_visits))
        self.talker = GtpTalker(player, self.events.put, self.said.append, settings=GtpSettings(visits, size=5))

    def ask(self, line):
        self.said.clear()
        self.talker.hear(line)
        while not self.said:
            self.events.get(timeout=600)()
        return self.said[0].removesuffix("\n")


@pytest.fixture
def desk():
    return Desk()


@pytest.fixture(scope="session")
def desk_of():
    """Return the class Desk."""
    return Desk


@pytest.fixture(scope="session")
def white_has_all():
    """Return a network that expects every point to be White's."""
    return WhiteHasAll()
