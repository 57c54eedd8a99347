"""The engine answers every question, good or bad, and a bad one changes nothing."""

import pytest

import ludus
from ludus.engine.bgs import Engine
from ludus.engine.dummy import DummyMind
from ludus.engine.level import Level
from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    EvaluatePosition,
    GameSessionStarted,
    MoveApplied,
    SessionConfig,
    StartGameSession,
)

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")


class ScriptedThought:
    def __init__(self, best, value):
        self.best, self.value = best, value


class ScriptedMind:
    """Always thinks of the first legal action, remembers how hard it was told to think, and breaks on demand."""

    name, games = "scripted", ("connect4",)

    def __init__(self):
        self.thoughts = []
        self.seeds = []
        self.broken = False

    def seat(self, position, *, seed=0):
        self.seeds.append(seed)
        return ScriptedSeat(self, position)


class ScriptedSeat:
    def __init__(self, mind, position):
        self.mind, self.position = mind, position

    def think(self, visits, temperature=0.0):
        self.mind.thoughts.append((visits, temperature))
        if self.mind.broken:
            raise RuntimeError("the network is gone")
        return ScriptedThought([self.position.actions[0]], 1.25)

    def play(self, action):
        self.position = self.position.play(action)


def begun(mind=None, **options):
    engine = Engine([mind or ScriptedMind()], **options)
    assert engine.handle(StartGameSession("A", "bot", CONNECT4)) == GameSessionStarted("A", success=True)
    return engine


def test_a_session_is_started_evaluated_moved_and_ended():
    engine = begun()
    answer = engine.handle(EvaluatePosition("A", 0))
    assert (answer.ply, answer.best_move, answer.evaluation, answer.success) == (0, "1", 1.0, True)
    assert engine.handle(ApplyMove("A", 0, "4")) == MoveApplied("A", 1, success=True)
    assert engine.handle(ApplyMove("A", 1, "4")) == MoveApplied("A", 2, success=True)
    assert engine.handle(EvaluatePosition("A", 2)).success
    assert engine.handle(EndGameSession("A")).success
    assert engine.num_sessions == 0


@pytest.mark.parametrize(
    ("request_", "ply", "error"),
    [
        (EvaluatePosition("A", 0), 1, "Ply mismatch: expected 0, got 1"),
        (ApplyMove("A", 0, "4"), 1, "Ply mismatch: expected 0, got 1"),
        (EvaluatePosition("nope", 0), 0, "Session nope not found"),
        (ApplyMove("nope", 0, "4"), 0, "Session nope not found"),
        (ApplyMove("A", 1, "Zz9"), 1, "'Zz9' names no action"),
        (ApplyMove("A", 1, ""), 1, "'' names no action"),
    ],
)
def test_a_bad_question_is_answered_with_its_reason_and_changes_nothing(request_, ply, error):
    engine = begun()
    engine.handle(ApplyMove("A", 0, "4"))
    answer = engine.handle(request_)
    assert not answer.success
    assert answer.ply == ply
    assert error in answer.error
    assert engine.handle(ApplyMove("A", 1, "4")).success


def test_ending_a_session_twice_says_that_it_is_not_found():
    engine = begun()
    engine.handle(EndGameSession("A"))
    assert engine.handle(EndGameSession("A")).error == "Session A not found"


def test_an_illegal_move_leaves_the_session_where_it_was():
    engine = begun()
    for ply in range(6):
        assert engine.handle(ApplyMove("A", ply, "1")).success
    answer = engine.handle(ApplyMove("A", 6, "1"))
    assert (answer.success, answer.ply) == (False, 6)
    assert engine.handle(EvaluatePosition("A", 6)).best_move == "2"


def test_a_second_start_replaces_the_session():
    engine = begun()
    engine.handle(ApplyMove("A", 0, "4"))
    assert engine.handle(StartGameSession("A", "bot", CONNECT4)).success
    assert engine.handle(EvaluatePosition("A", 0)).success


def test_an_unknown_game_is_refused_with_what_is_played_here():
    answer = begun().handle(StartGameSession("B", "bot", SessionConfig("classic", 20, 20)))
    assert not answer.success
    assert "wallgame, variant classic, on 20x20; they play: connect4" in answer.error


def test_a_start_position_that_the_game_does_not_have_is_refused():
    config = SessionConfig("standard", 7, 6, {"pawns": {}}, game="connect4")
    assert "takes no setup" in begun().handle(StartGameSession("B", "bot", config)).error


def test_no_more_sessions_than_allowed_are_open():
    engine = begun(max_sessions=2)
    assert engine.handle(StartGameSession("B", "bot", CONNECT4)).success
    assert "Too many sessions" in engine.handle(StartGameSession("C", "bot", CONNECT4)).error
    assert engine.handle(StartGameSession("A", "bot", CONNECT4)).success
    engine.handle(EndGameSession("B"))
    assert engine.handle(StartGameSession("C", "bot", CONNECT4)).success


def test_a_finished_game_is_worth_its_result_and_has_no_move():
    engine = begun()
    for ply, move in enumerate(["1", "2", "1", "2", "1", "2", "1"]):
        engine.handle(ApplyMove("A", ply, move))
    answer = engine.handle(EvaluatePosition("A", 7))
    assert (answer.success, answer.best_move, answer.evaluation) == (True, "", 1.0)
    assert "game is over" in engine.handle(ApplyMove("A", 7, "3")).error


def test_the_level_of_a_session_is_that_of_its_bot():
    mind = ScriptedMind()
    engine = Engine([mind], level=Level(100), levels={"easy": Level(4, 1.0)})
    for session, bot in (("A", "easy"), ("B", "other")):
        engine.handle(StartGameSession(session, bot, CONNECT4))
        engine.handle(EvaluatePosition(session, 0))
    assert mind.thoughts == [(4, 1.0), (100, 0.0)]


def test_each_game_has_its_own_luck_and_the_same_game_the_same():
    mind = ScriptedMind()
    engine = Engine([mind])
    for session in ("A", "B", "A"):
        engine.handle(StartGameSession(session, "bot", CONNECT4))
    assert mind.seeds[0] == mind.seeds[2] != mind.seeds[1]


def test_a_mind_that_breaks_costs_one_answer_and_not_the_engine(caplog):
    mind = ScriptedMind()
    engine = begun(mind)
    mind.broken = True
    answer = engine.handle(EvaluatePosition("A", 0))
    assert answer.error == "Internal error: RuntimeError: the network is gone"
    assert "the network is gone" in caplog.text
    mind.broken = False
    assert engine.handle(EvaluatePosition("A", 0)).success


def test_sessions_do_not_see_one_another():
    engine = begun()
    engine.handle(StartGameSession("B", "bot", CONNECT4))
    engine.handle(ApplyMove("A", 0, "1"))
    assert engine.handle(ApplyMove("B", 0, "7")).success
    assert engine.handle(EvaluatePosition("A", 1)).ply == 1


def test_the_dummy_takes_a_win_that_is_one_action_away():
    seat = DummyMind(("connect4",)).seat(ludus.game("connect4").start().play("1").play("2").play("1").play("2"))
    seat.play(0)
    seat.play(6)
    assert seat.think(1).best == [0]
