"""A game session of an engine, and an evaluation request in it: completes the best move and writes the response."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ludus.engine.bgs.minds import SessionMind, SessionSeat
from ludus.engine.level import Level
from ludus.games.game import Position
from ludus.players.judging.lead import expected_lead
from ludus.players.thinking.clock import EXPECTED_MOVES, ClockState, PeriodRules
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.bgs import CandidateLine, EvaluatePosition, EvaluateResponse, MoverClock, Response
from ludus.search.backup import exact_value
from ludus.search.settings import MAX_VISITS

MAX_LINE = 40
"""Longest line in a response, in actions."""
FINISHING_VISITS = 100
"""Limit of visits for completing a move that the main line leaves unfinished."""
FINISHING_S = 0.25
"""Least time for completing a move, even if the first search used all its time."""
LEAD_DIGITS = 1
OVERHEAD_S = 0.3
"""Time that is lost between an engine and the server of its game, in each move."""
LEAST_S = 0.01
BROKEN_OFF = "The search was broken off: its session, or the engine, was ended"


def seconds_of(clock: MoverClock) -> float:
    """Return the time for the next move with this clock, in seconds."""
    left_s = clock.left_ms / 1000
    main = ClockState(remaining_s=left_s, increment_s=clock.increment_ms / 1000, overhead_s=OVERHEAD_S)
    if not clock.period_ms:
        return main.budget().seconds
    rules = PeriodRules(clock.period_ms / 1000, clock.period_moves, is_byo_yomi=clock.period_moves == 1)
    if clock.moves:
        return rules.budget(left_s, clock.moves, OVERHEAD_S).seconds
    return rules.budget_before(main, EXPECTED_MOVES).seconds


class Session:
    """One game of a server: its player, seat, level, and number of moves."""

    def __init__(self, mind: SessionMind, seat: SessionSeat, level: Level) -> None:
        self.mind = mind
        self.seat = seat
        self.level = level
        self.ply = 0

    def limits(self, request: EvaluatePosition) -> tuple[int, float]:
        """Return the limits of visits and seconds of a request's search: those of the level, or what it asks for.

        A request that asks for seconds alone gets all visits of that time.  With a clock, the search also keeps within
        the time that the clock leaves for a move.
        """
        visits = request.visits or (MAX_VISITS if request.seconds else self.level.visits)
        seconds = request.seconds or self.level.seconds
        if request.clock:
            seconds = min(seconds, max(LEAST_S, seconds_of(request.clock)))
        return visits, seconds

    def finish(self, rest: Position, seconds: float) -> Future[Thought]:
        """Start a short search for the rest of a move."""
        visits = min(self.level.visits, FINISHING_VISITS)
        return self.mind.seat(rest).ask(visits, seconds=seconds)


class PendingEvaluation(NamedTuple):
    """An open evaluation request with its searches: that of the position, then one for each further action."""

    request: EvaluatePosition
    session: Session
    searches: list[Future[Thought]]
    begun: float
    """Time of the request, by `time.monotonic`."""
    seconds: float
    """Time limit of the searches."""

    @property
    def left_s(self) -> float:
        """Seconds left for completing the move, at least `FINISHING_S`."""
        return max(FINISHING_S, self.seconds - (time.monotonic() - self.begun))

    def unfinished(self) -> Position | None:
        """Return the position at which the best move is still incomplete; None if it is complete."""
        position = after = self.session.seat.position
        for action in self._best():
            after = after.play(action)
        return after if after.outcome is None and after.to_play == position.to_play else None

    def answer(self) -> Response:
        """Return the response: best move, value seen by player 0, and all about the search if lines are requested."""
        request, session = self.request, self.session
        thought, position, best = self.searches[0].result(), session.seat.position, self._best()
        best_move = position.game.move_text(position.state, best)
        answer = EvaluateResponse(request.bgs_id, session.ply, best_move, _rounded(thought.value), success=True)
        if not request.lines:
            return answer
        told = [each for each in thought.candidates if each.line]
        told = sorted(told, key=lambda each: each.line[0] != best[0])[: request.lines]
        lines = [
            CandidateLine(_moves(position, each.line), _value(each), each.visits, each.proof != 0, each.wins_in)
            for each in told
        ]
        answer = msgspec.structs.replace(
            answer, evaluation=_value(thought), lines=lines, visits=thought.visits, proved=thought.proof != 0
        )
        maps = session.seat.expected_maps()
        if maps is None:
            return answer
        ownership = [[_rounded(each) for each in row] for row in (maps[0] - maps[1])]
        lead = expected_lead(position, maps)
        return msgspec.structs.replace(
            answer, ownership=ownership, lead=UNSET if lead is None else round(lead, LEAD_DIGITS)
        )

    def _best(self) -> list[int]:
        return [action for search in self.searches for action in search.result().best]


def _moves(position: Position, line: Sequence[int]) -> list[str]:
    """Return a line in notation up to its first illegal action: searches compare fewer old positions than the rules."""
    after = position
    for action in line[:MAX_LINE]:
        if action not in after.actions:
            break
        after = after.play(action)
    return after.moves[len(position.moves) :]


def _value(found: Thought | Candidate) -> float:
    """Return the value for the response: the proved outcome, if there is one."""
    return exact_value(found.proof) if found.proof else _rounded(found.value)


def _rounded(value: float) -> float:
    """Round a value for the response: between -1 and 1, and never negative zero."""
    return round(min(1.0, max(-1.0, float(value))), 4) + 0.0
