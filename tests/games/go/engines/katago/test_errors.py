"""Errors and warnings of KataGo's analysis protocol: each names its field, and the engine continues."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.analysis.conftest import HeldMind
from tests.games.go.engines.katago.conftest import PLAIN, GoConversation, GoMind, ask

FIELDS = (
    *PLAIN,
    "initialStones",
    "initialPlayer",
    "komi",
    "analyzeTurns",
    "maxVisits",
    "priority",
    "includePolicy",
    "overrideSettings",
    "reportDuringSearchEvery",
    "action",
    "priorities",
    "avoidMoves",
)


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"boardXSize": 20}, "boardXSize", "Expected `int` <= 19"),
        ({"boardXSize": None}, "boardXSize", "Object missing required field `boardXSize`"),
        ({"boardYSize": 13}, "boardYSize", "Boards must be square"),
        ({"moves": None}, "moves", "Object missing required field `moves`"),
        ({"moves": [["B", "D4"], ["W", "D4"]]}, "moves", "Illegal move 1: D4"),
        ({"moves": [["B", "I5"]]}, "moves", "Could not parse board location: I5"),
        ({"moves": [["X", "D4"]]}, "moves", "Expected `str` matching regex"),
        ({"moves": [["B"]]}, "moves", "Expected `array` of length 2"),
        ({"rules": None}, "rules", "Object missing required field `rules`"),
        ({"rules": "stone_scoring"}, "rules", "Could not parse rules: stone_scoring"),
        ({"rules": {"tax": "ALL"}}, "rules", 'Could not parse rules: {"tax":"ALL"}'),
        ({"komi": 6.3}, "komi", "Must be a integer or half-integer"),
        ({"komi": 1000}, "komi", "Expected `float` <= 150.0"),
        ({"analyzeTurns": [1]}, "analyzeTurns", "Invalid turn number: 1"),
        ({"analyzeTurns": []}, "analyzeTurns", "Must specify at least one turn"),
        ({"analyzeTurns": [0], "priorities": [1, 2]}, "priorities", "Must be of matching length"),
        ({"maxVisits": 0}, "maxVisits", "Expected `int` >= 1"),
        ({"maxVisits": "many"}, "maxVisits", "Expected `int | null`, got `str`"),
        ({"initialStones": [["B", "pass"]]}, "initialStones", "Could not parse board location: pass"),
        (
            {"initialStones": [["W", "A2"], ["W", "B1"], ["B", "A1"]]},
            "initialStones",
            "the stones at A1 have no liberty",
        ),
        ({"avoidMoves": [{"player": "W", "moves": ["Z1"], "untilDepth": 1}]}, "avoidMoves", "Could not parse"),
        ({"avoidMoves": [{"player": "B", "moves": []}]}, "avoidMoves", "missing required field `untilDepth`"),
        ({"overrideSettings": {"maxTime": "soon"}}, "overrideSettings", "Could not set settings"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "UMPIRE"}}, "overrideSettings", "Could not set settings"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "Expected `float` >= 0.001"),
    ],
)
def test_an_invalid_query_gets_one_error_with_its_field(go, fields, field, said):
    (answer,) = ask(go, PLAIN, **fields)
    assert (answer["id"], answer["field"]) == ("q", field)
    assert said in answer["error"]
    assert "moveInfos" in ask(go, PLAIN)[0], "the engine continues"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('{"boardXSize": 9}', {"error": 'Request must have a string "id" field'}),
        ('{"action": "query_version", "id": 7}', {"error": 'Request must have a string "id" field'}),
        ('{"action": "terminate", "id": "t"}', {"id": "t", "field": "terminateId"}),
        ('{"action": "dance", "id": "t"}', {"id": "t", "field": "action"}),
    ],
)
def test_invalid_actions_are_refused(go, line, answer):
    (found,) = go.hear(line)
    assert found.items() >= answer.items()
    assert "error" in found


def test_unknown_fields_are_warnings(go):
    warning, answer = ask(go, PLAIN, maxVisist=3)
    assert warning == {"id": "q", "field": "maxVisist", "warning": "Unexpected or unused field"}
    assert "moveInfos" in answer


def test_a_model_of_another_board_is_refused():
    mind = GoMind()
    mind.games = ("go:9x9", "chess")
    (answer,) = ask(GoConversation(minds=[HeldMind(), mind]), PLAIN, boardXSize=19, boardYSize=19)
    assert (answer["field"], answer["error"]) == ("boardXSize", "held plays no board of 19x19; it plays go:9x9.")
    (answer,) = ask(GoConversation(minds=[HeldMind()]), PLAIN)
    assert (answer["field"], answer["error"]) == ("boardXSize", "No model plays Go")


def test_a_failed_search_is_an_error_of_its_turn(held):
    ask(held, PLAIN)
    held.mind.requests[0].set_exception(RuntimeError("no memory"))
    assert json.loads(held.said[-1]) == {"id": "q", "error": "Turn 0: the search failed (no memory)."}
    held.talker.end()
    assert held.talker.is_over


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["B", "D4"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4))
def test_no_query_crashes_the_engine(fields):
    go = GoConversation()
    for answer in go.hear(json.dumps(PLAIN | fields)):
        assert {"error", "warning", "moveInfos", "noResults", "action"} & answer.keys()
    assert not go.talker.is_over
    assert "moveInfos" in ask(go, PLAIN)[0]
