"""Random requests, some invalid or outdated, with searches that end at random times: each gets one answer, in order."""

from concurrent.futures import Future

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.engine.bgs.engine import BROKEN_OFF, Engine
from ludus.errors import LudusError
from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    EvaluatePosition,
    EvaluateResponse,
    GameSessionEnded,
    GameSessionStarted,
    MoveApplied,
    SessionConfig,
    StartGameSession,
    Unreadable,
)

ANSWER_TO = {
    StartGameSession: GameSessionStarted,
    EvaluatePosition: EvaluateResponse,
    ApplyMove: MoveApplied,
    EndGameSession: GameSessionEnded,
}
IDS = ("A", "B", "C", "D")
GOOD, BAD = SessionConfig("standard", 7, 6, game="connect4"), SessionConfig("classic", 9, 9)
MAX_SESSIONS = 3

ids = st.sampled_from(IDS)
moves = st.sampled_from(["1", "2", "3", "4", "5", "6", "7", "", "0", "Zz9", "1.1", "\x00", "\uff11"])
questions = st.one_of(
    st.builds(StartGameSession, ids, st.just("b"), st.sampled_from([GOOD, GOOD, BAD])),
    st.builds(EvaluatePosition, ids, st.integers(0, 3)),
    st.builds(ApplyMove, ids, st.integers(0, 3), moves),
    st.builds(EndGameSession, ids),
    st.builds(Unreadable, st.just("apply_move"), ids, st.just("?")),
)
events = st.lists(st.one_of(questions, questions, st.integers(0, 7)), max_size=60)


class LazyMind:
    """A player whose searches end when the test says so; some of them fail."""

    name, games = "lazy", ("connect4",)

    def __init__(self):
        self.searches = []

    def seat(self, position, *, seed=0):
        return LazySeat(self, position)


class LazySeat:
    def __init__(self, mind, position):
        self.mind, self.position = mind, position

    def ask(self, visits, temperature=0.0, *, seconds, explores, lines=0):
        search = Future()
        self.mind.searches.append((search, self.position))
        return search

    def play(self, action):
        self.position = self.position.play(action)


class Thought:
    def __init__(self, position):
        self.best, self.value = [position.actions[-1]], 0.5


class Reference:
    """A reference model of the sessions: the moves made in each open session."""

    def __init__(self):
        self.moves = {}

    def judge(self, question, answer):
        """Check an answer against the state of its session, and update that state."""
        bgs_id, moves = question.bgs_id, self.moves.get(question.bgs_id)
        if isinstance(question, Unreadable):
            assert (answer.success, answer.ply) == (False, len(moves or []))
        elif isinstance(question, StartGameSession):
            room = moves is not None or len(self.moves) < MAX_SESSIONS
            assert answer.success == (room and question.config is GOOD)
            if answer.success:
                self.moves[bgs_id] = []
        elif moves is None:
            assert answer.error == f"Session {bgs_id} not found"
        elif isinstance(question, EndGameSession):
            assert answer.success
            del self.moves[bgs_id]
        elif question.expected_ply != len(moves):
            assert (answer.success, answer.ply) == (False, len(moves))
        elif isinstance(question, ApplyMove):
            position = position_after(moves)
            try:
                position.play(question.move)
            except LudusError:
                assert (answer.success, answer.ply) == (False, len(moves))
            else:
                moves.append(question.move)
                assert (answer.success, answer.ply) == (True, len(moves))
        elif answer.success:
            assert answer.best_move == position_after(moves).text(position_after(moves).actions[-1])
        else:
            assert answer.error in (BROKEN_OFF, "Internal error: RuntimeError: no luck")


def position_after(moves):
    position = ludus.game("connect4").start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("posted", [False, True])
@given(events, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_each_request_has_one_answer_in_the_order_of_its_session(posted, events, luck):
    mind, posts, reference = LazyMind(), [], Reference()
    engine = Engine([mind], max_sessions=MAX_SESSIONS, **({"post": posts.append} if posted else {}))
    open_questions = {bgs_id: [] for bgs_id in IDS}

    def ask(question):
        def take(answer):
            assert open_questions[question.bgs_id].pop(0) is question
            kind = MoveApplied if isinstance(question, Unreadable) else ANSWER_TO[type(question)]
            assert type(answer) is kind
            assert answer.success == (answer.error == "")
            reference.judge(question, answer)

        open_questions[question.bgs_id].append(question)
        engine.ask(question, take)

    def end_a_search(number):
        if mind.searches:
            search, position = mind.searches.pop(number % len(mind.searches))
            if search.set_running_or_notify_cancel() if luck.random() < 0.5 else not search.done():
                search.set_exception(RuntimeError("no luck")) if number == 7 else search.set_result(Thought(position))

    for event in events:
        end_a_search(event) if isinstance(event, int) else ask(event)
        if posts and luck.random() < 0.5:
            posts.pop(0)()
    while mind.searches or posts:
        end_a_search(0)
        while posts:
            posts.pop(0)()
    assert not any(open_questions.values())
    assert engine.num_sessions == len(reference.moves)
    assert not engine._lines
