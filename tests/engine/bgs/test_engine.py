"""The bot engine answers every request in order, and an invalid request changes nothing."""

from concurrent.futures import Future

import msgspec
import pytest

import ludus
from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import BROKEN_OFF, Engine
from ludus.engine.level import Level
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    EvaluatePosition,
    GameSessionEnded,
    GameSessionStarted,
    MoveApplied,
    SessionConfig,
    StartGameSession,
    Unreadable,
)
from ludus.protocol.wire import encode
from ludus.seeding import stream

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")
START = StartGameSession("A", "bot", CONNECT4)


class ScriptedThought:
    def __init__(self, best, value=1.25):
        self.best, self.value = best, value


class ScriptedMind:
    """A player that finds the first legal action, records its calls, and may be slow or fail.

    Attributes:
        searches: the running searches of a `slow` player; the test ends them.
    """

    name, games = "scripted", ("connect4",)

    def __init__(self, *, slow=False):
        self.asked, self.seeds, self.searches = [], [], []
        self.broken, self.slow = False, slow

    def seat(self, position, *, seed=0):
        self.seeds.append(seed)
        return ScriptedSeat(self, position)


class ScriptedSeat:
    def __init__(self, mind, position):
        self.mind, self.position = mind, position

    def ask(self, visits, temperature=0.0, *, seconds, explores, lines=0):
        search = Future()
        search.thought = ScriptedThought([self.position.actions[0]])
        self.mind.asked.append((visits, temperature, seconds, explores))
        if self.mind.broken:
            search.set_exception(RuntimeError("the network is gone"))
        elif self.mind.slow:
            self.mind.searches.append(search)
        else:
            search.set_result(search.thought)
        return search

    def play(self, action):
        self.position = self.position.play(action)

    def expected_maps(self):
        return None


def ended(search):
    search.set_result(search.thought)


def asked(engine, *questions):
    """Send requests; return the list that receives the answers."""
    answers = []
    for question in questions:
        engine.ask(question, answers.append)
    return answers


def answer(engine, question):
    (found,) = asked(engine, question)
    return found


def begun(mind=None, **options):
    engine = Engine([mind or ScriptedMind()], **options)
    assert answer(engine, START) == GameSessionStarted("A", success=True)
    return engine


# ---- one request at a time -------------------------------------------------------------------------------------------


def test_a_session_is_started_evaluated_moved_and_ended():
    engine = begun()
    evaluated = answer(engine, EvaluatePosition("A", 0))
    assert (evaluated.ply, evaluated.best_move, evaluated.evaluation, evaluated.success) == (0, "1", 1.0, True)
    assert answer(engine, ApplyMove("A", 0, "4")) == MoveApplied("A", 1, success=True)
    assert answer(engine, ApplyMove("A", 1, "4")) == MoveApplied("A", 2, success=True)
    assert answer(engine, EvaluatePosition("A", 2)).success
    assert answer(engine, EndGameSession("A")).success
    assert engine.num_sessions == 0
    assert not engine._lines


def test_lines_are_sent_only_if_requested():
    engine = Engine([DummyMind(("connect4", "go:5x5"))])
    answer(engine, START)
    found = answer(engine, EvaluatePosition("A", 0, lines=3))
    assert [(line.moves, line.visits) for line in found.lines] == [(["1"], 1)]
    assert found.lines[0].evaluation == found.evaluation
    assert "ownership" not in msgspec.json.decode(encode(found))
    assert {"lines", "ownership"}.isdisjoint(msgspec.json.decode(encode(answer(engine, EvaluatePosition("A", 0)))))
    assert "lines" not in msgspec.json.decode(encode(EvaluatePosition("A", 0)))


def test_the_line_of_the_best_move_comes_first_even_with_fewer_visits():
    candidates = [Candidate(4 - rank, 9 - rank, 0.0, 0.1, line=[4 - rank]) for rank in range(4)]
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    answers = asked(engine, EvaluatePosition("A", 0, lines=2))
    (search,) = mind.searches
    search.set_result(Thought([1], 0.0, 0.0, 30, candidates, [1]))
    assert answers[0].best_move == "2"
    assert [line.moves for line in answers[0].lines] == [["2"], ["5"]]


def test_ownership_is_sent_for_games_that_have_it():
    engine = Engine([DummyMind(("go:5x5",))])
    stones = {"black": "C1 C2 C3 C4 C5", "to_play": "white"}
    answer(engine, StartGameSession("A", "bot", SessionConfig("standard", 5, 5, stones, "go")))
    found = answer(engine, EvaluatePosition("A", 0, lines=1))
    assert len(found.ownership) == 5
    assert [row[2] > 0.5 for row in found.ownership] == [True] * 5


@pytest.mark.parametrize(
    ("request_", "ply", "error"),
    [
        (EvaluatePosition("A", 0), 1, "Ply mismatch: expected 0, got 1"),
        (ApplyMove("A", 0, "4"), 1, "Ply mismatch: expected 0, got 1"),
        (EvaluatePosition("nope", 0), 0, "Session nope not found"),
        (ApplyMove("nope", 0, "4"), 0, "Session nope not found"),
        (ApplyMove("A", 1, "Zz9"), 1, "'Zz9' names no action"),
        (ApplyMove("A", 1, ""), 1, "'' names no action"),
        (Unreadable("apply_move", "A", "cut off"), 1, "cut off"),
        (Unreadable("evaluate_position", "A", "cut off"), 1, "cut off"),
    ],
)
def test_an_invalid_request_is_answered_with_the_reason_and_changes_nothing(request_, ply, error):
    engine = begun()
    answer(engine, ApplyMove("A", 0, "4"))
    found = answer(engine, request_)
    assert not found.success
    assert found.ply == ply
    assert error in found.error
    assert answer(engine, ApplyMove("A", 1, "4")).success


def test_the_error_about_a_huge_request_is_cut():
    assert len(answer(begun(), ApplyMove("A", 0, "x" * 60_000)).error) == 500


def test_ending_a_session_twice_fails_as_not_found():
    engine = begun()
    answer(engine, EndGameSession("A"))
    assert answer(engine, EndGameSession("A")).error == "Session A not found"


def test_an_illegal_move_leaves_the_session_unchanged():
    engine = begun()
    for ply in range(6):
        assert answer(engine, ApplyMove("A", ply, "1")).success
    found = answer(engine, ApplyMove("A", 6, "1"))
    assert (found.success, found.ply) == (False, 6)
    assert answer(engine, EvaluatePosition("A", 6)).best_move == "2"


def test_a_second_start_replaces_the_session():
    engine = begun()
    answer(engine, ApplyMove("A", 0, "4"))
    assert answer(engine, START).success
    assert answer(engine, EvaluatePosition("A", 0)).success


def test_a_failed_start_leaves_the_session_of_that_id_unchanged():
    engine = begun()
    answer(engine, ApplyMove("A", 0, "4"))
    assert not answer(engine, StartGameSession("A", "bot", SessionConfig("classic", 20, 20))).success
    assert answer(engine, EvaluatePosition("A", 1)).success


def test_a_takeback_is_an_end_a_start_and_the_moves_again():
    engine = begun()
    before = asked(engine, ApplyMove("A", 0, "4"), EvaluatePosition("A", 1), ApplyMove("A", 1, "4"))
    after = asked(engine, EndGameSession("A"), START, ApplyMove("A", 0, "4"), EvaluatePosition("A", 1))
    assert all(each.success for each in before + after)
    assert after[-1] == before[1]


def test_an_unknown_game_is_refused_with_the_list_of_games():
    found = answer(begun(), StartGameSession("B", "bot", SessionConfig("classic", 20, 20)))
    assert not found.success
    assert "wallgame, variant classic, on 20x20; they play: connect4" in found.error


def test_an_invalid_start_position_is_refused():
    config = SessionConfig("standard", 7, 6, {"pawns": {}}, game="connect4")
    assert "leave out the setup" in answer(begun(), StartGameSession("B", "bot", config)).error


def test_no_more_sessions_than_allowed_are_open():
    engine = begun(max_sessions=2)
    assert answer(engine, StartGameSession("B", "bot", CONNECT4)).success
    assert "Too many sessions" in answer(engine, StartGameSession("C", "bot", CONNECT4)).error
    assert answer(engine, START).success
    answer(engine, EndGameSession("B"))
    assert answer(engine, StartGameSession("C", "bot", CONNECT4)).success


def test_a_finished_game_is_evaluated_as_its_result_without_a_move():
    engine = begun()
    for ply, move in enumerate(["1", "2", "1", "2", "1", "2", "1"]):
        answer(engine, ApplyMove("A", ply, move))
    found = answer(engine, EvaluatePosition("A", 7))
    assert (found.success, found.best_move, found.evaluation) == (True, "", 1.0)
    assert "game is over" in answer(engine, ApplyMove("A", 7, "3")).error


def test_the_level_of_a_session_is_that_of_its_bot():
    mind = ScriptedMind()
    easy = Level(4, 1.0, moves=1, seconds=2.0, noise=True)
    engine = Engine([mind], level=Level(100), levels={"easy": easy})
    for session, bot in (("A", "easy"), ("B", "other")):
        asked(engine, StartGameSession(session, bot, CONNECT4), EvaluatePosition(session, 0))
    asked(engine, ApplyMove("A", 0, "4"), EvaluatePosition("A", 1))
    assert mind.asked == [(4, 1.0, 2.0, True), (100, 0.0, 8.0, False), (4, 0.0, 2.0, True)]


def test_the_seed_depends_only_on_the_session_id():
    mind = ScriptedMind()
    asked(Engine([mind]), *(StartGameSession(session, "bot", CONNECT4) for session in ("A", "B", "A")))
    assert mind.seeds[0] == mind.seeds[2] != mind.seeds[1]


def test_a_failing_player_fails_one_request_and_the_engine_continues(caplog):
    mind = ScriptedMind()
    engine = begun(mind)
    mind.broken = True
    assert answer(engine, EvaluatePosition("A", 0)).error == "Internal error: RuntimeError: the network is gone"
    assert "the network is gone" in caplog.text
    mind.broken = False
    assert answer(engine, EvaluatePosition("A", 0)).success


def test_sessions_are_independent():
    engine = begun()
    asked(engine, StartGameSession("B", "bot", CONNECT4), ApplyMove("A", 0, "1"))
    assert answer(engine, ApplyMove("B", 0, "7")).success
    assert answer(engine, EvaluatePosition("A", 1)).ply == 1


# ---- while a search runs ---------------------------------------------------------------------------------------------


def test_other_sessions_are_served_during_a_search():
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    assert not asked(engine, EvaluatePosition("A", 0))
    assert all(each.success for each in asked(engine, StartGameSession("B", "bot", CONNECT4), ApplyMove("B", 0, "1")))


def test_requests_of_one_session_are_answered_in_order():
    """The original server sends a person's move before the first evaluation is answered; the original engine fails."""
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    answers = asked(engine, EvaluatePosition("A", 0), ApplyMove("A", 0, "4"), EvaluatePosition("A", 1))
    assert not answers
    ended(mind.searches.pop(0))
    assert [(type(each).__name__, each.ply) for each in answers] == [("EvaluateResponse", 0), ("MoveApplied", 1)]
    ended(mind.searches.pop(0))
    assert (answers[2].ply, answers[2].success) == (1, True)
    assert not engine._lines


@pytest.mark.parametrize(
    ("breaking", "reply"),
    [(EndGameSession("A"), GameSessionEnded("A", success=True)), (START, GameSessionStarted("A", success=True))],
)
def test_an_end_or_a_start_cancels_the_search_and_is_answered_in_order(breaking, reply):
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    answers = asked(engine, EvaluatePosition("A", 0), ApplyMove("A", 0, "4"), EvaluatePosition("A", 1), breaking)
    assert [(each.success, each.error) for each in answers] == [
        (False, BROKEN_OFF), (True, ""), (False, BROKEN_OFF), (True, ""),
    ]  # fmt: skip
    assert answers[3] == reply
    assert len(mind.searches) == 1, "no search is started before the end"
    assert mind.searches[0].cancelled()


def test_an_evaluation_changes_nothing():
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    answers = asked(engine, EvaluatePosition("A", 0), EvaluatePosition("A", 0))
    ended(mind.searches[0])
    ended(mind.searches[1])
    assert [each.ply for each in answers] == [0, 0]
    assert answer(engine, ApplyMove("A", 0, "7")).success


def test_a_search_that_ends_in_another_thread_is_answered_in_the_engines_thread():
    posted, mind = [], ScriptedMind(slow=True)
    engine = begun(mind, post=posted.append)
    answers = asked(engine, EvaluatePosition("A", 0))
    ended(mind.searches[0])
    assert not answers
    posted.pop()()
    assert answers[0].success


def test_an_end_right_after_a_search_keeps_the_answer_of_the_search():
    posted, mind = [], ScriptedMind(slow=True)
    engine = begun(mind, post=posted.append)
    answers = asked(engine, EvaluatePosition("A", 0))
    ended(mind.searches[0])
    answers += asked(engine, EndGameSession("A"))
    posted.pop()()
    assert answers[0].success
    assert engine.num_sessions == 0


def test_a_game_of_go_is_answered_past_the_length_cap_of_training():
    engine, position = Engine([DummyMind(("go:4x4",))]), ludus.game("go:4x4").start()
    assert answer(engine, StartGameSession("A", "bot", SessionConfig("standard", 4, 4, game="go"))).success
    rng = stream(1, "test", "bgs")
    for ply in range(50):
        some = position.actions[:-1] or position.actions  # the pass comes last
        move = position.text(some[int(rng.integers(len(some)))])
        assert answer(engine, ApplyMove("A", ply, move)) == MoveApplied("A", ply + 1, success=True)
        position = position.play(move)
    found = answer(engine, EvaluatePosition("A", 50))
    assert position.play(found.best_move).num_actions_played == 51


def test_breaking_off_cancels_all_searches_and_starts_no_more():
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    answers = asked(engine, EvaluatePosition("A", 0), EvaluatePosition("A", 0))
    engine.break_off()
    assert [each.error for each in answers] == [BROKEN_OFF, BROKEN_OFF]
    assert len(mind.searches) == 1


def test_ten_thousand_waiting_requests_are_answered_without_recursion():
    mind = ScriptedMind(slow=True)
    engine = begun(mind)
    answers = asked(engine, *(EvaluatePosition("A", ply) for ply in [0] + [1] * 10_000))
    ended(mind.searches[0])
    assert len(answers) == 10_001


def test_the_dummy_plays_a_win_in_one_action():
    seat = DummyMind(("connect4",)).seat(ludus.game("connect4").start().play("1").play("2").play("1").play("2"))
    seat.play(0)
    seat.play(6)
    assert seat.ask(1).result().best == [0]
