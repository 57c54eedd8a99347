"""Evaluations contain complete moves, and lines in the notation of the session's board."""

from concurrent.futures import Future

import pytest

import ludus
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.session import BROKEN_OFF, FINISHING_S, FINISHING_VISITS, OVERHEAD_S, Session, seconds_of
from ludus.engine.level import Level
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.bgs import ApplyMove, EndGameSession, EvaluatePosition, MoverClock, SessionConfig, StartGameSession
from ludus.search.settings import MAX_VISITS


def answers_of(engine, *questions):
    """Send requests in order; return the list that receives the answers."""
    answers = []
    for question in questions:
        engine.ask(question, answers.append)
    return answers


class HalfMind:
    """A player whose searches find only one action of a turn, and end when the test says so."""

    name = "half"

    def __init__(self, *games):
        self.games, self.searches = games, []

    def seat(self, position, *, seed=0):
        del seed
        return HalfSeat(self, position)

    def end(self):
        """End the oldest running search."""
        search = self.searches.pop(0)
        action = search.position.actions[0]
        search.set_result(Thought([action], 0.5, 0.0, 9, [Candidate(action, 9, 0.5, 1.0, line=[action])], [action]))


class HalfSeat:
    def __init__(self, mind, position):
        self.mind, self.position = mind, position

    def ask(self, visits, temperature=0.0, *, seconds=0.0, explores=False, lines=0):
        search = Future()
        search.position, search.visits, search.seconds = self.position, visits, seconds
        del temperature, explores, lines
        self.mind.searches.append(search)
        return search

    def play(self, action):
        self.position = self.position.play(action)

    def expected_maps(self):
        return None


def test_lines_of_a_board_in_a_frame_are_moves_of_the_board():
    engine = Engine([DummyMind(("wallgame:classic:6x6",))])
    start = StartGameSession("A", "bot", SessionConfig("classic", 5, 5))
    begun, found = answers_of(engine, start, EvaluatePosition("A", 0, lines=3))
    assert begun.success
    (line,) = found.lines
    board = ludus.game("wallgame:classic:5x5").start()
    assert line.moves == [found.best_move]
    assert board.play(line.moves[0]).to_play == 1


@pytest.mark.parametrize(
    ("mind", "config", "actions"),
    [
        (HalfMind("wallgame:standard:5x5"), SessionConfig("standard", 5, 5), 2),
        (HalfMind("go:5x5"), SessionConfig("standard", 5, 5, {"free": 4}, game="go"), 4),
    ],
)
def test_an_incomplete_move_is_completed_by_further_searches(mind, config, actions):
    engine = Engine([mind])
    start = StartGameSession("A", "bot", config)
    answers = answers_of(engine, start, EvaluatePosition("A", 0, lines=1))
    assert mind.searches[0].visits > FINISHING_VISITS
    for _ in range(actions):
        assert len(answers) == 1
        mind.end()
    found = answers[1]
    assert (found.success, found.evaluation) == (True, 0.5)
    (applied,) = answers_of(engine, ApplyMove("A", 0, found.best_move))
    assert (applied.success, applied.ply) == (True, 1)


def test_ending_a_session_cancels_the_completion_of_its_move():
    mind = HalfMind("wallgame:standard:5x5")
    engine = Engine([mind])
    start = StartGameSession("A", "bot", SessionConfig("standard", 5, 5))
    answers = answers_of(engine, start, EvaluatePosition("A", 0))
    mind.end()
    answers += answers_of(engine, EndGameSession("A"))
    assert mind.searches[0].cancelled()
    assert [each.success for each in answers] == [True, False, True]
    assert answers[1].error == BROKEN_OFF
    assert engine.num_sessions == 0


@pytest.mark.parametrize(("took", "left"), [(0.0, 8.0), (5.0, 3.0), (8.0, FINISHING_S), (20.0, FINISHING_S)])
def test_completing_a_move_has_the_time_left_by_the_first_search(monkeypatch, took, left):
    now = [100.0]
    monkeypatch.setattr("ludus.engine.bgs.session.time.monotonic", lambda: now[0])
    mind = HalfMind("wallgame:standard:5x5")
    engine = Engine([mind])
    start = StartGameSession("A", "bot", SessionConfig("standard", 5, 5))
    answers_of(engine, start, EvaluatePosition("A", 0))
    assert mind.searches[0].seconds == 8.0
    now[0] += took
    mind.end()
    assert mind.searches[0].seconds == pytest.approx(left)


@pytest.mark.parametrize(
    ("clock", "least", "most"),
    [
        (MoverClock(300_000), 5.0, 20.0),
        (MoverClock(1_000), 0.01, 0.5),
        (MoverClock(60_000, 10_000), 9.0, 15.0),
        (MoverClock(30_000, 0, 30_000, 5, 1), 0.8 * 30 - OVERHEAD_S, 0.8 * 30 - OVERHEAD_S),
        (MoverClock(1_000, 0, 5_000, 1, 1), 0.5, 0.5),
        (MoverClock(300_000, 0, 300_000, 1, 25, 25), 11.0, 13.0),
        (MoverClock(8_000, 0, 300_000, 1, 1, 25), 7.0, 8.0 - OVERHEAD_S),
        (MoverClock(1_000, 0, 30_000, 5), 0.8 * 30 - OVERHEAD_S, 0.8 * 30 + 1),
    ],
    ids=["sudden death", "nearly down", "increment", "byo-yomi", "last period", "canadian", "last move", "before it"],
)
def test_a_move_keeps_within_its_clock_and_uses_it(clock, least, most):
    assert least - 1e-9 <= seconds_of(clock) <= most + 1e-9


def test_a_question_with_seconds_is_searched_for_that_long_within_the_clock():
    session = Session(
        DummyMind(("connect4",)), DummyMind(("connect4",)).seat(ludus.game("connect4").start()), Level(800)
    )
    assert session.limits(EvaluatePosition("a", 0)) == (800, Level().seconds)
    assert session.limits(EvaluatePosition("a", 0, seconds=40.0)) == (MAX_VISITS, 40.0)
    short = MoverClock(10_000, 0, 10_000, 1, 1)
    assert session.limits(EvaluatePosition("a", 0, seconds=40.0, clock=short)) == (MAX_VISITS, pytest.approx(7.7))
    assert session.limits(EvaluatePosition("a", 0, clock=MoverClock(0))) == (800, 0.01)
