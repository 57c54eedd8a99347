"""Runs an engine's searches, one at a time, and declares the interface of its player."""

from __future__ import annotations

import logging
import threading
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
    """Interface of an engine's player: a `Mind`, or a `HeuristicMind` without a network."""

    @property
    def name(self) -> str:
        """The player's name."""
        ...

    @property
    def games(self) -> tuple[str, ...]:
        """Specs of the games that it was trained on; empty: it plays every game."""
        ...

    @property
    def evaluator(self) -> Evaluator | StateEvaluator:
        """The evaluator of its positions."""
        ...

    def seen(self, position: Position) -> Position:
        """Return the position in the player's frame and planes; raises BadInput if it does not play this game."""
        ...

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a seat, with a search tree, at a position; raises BadInput if the player does not play this game."""
        ...

    def forget_evaluations(self) -> None:
        """Empty the caches of evaluations."""
        ...

    def close(self) -> None:
        """Stop the searches and release the evaluator."""
        ...


class Asking:
    """Runs one search at a time and delivers its results in the engine's thread, unless the search was dropped."""

    def __init__(self, post: Post) -> None:
        """Create a runner without a search; `post` delivers results to the engine's thread."""
        self._post = post
        self._request: Request | None = None
        self._number = 0  # number of the newest search

    @property
    def is_busy(self) -> bool:
        """Return whether a search is running."""
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
        """Start a search; the previous one must have ended.

        Args:
            seat: runs the search in its tree.
            limits: limits of visits and time.
            found: called with the final result.
            failed: called instead if the search fails, with the error, which is already logged.
            temperature: temperature of the choice of the best move.
            tell: called with intermediate results.
            every_s: seconds between two calls of `tell`.

        Raises:
            LudusError: the search cannot start.
        """
        self._number = number = self._number + 1

        def pass_on(thought: Thought) -> None:
            if tell and self._request and self._number == number:
                tell(thought)

        news = News(lambda thought: self._post(lambda: pass_on(thought)), every_s) if tell else None
        request = self._request = seat.ask_within(limits, temperature, news)
        request.add_done_callback(lambda _: self._post(lambda: self._take(request, found, failed)))

    def stop(self) -> None:
        """Stop the search early; `found` gets its result so far."""
        if self._request:
            self._request.stop()

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Call a function in the engine's thread after some seconds, unless `drop` or another search comes before."""
        number = self._number
        timer = threading.Timer(seconds, self._post, [lambda: self._number == number and act()])
        timer.daemon = True
        timer.start()

    def drop(self) -> None:
        """Cancel the search; neither `found` nor `failed` is called."""
        self._number += 1
        request, self._request = self._request, None
        if request:
            request.cancel()

    def withdraw(self) -> bool:
        """Cancel the search unless it has already finished; return whether it was cancelled."""
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
        except Exception as error:  # noqa: BLE001 - the program waits for an answer even after an unexpected error
            _log.exception("A search failed.")
            failed(error)
            return
        found(thought)
