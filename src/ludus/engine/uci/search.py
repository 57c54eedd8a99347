"""Runs one `go` command: search limits, `info` reports, pondering, and the final `bestmove`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import msgspec

from ludus.engine.asking import Asking
from ludus.engine.conversation import Post, Say
from ludus.engine.uci.board import UciBoard
from ludus.engine.uci.report import has_mate, infos
from ludus.players.thinking.clock import ClockState
from ludus.players.thinking.seat import ENDLESS, Limits, Seat
from ludus.players.thinking.thought import Thought
from ludus.protocol.uci import NO_MOVE, GoCommand, Info, Score, best_move, remark

LEAST_S = 0.001


def limits_of(
    go: GoCommand, mover: int, *, overhead_s: float, most_visits: int = ENDLESS, waits: bool = False
) -> Limits:
    """Return the limits of a search.

    A search that is to run until it is stopped, or for a number of visits, goes on when its tree is full.

    Args:
        go: the command.
        mover: the player to move, 0 for White.
        overhead_s: time lost by communication in each move.
        most_visits: upper limit of visits.
        waits: whether the search runs until `stop` or `ponderhit`, without a time limit.
    """
    visits, prunes = min(go.nodes or ENDLESS, most_visits), waits or go.nodes > 0
    clock = go.times[mover]
    if waits or (clock is None and go.movetime is None):
        return Limits(visits, prunes=prunes)
    if go.movetime is not None:
        return Limits(visits, seconds=max(LEAST_S, go.movetime / 1000.0 - overhead_s), prunes=prunes)
    assert clock is not None, "there is a clock, or a time for the move"
    control = ClockState(
        remaining_s=clock / 1000.0,
        increment_s=go.increments[mover] / 1000.0,
        moves_to_go=go.movestogo,
        overhead_s=overhead_s,
    )
    budget = control.budget()
    return Limits(visits, seconds=max(LEAST_S, budget.seconds), extension=budget.extension, may_stop=True)


_log = logging.getLogger(__name__)

NEWS_S = 0.1
SAY_S = 1.0  # seconds between two reports of the same best move
LOOK_S = 0.01  # seconds between two checks of a search that ends at a depth or a mate


class SearchWish(msgspec.Struct, frozen=True):
    """The parameters of a search."""

    go: GoCommand
    only: tuple[int, ...] = ()
    """Actions to consider; empty: all."""
    lines: int = 1
    shows_wdl: bool = False
    temperature: float = 0.0
    most_visits: int = ENDLESS
    overhead_s: float = 0.05


class Search:
    """One `go` command; all methods run in the engine's thread."""

    def __init__(
        self,
        wish: SearchWish,
        board: UciBoard,
        seat: Seat | None,
        post: Post,
        say: Say,
        ended: Callable[[], object],
    ) -> None:
        """Prepare the search; `begin` starts it.

        Args:
            wish: the parameters.
            board: holds the position to search.
            seat: runs the search; None: the answer is any legal move.
            post: delivers results to this thread.
            say: writes a line.
            ended: called after `bestmove` is written.
        """
        self._wish, self._board, self._seat = wish, board, seat
        self._say, self._ended = say, ended
        self._asking = Asking(post)
        self._waits = wish.go.infinite or wish.go.ponder  # whether `bestmove` must wait for `stop` or `ponderhit`
        self._thought: Thought | None = None  # newest result
        self._is_done = False
        self._told: list[int] = []  # line of the last report
        self._told_at = 0.0
        self._begun = time.perf_counter()
        self._reached = False  # the depth or mate that ends the search

    def begin(self) -> None:
        """Start the search."""
        if self._seat:
            self._ask(self._seat)
            return
        if self._board.position.outcome:
            self._report_end()
        self._conclude()

    def stop(self) -> None:
        """Stop the search and write its best move."""
        self._waits = False
        if self._is_done:
            self._finish()
        else:
            self._asking.stop()

    def ponder_hit(self) -> None:
        """Continue with time limits, since the opponent has played the pondered move."""
        if not self._wish.go.ponder or not self._waits or self._wish.go.infinite:
            return
        self._waits = False
        if self._is_done:
            self._finish()
        elif self._seat and self._asking.withdraw():
            self._ask(self._seat)  # its tree is kept

    def forget(self) -> None:
        """Cancel the search without writing a move."""
        self._asking.drop()
        self._waits = False

    def _ask(self, seat: Seat) -> None:
        wish = self._wish
        limits = msgspec.structs.replace(
            limits_of(
                wish.go,
                self._board.position.to_play,
                overhead_s=wish.overhead_s,
                most_visits=wish.most_visits,
                waits=self._waits,
            ),
            only=wish.only,
            lines=wish.lines,
            breadth=0 if wish.temperature else wish.lines,
        )
        try:
            self._asking.ask(
                seat,
                limits,
                self._take,
                self._fail,
                temperature=wish.temperature,
                tell=self._hear,
                every_s=LOOK_S if wish.go.depth or wish.go.mate else NEWS_S,
            )
        except Exception as error:  # noqa: BLE001 - the program waits for a move even after an unexpected error
            _log.error("A search failed.", exc_info=error)
            self._fail(error)

    def _hear(self, thought: Thought) -> None:
        """Handle an intermediate result."""
        self._thought = thought
        now = time.perf_counter()
        if thought.line[:1] != self._told[:1] or now >= self._told_at + SAY_S:
            self._report(thought)
        go = self._wish.go
        if (go.depth and len(thought.line) >= go.depth) or (go.mate and has_mate(self._board, thought, go.mate)):
            self._reached = True
            self._asking.stop()  # `bestmove` may still have to wait for `stop`

    def _take(self, thought: Thought) -> None:
        """Handle the final result."""
        self._thought = thought
        try:
            self._report(thought)
        except Exception as error:  # noqa: BLE001 - as in `_ask`
            _log.error("A search failed.", exc_info=error)
            self._tell_failure(error)
        self._conclude()

    def _fail(self, error: Exception) -> None:
        self._tell_failure(error)
        self._conclude()

    def _tell_failure(self, error: Exception) -> None:
        self._say(remark(f"The search failed: {error}"))

    def _conclude(self) -> None:
        """Write the best move, unless it must wait for `stop` or `ponderhit`; meanwhile, keep reporting."""
        self._is_done = True
        if not self._waits:
            self._finish()
        elif thought := self._thought:
            wanted = min(self._wish.go.nodes or ENDLESS, self._wish.most_visits)
            if not (thought.proof or self._reached) and thought.visits < wanted:
                self._say(remark(f"The search tree is full after {thought.visits} nodes; a larger Hash searches on."))
            self._asking.later(SAY_S, self._report_again)

    def _report_again(self) -> None:
        """Repeat the result every second, since programs take a silent engine for a dead one."""
        if self._waits and self._thought:
            self._report(msgspec.structs.replace(self._thought, seconds=time.perf_counter() - self._begun))
            self._asking.later(SAY_S, self._report_again)

    def _finish(self) -> None:
        """Write the best move and end the search."""
        self._waits = False
        if self._thought:
            self._say(best_move(*self._board.texts(self._thought.line[:2])))
        else:
            self._say(best_move(self._board.any_move() or NO_MOVE))
        self._ended()

    def _report_end(self) -> None:
        """Report the score of a finished game, mate or draw, since programs expect a score."""
        move = self._board.any_move()
        is_mate = self._board.is_lost
        score = Score(mate=0) if is_mate else Score()
        wdl = ((0, 0, 1000) if is_mate else (0, 1000, 0)) if self._wish.shows_wdl else None
        self._say(str(Info(depth=0, score=score, wdl=wdl, pv=[move] if move else ())))

    def _report(self, thought: Thought) -> None:
        self._told, self._told_at = thought.line, time.perf_counter()
        most_visits = self._seat.pool.max_visits if self._seat else ENDLESS
        wish = self._wish
        for info in infos(self._board, thought, most_visits=most_visits, lines=wish.lines, shows_wdl=wish.shows_wdl):
            self._say(str(info))
