"""A game at an engine, and a question about it: the move that was found, whole, and the lines, in notation."""

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
from ludus.players.thinking.thought import Thought
from ludus.protocol.bgs import CandidateLine, EvaluatePosition, EvaluateResponse, Response

MAX_LINE = 40
"""Actions of a line that are told."""
FINISHING_VISITS = 100
"""At most, for the rest of a move within which a line ends."""
FINISHING_S = 0.25
"""For these, at least: a first search that took all its time leaves none."""
BROKEN_OFF = "The search was broken off: its session, or the engine, was ended"


class Session:
    """One game of a server: a mind, a seat, a level, and the number of moves made."""

    def __init__(self, mind: SessionMind, seat: SessionSeat, level: Level) -> None:
        self.mind = mind
        self.seat = seat
        self.level = level
        self.ply = 0

    def finish(self, rest: Position, seconds: float) -> Future[Thought]:
        """Begin a short search for the rest of a move."""
        visits = min(self.level.visits, FINISHING_VISITS)
        return self.mind.seat(rest).ask(visits, seconds=seconds)


class PendingEvaluation(NamedTuple):
    """A question about a position, and the searches that answer it: after the first, those that finish its move."""

    request: EvaluatePosition
    session: Session
    searches: list[Future[Thought]]
    begun: float
    """When it was asked, by `time.monotonic`."""

    @property
    def left_s(self) -> float:
        """The seconds that searches which finish the move may take: what the first one has left, or a moment."""
        return max(FINISHING_S, self.session.level.seconds - (time.monotonic() - self.begun))

    def unfinished(self) -> Position | None:
        """Return the position within the best move at which what was found ends; None if it is whole."""
        position = after = self.session.seat.position
        for action in self._best():
            after = after.play(action)
        return after if after.outcome is None and after.to_play == position.to_play else None

    def answer(self) -> Response:
        """Return what was found: the best move, and the value seen by player 0."""
        request, session = self.request, self.session
        thought, position, best = self.searches[0].result(), session.seat.position, self._best()
        best_move = position.game.move_text(position.state, best)
        answer = EvaluateResponse(request.bgs_id, session.ply, best_move, _rounded(thought.value), success=True)
        if not request.lines:
            return answer
        told = [each for each in thought.candidates if each.line]
        told = sorted(told, key=lambda each: each.line[0] != best[0])[: request.lines]
        lines = [CandidateLine(_moves(position, each.line), _rounded(each.value), each.visits) for each in told]
        maps = session.seat.expected_maps()
        ownership = UNSET if maps is None else [[_rounded(each) for each in row] for row in (maps[0] - maps[1])]
        return msgspec.structs.replace(answer, lines=lines, ownership=ownership)

    def _best(self) -> list[int]:
        return [action for search in self.searches for action in search.result().best]


def _moves(position: Position, line: Sequence[int]) -> list[str]:
    """Return a line in notation, as far as it is legal: the search knows less of old positions than the rules."""
    after = position
    for action in line[:MAX_LINE]:
        if action not in after.actions:
            break
        after = after.play(action)
    return after.moves[len(position.moves) :]


def _rounded(value: float) -> float:
    """Return a value as it is written: between -1 and 1, and never a negative zero."""
    return round(min(1.0, max(-1.0, float(value))), 4) + 0.0
