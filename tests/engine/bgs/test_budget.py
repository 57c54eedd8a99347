"""Requests of a judge: a budget in the request, and what the response says about the search."""

import json
import queue

from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.level import Level
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.protocol.bgs import ApplyMove, EvaluatePosition, SessionConfig, StartGameSession
from ludus.protocol.wire import decode_request, encode

START = StartGameSession("A", "bot", SessionConfig("standard", 3, 3, game="tictactoe"))


def answer(engine, question):
    answers = []
    engine.ask(question, answers.append)
    return answers[0]


def searched(*requests):
    """Return a heuristic engine's responses to requests of one session."""
    posted, found = queue.Queue(), []
    mind = HeuristicMind(games=("tictactoe",))
    try:
        engine = Engine([mind], level=Level(4), post=posted.put)
        for request in (START, *requests):
            count = len(found)
            engine.ask(request, found.append)
            while len(found) == count:
                posted.get(timeout=60)()
        return found[1:]
    finally:
        mind.close()


def test_a_request_may_bring_its_own_visits_and_goes_on_with_the_search():
    first, deeper, own = searched(
        EvaluatePosition("A", 0, lines=1, visits=50, seconds=30.0),
        EvaluatePosition("A", 0, lines=1, visits=120, seconds=30.0),
        EvaluatePosition("A", 0, lines=1),
    )
    assert [response.visits for response in (first, deeper, own)] == [50, 120, 120], "the tree of the session is kept"


def test_a_proved_outcome_is_told_exactly():
    moves = [ApplyMove("A", ply, move) for ply, move in enumerate(("a1", "a2", "b1", "b2"))]
    *_, found = searched(*moves, EvaluatePosition("A", 4, lines=3, visits=200))
    assert (found.proved, found.evaluation, found.best_move) == (True, 1.0, "c1")
    assert (found.lines[0].proved, found.lines[0].evaluation) == (True, 1.0)


def test_the_lead_is_told_in_games_with_points():
    engine = Engine([DummyMind(("go:5x5", "connect4"))])
    stones = {"black": "C1 C2 C3 C4 C5", "to_play": "white", "komi": 0.5}
    answer(engine, StartGameSession("A", "bot", SessionConfig("standard", 5, 5, stones, "go")))
    found = answer(engine, EvaluatePosition("A", 0, lines=1))
    assert 10 < found.lead <= 24.5
    answer(engine, StartGameSession("B", "bot", SessionConfig("standard", 7, 6, game="connect4")))
    assert "lead" not in json.loads(encode(answer(engine, EvaluatePosition("B", 0, lines=1))))


def test_the_fields_are_left_out_for_other_programs():
    assert set(json.loads(encode(EvaluatePosition("A", 0)))) == {"type", "bgsId", "expectedPly"}
    request = decode_request('{"type":"evaluate_position","bgsId":"A","expectedPly":0,"visits":9,"seconds":0.5}')
    assert (request.visits, request.seconds) == (9, 0.5)
