"""The state machine of a session accepts only the requests and responses of its table."""

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
)
from ludus.protocol.session import ANSWERS, QUESTIONS, Conversation, Phase, check_answer

START = StartGameSession("g", "b", SessionConfig("classic", 5, 5))
KINDS = {
    Phase.STARTING: lambda _ply, success: GameSessionStarted("g", success),
    Phase.EVALUATING: lambda ply, success: EvaluateResponse("g", ply, "m", 0.0, success),
    Phase.APPLYING: lambda ply, success: MoveApplied("g", ply + 1, success),
    Phase.ENDING: lambda _ply, success: GameSessionEnded("g", success),
}


def begun():
    conversation = Conversation()
    conversation.ask(START)
    conversation.answer(GameSessionStarted("g", success=True))
    return conversation


def test_every_request_leads_to_a_phase_with_a_response():
    assert set(QUESTIONS.values()) == set(ANSWERS) == set(KINDS)


def test_a_game_is_started_evaluated_moved_and_ended():
    conversation = begun()
    conversation.ask(EvaluatePosition("g", 0))
    assert conversation.answer(EvaluateResponse("g", 0, "Cb5", 0.1, success=True))
    conversation.ask(ApplyMove("g", 0, "Cb5"))
    assert conversation.answer(MoveApplied("g", 1, success=True))
    assert conversation.ply == 1
    conversation.ask(EndGameSession("g"))
    assert conversation.answer(GameSessionEnded("g", success=True))
    assert conversation.phase is Phase.ABSENT


def test_a_second_request_before_the_response_is_a_programming_error():
    conversation = begun()
    conversation.ask(EvaluatePosition("g", 0))
    with pytest.raises(AssertionError, match="while a session is evaluating"):
        conversation.ask(ApplyMove("g", 0, "Cb5"))


@pytest.mark.parametrize(
    "answer",
    [
        EvaluateResponse("g", 3, "m", 0.0, success=True),
        MoveApplied("g", 1, success=True),
        GameSessionStarted("g", success=True),
        GameSessionEnded("g", success=True),
    ],
    ids=["wrong ply", "another question's", "a start's", "an end's"],
)
def test_a_wrong_response_leaves_the_request_open(answer):
    conversation = begun()
    conversation.ask(EvaluatePosition("g", 0))
    with pytest.raises(BadMessage):
        conversation.answer(answer)
    assert conversation.answer(EvaluateResponse("g", 0, "m", 0.0, success=True))


def test_a_response_without_a_request_is_refused():
    with pytest.raises(BadMessage, match="has no open request"):
        begun().answer(EvaluateResponse("g", 0, "m", 0.0, success=True))


def test_a_failure_leaves_the_ply_unchanged():
    conversation = begun()
    conversation.ask(ApplyMove("g", 0, "Zz9"))
    assert not conversation.answer(MoveApplied("g", 7, success=False, error="Ply mismatch"))
    assert (conversation.phase, conversation.ply) == (Phase.IDLE, 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=40))
def test_the_ply_always_equals_the_number_of_applied_moves(steps):
    conversation, applied = Conversation(), 0
    for choice, success in steps:
        possible = [kind for (phase, kind) in QUESTIONS if phase is conversation.phase]
        kind = possible[choice % len(possible)]
        request = {
            StartGameSession: START,
            EvaluatePosition: EvaluatePosition("g", applied),
            ApplyMove: ApplyMove("g", applied, "m"),
            EndGameSession: EndGameSession("g"),
        }[kind]
        conversation.ask(request)
        assert conversation.answer(KINDS[conversation.phase](applied, success)) is success
        if kind is StartGameSession:
            applied = 0
        elif kind is ApplyMove and success:
            applied += 1
        assert conversation.phase in (Phase.IDLE, Phase.ABSENT)
        if conversation.phase is Phase.IDLE:
            assert conversation.ply == applied


ANSWERED = [
    (START, GameSessionStarted("g", success=True), True),
    (START, MoveApplied("g", 1, success=True), False),
    (EvaluatePosition("g", 3), EvaluateResponse("g", 3, "m", 0.0, success=True), True),
    (EvaluatePosition("g", 3), EvaluateResponse("g", 4, "m", 0.0, success=True), False),
    (EvaluatePosition("g", 3), EvaluateResponse("g", 7, "", 0.0, success=False), True),
    (ApplyMove("g", 3, "m"), MoveApplied("g", 4, success=True), True),
    (ApplyMove("g", 3, "m"), MoveApplied("g", 3, success=True), False),
    (EndGameSession("g"), GameSessionEnded("g", success=False), True),
]


@pytest.mark.parametrize(("request_", "response", "fits"), ANSWERED)
def test_a_response_must_have_the_type_and_ply_of_its_request(request_, response, fits):
    if fits:
        check_answer(request_, response)
    else:
        with pytest.raises(BadMessage, match="Session g"):
            check_answer(request_, response)
