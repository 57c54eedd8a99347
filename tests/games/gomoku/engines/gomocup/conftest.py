"""Fixtures: a Gomocup engine with instant searches, and the dialogues of text files."""

import re
from concurrent.futures import Future
from pathlib import Path

import pytest

from ludus.errors import BadModel
from ludus.games.gomoku.engines.gomocup.lineup import Lineup
from ludus.games.gomoku.engines.gomocup.talker import GomocupSettings, GomocupTalker
from ludus.players.thinking.thought import Thought
from ludus.viewpoint import turn

DIALOGUES = Path(__file__).parent / "dialogues"


class QuickRequest(Future):
    def stop(self):
        self.answer()


class QuickSeat:
    """A seat that finds the first free point, at once or, with `waits`, when the test says so."""

    def __init__(self, mind, position):
        self.mind, self.position = mind, position

    def warm_up(self):
        self.mind.warmed.append(self.position.game.name)

    def play(self, action):
        self.position = self.position.play(action)

    def ask_within(self, limits, temperature=0.0, news=None):
        self.mind.limits.append(limits)
        request, position = QuickRequest(), self.position
        value = turn(self.mind.value(position), position.to_play)

        def answer():
            if not request.done():
                if self.mind.fault:
                    request.set_exception(self.mind.fault)
                else:
                    best = position.actions[0]
                    request.set_result(Thought([best], value, 0.0, limits.visits, [], [best]))

        request.answer = answer
        if not self.mind.waits:
            answer()
        self.mind.requests.append(request)
        return request


class QuickMind:
    """A player without a search; `value` gives the value for the mover."""

    evaluator = None

    def __init__(self, name="quick"):
        self.name, self.games = name, ("gomoku:freestyle:15x15",)
        self.limits, self.requests, self.waits, self.fault = [], [], False, None
        self.closed, self.warmed, self.refuses = False, [], ""
        self.value = lambda _position: 0.0

    def seen(self, position):
        if self.refuses and self.refuses in position.game.name:
            raise BadModel(f"no network for {position.game.name}.")
        return position

    def seat(self, position, *, seed=0):
        return QuickSeat(self, position)

    def close(self):
        self.closed = True


class Conversation:
    def __init__(self):
        self.mind, self.last, self.said = QuickMind(), QuickMind("common sense"), []
        self.talker = GomocupTalker(
            Lineup([self.mind], self.last),
            lambda event: event(),
            self.said.append,
            settings=GomocupSettings(visits=800),
        )

    def tell(self, *lines):
        """Send lines, and return the answers."""
        before = len(self.said)
        for line in lines:
            self.talker.hear(line)
        return [line for line in self.said[before:] if not line.startswith("MESSAGE")]


@pytest.fixture
def conversation():
    return Conversation()


@pytest.fixture(scope="session")
def talk():
    return Conversation


def dialogues():
    """Return the dialogues of all files, each a list of lines with the expected answers."""
    found = []
    for path in sorted(DIALOGUES.glob("*.txt")):
        name, lines = "", []
        for line in [*path.read_text().splitlines(), "# end"]:
            if line.startswith("# "):
                if lines:
                    found.append(pytest.param(lines, id=f"{path.stem}: {name}"))
                name, lines = line[2:], []
            elif line.startswith(">"):
                lines.append((line[2:], []))
            elif line.startswith("<"):
                lines[-1][1].append(re.compile(line[2:]))
    return found


def pytest_generate_tests(metafunc):
    if "dialogue" in metafunc.fixturenames:
        metafunc.parametrize("dialogue", dialogues())
