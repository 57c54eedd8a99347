"""Requests and responses of the protocol V3 for bot game sessions (BGS), as frozen structs.

The protocol has three parties.  A *server* owns games and sends requests; a *bot client* connects to the server and
forwards the requests; an *engine* responds.  Other messages between clients and servers are in `registration.py`;
`wire.py` encodes and decodes all messages.  Evaluations are from player 0's view (the protocol's "P1").

Ludus adds optional fields, which the original programs can ignore: `game` in a session's config; `lines`, `visits`,
`seconds` and `clock` in an evaluation request.  Only with `lines` does the response have `lines`, `visits`, `proved`
and, in some games, `ownership` and `lead`.
"""

from typing import Annotated, Any, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from ludus.games import MAIN_GAME

MAX_SESSIONS = 256
MAX_ERROR = 500
"""Most characters of an `error`."""
MAX_LINES = 5
"""Most candidate lines in a response."""

SessionId = Annotated[str, Meta(min_length=1, max_length=200)]
Ply = Annotated[int, Meta(ge=0)]
"""Number of moves (not actions) before a position."""
MoveText = Annotated[str, Meta(max_length=400, pattern=r"^[^\x00]*$")]
"""A move in the game's notation."""
Evaluation = Annotated[float, Meta(ge=-1, le=1)]
"""A value from player 0's view."""
Milliseconds = Annotated[int, Meta(ge=0)]
Side = Annotated[int, Meta(ge=3, le=20)]
"""Width or height of a board in cells."""


class SessionConfig(Struct, frozen=True, rename="camel"):
    """The game, variant, board and start position of a session."""

    variant: str
    board_width: Side
    board_height: Side
    initial_state: Any = None
    """The argument of `Game.start`; None: the default start position."""
    game: str = MAIN_GAME
    """Name of the game; an extension of Ludus."""


class StartGameSession(Struct, frozen=True, rename="camel", tag_field="type", tag="start_game_session"):
    """Server: open a session at a start position, replacing any session with the same id."""

    bgs_id: SessionId
    bot_id: str
    config: SessionConfig


class MoverClock(Struct, frozen=True, rename="camel"):
    """The clock of the side to move, in milliseconds; an extension of Ludus."""

    left_ms: Milliseconds
    """Main time; in overtime, the rest of the present period."""
    increment_ms: Milliseconds = 0
    """Added after each move."""
    period_ms: Milliseconds = 0
    """The length of a period of overtime; 0: no overtime."""
    periods: Annotated[int, Meta(ge=0)] = 0
    """Periods that are left, with the present one."""
    moves: Annotated[int, Meta(ge=0)] = 0
    """Moves to play in the present period; 0: the main time runs."""
    period_moves: Annotated[int, Meta(ge=1)] = 1
    """Moves to play in each period."""


class EvaluatePosition(Struct, frozen=True, rename="camel", tag_field="type", tag="evaluate_position"):
    """Server: request an evaluation and the best move for the session's current position."""

    bgs_id: SessionId
    expected_ply: Ply
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)] | UnsetType = UNSET
    """Number of candidate lines to return; the bot should search at full strength.  An extension of Ludus."""
    visits: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    """Visits of the search, in place of the bot's own number.  Asking again with more visits goes on with the search of
    this position.  An extension of Ludus."""
    seconds: Annotated[float, Meta(gt=0, le=600)] | UnsetType = UNSET
    """Time limit of the search, in place of the bot's own; the server waits as much longer.  An extension of Ludus."""
    clock: MoverClock | UnsetType = UNSET
    """The clock that runs while the bot thinks; the bot loses when it has run down.  An extension of Ludus."""


class ApplyMove(Struct, frozen=True, rename="camel", tag_field="type", tag="apply_move"):
    """Server: play a move of either side in the session."""

    bgs_id: SessionId
    expected_ply: Ply
    move: str


class EndGameSession(Struct, frozen=True, rename="camel", tag_field="type", tag="end_game_session"):
    """Server: close the session."""

    bgs_id: SessionId


class GameSessionStarted(Struct, frozen=True, rename="camel", tag_field="type", tag="game_session_started"):
    """Engine: the response to `start_game_session`."""

    bgs_id: SessionId
    success: bool
    error: str = ""


class CandidateLine(Struct, frozen=True, rename="camel"):
    """A candidate line of play with its evaluation."""

    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=200)]
    """Moves from the evaluated position on, in the game's notation; the last one may be incomplete."""
    evaluation: Evaluation
    visits: Annotated[int, Meta(ge=0)]
    proved: bool = False
    """Whether the evaluation is the proved outcome."""
    wins_in: Annotated[int, Meta(ge=0)] = 0
    """Within how many of its own moves the side with a proved win wins, whatever the other side plays; 0: unknown."""


class EvaluateResponse(Struct, frozen=True, rename="camel", tag_field="type", tag="evaluate_response"):
    """Engine: the response to `evaluate_position`."""

    bgs_id: SessionId
    ply: Ply
    best_move: MoveText
    """The best move of the side to move, in the game's notation; empty if the game is over."""
    evaluation: Evaluation
    success: bool
    error: str = ""
    lines: list[CandidateLine] | UnsetType = UNSET
    """Candidate lines, best first; only if the request had `lines`."""
    ownership: list[list[Evaluation]] | UnsetType = UNSET
    """Expected final owner of each cell from player 0's view, by rows [H, W]; only in games with ownership, and only if
    the request had `lines`."""
    lead: float | UnsetType = UNSET
    """Expected lead of player 0 in points; only in games with points, and only if the request had `lines`."""
    visits: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    """Visits of the search so far; only if the request had `lines`."""
    proved: bool | UnsetType = UNSET
    """Whether the evaluation is the proved outcome; only if the request had `lines`."""


class MoveApplied(Struct, frozen=True, rename="camel", tag_field="type", tag="move_applied"):
    """Engine: the response to `apply_move`."""

    bgs_id: SessionId
    ply: Ply
    """The ply after the move; without success, the unchanged ply of the session."""
    success: bool
    error: str = ""


class GameSessionEnded(Struct, frozen=True, rename="camel", tag_field="type", tag="game_session_ended"):
    """Engine: the response to `end_game_session`."""

    bgs_id: SessionId
    success: bool
    error: str = ""


Request = StartGameSession | EvaluatePosition | ApplyMove | EndGameSession
Response = GameSessionStarted | EvaluateResponse | MoveApplied | GameSessionEnded


class Unreadable(NamedTuple):
    """Type and session of a request that cannot be parsed, so that it can be answered with an error."""

    kind: str
    """The request's `type`."""
    bgs_id: str
    error: str


def failure(request: Request | Unreadable, error: str, ply: int = 0) -> Response:
    """Return the response that reports why a request failed.

    Args:
        request: the request.
        error: the reason; cut after MAX_ERROR characters.
        ply: the session's ply.
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
