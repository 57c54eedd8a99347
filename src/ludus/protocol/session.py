"""The state machine of a bot game session, on the side that sends requests.

    phase       allowed request          next phase
    absent      start_game_session       starting
    idle        evaluate_position        evaluating
    idle        apply_move               applying
    idle        end_game_session         ending
    idle        start_game_session       starting      (the session is replaced)

In the other phases no request is allowed until the engine has sent the response to the last one (`ANSWERS`).
"""

from enum import StrEnum

from ludus.errors import BadMessage
from ludus.protocol.bgs import (
    ApplyMove,
    EndGameSession,
    EvaluatePosition,
    EvaluateResponse,
    GameSessionEnded,
    GameSessionStarted,
    MoveApplied,
    Request,
    Response,
    StartGameSession,
)


class Phase(StrEnum):
    """The phase of a session, by its open request."""

    ABSENT = "absent"
    STARTING = "starting"
    IDLE = "idle"
    EVALUATING = "evaluating"
    APPLYING = "applying"
    ENDING = "ending"


QUESTIONS: dict[tuple[Phase, type[Request]], Phase] = {
    (Phase.ABSENT, StartGameSession): Phase.STARTING,
    (Phase.IDLE, StartGameSession): Phase.STARTING,
    (Phase.IDLE, EvaluatePosition): Phase.EVALUATING,
    (Phase.IDLE, ApplyMove): Phase.APPLYING,
    (Phase.IDLE, EndGameSession): Phase.ENDING,
}
"""The allowed requests in each phase, and the next phase."""

ANSWER_TO: dict[type[Request], type[Response]] = {
    StartGameSession: GameSessionStarted,
    EvaluatePosition: EvaluateResponse,
    ApplyMove: MoveApplied,
    EndGameSession: GameSessionEnded,
}
"""The type of the response to each type of request."""

ANSWERS: dict[Phase, tuple[type[Response], Phase, Phase]] = {
    Phase.STARTING: (GameSessionStarted, Phase.IDLE, Phase.ABSENT),
    Phase.EVALUATING: (EvaluateResponse, Phase.IDLE, Phase.IDLE),
    Phase.APPLYING: (MoveApplied, Phase.IDLE, Phase.IDLE),
    Phase.ENDING: (GameSessionEnded, Phase.ABSENT, Phase.ABSENT),
}
"""The response that the engine must send in each phase, and the next phase after success and after failure."""


def check_answer(request: Request, response: Response) -> None:
    """Raise BadMessage if a response has the wrong type or ply for a request."""
    kind = ANSWER_TO[type(request)]
    if not isinstance(response, kind):
        raise BadMessage(
            f"Session {request.bgs_id}: {type(response).__name__} does not answer {type(request).__name__}."
        )
    if not response.success or not isinstance(request, EvaluatePosition | ApplyMove):
        return
    ply = request.expected_ply + isinstance(request, ApplyMove)
    if isinstance(response, EvaluateResponse | MoveApplied) and response.ply != ply:
        raise BadMessage(f"Session {request.bgs_id} expects ply {ply}; the answer says {response.ply}.")


class Conversation:
    """The state of one session on the requesting side: its phase, its ply and the open request."""

    def __init__(self) -> None:
        self.phase = Phase.ABSENT
        self.ply = 0
        self.question: Request | None = None

    def ask(self, request: Request) -> None:
        """Record that a request is sent; asserts that it is allowed in this phase."""
        following = QUESTIONS.get((self.phase, type(request)))
        assert following is not None, f"{type(request).__name__} is not allowed while a session is {self.phase}"
        if isinstance(request, EvaluatePosition | ApplyMove):
            assert request.expected_ply == self.ply, f"the session is at ply {self.ply}, not {request.expected_ply}"
        self.phase, self.question = following, request

    def answer(self, response: Response) -> bool:
        """Record the response to the open request, and return whether the request succeeded.

        Raises:
            BadMessage: there is no open request, or the response has the wrong type or ply; the request stays open.
        """
        if self.question is None:
            raise BadMessage(f"Session {response.bgs_id} has no open request; the response is ignored.")
        kind, after_success, after_failure = ANSWERS[self.phase]
        if not isinstance(response, kind):
            raise BadMessage(
                f"Session {response.bgs_id} is {self.phase}; {type(response).__name__} is the wrong response."
            )
        ply = self.ply + 1 if isinstance(response, MoveApplied) else self.ply
        if response.success and isinstance(response, EvaluateResponse | MoveApplied) and response.ply != ply:
            raise BadMessage(f"Session {response.bgs_id} expects ply {ply}; the answer says {response.ply}.")
        self.phase, self.question = after_success if response.success else after_failure, None
        if isinstance(response, MoveApplied) and response.success:
            self.ply += 1
        if isinstance(response, GameSessionStarted):
            self.ply = 0
        return response.success
