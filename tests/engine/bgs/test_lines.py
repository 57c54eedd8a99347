"""`answer_lines` writes only answers, and no input line ends the process."""

import io
import json

import pytest

from ludus.engine.bgs.dummy import DummyMind
from ludus.engine.bgs.engine import Engine
from ludus.engine.bgs.lines import answer_lines
from ludus.protocol.registration import MAX_MESSAGE_BYTES

START = {
    "type": "start_game_session",
    "bgsId": "A",
    "botId": "dummy",
    "config": {"variant": "standard", "boardWidth": 7, "boardHeight": 6, "initialState": None, "game": "connect4"},
}


def talk(*lines):
    out = io.BytesIO()
    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    answer_lines(lambda post: Engine([DummyMind(("connect4",))], post=post), io.BytesIO(text), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_recorded_faults_are_handled_as_by_the_original_dummy(caplog):
    answers = talk(
        START,
        b"this is not json\n",
        {"type": "bogus", "bgsId": "A"},
        {"type": "start_game_session", "bgsId": "C", "botId": "dummy"},
        b"\n",
        b"\xff\xfe\n",
        {"type": "evaluate_position", "bgsId": "nope", "expectedPly": 0},
        {"type": "end_game_session", "bgsId": "A"},
        {"type": "end_game_session", "bgsId": "A"},
    )
    assert [(a["type"], a["bgsId"], a["success"]) for a in answers] == [
        ("game_session_started", "A", True),
        ("game_session_started", "C", False),
        ("evaluate_response", "nope", False),
        ("game_session_ended", "A", True),
        ("game_session_ended", "A", False),
    ]
    assert "config" in answers[1]["error"]
    assert answers[2]["error"] == "Session nope not found"
    assert answers[4]["error"] == "Session A not found"
    assert len(caplog.records) == 3


def test_a_line_that_is_too_long_is_dropped_whole(caplog):
    answers = talk(b'{"type":"x' + b"x" * 3 * MAX_MESSAGE_BYTES + b'"}\n', START)
    assert [answer["bgsId"] for answer in answers] == ["A"]
    assert "was dropped" in caplog.text


def test_a_last_line_without_its_end_is_answered():
    assert talk(json.dumps(START).encode())[0]["success"]


def test_a_whole_game_of_the_dummy_against_itself_is_played():
    engine, ply = Engine([DummyMind(("connect4",))]), 0

    def ask(**message):
        out = io.BytesIO()
        answer_lines(lambda _post: engine, io.BytesIO(json.dumps({"bgsId": "A"} | message).encode()), out)
        return json.loads(out.getvalue())

    assert ask(**START)["success"]
    while best := ask(type="evaluate_position", expectedPly=ply)["bestMove"]:
        assert ask(type="apply_move", expectedPly=ply, move=best)["ply"] == ply + 1
        ply += 1
    assert 7 <= ply <= 42


def test_an_error_of_the_engine_itself_is_raised():
    class Broken:
        def __init__(self, post):
            pass

        def ask(self, question, answer):
            raise ZeroDivisionError("a programming error")

    with pytest.raises(ZeroDivisionError, match="a programming error"):
        answer_lines(Broken, io.BytesIO(json.dumps(START).encode() * 3), io.BytesIO())


@pytest.mark.parametrize("name", ["\\ud800", "\\u0000", "\\u2028", "\\\\", "\\u00e9" * 99])
def test_unusual_session_ids_are_returned_unchanged_or_refused(name):
    text = json.dumps(START).replace('"A"', f'"{name}"').encode() + b"\n"
    for answer in talk(text):
        assert answer["bgsId"] == json.loads(f'"{name}"')
    assert talk(text, START)[-1]["success"]
