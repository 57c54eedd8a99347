"""Answers the questions of the V3 protocol: many game sessions, each with a seat of its own; no input or output."""

import logging
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ludus.engine.level import Level
from ludus.errors import BadInput, IllegalMove
from ludus.games.position import Position
from ludus.games.registry import game as game_named
from ludus.protocol.bgs import (
    MAX_SESSIONS,
    ApplyMove,
    EndGameSession,
    EvaluatePosition,
    EvaluateResponse,
    GameSessionEnded,
    GameSessionStarted,
    MoveApplied,
    Request,
    Response,
    SessionConfig,
    StartGameSession,
    failure,
)
from ludus.protocol.spec import setting_of, spec_in_play

_log = logging.getLogger(__name__)


class Thought(Protocol):
    """What a seat found."""

    @property
    def best(self) -> list[int]:
        """The actions of the best move, of the whole move."""
        ...

    @property
    def value(self) -> float:
        """Seen by player 0, from -1 to 1."""
        ...


class Seat(Protocol):
    """A mind at one board, with its own tree."""

    @property
    def position(self) -> Position:
        """The position on the board."""
        ...

    def think(self, visits: int, temperature: float = 0.0) -> Thought:
        """Search."""
        ...

    def play(self, action: int) -> None:
        """Make an action of either side and keep what was thought about it."""
        ...


class Mind(Protocol):
    """Something that plays games: a network with a search, or less."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def games(self) -> tuple[str, ...]:
        """Names of the games that it plays."""
        ...

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Sit down at a position of one of its games; the seed is for choices by chance."""
        ...


class _Session:
    """One game that somebody else plays: a seat, and how many moves were made at it."""

    def __init__(self, seat: Seat, level: Level) -> None:
        self.seat = seat
        self.level = level
        self.ply = 0


class Engine:
    """Minds behind the protocol: `handle` takes a request and returns its answer, and never fails."""

    def __init__(
        self,
        minds: Sequence[Mind],
        *,
        level: Level | None = None,
        levels: Mapping[str, Level] | None = None,
        max_sessions: int = MAX_SESSIONS,
    ) -> None:
        """Seat `minds`.

        Args:
            minds: the first that plays a session's game serves it.
            level: how hard the engine tries.
            levels: how hard it tries as the bot of this id, where that differs.
            max_sessions: sessions open at a time.
        """
        self._minds = tuple(minds)
        self._level = level or Level()
        self._levels = dict(levels or {})
        self._max_sessions = max_sessions
        self._sessions: dict[str, _Session] = {}

    @property
    def num_sessions(self) -> int:
        """Return how many sessions are open."""
        return len(self._sessions)

    def handle(self, request: Request) -> Response:
        """Return the answer to `request`; after an answer without success the session is as it was before."""
        session = self._sessions.get(request.bgs_id)
        ply = session.ply if session else 0
        try:
            if isinstance(request, StartGameSession):
                return self._start(request)
            if session is None:
                return failure(request, f"Session {request.bgs_id} not found")
            return self._continue(request, session)
        except BadInput as error:
            return failure(request, str(error), ply)
        except Exception as error:  # noqa: BLE001 - one session's accident must not end the others
            _log.exception("Session %s: %s failed.", request.bgs_id, type(request).__name__)
            return failure(request, f"Internal error: {type(error).__name__}: {error}", ply)

    def _start(self, request: StartGameSession) -> Response:
        if request.bgs_id not in self._sessions and len(self._sessions) >= self._max_sessions:
            return failure(request, f"Too many sessions: {self._max_sessions} are open")
        mind, spec = self._mind_for(request.config)
        position = game_named(spec_in_play(spec)).start(request.config.initial_state)
        seat = mind.seat(position, seed=zlib.crc32(request.bgs_id.encode()))  # each game its own luck
        self._sessions[request.bgs_id] = _Session(seat, self._levels.get(request.bot_id, self._level))
        return GameSessionStarted(request.bgs_id, success=True)

    def _mind_for(self, config: SessionConfig) -> tuple[Mind, str]:
        for mind in self._minds:
            for spec in mind.games:
                if _fits(spec, config):
                    return mind, spec
        known = ", ".join(spec for mind in self._minds for spec in mind.games)
        raise BadInput(
            f"No model here plays {config.game}, variant {config.variant}, on {config.board_width}x"
            f"{config.board_height}; they play: {known}"
        )

    def _continue(self, request: EvaluatePosition | ApplyMove | EndGameSession, session: _Session) -> Response:
        if isinstance(request, EndGameSession):
            del self._sessions[request.bgs_id]
            return GameSessionEnded(request.bgs_id, success=True)
        if request.expected_ply != session.ply:
            error = f"Ply mismatch: expected {request.expected_ply}, got {session.ply}"
            return failure(request, error, session.ply)
        if isinstance(request, ApplyMove):
            for action in _actions_of(session.seat.position, request.move):
                session.seat.play(action)
            session.ply += 1
            return MoveApplied(request.bgs_id, session.ply, success=True)
        best_move, value = _evaluate(session)
        return EvaluateResponse(request.bgs_id, session.ply, best_move, value, success=True)


def _fits(spec: str, config: SessionConfig) -> bool:
    """Return whether a game's name means the game of a session; a name without a size has one board, whatever it is."""
    setting = setting_of(spec)
    if (setting.game, setting.variant) != (config.game, config.variant):
        return False
    return setting.width is None or (setting.width, setting.height) == (config.board_width, config.board_height)


def _actions_of(position: Position, move: str) -> list[int]:
    """Return the actions of a whole legal move, or raise BadNotation or IllegalMove with nothing changed."""
    actions = position.parse(move)
    after = position
    for action in actions:
        after = after.play(action)
    if after is position or (after.outcome is None and after.to_play == position.to_play):
        raise IllegalMove(f"{move!r} is not a whole move: player {position.to_play + 1} would still be to play.")
    return actions


def _evaluate(session: _Session) -> tuple[str, float]:
    """Return the best move and the value seen by player 0; a finished game has no move, and its result for a value."""
    position = session.seat.position
    if position.outcome:
        return "", position.outcome.value
    thought = session.seat.think(session.level.visits, session.level.temperature)
    value: Any = min(1.0, max(-1.0, float(thought.value)))
    return position.game.move_text(position.state, thought.best), round(value, 4)
