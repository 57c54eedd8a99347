"""What all talkers share: the player behind them, and searches whose results come back to the engine's thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Protocol

from ludus.engine.conversation import Post
from ludus.games.game import Position
from ludus.network.evaluator import Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.players.thinking.seat import Limits, News, Request, Seat
from ludus.players.thinking.thought import Thought

_log = logging.getLogger(__name__)


class Thinker(Protocol):
    """What thinks for an engine: a mind, with a network or without."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def games(self) -> tuple[str, ...]:
        """What it was trained on; empty: it plays everything."""
        ...

    @property
    def evaluator(self) -> Evaluator | StateEvaluator:
        """What judges positions."""
        ...

    def seen(self, position: Position) -> Position:
        """Return a position with the planes that it sees; raises BadInput if it does not play there."""
        ...

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Sit down at a position; raises BadInput if it does not play there."""
        ...

    def close(self) -> None:
        """End what it does."""
        ...


class Asking:
    """One search at a time; its results come back to the engine's thread, unless it was dropped before."""

    def __init__(self, post: Post) -> None:
        """Begin idle; searches come back by `post`."""
        self._post = post
        self._request: Request | None = None
        self._number = 0  # of the newest search

    @property
    def is_busy(self) -> bool:
        """Return whether an answer is still to come."""
        return self._request is not None

    def ask(
        self,
        seat: Seat,
        limits: Limits,
        found: Callable[[Thought], object],
        failed: Callable[[Exception], object],
        *,
        temperature: float = 0.0,
        tell: Callable[[Thought], object] | None = None,
        every_s: float = 1.0,
    ) -> None:
        """Begin a search; the one before must have ended.

        Args:
            seat: searches.
            limits: when it ends.
            found: takes what it has found in the end.
            failed: takes what went wrong in place of that; it is logged already.
            temperature: of the choice of the best move.
            tell: takes what it has found so far.
            every_s: seconds between two calls of `tell`.

        Raises:
            LudusError: the search cannot begin.
        """
        self._number = number = self._number + 1

        def pass_on(thought: Thought) -> None:
            if tell and self._request and self._number == number:
                tell(thought)

        news = News(lambda thought: self._post(lambda: pass_on(thought)), every_s) if tell else None
        request = self._request = seat.ask_within(limits, temperature, news)
        request.add_done_callback(lambda _: self._post(lambda: self._take(request, found, failed)))

    def stop(self) -> None:
        """End the search and answer with what it has found by now."""
        if self._request:
            self._request.stop()

    def drop(self) -> None:
        """End the search without an answer."""
        request, self._request = self._request, None
        if request:
            request.cancel()

    def withdraw(self) -> bool:
        """Drop the search unless its answer is on its way already; return whether it was dropped."""
        if not (self._request and self._request.cancel()):
            return False
        self._request = None
        return True

    def _take(
        self, request: Request, found: Callable[[Thought], object], failed: Callable[[Exception], object]
    ) -> None:
        if request is not self._request:
            return
        self._request = None
        try:
            thought = request.result()
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - a program waits for an answer, whatever has happened
            _log.exception("A search failed.")
            failed(error)
            return
        found(thought)
