"""The states of a bot game session: a table of what may be said when, and the asker's side, which obeys it.

    state       the asker may say        then
    absent      start_game_session       starting
    idle        evaluate_position        evaluating
    idle        apply_move               applying
    idle        end_game_session         ending
    idle        start_game_session       starting      (the session is replaced)

In the other states only the engine may speak, once, with the answer that belongs to the question (`ANSWERS`).
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
    """Where a session stands."""

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
"""What the asker may say in a phase, and the phase that follows."""

ANSWER_TO: dict[type[Request], type[Response]] = {
    StartGameSession: GameSessionStarted,
    EvaluatePosition: EvaluateResponse,
    ApplyMove: MoveApplied,
    EndGameSession: GameSessionEnded,
}
"""The kind of answer to each kind of question."""

ANSWERS: dict[Phase, tuple[type[Response], Phase, Phase]] = {
    Phase.STARTING: (GameSessionStarted, Phase.IDLE, Phase.ABSENT),
    Phase.EVALUATING: (EvaluateResponse, Phase.IDLE, Phase.IDLE),
    Phase.APPLYING: (MoveApplied, Phase.IDLE, Phase.IDLE),
    Phase.ENDING: (GameSessionEnded, Phase.ABSENT, Phase.ABSENT),
}
"""What the engine must answer in a phase, and the phase after success and after failure."""


def check_answer(request: Request, response: Response) -> None:
    """Raise BadMessage if `response` does not answer `request`: it is of another kind, or about another ply."""
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
    """One session as the asker sees it: its phase, its ply, and the question that waits for an answer."""

    def __init__(self) -> None:
        self.phase = Phase.ABSENT
        self.ply = 0
        self.question: Request | None = None

    def ask(self, request: Request) -> None:
        """Note that `request` is sent now; saying what the table forbids is our own mistake."""
        following = QUESTIONS.get((self.phase, type(request)))
        assert following is not None, f"{type(request).__name__} must not be said while a session is {self.phase}"
        if isinstance(request, EvaluatePosition | ApplyMove):
            assert request.expected_ply == self.ply, f"the session is at ply {self.ply}, not {request.expected_ply}"
        self.phase, self.question = following, request

    def answer(self, response: Response) -> bool:
        """Note the answer to the open question and return whether the engine succeeded.

        Raises:
            BadMessage: nothing was asked, something else was asked, or the answer is about another ply; the question
                stays open.
        """
        if self.question is None:
            raise BadMessage(f"Nothing was asked of session {response.bgs_id}; the answer is ignored.")
        kind, after_success, after_failure = ANSWERS[self.phase]
        if not isinstance(response, kind):
            raise BadMessage(
                f"Session {response.bgs_id} is {self.phase}; {type(response).__name__} is not the answer to that."
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
