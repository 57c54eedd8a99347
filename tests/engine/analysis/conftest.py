"""Fixtures: an analysis engine whose searches end at once, or when the test says so."""

import json
from concurrent.futures import Future

import pytest

from ludus.engine.analysis.talker import AnalysisTalker
from ludus.errors import BadModel
from ludus.players.judging.heuristic import HeuristicEvaluator
from ludus.players.thinking.thought import Candidate, Thought


class HeldRequest(Future):
    """A search that runs until it is stopped."""

    def __init__(self, position, limits, news):
        super().__init__()
        self.position, self.limits, self.news = position, limits, news

    def thought(self, visits):
        actions = list(self.limits.only) or self.position.actions[:2]
        each = [Candidate(action, visits // 2, 0.25, 0.5, line=[action]) for action in actions]
        return Thought(actions[:1], 0.25, 0.1, visits, each, actions[:1], seconds=0.5)

    def tell(self):
        self.news.tell(self.thought(10))

    def stop(self):
        if not self.done():
            self.set_result(self.thought(self.limits.visits))


class HeldSeat:
    def __init__(self, mind, position):
        self.mind, self.position = mind, position

    def ask_within(self, limits, temperature=0.0, news=None):
        request = HeldRequest(self.position, limits, news)
        self.mind.requests.append(request)
        if not self.mind.waits:
            request.stop()
        return request


class HeldMind:
    name, games = "held", ("tictactoe", "connect4")

    def __init__(self, plays=("tictactoe", "connect4", "gomoku:6x6")):
        self.plays, self.requests, self.waits, self.closed, self.forgotten = plays, [], False, False, 0
        self.evaluator = HeuristicEvaluator()

    def seen(self, position):
        return position

    def seat(self, position, *, seed=0):
        if position.game.name not in self.plays:
            raise BadModel(f"held was not trained on {position.game.name}.")
        return HeldSeat(self, position)

    def forget_evaluations(self):
        self.forgotten += 1

    def close(self):
        self.closed = True


class Conversation:
    def __init__(self, searches=64, minds=None, dialects=()):
        self.minds = minds or [HeldMind()]
        self.mind, self.said = self.minds[0], []
        self.talker = AnalysisTalker(
            self.minds, lambda event: event(), self.said.append, searches=searches, dialects=dialects
        )

    def tell(self, **question):
        return self.hear(json.dumps({"type": "analyse", "id": "q", "game": "tictactoe"} | question))

    def hear(self, line):
        before = len(self.said)
        self.talker.hear(line)
        return [json.loads(line) for line in self.said[before:]]


@pytest.fixture
def conversation():
    return Conversation()


@pytest.fixture
def waiting():
    found = Conversation(searches=2)
    found.mind.waits = True
    return found
