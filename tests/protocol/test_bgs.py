"""Messages of the protocol V3: encoding, decoding, and refusal of other texts."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import BadMessage
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
    failure,
)
from ludus.protocol.registration import MAX_MESSAGE_BYTES, BotConfig
from ludus.protocol.wire import decode_request, decode_response, encode, session_of, unreadable

ids = st.text(min_size=1, max_size=40)
plies = st.integers(0, 5000)
sides = st.integers(3, 20)
states = st.none() | st.dictionaries(st.text(max_size=5), st.lists(st.integers(-9, 9), max_size=3), max_size=3)
configs = st.builds(SessionConfig, st.text(max_size=12), sides, sides, states, st.text(max_size=12))
moves = st.text(st.characters(exclude_characters="\0"), max_size=30)
requests = st.one_of(
    st.builds(StartGameSession, ids, st.text(max_size=20), configs),
    st.builds(EvaluatePosition, ids, plies),
    st.builds(ApplyMove, ids, plies, st.text(max_size=30)),
    st.builds(EndGameSession, ids),
)
responses = st.one_of(
    st.builds(GameSessionStarted, ids, st.booleans(), st.text(max_size=30)),
    st.builds(EvaluateResponse, ids, plies, moves, st.floats(-1, 1), st.booleans(), st.text(max_size=9)),
    st.builds(MoveApplied, ids, plies, st.booleans(), st.text(max_size=30)),
    st.builds(GameSessionEnded, ids, st.booleans(), st.text(max_size=30)),
)


@given(requests)
def test_requests_are_encoded_on_one_line_and_decoded_unchanged(request):
    assert b"\n" not in encode(request)
    assert decode_request(encode(request)) == request


@given(responses)
def test_responses_are_encoded_on_one_line_and_decoded_unchanged(response):
    assert b"\n" not in encode(response)
    assert decode_response(encode(response)) == response


def test_names_on_the_wire_are_those_of_the_original():
    config = SessionConfig("classic", 5, 6, {"walls": []})
    assert msgspec.json.decode(encode(StartGameSession("g1", "wally", config))) == {
        "type": "start_game_session",
        "bgsId": "g1",
        "botId": "wally",
        "config": {
            "variant": "classic",
            "boardWidth": 5,
            "boardHeight": 6,
            "initialState": {"walls": []},
            "game": "wallgame",
        },
    }


def test_an_original_session_config_means_wall_game():
    text = '{"type":"start_game_session","bgsId":"g","botId":"b","config":{"variant":"standard","boardWidth":5,'
    text += '"boardHeight":5,"initialState":{"pawns":{},"walls":[]}},"somethingNew":1}'
    assert decode_request(text).config.game == "wallgame"


@pytest.mark.parametrize(
    "text",
    [
        "this is not json",
        "[]",
        "{}",
        '{"type":"bogus","bgsId":"A"}',
        '{"type":"move_applied","bgsId":"A","ply":1,"success":true,"error":""}',
        '{"type":"evaluate_position","bgsId":"A","expectedPly":-1}',
        '{"type":"evaluate_position","bgsId":"A","expectedPly":1.5}',
        '{"type":"evaluate_position","bgsId":"","expectedPly":0}',
        '{"type":"evaluate_position","bgsId":"A","expectedPly":NaN}',
        '{"type":"end_game_session","bgsId":"A"} trailing',
        b'{"type":"end_game_session","bgsId":"\xff\xfe"}',
        '{"type":"end_game_session","bgsId":"' + "A" * MAX_MESSAGE_BYTES + '"}',
        "[" * 30_000,
    ],
    ids=lambda text: repr(text[:40]),
)
def test_texts_that_are_not_requests_are_refused(text):
    with pytest.raises(BadMessage, match=r"^(Not a message|A message of)"):
        decode_request(text)


@pytest.mark.parametrize("evaluation", ["1.01", "-2", "1e400", "NaN", '"0"', "null"])
def test_an_evaluation_outside_its_range_is_refused(evaluation):
    text = f'{{"type":"evaluate_response","bgsId":"A","ply":0,"bestMove":"","evaluation":{evaluation},"success":true}}'
    with pytest.raises(BadMessage):
        decode_response(text)
    assert session_of(text) == ("A" if evaluation != "NaN" else None)


def test_an_incomplete_request_gets_a_response_of_the_right_type():
    question = unreadable(b'{"type":"start_game_session","bgsId":"C","botId":"dummy"}', "config missing")
    assert failure(question, question.error) == GameSessionStarted("C", success=False, error="config missing")
    question = unreadable(b'{"type":"end_game_session","bgsId":"C"', "cut off")
    assert failure(question, question.error) == GameSessionEnded("C", success=False, error="cut off")


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"bogus","bgsId":"C"}',
        b"not json",
        b'{"type":"apply_move","bgsId":""',
        b'{"type":"apply_move"',
        b'{"bgsId":"C","move":"a',
        b'{"type":"apply_move","bgsId":7}',
        b"\xff\xfe",
    ],
)
def test_a_text_without_type_and_session_gets_no_response(text):
    assert unreadable(text, "x") is None


@given(requests, st.integers(0, 100))
def test_a_truncated_request_gets_a_response_if_its_type_and_session_are_readable(request, kept):
    text = encode(request)
    question = unreadable(text[: len(text) * kept // 100], "cut off")
    if question:
        assert request.bgs_id.startswith(question.bgs_id)
        assert type(failure(question, "x")) is type(failure(request, "x"))


def test_a_long_error_is_truncated():
    assert len(failure(ApplyMove("A", 0, "x"), "y" * 70_000).error) == 500


def test_a_bot_config_keeps_the_extensions_of_ludus():
    text = '{"botId":"b","name":"B","username":null,"variants":{},"level":"Strong","listOrder":3,"bar":2}'
    bot = msgspec.json.decode(text, type=BotConfig)
    assert (bot.level, bot.list_order, bot.game) == ("Strong", 3, "wallgame")


@pytest.mark.parametrize("move", ["a\0", "x" * 401])
def test_a_move_that_a_record_cannot_contain_is_refused(move):
    with pytest.raises(BadMessage, match="bestMove"):
        decode_response(encode(EvaluateResponse("g1", 0, move, 0.0, success=True)))
