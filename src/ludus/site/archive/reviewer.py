"""The review of one finished game: the judge evaluates each position between two moves."""

import asyncio
import logging
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from ludus.games.game import Position
from ludus.protocol.bgs import SessionConfig
from ludus.site.evaluation.judgement import Asked, JudgeError, Judgement, config_at, is_within_move, legal_part
from ludus.site.messages.archive import ReplayMove
from ludus.site.messages.review import Review, ReviewedLine, ReviewedPosition

Judge = Callable[[Asked, str], Awaitable[Judgement]]

_log = logging.getLogger(__name__)

NUM_LINES = 3
"""Best lines that are kept of each position."""
MAX_LINE = 12
"""Most moves of a line that are kept."""
ATTEMPTS = 3
"""How often the judge is asked for a position."""
PAUSE_S = 5.0
"""Pause before the judge is asked again, in which its engine may reconnect."""


class Reviewer:
    """Has the positions of one game judged, from the first to the last."""

    def __init__(self, last: Position, moves: Sequence[ReplayMove], judge: Judge, address: str) -> None:
        """Prepare the review of a game.

        Args:
            last: the last position.
            moves: the moves that led there.
            judge: judges a position for an address.
            address: the address that asks for it.
        """
        self.found: list[ReviewedPosition] = []
        """The evaluations so far, by number of moves."""
        self.config = config_at(last.history[0])
        """The board and the first position."""
        self._judge, self._address = judge, address
        self._places = _positions_between_moves(last, moves)
        self._moves = tuple(move.text for move in moves)
        self._judges: list[str] = []
        self._visits: list[int] = []

    @property
    def total(self) -> int:
        """Return the number of positions."""
        return len(self._places)

    async def run(self) -> Review:
        """Have all positions judged; raises Unavailable if there is no judge, or if it fails repeatedly."""
        for number, position in enumerate(self._places):
            if position.outcome:
                self.found.append(ReviewedPosition(position.outcome.value, "", proved=True))
                continue
            found = await self._judged(Asked(self.config, self._moves[:number]))
            self._judges.append(found.judge)
            self._visits.append(found.visits)
            self.found.append(await asyncio.to_thread(_reviewed, position, found, self.config))
        judges = list(dict.fromkeys(self._judges))  # another one may have connected meanwhile
        visits = round(statistics.median(self._visits)) if self._visits else 0
        return Review(", ".join(judges), visits, time.time(), self.found)

    async def _judged(self, asked: Asked) -> Judgement:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._judge(asked, self._address)
            except JudgeError as error:
                if attempt == ATTEMPTS:
                    raise
                _log.info("A review waits for its judge: %s", error)
                await asyncio.sleep(PAUSE_S)
        raise AssertionError("the last attempt returns or raises")


def _positions_between_moves(last: Position, moves: Sequence[ReplayMove]) -> list[Position]:
    """Return the positions after 0, 1, 2, ... moves of a game; the one after a last incomplete move is left out."""
    history = last.history
    places = [history[0], *(history[move.ply] for move in moves)]
    return places[:-1] if is_within_move(places[-1]) else places


def _reviewed(position: Position, found: Judgement, config: SessionConfig) -> ReviewedPosition:
    return ReviewedPosition(
        found.evaluation,
        found.best_move,
        _lines(position, found),
        [[round(100 * value) for value in row] for row in found.owners_on(config)],
        found.lead,
        found.proved,
    )


def _lines(position: Position, found: Judgement) -> list[ReviewedLine]:
    """Return the judge's lines, each cut off before its first illegal move."""
    lines: list[ReviewedLine] = []
    for told in found.lines[:NUM_LINES]:
        _, moves = legal_part(position, told.moves[:MAX_LINE])
        if moves:
            lines.append(ReviewedLine(moves, told.evaluation, told.visits, told.proved))
    return lines
