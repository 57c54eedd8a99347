"""The V3 protocol of bot game sessions (BGS) as data: questions and answers, every message a frozen struct.

Three parties speak it.  A *server* owns games and asks; a *bot client* connects to the server and passes on the
questions; an *engine* answers.  What clients and servers say to one another besides is in `registration.py`; `wire.py`
is the text in which all of it travels.  Evaluations are seen by player 0 (the protocol's "P1").

Ludus adds fields with defaults, so that every game can be played and the original programs need not know them:
`game` in a session's config; `lines` in a question about a position, whose answer has `lines` and perhaps `ownership`
then: without it, neither is written.
"""

from typing import Annotated, Any, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

MAX_SESSIONS = 256
MAX_ERROR = 500
"""Characters of an `error`."""
MAX_LINES = 5
"""Candidates that are told with their lines."""

SessionId = Annotated[str, Meta(min_length=1, max_length=200)]
Ply = Annotated[int, Meta(ge=0)]
"""How many moves (not actions) were made before."""
MoveText = Annotated[str, Meta(max_length=400, pattern=r"^[^\x00]*$")]
"""In the game's notation."""
Evaluation = Annotated[float, Meta(ge=-1, le=1)]
"""Seen by player 0."""
Side = Annotated[int, Meta(ge=3, le=20)]
"""Cells along one side of a board."""


class SessionConfig(Struct, frozen=True, rename="camel"):
    """The game that a session is about."""

    variant: str
    board_width: Side
    board_height: Side
    initial_state: Any = None
    """What the game's `start` takes; None for the game's only first position."""
    game: str = "wallgame"
    """An extension of Ludus."""


class StartGameSession(Struct, frozen=True, rename="camel", tag_field="type", tag="start_game_session"):
    """Server: open a session at a first position; a session of the same id is replaced."""

    bgs_id: SessionId
    bot_id: str
    config: SessionConfig


class EvaluatePosition(Struct, frozen=True, rename="camel", tag_field="type", tag="evaluate_position"):
    """Server: what is this position worth, and what is the best move in it?"""

    bgs_id: SessionId
    expected_ply: Ply
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)] | UnsetType = UNSET
    """So many candidates are told with their lines, and the best play is asked for; an extension of Ludus."""


class ApplyMove(Struct, frozen=True, rename="camel", tag_field="type", tag="apply_move"):
    """Server: this move was played, by whichever side."""

    bgs_id: SessionId
    expected_ply: Ply
    move: str


class EndGameSession(Struct, frozen=True, rename="camel", tag_field="type", tag="end_game_session"):
    """Server: forget the session."""

    bgs_id: SessionId


class GameSessionStarted(Struct, frozen=True, rename="camel", tag_field="type", tag="game_session_started"):
    """Engine: the answer to `start_game_session`."""

    bgs_id: SessionId
    success: bool
    error: str = ""


class CandidateLine(Struct, frozen=True, rename="camel"):
    """An action that was considered, and what would follow it."""

    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=200)]
    """In the game's notation, from the position on; the last one may be unfinished."""
    evaluation: Evaluation
    visits: Annotated[int, Meta(ge=0)]


class EvaluateResponse(Struct, frozen=True, rename="camel", tag_field="type", tag="evaluate_response"):
    """Engine: the answer to `evaluate_position`."""

    bgs_id: SessionId
    ply: Ply
    best_move: MoveText
    """The move of the side to move, in the game's notation; empty if the game is over."""
    evaluation: Evaluation
    success: bool
    error: str = ""
    lines: list[CandidateLine] | UnsetType = UNSET
    """The best first; only if they were asked for."""
    ownership: list[list[Evaluation]] | UnsetType = UNSET
    """The final owner of each cell, seen by player 0, row by row [H, W]; for games with owners, and likewise."""


class MoveApplied(Struct, frozen=True, rename="camel", tag_field="type", tag="move_applied"):
    """Engine: the answer to `apply_move`."""

    bgs_id: SessionId
    ply: Ply
    """After the move; without success, the session's ply as it was."""
    success: bool
    error: str = ""


class GameSessionEnded(Struct, frozen=True, rename="camel", tag_field="type", tag="game_session_ended"):
    """Engine: the answer to `end_game_session`."""

    bgs_id: SessionId
    success: bool
    error: str = ""


Request = StartGameSession | EvaluatePosition | ApplyMove | EndGameSession
Response = GameSessionStarted | EvaluateResponse | MoveApplied | GameSessionEnded


class Unreadable(NamedTuple):
    """What can be told of a request that cannot be read: enough to answer it."""

    kind: str
    """Its type."""
    bgs_id: str
    error: str


def failure(request: Request | Unreadable, error: str, ply: int = 0) -> Response:
    """Return the answer to `request` that says why it was not done; `ply` is the session's.

    Long reasons are cut: an answer must fit into a message.
    """
    kind = request.kind if isinstance(request, Unreadable) else request.__struct_config__.tag
    bgs_id, error = request.bgs_id, error[:MAX_ERROR]
    match kind:
        case "start_game_session":
            return GameSessionStarted(bgs_id, success=False, error=error)
        case "evaluate_position":
            return EvaluateResponse(bgs_id, ply, "", 0.0, success=False, error=error)
        case "apply_move":
            return MoveApplied(bgs_id, ply, success=False, error=error)
        case _:
            return GameSessionEnded(bgs_id, success=False, error=error)
