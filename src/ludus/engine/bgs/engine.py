"""Answers the requests of the V3 bot protocol: manages many game sessions, each with its own search tree."""

import logging
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from ludus.engine.bgs.minds import SessionMind, preferred, sit_down
from ludus.engine.bgs.session import BROKEN_OFF, PendingEvaluation, Session
from ludus.engine.level import Level
from ludus.errors import IllegalMove, LudusError
from ludus.games.game import Position
from ludus.players.thinking.thought import Thought
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
    StartGameSession,
    Unreadable,
    failure,
)

_log = logging.getLogger(__name__)


Question = Request | Unreadable
Post = Callable[[Callable[[], None]], None]
"""Schedules a function in the engine's thread."""


class _Line:
    """The open requests of one session, in order."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Question, Callable[[Response], None]]] = deque()
        self.search: Future[Any] | None = None  # or the wait for a player
        self.breaks = 0  # number of waiting start and end requests; requests before them get no search
        self.moving = False


def _at_once(function: Callable[[], None]) -> None:
    function()


def _is_ready(_mind: SessionMind) -> None:
    """Return None: every player is ready."""


class Engine:
    """Answers each request once, and the requests of one session in order; errors become responses.

    Searches of all sessions run simultaneously in other threads; everything else runs in the caller's thread.
    """

    def __init__(
        self,
        minds: Sequence[SessionMind] | Callable[[StartGameSession], Sequence[SessionMind]],
        *,
        level: Level | None = None,
        levels: Mapping[str, Level] | None = None,
        max_sessions: int = MAX_SESSIONS,
        edition: str = "",
        post: Post = _at_once,
        starting: Callable[[SessionMind], Future[None] | None] = _is_ready,
    ) -> None:
        """Create an engine without sessions.

        Args:
            minds: the players, or a function that returns those of a session; the first that was trained on its game
                plays it.
            level: the default level.
            levels: levels by bot id, where they differ from the default.
            max_sessions: limit of open sessions.
            edition: edition of the rules, for games that have several (empty: the newest).
            post: schedules a function in this thread (default: calls it at once, for searches without threads).
            starting: returns a future that ends when a player is ready; None if it is ready.
        """
        self._minds = minds
        self._level = level or Level()
        self._levels = dict(levels or {})
        self._max_sessions = max_sessions
        self._edition = edition
        self._post = post
        self._starting = starting
        self._sessions: dict[str, Session] = {}
        self._lines: dict[str, _Line] = {}
        self._closing = False

    @property
    def num_sessions(self) -> int:
        """Return the number of open sessions."""
        return len(self._sessions)

    def ask(self, question: Question, answer: Callable[[Response], None]) -> None:
        """Answer a request after the earlier ones of its session, at once or after a search.

        A request that fails leaves the session unchanged.  Starting or ending a session cancels its search, whose
        request then fails.

        Args:
            question: a request, or the readable parts of an unreadable one.
            answer: called once, with the response.
        """
        line = self._lines.setdefault(question.bgs_id, _Line())
        line.waiting.append((question, answer))
        if isinstance(question, StartGameSession | EndGameSession):
            line.breaks += 1
            if line.search:
                line.search.cancel()
        self._move_up(question.bgs_id, line)

    def break_off(self) -> None:
        """Cancel all searches, whose requests then fail, and start no more."""
        self._closing = True
        for line in list(self._lines.values()):
            if line.search:
                line.search.cancel()

    def _move_up(self, bgs_id: str, line: _Line) -> None:
        """Answer waiting requests until one needs a search."""
        if line.moving:
            return
        line.moving = True
        while line.waiting and line.search is None:
            question, answer = line.waiting.popleft()
            line.breaks -= isinstance(question, StartGameSession | EndGameSession)
            response = self._guard(question, lambda q=question, a=answer: self._respond(q, line, a))
            if response:
                answer(response)
        line.moving = False
        if line.search is None:
            self._lines.pop(bgs_id, None)

    def _guard(self, question: Question, respond: Callable[[], Response | None]) -> Response | None:
        """Turn exceptions into responses, so that a failure of one session leaves the others unaffected."""
        session = self._sessions.get(question.bgs_id)
        ply = session.ply if session else 0
        try:
            return respond()
        except LudusError as error:
            return failure(question, str(error), ply)
        except Exception as error:  # noqa: BLE001
            _log.exception("Session %s: %s failed.", question.bgs_id, type(question).__name__)
            return failure(question, f"Internal error: {type(error).__name__}: {error}", ply)

    def _respond(self, question: Question, line: _Line, answer: Callable[[Response], None]) -> Response | None:
        """Return the response to a request; None if a search was started, or a player starts, which answers later."""
        bgs_id, session = question.bgs_id, self._sessions.get(question.bgs_id)
        if isinstance(question, Unreadable):
            return failure(question, question.error, session.ply if session else 0)
        if isinstance(question, StartGameSession):
            return self._start(question, line, answer)
        if session is None:
            return failure(question, f"Session {bgs_id} not found")
        if isinstance(question, EndGameSession):
            del self._sessions[bgs_id]
            return GameSessionEnded(bgs_id, success=True)
        if question.expected_ply != session.ply:
            error = f"Ply mismatch: expected {question.expected_ply}, got {session.ply}"
            return failure(question, error, session.ply)
        if isinstance(question, ApplyMove):
            for action in _actions_of(session.seat.position, question.move):
                session.seat.play(action)
            session.ply += 1
            return MoveApplied(bgs_id, session.ply, success=True)
        return self._evaluate(question, session, line, answer)

    def _start(self, request: StartGameSession, line: _Line, answer: Callable[[Response], None]) -> Response | None:
        if request.bgs_id not in self._sessions and len(self._sessions) >= self._max_sessions:
            return failure(request, f"Too many sessions: {self._max_sessions} are open")
        seed = zlib.crc32(request.bgs_id.encode())  # a different seed for each game
        minds = self._minds(request) if callable(self._minds) else self._minds
        mind = preferred(minds, request.config)
        starting = self._starting(mind) if mind else None
        if starting and not starting.done():
            self._await_player(starting, request, line, answer)
            return None
        if starting and (fault := starting.exception()):
            return failure(request, f"{mind.name if mind else ''} cannot play: {fault}")
        mind, seat = sit_down(minds, request.config, seed=seed, edition=self._edition)
        self._sessions[request.bgs_id] = Session(mind, seat, self._levels.get(request.bot_id, self._level))
        return GameSessionStarted(request.bgs_id, success=True)

    def _await_player(
        self, starting: Future[None], request: StartGameSession, line: _Line, answer: Callable[[Response], None]
    ) -> None:
        """Open a session when its player is ready."""
        waiting: Future[None] = Future()  # of this request alone: it may be cancelled

        def end(_starting: Future[None]) -> None:
            if waiting.set_running_or_notify_cancel():
                waiting.set_result(None)

        def take() -> None:
            line.search = None
            response = (
                failure(request, BROKEN_OFF)
                if waiting.cancelled()
                else self._guard(request, lambda: self._start(request, line, answer))
            )
            if response:
                answer(response)
                self._move_up(request.bgs_id, line)

        line.search = waiting
        waiting.add_done_callback(lambda _: self._post(take))
        starting.add_done_callback(end)

    def _evaluate(
        self, request: EvaluatePosition, session: Session, line: _Line, answer: Callable[[Response], None]
    ) -> Response | None:
        outcome = session.seat.position.outcome
        if outcome:
            return EvaluateResponse(request.bgs_id, session.ply, "", outcome.value, success=True)
        if line.breaks or self._closing:
            return failure(request, BROKEN_OFF, session.ply)
        level, begun = session.level, time.monotonic()
        visits, seconds = session.limits(request)
        if request.lines:  # for analysis: the best move without randomness, with lines
            search = session.seat.ask(visits, seconds=seconds, explores=False, lines=request.lines)
        else:
            temperature = level.temperature_at(session.ply)
            search = session.seat.ask(visits, temperature, seconds=seconds, explores=level.noise)
        self._await(search, PendingEvaluation(request, session, [], begun, seconds), line, answer)
        return None

    def _await(
        self, search: Future[Thought], evaluation: PendingEvaluation, line: _Line, answer: Callable[[Response], None]
    ) -> None:
        """Answer when a search has ended; if its move is incomplete, search the rest of it first."""
        request = evaluation.request
        line.search = search
        evaluation.searches.append(search)

        def go_on() -> Response | None:
            rest = None if search.cancelled() else evaluation.unfinished()
            if search.cancelled() or (rest and (line.breaks or self._closing)):
                return failure(request, BROKEN_OFF, evaluation.session.ply)
            if rest is None:
                return evaluation.answer()
            self._await(evaluation.session.finish(rest, evaluation.left_s), evaluation, line, answer)
            return None

        def take() -> None:
            line.search = None
            response = self._guard(request, go_on)
            if response:
                answer(response)
                self._move_up(request.bgs_id, line)

        search.add_done_callback(lambda _: self._post(take))


def _actions_of(position: Position, move: str) -> list[int]:
    """Return the actions of a whole legal move; raises BadNotation or IllegalMove."""
    actions = position.parse(move)
    after = position
    for action in actions:
        after = after.play(action)
    if after is position or (after.outcome is None and after.to_play == position.to_play):
        raise IllegalMove(f"{move!r} is an incomplete move: player {position.to_play + 1} is still to move.")
    return actions
