"""KataGo's analysis protocol for Go, with queries as KaTrain, Lizzie and scripts send them."""

import json
from queue import Queue

import numpy as np
import pytest
from tests.games.go.engines.katago.conftest import PLAIN, GoConversation, GoMind, ask

from ludus.engine.analysis.talker import AnalysisTalker
from ludus.games.go.engines.katago import Dialect
from ludus.games.go.layout import BONUS, HANDICAP
from ludus.games.packed import read_field
from ludus.players.thinking.heuristic_mind import HeuristicMind

KATRAIN = {
    "rules": "japanese",
    "priority": 1001,
    "analyzeTurns": [2],
    "maxVisits": 500,
    "komi": 6.5,
    "boardXSize": 9,
    "boardYSize": 9,
    "includeOwnership": True,
    "includeMovesOwnership": True,
    "includePolicy": True,
    "initialStones": [],
    "initialPlayer": "B",
    "moves": [["B", "D4"], ["W", "F6"]],
    "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04},
    "id": "QUERY:1",
}
"""A query as KaTrain sends it after two moves."""


class WhiteStays(GoMind):
    """A network that expects White's stones to stay, and Black's to be captured."""

    class Evaluator:
        def maps(self, planes):
            mover_is_black = planes[:, 8].max((1, 2)) > 0
            maps = np.zeros((len(planes), 2, *planes.shape[2:]), np.float32)
            for row, black in enumerate(mover_is_black):
                maps[row, int(black)] = planes[row, int(black)]
            return maps

    def __init__(self):
        super().__init__()
        self.evaluator = self.Evaluator()


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_a_query_of_katrain_gets_what_katrain_reads(go):
    warning, answer = ask(go, KATRAIN)
    assert warning == {
        "id": "QUERY:1",
        "field": "overrideSettings",
        "warning": "Unknown config params: wideRootNoise",
    }
    assert (answer["id"], answer["turnNumber"], answer["isDuringSearch"]) == ("QUERY:1", 2, False)
    assert (len(answer["policy"]), len(answer["ownership"])) == (82, 81)
    assert sum(each for each in answer["policy"] if each >= 0) == pytest.approx(1.0, abs=1e-4)
    assert [index for index, each in enumerate(answer["policy"]) if each == -1] == [3 * 9 + 5, 5 * 9 + 3], "the stones"
    best, second = answer["moveInfos"]
    assert (best["move"], best["order"], best["pv"], second["order"]) == ("A9", 0, ["A9"], 1)
    assert (best["visits"], best["winrate"], best["utility"], best["prior"]) == (250, 0.625, 0.25, 0.5)
    assert len(best["ownership"]) == 81
    assert {"scoreLead", "scoreMean", "scoreStdev", "scoreSelfplay", "lcb", "utilityLcb"} <= best.keys()
    root = answer["rootInfo"]
    assert (root["visits"], root["winrate"], root["currentPlayer"]) == (500, 0.625, "B")
    assert root["scoreLead"] == pytest.approx(sum(answer["ownership"]) - 6.5, abs=5), "territory, so not exactly"
    (request,) = go.mind.requests
    assert (request.limits.visits, request.limits.seconds) == (500, 8.0)
    assert request.position.game.name == "go:9x9:japanese"


def test_a_short_query_has_the_defaults_of_katago(go):
    (answer,) = ask(go, PLAIN)
    assert answer["turnNumber"] == 0
    assert not {"ownership", "policy"} & answer.keys()
    assert not {"ownership", "pvVisits"} & answer["moveInfos"][0].keys()
    assert go.mind.requests[0].limits.visits == 500
    assert answer["rootInfo"]["scoreLead"] < 0.0, "komi 7.5"


def test_every_turn_of_a_game_gets_one_final_answer(go):
    moves = [["B", "C3"], ["W", "G7"], ["B", "pass"], ["W", "pass"]]
    answers = ask(go, PLAIN, moves=moves, analyzeTurns=[0, 1, 2, 3, 4, 4])
    assert [answer["turnNumber"] for answer in answers] == [0, 1, 2, 3, 4]
    assert [answer["rootInfo"]["currentPlayer"] for answer in answers] == ["B", "W", "B", "W", "B"]
    assert all(answer["moveInfos"] for answer in answers), "two passes do not end an analysis"


@pytest.mark.parametrize(
    ("view", "rates"), [("BLACK", (0.625, 0.625)), ("white", (0.375, 0.375)), ("SIDETOMOVE", (0.625, 0.375))]
)
def test_values_are_seen_by_black_or_as_wanted(view, rates):
    go = GoConversation(minds=[WhiteStays()])
    settings_ = {"reportAnalysisWinratesAs": view}
    wanted = {"includeOwnership": True, "includeMovesOwnership": True, "overrideSettings": settings_}
    answers = ask(go, PLAIN, moves=[["B", "D4"], ["W", "F6"], ["B", "A1"]], analyzeTurns=[2, 3], **wanted)
    for answer, rate in zip(answers, rates, strict=True):
        sign = 1.0 if rate > 0.5 else -1.0
        assert answer["rootInfo"]["winrate"] == answer["moveInfos"][0]["winrate"] == rate
        assert answer["rootInfo"]["utility"] == sign * 0.25
        assert answer["rootInfo"]["scoreLead"] == sign * -8.5, "White's stone and komi"
        assert answer["ownership"][3 * 9 + 5] == answer["moveInfos"][1]["ownership"][3 * 9 + 5] == -sign
        assert sum(answer["ownership"]) == -sign


def test_the_lower_bound_of_a_move_is_that_of_the_player_to_move(go):
    black, white = ask(go, PLAIN, moves=[["B", "D4"]], analyzeTurns=[0, 1])
    assert black["moveInfos"][0]["lcb"] < black["moveInfos"][0]["winrate"]
    assert white["moveInfos"][0]["lcb"] > white["moveInfos"][0]["winrate"], "seen by Black, it is White's that is low"


def test_lines_have_visits_and_a_length_as_wanted(go):
    (answer,) = ask(go, PLAIN, includePVVisits=True, analysisPVLen=1)
    assert [each["pvVisits"] for each in answer["moveInfos"]] == [[250], [250]]


def test_hashes_tell_symmetric_positions(go):
    moves = ("C3", "C7", "D4")
    roots = [ask(go, PLAIN, moves=[["B", move]])[0]["rootInfo"] for move in moves]
    assert len({root["thisHash"] for root in roots}) == 3
    assert roots[0]["symHash"] == roots[1]["symHash"] != roots[2]["symHash"]
    other = ask(go, PLAIN, initialStones=[["B", "C3"]], initialPlayer="B")[0]["rootInfo"]
    assert other["symHash"] != roots[0]["symHash"], "another player is to move"


def test_partial_answers_come_while_the_search_runs(held):
    assert ask(held, PLAIN, reportDuringSearchEvery=0.5) == []
    (request,) = held.mind.requests
    assert request.news.every == 0.5
    request.tell()
    request.stop()
    assert [json.loads(line)["isDuringSearch"] for line in held.said] == [True, False]


# ---- games -----------------------------------------------------------------------------------------------------------


def start_of(conversation):
    """Return (handicap stones, White's points for them, player to move) of the last searched position."""
    state = conversation.mind.requests[-1].position.state
    return read_field(state, HANDICAP), read_field(state, BONUS), conversation.mind.requests[-1].position.to_play


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"initialStones": [["B", "C3"], ["B", "G7"]], "moves": [["W", "E5"]]}, (2, 2, 0)),
        ({"initialStones": [["B", "C3"], ["B", "G7"]]}, (2, 2, 1)),
        ({"initialStones": [["B", "C3"], ["B", "G7"]], "whiteHandicapBonus": "N-1"}, (2, 1, 1)),
        ({"initialStones": [["B", "C3"], ["W", "G7"]]}, (0, 0, 0)),
        ({"initialStones": [["B", "C3"], ["W", "G7"]], "initialPlayer": "w"}, (0, 0, 1)),
        ({"moves": [["B", "C3"], ["B", "G7"], ["B", "C7"], ["W", "E5"]]}, (3, 3, 0)),
        ({"moves": [["B", "C3"], ["W", "pass"], ["B", "G7"]]}, (2, 2, 1)),
    ],
)
def test_handicap_stones_and_the_player_to_move_are_those_of_katago(go, fields, expected):
    answer = ask(go, PLAIN | {"rules": "chinese"}, **fields)[-1]
    assert "moveInfos" in answer
    assert start_of(go) == expected


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("chinese", "chinese"),
        ("aga", "aga"),
        ("tromp-taylor", "tromp-taylor"),
        ("koSITUATIONALscoreAREAtaxNONEsui0whbN", "tromp-taylor:ko=situational:suicide=no:bonus=n"),
        (
            {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": False, "whiteHandicapBonus": "N-1"}
            | {"hasButton": False, "friendlyPassOk": True, "komi": 5.5},
            "tromp-taylor:suicide=no:bonus=n-1",
        ),
    ],
)
def test_rules_are_read_by_name_and_as_json(go, rules, name):
    (answer,) = ask(go, PLAIN, rules=rules)
    assert "moveInfos" in answer
    assert go.mind.requests[-1].position.game.name == f"go:9x9:{name}"


def test_the_next_query_of_a_game_continues_its_positions(go):
    moves = [["B", "C3"], ["W", "G7"], ["B", "G3"], ["W", "C7"]]
    for count in (2, 4, 3):
        ask(go, PLAIN, moves=moves[:count])
    ask(go, PLAIN, moves=[moves[0], ["W", "E5"]])
    played = [[position.action for position in request.position.history] for request in go.mind.requests]
    assert played[1][:3] == played[0]
    assert played[2] == played[1][:4]
    assert played[3] == [*played[0][:2], 40]
    ask(go, PLAIN | {"komi": 0.5}, moves=moves)
    assert [position.action for position in go.mind.requests[-1].position.history] == played[1]


def test_coordinates_may_be_pairs_of_numbers_from_the_top_left(go):
    (answer,) = ask(go, PLAIN, moves=[["B", "(3,5)"]], initialStones=[["W", "(0,8)"]], includePolicy=True)
    assert [index for index, each in enumerate(answer["policy"]) if each == -1] == [5 * 9 + 3, 8 * 9]


@pytest.mark.parametrize(
    ("restriction", "considered"),
    [
        ({"allowMoves": [{"player": "B", "moves": ["D4", "pass"], "untilDepth": 1}]}, ["D4", "pass"]),
        ({"allowMoves": [{"player": "W", "moves": ["D4"], "untilDepth": 1}]}, []),
        (
            {
                "allowMoves": [
                    {"player": each, "moves": ["B1" if each == "B" else "C1"], "untilDepth": 1} for each in "WB"
                ]
            },
            ["B1"],
        ),
        ({"avoidMoves": [{"player": "B", "moves": ["D4"], "untilDepth": 1}]}, 81),
        ({"avoidMoves": [{"player": player, "moves": ["A1", "A2"], "untilDepth": 1} for player in "BW"]}, 80),
    ],
)
def test_moves_are_restricted_for_the_player_to_move(go, restriction, considered):
    (answer,) = ask(go, PLAIN, **restriction)
    request = go.mind.requests[-1]
    named = [request.position.text(action) for action in request.limits.only]
    assert considered in (named, len(named))
    assert "moveInfos" in answer


def test_a_query_that_excludes_every_move_has_no_results(go):
    points = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]
    answers = ask(go, PLAIN, avoidMoves=[{"player": "B", "moves": [*points, "pass"], "untilDepth": 20}])
    assert answers == [
        {
            "id": "q",
            "field": "avoidMoves",
            "warning": "untilDepth is 1 here: the restriction applies to the first move only",
        },
        {"id": "q", "turnNumber": 0, "isDuringSearch": False, "noResults": True},
    ]


# ---- actions ---------------------------------------------------------------------------------------------------------


def test_terminated_queries_end_with_their_results_so_far(held):
    ask(held, PLAIN, moves=[["B", "C3"], ["W", "G7"]], analyzeTurns=[0, 1, 2])
    ask(held, PLAIN, id="other")
    action = {"id": "t", "action": "terminate", "terminateId": "q"}
    assert held.hear(json.dumps(action | {"turnNumbers": [2]})) == [
        {"id": "q", "turnNumber": 2, "isDuringSearch": False, "noResults": True},
        action | {"turnNumbers": [2]},
    ]
    answers = held.hear(json.dumps(action))
    assert {(answer["id"], answer.get("turnNumber"), "moveInfos" in answer) for answer in answers} == {
        ("q", 0, True),
        ("q", 1, True),
        ("t", None, False),
    }
    assert held.hear(json.dumps({"id": "all", "action": "terminate_all"}))[-1] == {
        "id": "all",
        "action": "terminate_all",
    }
    assert json.loads(held.said[-2])["id"] == "other"
    assert held.hear(json.dumps(action)) == [action], "nothing is left"


def test_actions_tell_versions_and_models_and_empty_the_cache(go):
    version, models, cleared = (
        go.hear(json.dumps({"id": "a", "action": action, "note": 1}))[0]
        for action in ("query_version", "query_models", "clear_cache")
    )
    assert version.items() >= {"id": "a", "action": "query_version", "note": 1, "git_hash": "<omitted>"}.items()
    assert version["version"].count(".") == 2
    assert models["models"] == [{"name": "held", "internalName": "held", "usesHumanSLProfile": False}]
    assert (cleared, go.mind.forgotten) == ({"id": "a", "action": "clear_cache", "note": 1}, 1)


def test_higher_priorities_are_searched_first(held):
    ask(held, PLAIN, id="running", moves=[["B", "C3"]], analyzeTurns=[0, 1])
    ask(held, PLAIN, id="later", priority=-5)
    ask(held, PLAIN, id="turns", moves=[["B", "C3"]], analyzeTurns=[0, 1], priorities=[1, 7])
    ask(held, PLAIN, id="urgent", priority=1 << 40)
    for number in range(6):
        held.mind.requests[number].stop()
    order = [(json.loads(line)["id"], json.loads(line)["turnNumber"]) for line in held.said]
    assert order[2:] == [("urgent", 0), ("turns", 1), ("turns", 0), ("later", 0)]


def test_both_dialects_share_one_engine(held):
    ask(held, PLAIN)
    held.hear(json.dumps({"type": "analyse", "id": "own", "game": "go:9x9"}))
    (state,) = held.hear('{"type": "status"}')
    assert (state["searching"], state["waiting"]) == (2, 0)
    held.talker.end()
    for request in held.mind.requests:
        assert not held.talker.is_over
        request.stop()
    assert held.talker.is_over


def test_a_second_end_cancels_queries(held):
    ask(held, PLAIN, moves=[["B", "C3"], ["W", "G7"]], analyzeTurns=[0, 1, 2])
    held.talker.end()
    held.talker.end()
    assert held.talker.is_over
    assert all(request.cancelled() for request in held.mind.requests)


def test_a_real_search_fills_every_field():
    events, said = Queue(), []
    talker = AnalysisTalker([HeuristicMind()], events.put, said.append, dialects=[Dialect])
    board = {"boardXSize": 5, "boardYSize": 5, "rules": "chinese", "komi": 0.5}
    wanted = {"includePVVisits": True, "includeMovesOwnership": True, "includeOwnership": True, "includePolicy": True}
    talker.hear(json.dumps(PLAIN | board | wanted | {"moves": [["B", "C3"]], "maxVisits": 100}))
    while not said:
        events.get(timeout=600)()
    talker.close()
    (answer,) = map(json.loads, said)
    assert answer["rootInfo"]["visits"] == 100
    assert (len(answer["ownership"]), len(answer["policy"])) == (25, 26)
    visits = [each["visits"] for each in answer["moveInfos"]]
    assert 95 <= sum(visits) <= 100
    for each in answer["moveInfos"]:
        assert each["pv"][0] == each["move"]
        assert len(each["pvVisits"]) == len(each["pv"])
        assert each["pvVisits"][0] == each["visits"]
        assert each["pvVisits"] == sorted(each["pvVisits"], reverse=True)
        assert len(each["ownership"]) == 25


def test_a_pass_that_loses_by_dead_stones_is_no_candidate(go):
    walls = [("B", f"C{row}") for row in range(1, 6)] + [("W", f"D{row}") for row in range(1, 6)]
    query = {"boardXSize": 5, "boardYSize": 5, "initialStones": [*walls, ("B", "B2"), ("W", "A1")], "komi": 0.5}
    moves = [["B", "pass"]]
    for rules, is_considered in (("japanese", False), ("chinese", True)):
        ask(go, PLAIN, **query, initialPlayer="B", rules=rules, moves=moves)
        only = go.mind.requests[-1].limits.only
        assert (not only or 25 in only) is is_considered
