"""`Pool`: runs the searches of many seats of one model in shared batches, in one thread."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import msgspec

from ludus.errors import Unavailable
from ludus.games.game import Game, Position
from ludus.network.evaluator import Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.players.judging.recall import Recall
from ludus.players.thinking.group import Group, cache_for, kind_of, shape_of
from ludus.players.thinking.memory import use_small_pages
from ludus.players.thinking.plan import FILL, SEAT_LEAVES
from ludus.players.thinking.seat import Move, Ponder, Request, Seat
from ludus.players.thinking.slots import Slots
from ludus.players.thinking.thought import Thought
from ludus.search.settings import SearchSettings
from ludus.search.tree import Trees

SEAT_MAX_VISITS = 20_000
SLOTS = 64


class Work(msgspec.Struct, frozen=True):
    """Statistics of a pool since its creation."""

    batches: int
    rows: int
    """Evaluated leaves of all batches."""
    capacity: int
    """Total capacity of these batches in rows."""
    counters: dict[str, int]
    """Counters of the search (`ludus.search.tree.COUNTERS`)."""


class Pool:
    """The search trees of one model's seats, and the thread that searches them.

    Every running search is in every batch, with several leaves each while there are few searches.  Requests beyond the
    number of slots wait in a queue.  A seat without a slot evicts the tree that was idle longest; the evicted seat
    starts a new tree at its next request.

    Attributes:
        max_visits: limit of visits of a search.
        leaves: most leaves of a tree in a batch.
        evaluator: evaluates the leaves, apart from evaluation files.
        cache: cache of evaluations.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator | StateEvaluator | Recall,
        search: SearchSettings | None = None,
        *,
        slots: int = SLOTS,
        max_visits: int = SEAT_MAX_VISITS,
        leaves: int = SEAT_LEAVES,
        fill: int = FILL,
        lanes: int = 2,
    ) -> None:
        """Allocate the trees; they use physical memory only as they grow.

        Args:
            game: any game with the rules, planes and actions of the seats' games.
            evaluator: evaluates the leaves.
            search: settings of the search; the argument `leaves` replaces its `leaves`.
            slots: number of trees; with fewer than simultaneous requests, deadlines may be missed.
            max_visits: limit of visits of a search, which determines the memory of each tree.
            leaves: most leaves of a tree in a batch.
            fill: batch size up to which trees may have several leaves.
            lanes: batches in flight; with 2, one is collected while the other is evaluated.
        """
        self.max_visits, self.leaves = max_visits, leaves
        self.evaluator = evaluator.evaluator if isinstance(evaluator, Recall) else evaluator
        self._shape = shape_of(game)
        search = msgspec.structs.replace(search or SearchSettings(), leaves=leaves)
        self.cache = cache_for(game, search)
        lanes = min(lanes, slots)
        self._slots: list[Slots] = []
        for lane in range(lanes):
            num_trees = slots // lanes + (lane < slots % lanes)
            group = Group(
                game,
                evaluator,
                search,
                num_trees=num_trees,
                max_visits=max_visits,
                batch=max(num_trees, fill),
                cache=self.cache,
                seed=lane,
            )
            use_small_pages(*group.trees)
            self._slots.append(Slots(group, fill=fill, leaves=leaves))
        self._lock = threading.Lock()  # guards all fields below, and the orders of seats
        self._waiting: deque[Seat] = deque()  # seats with orders and no running search
        self._hurried: deque[Request] = deque()
        self._open: set[Request] = set()  # requests without an answer
        self._closed = ""  # the reason; empty: open
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the pool."""
        self.close()

    # ---- for any thread ----------------------------------------------------------------------------------------------

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Return a new seat at `position`; `seed` is for its choices by temperature."""
        assert shape_of(position.game) == self._shape, f"{position.game.name} does not fit into this pool"
        return Seat(self, position, seed)

    def warm_up(self, game: Game) -> None:
        """Run short searches of `game`, to compile its code."""
        self.seat(game.start()).warm_up()

    def enqueue(self, seat: Seat, order: Request | Move | Ponder, *, later: bool = False) -> None:
        """Append an order to a seat's queue; if `later`, it waits for the next order.  Raises Unavailable."""
        only = order.limits.only if isinstance(order, Request) else ()
        assert len({*only}) == len(only), "each action may be named once"
        with self._lock:
            if self._closed:
                raise Unavailable(self._closed)
            seat.orders.append(order)
            if isinstance(order, Request):
                self._open.add(order)
            if seat.queued or later:
                return
            seat.queued = True
            self._waiting.append(seat)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ludus-pool")
                self._thread.start()

    def hurry(self, request: Request) -> None:
        """Answer a request with its result so far, or drop it if it was cancelled."""
        self._hurried.append(request)

    def close(self) -> None:
        """Answer all open requests with an error, refuse new ones, and wait for the thread to end."""
        with self._lock:
            self._closed = self._closed or "The pool is closed and answers no more requests."
            thread = self._thread
        if thread is None:
            self._refuse(Unavailable(self._closed))
        elif not self.is_own_thread:
            thread.join()

    @property
    def is_own_thread(self) -> bool:
        """Return whether the caller runs in the pool's thread, as callbacks of requests do."""
        return threading.current_thread() is self._thread

    @property
    def is_idle(self) -> bool:
        """Return whether no search runs, no seat ponders and the pool has no thread."""
        with self._lock:
            return self._thread is None

    @property
    def nbytes(self) -> int:
        """Return the largest memory use of the pool in bytes: all its trees when full, and its cache."""
        arrays = [getattr(each, name) for each in self.trees for name in each._fields if name != "states"]  # words
        return sum(array.nbytes for array in arrays) + self.cache.nbytes

    @property
    def trees(self) -> list[Trees]:
        """Return the trees of each lane; read them only while the pool is idle."""
        return [slots.group.trees for slots in self._slots]

    def work(self) -> Work:
        """Return the statistics since the pool was created."""
        groups = [slots.group for slots in self._slots]
        counters = [group.counters() for group in groups]
        return Work(
            batches=sum(slots.batches for slots in self._slots),
            rows=sum(slots.rows for slots in self._slots),
            capacity=sum(slots.batches * len(slots.group.lane.planes) for slots in self._slots),
            counters={name: sum(each[name] for each in counters) for name in counters[0]},
        )

    # ---- the pool's own thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Run batches until no search runs and no seat ponders."""
        try:
            while self._goes_on():
                for slots in self._slots:
                    self._turn(slots)
        except BaseException as error:  # noqa: BLE001 - passed on to the open requests
            with self._lock:
                self._closed = f"The pool was closed by an error: {type(error).__name__}: {error}"
                self._thread = None
            self._refuse(error)

    def _goes_on(self) -> bool:
        """Return whether there is work; if not, mark the thread as ended."""
        with self._lock:
            busy = bool(self._waiting) or any(slots.is_busy or slots.has_ponderers() for slots in self._slots)
            if busy and not self._closed:
                return True
            self._thread = None
            if not self._closed:
                return False
        for slots in self._slots:
            with suppress(Exception):  # only wait until the evaluator has released the lane
                slots.finish()
        self._refuse(Unavailable(self._closed))
        return False

    def _turn(self, slots: Slots) -> None:
        """Finish a batch, answer finished searches, start waiting ones, and submit the next batch."""
        try:
            slots.finish()
        except Exception as error:  # noqa: BLE001 - passed on to the requests of the batch
            self._fail(slots, error)
        self._end_hurried()
        for request, thought in slots.take_news():
            assert request.news, "only requests with news are listed"
            request.news.tell(thought)
        for request, thought in slots.take_finished():
            slots.release(request)
            self._answer(request, thought)
            self._go_on(request.seat)
        for seat in self._next_seats(slots):
            if not slots.attend(seat):
                self._go_on(seat)
        if not threading.main_thread().is_alive():
            slots.end_pondering()  # pondering must not keep the program alive
        try:
            slots.begin(ponders=not self._open)
        except Exception as error:  # noqa: BLE001
            self._fail(slots, error)

    def _end_hurried(self) -> None:
        """Drop the searches of cancelled requests, and end stopped ones."""
        while self._hurried:
            request = self._hurried.popleft()
            slots = next((each for each in self._slots if each.requests.get(request.slot) is request), None)
            if slots and not request.cancelled():
                slots.hurry(request)
            elif request.cancelled():
                self._answer(request)
                if slots:
                    slots.release(request)
                    self._go_on(request.seat)

    def _next_seats(self, slots: Slots) -> list[Seat]:
        """Take seats for these slots from the queue, in order.

        A seat that has a tree stays in its slots; the other seats are distributed evenly over all slots.
        """
        with self._lock:
            running, room = len(slots.requests), slots.room
            if not (self._waiting and room):
                return []
            asked = len(self._waiting) + sum(len(each.requests) for each in self._slots)
            share = math.ceil(asked / len(self._slots)) - running
            own, new, others = list[Seat](), list[Seat](), deque[Seat]()
            for seat in self._waiting:
                if seat.slots is slots and len(own) + len(new) < room:
                    own.append(seat)
                elif seat.slots is None and len(own) + len(new) < room and len(new) < share:
                    new.append(seat)
                else:
                    others.append(seat)
            self._waiting = others
        return own + new  # own seats first, so that their trees are not evicted

    def _go_on(self, seat: Seat) -> None:
        """Queue a seat again if it has more orders."""
        with self._lock:
            seat.queued = bool(seat.orders)
            if seat.queued:
                self._waiting.append(seat)

    def _answer(self, request: Request, thought: Thought | None = None, error: BaseException | None = None) -> None:
        with self._lock:
            if request not in self._open:
                return
            self._open.discard(request)
        if not request.set_running_or_notify_cancel():
            return
        if thought is not None:
            request.set_result(thought)
        else:
            request.set_exception(error)

    def _fail(self, slots: Slots, error: Exception) -> None:
        """Answer the requests of a failed batch with the error; their trees are discarded."""
        for request in slots.clear():
            self._answer(request, error=error)
            self._go_on(request.seat)

    def _refuse(self, error: BaseException) -> None:
        """Answer all open requests with an error."""
        for request in list(self._open):
            self._answer(request, error=error)


class Pools:
    """The pools of a player, created on first use by any thread."""

    def __init__(self, make: Callable[[Game], Pool], kind: Callable[[Game], tuple[object, ...]] = kind_of) -> None:
        """Create pools by `make`; boards with equal `kind` share a pool."""
        self._make, self._kind = make, kind
        self._pools: dict[tuple[object, ...], Pool] = {}
        self._left: list[Pool] = []  # replaced pools, which existing seats still use
        self._lock = threading.Lock()

    def of(self, game: Game) -> Pool:
        """Return the pool of the seats at `game` and at all boards of the same kind."""
        with self._lock:
            kind = self._kind(game)
            if kind not in self._pools:
                self._pools[kind] = self._make(game)
            return self._pools[kind]

    def leave(self, game: Game) -> None:
        """Use a new pool for later seats at boards of this kind; existing seats keep theirs."""
        with self._lock:
            if pool := self._pools.pop(self._kind(game), None):
                self._left.append(pool)

    def forget_evaluations(self) -> None:
        """Empty the caches of evaluations."""
        with self._lock:
            for pool in self._pools.values():
                pool.cache.forget()

    def close(self) -> None:
        """Close all pools; open requests of their seats fail with an error."""
        with self._lock:
            pools = [*self._left, *self._pools.values()]
        for pool in pools:
            pool.close()
