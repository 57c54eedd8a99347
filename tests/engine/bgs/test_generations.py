"""Sessions of a run are played by its newest network, those of a generation's bot by that one, and no game changes."""

import pytest

from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.generations import LOADED, Generations
from ludus.errors import BadModel
from ludus.protocol.bgs import EndGameSession, SessionConfig, StartGameSession

BOARD = SessionConfig("standard", 3, 3, game="tictactoe")


class Player:
    """A player with a name and without a search."""

    games = ("tictactoe",)

    def __init__(self, name):
        self.name = name

    def seat(self, position, *, seed=0):
        return self


class GrowingRun:
    """A run whose newest generation the test sets; `damaged` networks cannot be loaded."""

    def __init__(self):
        self.newest, self.damaged, self.loaded = None, set(), []
        self.players = Generations(Player("first"), self.load, lambda: self.newest, slots=4)

    def load(self, generation):
        if generation in self.damaged:
            raise BadModel(f"{generation} is damaged.")
        self.loaded.append(generation)
        return Player(f"network {generation}")

    def of(self, session, bot="grown-full"):
        (mind,) = self.players.minds_of(StartGameSession(session, bot, BOARD))
        return mind.name


@pytest.fixture
def run():
    return GrowingRun()


def test_new_sessions_get_the_newest_network(run):
    names = []
    for generation in (None, 0, 3):
        run.newest = generation
        names.append(run.of(f"game {generation}"))
    assert names == ["first", "network 0", "network 3"]


def test_a_session_that_starts_again_keeps_its_network(run):
    assert run.of("a") == "first"
    run.newest = 0
    assert run.of("b") == "network 0"
    run.newest = 1
    assert [run.of(session) for session in "abc"] == ["first", "network 0", "network 1"]


def test_the_bot_of_a_generation_plays_with_its_network(run):
    run.newest = 5
    assert run.of("a", "generation-2") == "network 2"
    assert run.of("a", "grown-x-generation-3") == "network 3"
    assert run.of("b") == "network 5"


def test_few_networks_stay_loaded(run):
    for generation in (*range(LOADED + 1), 0):
        run.of("a", f"generation-{generation}")
    assert run.loaded == [*range(LOADED + 1), 0]
    assert run.of("a", f"generation-{LOADED}") == f"network {LOADED}"
    assert len(run.loaded) == LOADED + 2, "one of the latest is still there"


def test_a_damaged_network_is_replaced_by_the_newest_that_can_play(run, caplog):
    run.newest, run.damaged = 1, {1, 2}
    assert run.of("a") == "first"
    run.newest = 0
    assert run.of("b") == "network 0"
    run.newest = 2
    assert run.of("c") == "network 0"
    assert "Generation 2 cannot play: 2 is damaged." in caplog.text
    with pytest.raises(BadModel):
        run.of("d", "generation-2")


def test_an_engine_asks_for_the_player_of_each_session(run):
    run.newest, answers = 4, []
    engine = Engine(run.players.minds_of)
    for request in (StartGameSession("a", "generation-1", BOARD), StartGameSession("b", "x", BOARD)):
        engine.ask(request, answers.append)
    assert [engine._sessions[name].mind.name for name in "ab"] == ["network 1", "network 4"]
    engine.ask(EndGameSession("a"), answers.append)
    assert all(answer.success for answer in answers)
