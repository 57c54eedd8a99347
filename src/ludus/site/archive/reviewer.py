"""The review of one finished game: the judge looks at each position between two moves, and longer where it swings."""

import asyncio
import logging
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Protocol

from msgspec.structs import replace

from ludus.games.game import Position
from ludus.protocol.bgs import SessionConfig
from ludus.site.catalogue.carried import line_from
from ludus.site.catalogue.words import forced_words
from ludus.site.evaluation.judgement import Asked, JudgeError, Judgement, config_at, is_within_move
from ludus.site.messages.archive import ReplayMove
from ludus.site.messages.review import JudgedPosition, Review, ReviewedLine, ReviewedPosition

_log = logging.getLogger(__name__)

NUM_LINES = 3
"""Best lines that are kept of each position."""
MAX_LINE = 12
"""Most moves of a line that are kept."""
ATTEMPTS = 3
"""How often the judge is asked for a position."""
PAUSE_S = 5.0
"""Pause before the judge is asked again, in which its engine may reconnect."""
FIRST_PART = 0.5
"""Visits of the first look at a position, as a part of the judge's usual ones."""
DEEPER = 4
"""Visits of the second look, as a multiple of the judge's usual ones."""
DEEPER_REQUESTS = 6
"""Most requests of a second look: each has a time limit of its own, and the next one goes on with its search."""
SWING = 0.15
"""Difference between the values before and after a move from which both positions get a second look."""
DEEPER_SHARE = 0.25
"""Largest part of the positions that get a second look, those with the largest swings; and a few in short games."""
DEEPER_LEAST = 8


class PositionJudge(Protocol):
    """Judges positions; see `SiteJudge`."""

    async def judge(self, asked: Asked, address: str, visits: int | None = None) -> Judgement:
        """Return the judgement of a position."""
        ...

    def budget(self, config: SessionConfig) -> int:
        """Return the usual visits on a board."""
        ...


class Reviewer:
    """Has the positions of one game judged, from the first to the last, and then those around swings once more."""

    def __init__(
        self,
        last: Position,
        moves: Sequence[ReplayMove],
        judge: PositionJudge,
        address: str,
        found: Sequence[JudgedPosition] = (),
    ) -> None:
        """Prepare the review of a game.

        Args:
            last: the last position.
            moves: the moves that led there.
            judge: judges positions for an address.
            address: the address that asks for it.
            found: what an earlier run of this review has found, by number of moves.
        """
        self.found = [*found]
        """What is found so far, by number of moves."""
        self.swings: list[int] | None = None
        """The positions that get a second look, by their number of moves; None during the first look."""
        self.config = config_at(last.history[0])
        """The board and the first position."""
        self._judge, self._address = judge, address
        self._places = _positions_between_moves(last, moves)
        self._moves = tuple(move.text for move in moves)
        del self.found[self.total :]

    @property
    def total(self) -> int:
        """Return the number of positions."""
        return len(self._places)

    @property
    def num_deeper(self) -> int:
        """Return how many of `swings` have got their second look."""
        return sum(self.found[number].is_deep for number in self.swings or ())

    async def run(self, note: Callable[[], Awaitable[None]]) -> Review:
        """Have all positions judged; raises Unavailable if there is no judge, or if it fails repeatedly.

        Args:
            note: called after each position.
        """
        while len(self.found) < self.total:
            self.found.append(await self._first_look(len(self.found)))
            await note()
        self.swings = self._find_swings()
        for number in self.swings:
            if not self.found[number].is_deep:
                self.found[number] = await self._second_look(number)
                await note()
        judged = [each for each in self.found if each.judge]
        judges = list(dict.fromkeys(each.judge for each in judged))  # another one may have connected meanwhile
        visits = round(statistics.median(each.visits for each in judged)) if judged else 0
        return Review(", ".join(judges), visits, time.time(), [each.position for each in self.found])

    async def _first_look(self, number: int) -> JudgedPosition:
        position = self._places[number]
        if position.outcome:
            return JudgedPosition(ReviewedPosition(position.outcome.value, "", proved=True), is_final=True)
        visits = max(1, round(FIRST_PART * self._judge.budget(self.config)))
        return await self._looked(number, visits)

    async def _second_look(self, number: int) -> JudgedPosition:
        visits, best = DEEPER * self._judge.budget(self.config), self.found[number]
        for _ in range(DEEPER_REQUESTS):
            found = await self._looked(number, visits)
            if found.visits <= best.visits:
                break  # its search grows no more
            best = found
            if best.is_final or best.visits >= visits:
                break
        return replace(best, is_deep=True)

    def _find_swings(self) -> list[int]:
        """Return the positions around the largest swings, by their number of moves."""
        values = [each.position.evaluation for each in self.found]
        gaps = sorted(((abs(after - before), number) for number, (before, after) in enumerate(pairwise(values))))
        chosen: dict[int, None] = {}
        most = max(DEEPER_LEAST, round(DEEPER_SHARE * self.total))
        for gap, number in reversed(gaps):
            if gap < SWING or len(chosen) >= most:
                break
            chosen |= {each: None for each in (number, number + 1) if not self.found[each].is_final}
        return sorted(chosen)

    async def _looked(self, number: int, visits: int) -> JudgedPosition:
        """Return the judge's view of a position after a search with so many visits, if it has the time for them."""
        found = await self._judged(Asked(self.config, self._moves[:number]), visits)
        position = await asyncio.to_thread(_reviewed, self._places[number], found, self.config)
        return JudgedPosition(position, found.judge, found.visits, found.is_final)

    async def _judged(self, asked: Asked, visits: int) -> Judgement:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._judge.judge(asked, self._address, visits)
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
        moves = line_from(position, told.moves[:MAX_LINE]).moves
        if moves:
            words = forced_words(position, told.evaluation, told.wins_in)
            lines.append(ReviewedLine(moves, told.evaluation, told.visits, told.proved, told.wins_in, words))
    return lines
