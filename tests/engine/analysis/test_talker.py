"""The analysis engine: results, order, cancelling and invalid lines, with searches that end when the test says so."""

import json
from queue import Queue

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.analysis.conftest import Conversation, HeldMind

import ludus
from ludus.engine.analysis import report, talker
from ludus.engine.analysis.talker import AnalysisTalker
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.network.checkpoint import Checkpoint, ModelInfo
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.analysis import Analyse
from ludus.seeding import stream


def test_the_last_position_is_analysed_by_default(conversation):
    result, done = conversation.tell(moves=["b2", "a1"], visits=100)
    assert (result["type"], result["id"], result["ply"], result["partial"]) == ("result", "q", 2, False)
    assert (result["visits"], result["value"], result["winrate"], result["toPlay"]) == (100, 0.25, 0.625, 0)
    assert result["best"] == ["a3"]
    assert result["candidates"][0]["line"] == ["a3"]
    assert done == {"type": "done", "id": "q", "results": 1, "cancelled": False}


def test_a_whole_game_is_analysed_to_its_end(conversation):
    moves = ["a1", "a2", "b1", "b2", "c1"]
    *results, done = conversation.tell(moves=moves, plies="all")
    assert [result["ply"] for result in results] == [0, 1, 2, 3, 4, 5]
    assert (results[-1]["outcome"], results[-1]["winner"], results[-1]["winrate"]) == ("three in a line", 0, 1.0)
    assert results[0]["outcome"] is None
    assert done["results"] == 6


def test_a_game_of_go_is_analysed_past_the_length_cap_of_training():
    conversation = Conversation(minds=[HeldMind(plays=("go:4x4",))])
    position, rng = ludus.game("go:4x4").start(), stream(1, "test", "analysis")
    for _ in range(50):
        some = position.actions[:-1] or position.actions  # the pass comes last
        position = position.play(some[int(rng.integers(len(some)))])
    *results, done = conversation.tell(game="go:4x4", moves=position.moves, plies="all", visits=10)
    assert done["results"] == len(results) == 51
    assert {result.get("outcome") for result in results} == {None}, "the game is over at no position"


def test_only_a_long_game_is_read_with_compiled_rules(conversation, monkeypatch):
    compiled = []
    monkeypatch.setattr(Game, "compile", lambda game: compiled.append(game.name) or game)
    monkeypatch.setattr(talker, "LONG", 3)
    for moves, names in ((["a1", "a2"], []), (["a1", "a2", "b1"], ["tictactoe"])):
        result, _ = conversation.tell(moves=moves)
        assert (result["ply"], compiled) == (len(moves), names)


def test_some_positions_of_a_game_are_analysed(conversation):
    *results, _ = conversation.tell(moves=["a1", "a2", "b1"], plies=[3, 1, 1])
    assert {result["ply"] for result in results} == {1, 3}


def test_a_setup_gives_the_first_position(conversation):
    setup = {"black": ["a1"], "to_play": "white"}
    (result, _) = conversation.tell(game="gomoku:6x6", setup=setup)
    assert result["toPlay"] == 1


def test_the_policy_covers_all_legal_actions(conversation):
    (result, _) = conversation.tell(game="gomoku:6x6", moves=["c3"], policy=True)
    assert len(result["policy"]) == 35
    assert sum(result["policy"].values()) == pytest.approx(1.0, abs=0.01)
    assert result["ownership"] is None


def test_the_best_move_comes_first_even_with_fewer_visits():
    question, position = Analyse("q", "tictactoe", candidates=2), ludus.game("tictactoe").start()
    candidates = [Candidate(action, 9 - action, 0.0, 0.1) for action in range(4)]
    told = report.found(question, 0, position, Thought([3], 0.0, 0.0, 30, candidates, [3]), partial=False)
    assert [each.visits for each in told.candidates] == [6, 9]
    assert told.best == [told.candidates[0].move]


def test_only_the_named_actions_are_considered(conversation):
    (result, _) = conversation.tell(only=["b2", "b2"])
    assert [each["move"] for each in result["candidates"]] == ["b2"]


@pytest.mark.parametrize(
    ("game", "moves", "only", "considered"),
    [
        ("go:5x5", [], ["d4", "D4", "pass"], ["D4", "pass"]),
        ("gomoku:9x9", [], ["E4"], ["e4"]),
        ("chess", ["e4"], ["Nf6", "e7e5"], ["g8f6", "e7e5"]),
    ],
)
def test_actions_to_consider_may_be_written_as_moves(game, moves, only, considered):
    conversation = Conversation(minds=[HeldMind(plays=(ludus.game(game).name,))])
    (result, _) = conversation.tell(game=game, moves=moves, only=only)
    assert [each["move"] for each in result["candidates"]] == considered


@pytest.mark.parametrize(
    ("game", "only", "why"),
    [
        ("tictactoe", "a1", "only 'a1': tictactoe: 'a1' may not be played here; legal: "),
        ("tictactoe", "d9", "only 'd9': "),
        ("wallgame:classic:4x4", "Cb4.>b2", "only 'Cb4.>b2': it has several actions; name the first, 'Cb4'."),
        ("wallgame:classic:4x4", "Cd4", "only 'Cd4': "),
    ],
)
def test_illegal_actions_to_consider_are_refused(game, only, why):
    conversation = Conversation(minds=[HeldMind(plays=(ludus.game(game).name,))])
    moves = ["a1"] if game == "tictactoe" else []
    error, done = conversation.tell(game=game, moves=moves, only=["b2" if game == "tictactoe" else "Cb4", only])
    assert error["error"].startswith(f"Ply {len(moves)}: {why}")
    assert done["results"] == 0


def test_no_more_searches_run_at_a_time_than_allowed(waiting):
    assert waiting.tell(moves=["a1", "a2", "b1"], plies="all") == []
    assert len(waiting.mind.requests) == 2
    waiting.mind.requests[0].stop()
    assert len(waiting.mind.requests) == 3
    assert [json.loads(line)["ply"] for line in waiting.said] == [0]


def test_higher_priorities_start_first_and_equal_ones_in_order(waiting):
    waiting.tell(id="busy", moves=["a1"], plies="all")
    waiting.tell(id="later", priority=-1)
    waiting.tell(id="first")
    waiting.tell(id="second")
    waiting.tell(id="urgent", priority=5)
    for number in range(6):
        waiting.mind.requests[number].stop()
    order = [json.loads(line)["id"] for line in waiting.said if json.loads(line)["type"] == "result"]
    assert order == ["busy", "busy", "urgent", "first", "second", "later"]


def test_searches_report_intermediate_results(waiting):
    waiting.tell(every=0.1)
    request = waiting.mind.requests[0]
    assert request.news.every == 0.1
    request.tell()
    request.stop()
    request.tell()
    kinds = [(json.loads(line)["type"], json.loads(line).get("partial")) for line in waiting.said]
    assert kinds == [("result", True), ("result", False), ("done", None)], "nothing comes after the last one"


def test_a_cancelled_request_gets_no_more_results(waiting):
    waiting.tell(moves=["a1", "a2", "b1"], plies="all")
    assert waiting.hear('{"type":"cancel","id":"q"}') == [{"type": "done", "id": "q", "results": 0, "cancelled": True}]
    assert all(request.cancelled() for request in waiting.mind.requests)
    assert len(waiting.mind.requests) == 2
    assert waiting.tell() == [], "the id is free again"
    assert len(waiting.mind.requests) == 3


def test_a_cancelled_request_may_report_its_results_so_far(waiting):
    waiting.tell(moves=["a1", "a2", "b1"], plies="all")
    answers = waiting.hear('{"type":"cancel","id":"q","finish":true}')
    assert [answer["type"] for answer in answers] == ["result", "result", "done"]
    assert answers[-1] == {"type": "done", "id": "q", "results": 2, "cancelled": True}


def test_a_cancelled_request_leaves_no_positions_to_the_next_one_of_its_id(waiting):
    waiting.tell(id="running", plies="all", moves=["a1"])  # both searches
    waiting.tell(id="again", priority=9, moves=["a2"])
    waiting.hear('{"type": "cancel", "id": "again"}')
    waiting.tell(id="other", priority=5, moves=["b2"])
    waiting.tell(id="again", moves=["c3"])
    waiting.mind.requests[0].stop()
    assert waiting.mind.requests[-1].position.moves == ["b2"]


def test_repeatedly_cancelled_requests_leave_an_empty_queue(waiting):
    waiting.tell(id="running", plies="all", moves=["a1"])
    for _ in range(100):
        waiting.tell(id="again", plies="all", moves=["a1", "b1", "c1"])
        waiting.hear('{"type": "cancel", "id": "again"}')
    assert len(waiting.talker._queue) == 0


def test_the_status_lists_players_and_counts_positions(waiting):
    waiting.tell(moves=["a1", "a2", "b1"], plies="all")
    (state,) = waiting.hear('{"type":"status","id":"s"}')
    assert state["minds"] == {"held": ["tictactoe", "connect4"]}
    assert (state["searching"], state["waiting"], state["id"]) == (2, 2, "s")


def test_a_failed_search_is_an_error_of_its_position_only(waiting):
    waiting.tell(moves=["a1"], plies="all")
    waiting.mind.requests[0].set_exception(RuntimeError("no memory"))
    waiting.mind.requests[1].stop()
    answers = [json.loads(line) for line in waiting.said]
    assert answers[0]["error"] == "Ply 0: the search failed (no memory)."
    assert answers[-1]["results"] == 1


def test_an_unexpected_error_before_a_search_is_answered(conversation):
    conversation.mind.seat = lambda *_args, **_named: np.zeros(1 << 56)  # larger than any memory
    (error,) = conversation.tell()
    assert (error["type"], error["id"]) == ("error", "q")
    assert error["error"].startswith("internal error: ")
    conversation.mind.seat = lambda *_args, **_named: None  # not a seat
    *errors, done = conversation.tell(moves=["a1"], plies="all")
    assert [error["error"][:23] for error in errors] == ["Ply 0: internal error: ", "Ply 1: internal error: "]
    assert (done["type"], done["results"]) == ("done", 0)


def test_the_first_player_of_a_game_searches_it():
    minds = [HeldMind(("connect4",)), HeldMind(("tictactoe",))]
    conversation = Conversation(minds=minds)
    conversation.tell()
    assert (len(minds[0].requests), len(minds[1].requests)) == (0, 1)
    (error,) = conversation.tell(game="chess")
    assert error["error"].startswith("held was not trained on chess.")


def test_it_ends_after_all_answers_and_at_once_on_a_second_end(waiting):
    waiting.tell()
    waiting.talker.end()
    assert not waiting.talker.is_over
    waiting.talker.end()
    assert waiting.talker.is_over
    assert json.loads(waiting.said[-1])["cancelled"]
    waiting.talker.close()
    assert waiting.mind.closed


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"game": "chekers"}, "There is no game 'chekers'"),
        ({"moves": ["a1", "a1"]}, "Move 2: "),
        ({"moves": ["a1"], "plies": [2]}, "There is no ply 2: 1 moves are given."),
        ({"plies": "some"}, "Invalid enum value 'some'"),
        ({"plies": [-1]}, "Expected `int` >= 0"),
        ({"visits": 1}, "Expected `int` >= 2"),
        ({"seconds": 0}, "Expected `float` > 0"),
        ({"every": 0}, "Expected `float` >= 0.02"),
        ({"visist": 100}, "Object contains unknown field `visist`"),
        ({"setup": {"pieces": 3}}, "tictactoe has only one start position"),
        ({"type": "ask"}, "Invalid value 'ask'"),
        ({"plies": list(range(3000)), "moves": []}, "There is no ply"),
    ],
)
def test_invalid_requests_get_one_error(conversation, question, said):
    (answer,) = conversation.tell(**question)
    assert (answer["type"], answer["id"]) == ("error", "q")
    assert said in answer["error"]
    assert conversation.tell(), "the engine continues"


def test_a_request_without_plies_is_refused_and_does_not_stay_open(conversation):
    (answer,) = conversation.tell(plies=[])
    assert (answer["type"], answer["id"]) == ("error", "q")
    assert answer["error"] == '`plies` is empty: list some plies, or write "last" or "all".'
    conversation.talker.end()
    assert conversation.talker.is_over


@pytest.mark.parametrize("line", ["{", "[]", "null", '"x"', "\udcff", "[" * 100_000, '{"id": 7}', "{}"])
def test_unreadable_lines_are_answered_without_an_id(conversation, line):
    (answer,) = conversation.hear(line)
    assert (answer["type"], answer["id"]) == ("error", None)


def test_two_open_requests_cannot_have_one_id(waiting):
    waiting.tell()
    (answer,) = waiting.tell()
    assert "is already open" in answer["error"]
    assert waiting.hear('{"type":"cancel","id":"other"}')[0]["error"] == "There is no open request 'other'."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["id", "game", "setup", "moves", "plies", "visits", "seconds", "priority", "only", "policy", "ownership"]


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5))
def test_no_request_crashes_the_engine(fields):
    conversation = Conversation()
    line = json.dumps({"type": "analyse", "id": "q", "game": "tictactoe"} | fields)
    for answer in conversation.hear(line):
        assert answer["type"] in ("result", "done", "error")
    assert not conversation.talker.is_over


def test_the_ownership_of_connect_four_needs_a_heuristic(conversation):
    (result, _) = conversation.tell(game="connect4", ownership=True)
    assert result["ownership"] is None
    assert np.isclose(result["draw"], 0.1)


def test_a_model_answers_about_its_game_by_its_plain_name():
    ahead = ludus.game("connect4:ahead")
    info = ModelInfo("c4", NetworkSettings(), Shapes.of(ahead), {ahead.name: behaviour(ahead)})
    events, said = Queue(), []
    talker = AnalysisTalker([Mind(Checkpoint(info, {}), UniformEvaluator(info.shapes))], events.put, said.append)
    question = {"type": "analyse", "id": "q", "game": "connect4", "moves": ["4"], "visits": 20, "policy": True}
    talker.hear(json.dumps(question | {"ownership": True}))
    while len(said) < 2:
        events.get(timeout=300)()
    result, _ = map(json.loads, said)
    assert (result["type"], result["visits"], len(result["policy"])) == ("result", 20, 7)
