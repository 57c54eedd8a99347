"""A seat: one game at a pool, with a position and a search tree that follows it; and the orders that it takes."""

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


class Limits(msgspec.Struct, frozen=True):
    """When a search ends, whichever comes first; it has 2 visits at least."""

    visits: int = 800
    """Of the root; those that its tree already has count."""
    seconds: float = math.inf
    """Since it was asked for."""
    extension: float = 0.0
    """So many seconds more if it is unsure then: the most visited action is not the best one, or the value falls."""
    may_stop: bool = False
    """Earlier, once no other action can become the most visited one, or there is one action only."""
    explores: bool = False
    """With the noise of self-play at the root."""
    only: tuple[int, ...] = ()
    """The legal actions that are considered; empty: all. A tree that was searched so is not kept for what follows."""
    lines: int = 0
    """So many candidates are told with their main line."""


class News(NamedTuple):
    """A listener that hears, while a search runs, what it has found so far."""

    tell: Callable[[Thought], object]
    """Called in the pool's thread while all searches wait: it must be quick and raise nothing."""
    every: float = 1.0
    """Seconds between two calls."""


Root = NDArray[np.uint64]
"""The words of the state with which a tree is planted, as it is searched.  # [W]"""


class Move(NamedTuple):
    """An action was played."""

    action: int
    root: Root  # after it
    keeps: bool  # whether the subtree is one of the position after it


class Ponder(NamedTuple):
    """Search on until the next question."""

    root: Root


class Request(Future[Thought]):
    """A question of a seat and the future of its answer."""

    def __init__(self, seat: Seat, root: Root, limits: Limits, temperature: float, news: News | None = None) -> None:
        """Note the question; use `Seat.ask` instead."""
        super().__init__()
        self.seat, self.root, self.limits, self.temperature, self.news = seat, root, limits, temperature, news
        self.asked = self.told = time.perf_counter()
        self.slot = -1  # in which its search runs
        self.hurried = False

    def stop(self) -> None:
        """End the search and answer with what has been found by now."""
        self.hurried = True
        self.seat.pool.hurry(self)

    def cancel(self) -> bool:
        """Withdraw the question, unless it has been answered; `result` raises CancelledError from then on."""
        cancelled = super().cancel()
        if cancelled:
            self.seat.pool.hurry(self)
        return cancelled


class SeatedPool(Protocol):
    """What a seat needs of its pool."""

    max_visits: int

    @property
    def evaluator(self) -> object:
        """What judges the leaves."""
        ...

    @property
    def is_own_thread(self) -> bool:
        """Whether the caller is a callback of a request."""
        ...

    def enqueue(self, seat: Seat, order: Request | Move | Ponder, *, later: bool = False) -> None:
        """Append an order to a seat's queue; raises Unavailable."""
        ...

    def hurry(self, request: Request) -> None:
        """Answer a request as soon as anything is found, or drop it if it was cancelled."""
        ...


class Seat:
    """A player at one game: a position and a search tree that follows it.

    Orders are carried out in sequence, whichever thread gives them: a question asked before a move is about the
    position before it.

    Attributes:
        position: where the game stands.
        pool: whose trees it uses.
        slots: the trees among which its own is; None: it has none, now (the pool's).
        slot: the number of its tree (the pool's).
        orders: what is still to be done (the pool's).
        queued: whether the pool is doing it, or is about to (the pool's).
        ponders: whether it searches on while no request is open.
        rng: for choices by temperature.
    """

    def __init__(self, pool: SeatedPool, position: Position, seed: int = 0) -> None:
        """Sit down; use `Pool.seat` instead."""
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
        """Ask for a thought about the position, without waiting for it; the arguments are those of `think`.

        Args:
            visits: of the root.
            temperature: 0 = the best move.
            seconds: at most.
            extension: seconds more if the search is unsure then.
            may_stop: whether it may end as soon as it is decided.
            explores: whether it is noisy, as in self-play.
            lines: how many candidates are told with their line.

        Returns:
            A future of the thought.  Its callbacks run in the pool's thread and must not wait for other thoughts.

        Raises:
            Unavailable: the pool is closed.
        """
        return self.ask_within(Limits(visits, seconds, extension, may_stop, explores, lines=lines), temperature)

    def ask_within(self, limits: Limits, temperature: float = 0.0, news: News | None = None) -> Request:
        """Ask as `ask` does, with all limits that there are, and perhaps with news while the search runs."""
        assert not self.position.outcome, "a finished game needs no thought"
        assert {*limits.only} <= {*self.position.actions}, "only legal actions can be considered"
        limits = msgspec.structs.replace(limits, visits=max(2, min(limits.visits, self.pool.max_visits)))
        request = Request(self, self._root(limits.only), limits, temperature, news)
        self.ponders = False
        self.pool.enqueue(self, request)
        return request

    def expected_maps(self) -> NDArray[np.float32] | None:
        """Return the expected final maps, seen by player 0 [M, H, W]; None if neither network nor playouts tell."""
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
        """Search the position, and wait for what is found.

        Args:
            visits: of the root (those that its tree already has count), 2 to the pool's `max_visits`; others are taken
                as the nearer of the two.
            temperature: 0 = the best move; else its first action is drawn by visits^(1/temperature).
            seconds: at most, from now on, waiting included.
            extension: seconds more if the search is unsure then (`Limits`).
            may_stop: earlier, once the most visited action is settled.
            explores: with the noise of self-play at the root.

        Raises:
            BadModel: the network answers with numbers that are not finite.
            Unavailable: the pool is closed.
        """
        assert not self.pool.is_own_thread, "a callback must not wait for its own pool"
        limits = Limits(visits, seconds, extension, may_stop, explores)
        request = self.ask_within(limits, temperature)
        try:
            return request.result()
        except BaseException:  # Ctrl-C: nobody waits for the answer any more
            request.cancel()
            raise

    def play(self, action: int) -> None:
        """Move to where `action` leads; the subtree is kept, and pondered about if the seat ponders."""
        self.position = self.position.play(action)
        move = Move(action, self._root(), keeps=not self.position.is_renewed)
        self.pool.enqueue(self, move, later=not self.ponders)

    def warm_up(self) -> None:
        """Think about a move, make it, and think again: what is compiled at first use is ready then."""
        for action in self.think(WARM_VISITS).best:
            self.play(action)
        if not self.position.outcome:
            self.think(WARM_VISITS)

    def ponder(self) -> None:
        """Search on while the pool has no open request, until the next question or until the tree is full."""
        if not self.position.outcome:
            self.ponders = True
            self.pool.enqueue(self, Ponder(self._root()))

    def _root(self, only: tuple[int, ...] = ()) -> Root:
        """Return the state in which a search begins.

        With `only`, this may be the full state instead of `for_search`.  Games go on beyond the length at which
        training cuts them off, so no search ends there.
        """
        position, state = self.position, self.position.game.for_search(self.position.state)
        if only and not {*only} <= {*position.game.calls.legal(state)}:
            state = position.state
        return state.view(np.uint64)
