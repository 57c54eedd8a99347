"""Fixtures: an analysis engine for Go whose searches end at once, or when the test says so."""

import json

import pytest
from tests.engine.analysis.conftest import Conversation, HeldMind

from ludus.games.go.engines.katago import Dialect


class GoMind(HeldMind):
    """A player of every game without a network."""

    name, games = "held", ()

    def seat(self, position, *, seed=0):
        self.plays = [position.game.name]
        return super().seat(position, seed=seed)


class GoConversation(Conversation):
    """A conversation in KataGo's protocol."""

    def __init__(self, searches=64, minds=None):
        super().__init__(searches, minds or [GoMind()], [Dialect])


PLAIN = {"id": "q", "rules": "tromp-taylor", "boardXSize": 9, "boardYSize": 9, "moves": []}
"""A short query."""


def ask(conversation, base, **fields):
    """Send a query, without fields that are None; return the answers."""
    query = {name: value for name, value in (base | fields).items() if value is not None}
    return conversation.hear(json.dumps(query))


@pytest.fixture
def go():
    return GoConversation()


@pytest.fixture
def held():
    found = GoConversation(searches=2)
    found.mind.waits = True
    return found
