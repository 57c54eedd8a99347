"""Replays recorded conversations of the original dummy engine: answers agree except moves and evaluations.

The original accepts illegal moves and moves after the end of a game; Ludus refuses them with the reason.
"""

import gzip
import io
import json
from pathlib import Path

import pytest

from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.lines import answer_lines

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = (
    "wallgame:standard:3x3", "wallgame:standard:5x5", "wallgame:standard:8x8", "wallgame:standard:12x10",
    "wallgame:classic:8x8", "wallgame:freestyle:12x10", "wallgame:survival:6x6",
)  # fmt: skip


def recorded(name, link=None):
    """Return the recorded requests to the engine, each with the original's answers."""
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    exchanges = []
    for record in records:
        if record.get("link") == link and record["dir"] == "client->engine":
            exchanges.append((json.dumps(record["msg"]) if "msg" in record else record["raw"], []))
        elif record.get("link") == link and record["dir"] == "engine->client":
            exchanges[-1][1].append(record["msg"])
    return exchanges


class Talk:
    """Ludus' dummy engine, called with one line at a time."""

    def __init__(self):
        self.engine = Engine([DummyMind(GAMES)], edition="2026-01")

    def __call__(self, line):
        out = io.BytesIO()
        answer_lines(lambda _post: self.engine, io.BytesIO(line.encode() + b"\n"), out)
        return [json.loads(answer) for answer in out.getvalue().splitlines()]


def essence(answer):
    """Return the fields that must agree: all except moves, evaluations and error texts."""
    kept = {key: value for key, value in answer.items() if key not in ("bestMove", "evaluation", "error")}
    return kept | {"keys": sorted(answer), "silent": answer["error"] == ""}


def replayed(exchanges):
    """Replay requests; return the moves that only Ludus refuses, and skip their sessions until the next start."""
    talk, refused, astray = Talk(), [], set()
    for line, theirs in exchanges:
        ours = talk(line)
        session = theirs[0]["bgsId"] if theirs else None
        question = json.loads(line) if theirs else {}
        if session in astray and question["type"] != "start_game_session":
            continue
        astray.discard(session)
        if question.get("type") == "apply_move" and theirs[0]["success"] and not ours[0]["success"]:
            astray.add(session)
            refused.append((session, question["move"], ours[0]["error"]))
            assert ours[0]["ply"] == question["expectedPly"]
            continue
        assert [essence(each) for each in ours] == [essence(each) for each in theirs], line
        assert all(-1 <= each.get("evaluation", 0) <= 1 for each in ours)
    return refused


def test_the_recorded_conversation_with_the_dummy_is_reproduced():
    refused = replayed(recorded("bgs-dummy"))
    assert [(session, move) for session, move, _ in refused] == [
        ("g-std-5x5", "Ca1"), ("g-cls-8x8", "Ca1"), ("g-std-3x3", "Ca1"), ("g-sur-6x6", "Cf4"), ("A", "Ca1"),
    ]  # fmt: skip
    reasons = ["the game is over"] * 3 + ["player 2 has no cat in survival", "it is 14 steps away"]
    assert all(reason in error for reason, (_, _, error) in zip(reasons, refused, strict=True))


def test_the_recorded_games_of_the_original_stack_are_reproduced():
    exchanges = recorded("bgs-stack", "client-engine")
    assert len(exchanges) > 50
    assert replayed(exchanges) == []


def test_known_errors_have_the_texts_of_the_original():
    talk = Talk()
    talk(recorded("bgs-dummy")[0][0])
    assert talk('{"type":"evaluate_position","bgsId":"g-std-5x5","expectedPly":3}')[0]["error"] == (
        "Ply mismatch: expected 3, got 0"
    )
    assert talk('{"type":"end_game_session","bgsId":"nope"}')[0]["error"] == "Session nope not found"


@pytest.mark.parametrize("spec", GAMES)
def test_every_best_move_of_the_dummy_can_be_played_in_notation(spec):
    talk = Talk()
    _, variant, size = spec.split(":")
    width, height = map(int, size.split("x"))
    config = {"variant": variant, "boardWidth": width, "boardHeight": height}
    start = {"type": "start_game_session", "bgsId": "A", "botId": "b", "config": config}
    assert talk(json.dumps(start))[0]["success"]
    for ply in range(30):
        (answer,) = talk(json.dumps({"type": "evaluate_position", "bgsId": "A", "expectedPly": ply}))
        if not answer["bestMove"]:
            assert answer["success"]
            break
        move = {"type": "apply_move", "bgsId": "A", "expectedPly": ply, "move": answer["bestMove"]}
        assert talk(json.dumps(move))[0]["ply"] == ply + 1


def test_both_spellings_of_a_double_step_and_any_order_of_terms_are_read():
    config = {"variant": "standard", "boardWidth": 5, "boardHeight": 5}
    for moves in (["Cb5.Cc5", "Ce4.Ce3"], ["Cc5", "Ce3"], [">b2.Cb5", "^c3.>a1"], ["Cb5.>b2", ">a1.^c3"]):
        talk = Talk()
        talk(json.dumps({"type": "start_game_session", "bgsId": "A", "botId": "b", "config": config}))
        for ply, move in enumerate(moves):
            (answer,) = talk(json.dumps({"type": "apply_move", "bgsId": "A", "expectedPly": ply, "move": move}))
            assert answer["success"], answer
