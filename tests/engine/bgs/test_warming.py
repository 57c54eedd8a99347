"""An engine with several players answers for each as soon as it is ready; a player that fails leaves the others."""

import io
import subprocess
import sys
import threading
import time

import pytest

from ludus.engine.bgs import warming
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.session import BROKEN_OFF
from ludus.engine.bgs.warming import Warming, compile_players
from ludus.protocol.bgs import EndGameSession, EvaluatePosition, SessionConfig, StartGameSession

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")
TICTACTOE = SessionConfig("standard", 3, 3, game="tictactoe")


class Slow(DummyMind):
    """A player whose code comes when the test says so."""

    def __init__(self, *games, fault=None):
        super().__init__(games)
        self.may_start, self.fault, self.is_warm = threading.Event(), fault, False

    def warm_up(self):
        assert self.may_start.wait(60.0)
        if self.fault:
            raise self.fault
        self.is_warm = True


@pytest.fixture
def begin(monkeypatch):
    """Return a function that prepares players whose code is all in the cache; it returns the engine too."""
    monkeypatch.setattr(warming, "is_cached", lambda _entry, _key: True)
    begun = []

    def start(*players):
        found = Warming(players, (), lambda _line: None)
        found.begin()
        begun.append((found, players))
        return Engine(players, starting=found.starting), found

    yield start
    for found, players in begun:
        for player in players:
            player.may_start.set()
        found.close()


def test_a_session_starts_as_soon_as_its_own_player_is_ready(begin):
    first, second = Slow("tictactoe"), Slow("connect4")
    engine, found = begin(first, second)
    answers = []
    engine.ask(StartGameSession("c", "b", CONNECT4), answers.append)
    engine.ask(EvaluatePosition("c", 0), answers.append)
    first.may_start.set()
    found.starting(first).result(60.0)
    engine.ask(StartGameSession("t", "b", TICTACTOE), answers.append)
    assert [(each.bgs_id, each.success) for each in answers] == [("t", True)]
    second.may_start.set()
    found.starting(second).result(60.0)
    while len(answers) < 3:
        time.sleep(0.01)
    assert [(each.bgs_id, each.success) for each in answers[1:]] == [("c", True), ("c", True)]


def test_a_player_that_fails_refuses_its_sessions_and_the_others_play(begin):
    broken, other = Slow("tictactoe", fault=RuntimeError("no memory")), Slow("connect4")
    engine, found = begin(broken, other)
    for player in (broken, other):
        player.may_start.set()
        found.starting(player).exception(60.0)
    answers = []
    engine.ask(StartGameSession("t", "b", TICTACTOE), answers.append)
    engine.ask(StartGameSession("c", "b", CONNECT4), answers.append)
    assert [each.success for each in answers] == [False, True]
    assert "cannot play: no memory" in answers[0].error


def test_a_session_that_ends_before_its_player_is_ready_is_answered_at_once(begin):
    engine, _ = begin(Slow("tictactoe"), Slow("connect4"))
    answers = []
    engine.ask(StartGameSession("c", "b", CONNECT4), answers.append)
    engine.ask(EndGameSession("c"), answers.append)
    assert [each.success for each in answers] == [False, False]
    assert answers[0].error == BROKEN_OFF


@pytest.fixture
def children(monkeypatch, tmp_path):
    """Let children of `Warming` run a program that is the test's own; return a list that gets their commands."""
    monkeypatch.setattr(warming, "is_cached", lambda _entry, _key: False)
    started = []

    def child(command, **options):
        started.append(command)
        return subprocess.Popen([sys.executable, "-c", command[-1], str(tmp_path / "numbers")], **options)

    monkeypatch.setattr(warming, "Popen", child)
    return started


ECHO = """
import sys
for line in sys.stdin:
    with open(sys.argv[1], "a") as file:
        file.write(line)
    print(line, end="", flush=True)
"""


def warmed(program, tell, *players):
    found = Warming(players, (program,), tell)
    for each in players:
        each.may_start.set()
    found.begin()
    for each in players:
        found.starting(each).result(60.0)
    found.close()
    assert all(each.is_warm for each in players)


def test_missing_code_is_compiled_by_children_once_for_players_that_share_it(children, monkeypatch, tmp_path):
    monkeypatch.setattr(warming, "usable_cores", lambda: 1)
    lines = []
    warmed(ECHO, lines.append, *map(Slow, ("wallgame:classic:5x5", "wallgame:classic:6x6", "tictactoe")))
    assert (tmp_path / "numbers").read_text() == "0\n2\n"
    assert len(children) == 1, "one child for each processor"
    assert lines == [
        "compiling Wall Game 5x5 for this machine (once), 1 of 2 ...",
        "compiling Tic-tac-toe for this machine (once), 2 of 2 ...",
    ]


def test_players_start_although_every_child_fails(children, monkeypatch):
    monkeypatch.setattr(warming, "usable_cores", lambda: 1)
    warmed("", lambda _line: None, Slow("tictactoe"), Slow("connect4"))
    assert len(children) == 2


def test_a_child_compiles_the_players_whose_numbers_it_reads():
    closed = []

    class Player(Slow):
        def close(self):
            closed.append(self)

    first, second = Player("tictactoe"), Player("connect4")
    second.may_start.set()
    answers = io.BytesIO()
    compile_players([b"1\n"], [lambda: first, lambda: second], answers)
    assert (answers.getvalue(), second.is_warm, first.is_warm, closed) == (b"1\n", True, False, [second])


def test_closing_ends_the_compilations(children):
    player, other = Slow("tictactoe"), Slow("connect4")
    found = Warming([player, other], ("import time; time.sleep(600)",), lambda _line: None)
    found.begin()
    while not children:
        time.sleep(0.01)
    found.close()
    assert not player.is_warm
