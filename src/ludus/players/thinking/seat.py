"""`Seat`: one game in a pool, with a position and a search tree that follows it, and the queue of its orders."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Position
from ludus.players.judging.ownership import expected_maps
from ludus.players.thinking.thought import Thought

WARM_VISITS = 40
ENDLESS = 2**30
"""Visits that no search reaches."""


class Limits(msgspec.Struct, frozen=True):
    """Limits of a search, which ends at the first limit that it reaches, after at least 2 visits."""

    visits: int = 800
    """Visits of the root, including those that its tree already has."""
    seconds: float = math.inf
    """Seconds since the request."""
    extension: float = 0.0
    """Additional seconds if the search is unsure: the most visited action is not the best, or the value falls."""
    may_stop: bool = False
    """Whether to end early once no other action can become the most visited one, or if there is only one action."""
    explores: bool = False
    """Whether to add exploration noise at the root, as in self-play."""
    only: tuple[int, ...] = ()
    """Legal actions to consider; empty: all. A tree restricted in this way is not reused."""
    lines: int = 0
    """Number of candidates to return with their main line."""
    prunes: bool = False
    """Whether to go on when the tree is full: nodes with few visits then lose their children."""
    breadth: int = 0
    """Actions to visit at least once, also beyond the limits and proofs: the best by prior; not with exploration."""


class News(NamedTuple):
    """A callback for intermediate results of a search."""

    tell: Callable[[Thought], object]
    """Called in the pool's thread while all searches wait: it must be quick and must not raise."""
    every: float = 1.0
    """Seconds between two calls."""


Root = NDArray[np.uint64]
"""The words of the state at the root of a tree.  # [W]"""


class Move(NamedTuple):
    """An order to play an action."""

    action: int
    root: Root  # the state after the action
    keeps: bool  # whether the subtree is still valid


class Ponder(NamedTuple):
    """An order to search until the next request."""

    root: Root


class Request(Future[Thought]):
    """A seat's request for a search; the future of its result."""

    def __init__(self, seat: Seat, root: Root, limits: Limits, temperature: float, news: News | None = None) -> None:
        """Create a request; use `Seat.ask` instead."""
        super().__init__()
        self.seat, self.root, self.limits, self.temperature, self.news = seat, root, limits, temperature, news
        self.asked = self.told = time.perf_counter()
        self.slot = -1  # slot of its search
        self.hurried = False

    def stop(self) -> None:
        """Stop the search early; its result so far is the answer."""
        self.hurried = True
        self.seat.pool.hurry(self)

    def cancel(self) -> bool:
        """Cancel the request unless it is answered; `result` then raises CancelledError."""
        cancelled = super().cancel()
        if cancelled:
            self.seat.pool.hurry(self)
        return cancelled


class SeatedPool(Protocol):
    """Interface of a seat's pool."""

    max_visits: int

    @property
    def evaluator(self) -> object:
        """The evaluator of the search's leaves."""
        ...

    @property
    def is_own_thread(self) -> bool:
        """Whether the caller runs in the pool's thread, as callbacks of requests do."""
        ...

    def enqueue(self, seat: Seat, order: Request | Move | Ponder, *, later: bool = False) -> None:
        """Append an order to a seat's queue; raises Unavailable."""
        ...

    def hurry(self, request: Request) -> None:
        """Answer a request with its result so far, or drop it if it was cancelled."""
        ...


class Seat:
    """One game of a player: a position and a search tree that follows it.

    Orders are executed in sequence, whichever thread gives them: a request made before a move searches the position
    before that move.

    Attributes:
        position: the current position.
        pool: the pool that runs its searches.
        slots: the slots that contain its tree; None: it has no tree now (set by the pool).
        slot: number of its tree (set by the pool).
        orders: orders to execute (managed by the pool).
        queued: whether the pool has queued or is executing its orders (set by the pool).
        ponders: whether it searches while no request is open.
        rng: random generator for choices by temperature.
    """

    def __init__(self, pool: SeatedPool, position: Position, seed: int = 0) -> None:
        """Create a seat; use `Pool.seat` instead."""
        self.position, self.pool = position, pool
        self.slots: object = None
        self.slot = -1
        self.orders: deque[Request | Move | Ponder] = deque()
        self.queued = False
        self.rng = np.random.default_rng(seed)
        self.ponders = False

    def ask(
        self,
        visits: int = 800,
        temperature: float = 0.0,
        *,
        seconds: float = math.inf,
        extension: float = 0.0,
        may_stop: bool = False,
        explores: bool = False,
        lines: int = 0,
    ) -> Request:
        """Request a search of the position without waiting for its result.

        Args:
            visits: visits of the root.
            temperature: 0 chooses the best move.
            seconds: time limit.
            extension: additional seconds if the search is unsure.
            may_stop: whether to end early once the best move is settled.
            explores: whether to add exploration noise at the root.
            lines: number of candidates to return with their line.

        Returns:
            A future of the result.  Its callbacks run in the pool's thread and must not wait for other results.

        Raises:
            Unavailable: the pool is closed.
        """
        return self.ask_within(Limits(visits, seconds, extension, may_stop, explores, lines=lines), temperature)

    def ask_within(self, limits: Limits, temperature: float = 0.0, news: News | None = None) -> Request:
        """Request a search with any limits and, if `news` is given, intermediate results."""
        assert not self.position.outcome, "a finished game needs no search"
        assert {*limits.only} <= {*self.position.actions}, "only legal actions can be considered"
        most_visits = ENDLESS if limits.prunes else self.pool.max_visits
        limits = msgspec.structs.replace(limits, visits=max(2, min(limits.visits, most_visits)))
        request = Request(self, self._root(limits.only), limits, temperature, news)
        self.ponders = False
        self.pool.enqueue(self, request)
        return request

    def expected_maps(self) -> NDArray[np.float32] | None:
        """Return the expected final maps, seen by player 0 [M, H, W]; None if nothing can predict them."""
        return None if self.position.outcome else expected_maps(self.pool.evaluator, self.position)

    def think(
        self,
        visits: int = 800,
        temperature: float = 0.0,
        *,
        seconds: float = math.inf,
        extension: float = 0.0,
        may_stop: bool = False,
        explores: bool = False,
    ) -> Thought:
        """Search the position and return the result.

        Args:
            visits: visits of the root, including those that its tree already has; limited to the range from 2 to the
                pool's `max_visits`.
            temperature: 0 chooses the best move; else its first action is drawn by visits^(1/temperature).
            seconds: time limit, including the time in the queue.
            extension: additional seconds if the search is unsure (`Limits`).
            may_stop: whether to end early once the best move is settled.
            explores: whether to add exploration noise at the root, as in self-play.

        Raises:
            BadModel: the network's output is not finite.
            Unavailable: the pool is closed.
        """
        assert not self.pool.is_own_thread, "a callback must not wait for its own pool"
        limits = Limits(visits, seconds, extension, may_stop, explores)
        request = self.ask_within(limits, temperature)
        try:
            return request.result()
        except BaseException:  # such as Ctrl-C: the result is no longer needed
            request.cancel()
            raise

    def play(self, action: int) -> None:
        """Play an action; the subtree is kept, and searched on if the seat ponders."""
        self.position = self.position.play(action)
        move = Move(action, self._root(), keeps=not self.position.is_renewed)
        self.pool.enqueue(self, move, later=not self.ponders)

    def warm_up(self) -> None:
        """Search, play the best move, and search again, so that all code is compiled."""
        for action in self.think(WARM_VISITS).best:
            self.play(action)
        if not self.position.outcome:
            self.think(WARM_VISITS)

    def ponder(self) -> None:
        """Search while the pool has no open request, until the next request or until the tree is full."""
        if not self.position.outcome:
            self.ponders = True
            self.pool.enqueue(self, Ponder(self._root()))

    def _root(self, only: tuple[int, ...] = ()) -> Root:
        """Return the state at the root of the next search.

        With `only`, this may be the full state instead of `for_search`.  The search ignores the length cap of
        training, since games continue beyond it.
        """
        position, state = self.position, self.position.game.for_search(self.position.state)
        if only and not {*only} <= {*position.game.calls.legal(state)}:
            state = position.state
        return state.view(np.uint64)
