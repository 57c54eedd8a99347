"""A recorded conversation with the original dummy engine, as ours answers it: it differs in judging moves."""

import json

from ludus.engine.bgs import Engine
from ludus.engine.dummy import DummyMind
from ludus.engine.lines import answer_line
from ludus.protocol.bgs import encode

WALLS = [{"cell": [3, 3], "orientation": "vertical"}, {"cell": [4, 3], "orientation": "horizontal", "playerId": 1}]
PAWNS = {"p1": {"cat": [0, 0], "mouse": [7, 0]}, "p2": {"cat": [0, 7], "mouse": [7, 7]}}
CONFIG = {"variant": "standard", "boardWidth": 8, "boardHeight": 8, "initialState": {"pawns": PAWNS, "walls": WALLS}}
SMALL = {"pawns": {"p1": {"cat": [0, 0], "home": [4, 4]}, "p2": {"cat": [0, 4], "home": [4, 0]}}, "walls": []}

# question -> what is expected of the answer; an empty answer is silence
CONVERSATION = [
    ({"type": "start_game_session", "botId": "dummy", "config": CONFIG}, {"success": True}),
    ({"type": "evaluate_position", "expectedPly": 0}, {"success": True, "ply": 0}),
    ({"type": "apply_move", "expectedPly": 0, "move": "Cb8.Cc8"}, {"success": True, "ply": 1}),
    ({"type": "apply_move", "expectedPly": 1, "move": ">d5.^e5"}, {"success": False, "ply": 1}),  # a wall stands there
    ({"type": "apply_move", "expectedPly": 1, "move": ">d4.^d4"}, {"success": False, "ply": 1}),  # and there
    ({"type": "apply_move", "expectedPly": 1, "move": ">d4.^e5"}, {"success": True, "ply": 2}),
    ({"type": "apply_move", "expectedPly": 2, "move": "Mb1.>a2"}, {"success": True, "ply": 3}),
    ({"type": "apply_move", "expectedPly": 3, "move": "---"}, {"success": True, "ply": 4}),
    ({"type": "apply_move", "expectedPly": 4, "move": "Cd7"}, {"success": True, "ply": 5}),
    ({"type": "apply_move", "expectedPly": 5, "move": "Ch7"}, {"success": True, "ply": 6}),
    ({"type": "evaluate_position", "expectedPly": 6}, {"success": True, "ply": 6}),
    ({"type": "evaluate_position", "expectedPly": 0}, {"success": False, "ply": 6}),
    ({"type": "apply_move", "expectedPly": 0, "move": "Cb7"}, {"success": False, "ply": 6}),
    ({"type": "evaluate_position", "bgsId": "nope", "expectedPly": 0}, {"success": False, "ply": 0}),
    ({"type": "apply_move", "bgsId": "nope", "expectedPly": 0, "move": "Cb7"}, {"success": False, "ply": 0}),
    ({"type": "end_game_session", "bgsId": "nope"}, {"success": False}),
    ({"type": "apply_move", "expectedPly": 6, "move": "Zz9"}, {"success": False, "ply": 6}),
    ({"type": "apply_move", "expectedPly": 6, "move": "Ca1"}, {"success": False, "ply": 6}),  # far away
    ({"type": "apply_move", "expectedPly": 6, "move": ""}, {"success": False, "ply": 6}),
    ({"type": "start_game_session", "botId": "dummy", "config": CONFIG}, {"success": True}),  # replaces the session
    ({"type": "evaluate_position", "expectedPly": 0}, {"success": True, "ply": 0}),
    ({"type": "bogus"}, {}),
    ({"type": "start_game_session", "bgsId": "C", "botId": "dummy"}, {"success": False}),
    ({"type": "start_game_session", "bgsId": "D", "botId": "d", "config": CONFIG | {"initialState": SMALL}},
     {"success": False}),
    ({"type": "start_game_session", "bgsId": "D", "botId": "d", "config": CONFIG | {"variant": "classic"}},
     {"success": False}),
    ({"type": "end_game_session"}, {"success": True}),
    ({"type": "end_game_session"}, {"success": False}),
]  # fmt: skip


def test_the_recorded_conversation_is_held_and_only_illegal_moves_are_judged_otherwise():
    engine = Engine([DummyMind(("wallgame:standard:8x8",))])
    for question, expected in CONVERSATION:
        answer = answer_line(engine, json.dumps({"bgsId": "A"} | question).encode())
        found = json.loads(encode(answer)) if answer else {}
        assert {key: found.get(key) for key in expected} == expected, (question, found)
        assert bool(found.get("error")) == (found.get("success") is False), found
    assert engine.num_sessions == 0


def test_every_best_move_of_the_dummy_can_be_played_in_notation():
    engine = Engine([DummyMind(("wallgame:standard:8x8",))])

    def ask(**message):
        return json.loads(encode(answer_line(engine, json.dumps({"bgsId": "A"} | message).encode())))

    assert ask(**CONVERSATION[0][0])["success"]
    for ply in range(60):
        best = ask(type="evaluate_position", expectedPly=ply)["bestMove"]
        if not best:
            break
        assert ask(type="apply_move", expectedPly=ply, move=best)["ply"] == ply + 1
