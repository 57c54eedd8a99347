"""`Slots`: the trees of one group, the seat that uses each, and the running searches."""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING

import numpy as np

from ludus.kernel import bind
from ludus.lazy import lazy_property
from ludus.players.thinking.group import Group
from ludus.players.thinking.plan import IDLE, PONDERS, RUNS, make_plan, review, rouse
from ludus.players.thinking.seat import Move, Request, Root, Seat
from ludus.players.thinking.thought import Thought, read_thought
from ludus.search.root import restrict
from ludus.search.tree import ASKED, EXPANDED, LEAVES, UNASKED

if TYPE_CHECKING:
    from collections.abc import Callable


class Slots:
    """The trees of one group and the seats that use them; only the pool's thread may call it.

    Attributes:
        group: the group of trees.
        requests: the requests of running searches, by slot.
        batches: number of evaluated batches.
        rows: number of leaves in these batches.
    """

    def __init__(self, group: Group, *, fill: int, leaves: int) -> None:
        """Create slots for a group of unused trees.

        Args:
            group: the group of trees.
            fill: batch size up to which trees may have several leaves.
            leaves: most leaves of a tree in a batch.
        """
        self.group = group
        self.requests: dict[int, Request] = {}
        self.batches = self.rows = 0
        self._fill, self._leaves = fill, leaves
        self._holders: list[weakref.ref[Seat] | None] = [None] * len(group.trees.tree)
        self._used = [0] * len(self._holders)  # turn of the last use of each slot
        self._plan = make_plan(len(self._holders))  # [G]
        self._over = np.zeros(len(self._holders), np.int32)  # [G]
        self._count = 0  # rows of the batch in flight
        self._turn = 0
        self._turned = 0.0  # time at which the last batch was finished
        self._turn_s = 0.0  # seconds of the last turn

    @lazy_property
    def _steps(self) -> tuple[Callable[..., int], Callable[..., int]]:
        """The compiled code of `review` and `rouse`."""
        t, plan = self.group.t, self._plan
        return bind(review, t, plan, self._over, 0.0, 0.0), bind(rouse, t, plan, RUNS, 0, 0)

    @property
    def room(self) -> int:
        """Return the number of slots without a running search."""
        return len(self._holders) - len(self.requests)

    @property
    def is_busy(self) -> bool:
        """Return whether a search runs or a batch is in flight."""
        return bool(self.requests) or self._count > 0

    def has_ponderers(self) -> bool:
        """Return whether any existing seat ponders."""
        for slot in np.flatnonzero(self._plan["work"] == PONDERS):
            if self._holder(int(slot)) is None:
                self._plan["work"][slot] = IDLE
        return bool((self._plan["work"] == PONDERS).any())

    def end_pondering(self) -> None:
        """Stop all pondering."""
        self._plan["work"][self._plan["work"] == PONDERS] = IDLE

    # ---- a turn ------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Finish the batch in flight, if there is one."""
        count, self._count = self._count, 0
        if count:
            self.group.finish(count)
        now = time.perf_counter()
        self._turn_s = now - self._turned if count else 0.0
        self._turned = now

    def take_finished(self) -> list[tuple[Request, Thought]]:
        """End the searches that are over, and return their results."""
        found: list[tuple[Request, Thought]] = []
        for slot, request in self.requests.items():
            if request.limits.prunes and self.group.trees.tree["full"][slot]:
                self.group.prune(slot)
        now = time.perf_counter()
        # A search ends before its deadline if another turn would end after it.
        for slot in self._over[: self._steps[0](self.group.t, self._plan, self._over, now, self._turn_s)].tolist():
            self._plan["work"][slot] = IDLE
            request = self.requests.get(slot)
            if request is not None:
                found.append((request, self._read(request, request.temperature)))
        return found

    def take_news(self) -> list[tuple[Request, Thought]]:
        """Return the results so far of requests whose next news is due."""
        if not any(request.news for request in self.requests.values()):
            return []
        found: list[tuple[Request, Thought]] = []
        now = time.perf_counter()
        for slot, request in self.requests.items():
            root = self.group.trees.child[slot, 0]
            if request.news and now >= request.told + request.news.every and int(root["visits"]) > 1:
                request.told = now
                found.append((request, self._read(request, 0.0)))
        return found

    def _read(self, request: Request, temperature: float) -> Thought:
        return read_thought(
            self.group.trees,
            request.slot,
            best=self.group.best(request.slot),
            temperature=temperature,
            rng=request.seat.rng,
            asked=request.asked,
            lines=request.limits.lines,
            kept=int(self._plan["visits"][request.slot]),
            game=self.group.game,
        )

    def begin(self, *, ponders: bool) -> None:
        """Submit the next batch: of the running searches or, with `ponders`, of the pondering seats."""
        self._turn += 1
        for request in self.requests.values():
            self._restrict(request)
        if ponders and not self.has_ponderers():
            return
        if self._steps[1](self.group.t, self._plan, PONDERS if ponders else RUNS, self._fill, self._leaves):
            self._count = self.group.begin()
            self.batches += self._count > 0
            self.rows += self._count

    # ---- seats -------------------------------------------------------------------------------------------------------

    def attend(self, seat: Seat) -> bool:
        """Execute a seat's queued orders until one requests a search; start it, and return whether there was one."""
        while seat.orders:
            order = seat.orders.popleft()
            if isinstance(order, Request):
                if not order.cancelled():
                    self._start(seat, order)
                    return True
            elif isinstance(order, Move):
                if seat.slots is self:
                    self._follow(seat, order)
            else:
                self._plan["work"][self._take_place(seat, order.root, explores=False, asks=None)] = PONDERS
        return False

    def release(self, request: Request) -> None:
        """Free the slot of a finished or cancelled search."""
        del self.requests[request.slot]
        self._plan["work"][request.slot] = IDLE
        self._used[request.slot] = self._turn
        if request.limits.only:  # no other search can use this tree
            request.seat.slots, self._holders[request.slot] = None, None

    def hurry(self, request: Request) -> None:
        """Let a search end as soon as it has a result."""
        self._plan["deadline"][request.slot], self._plan["extension"][request.slot] = -np.inf, 0.0

    def clear(self) -> list[Request]:
        """Drop all trees after a failed batch; return the requests that were running."""
        for slot in range(len(self._holders)):
            if seat := self._holder(slot):
                seat.slots = None
        requests = list(self.requests.values())
        self.requests.clear()
        self._holders = [None] * len(self._holders)
        self._plan["work"] = IDLE
        self._count = 0
        return requests

    def _start(self, seat: Seat, request: Request) -> None:
        limits, now = request.limits, time.perf_counter()
        # A deliberately weak player gets no endgame proofs; with `only`, the actions may lose a proven outcome.
        # Nor may foresight reduce the actions where several are wanted.
        asks = UNASKED if request.temperature != 0.0 else LEAVES if limits.only or limits.breadth > 1 else ASKED
        slot = request.slot = self._take_place(seat, request.root, explores=limits.explores, asks=asks)
        self.requests[slot] = request
        if limits.only:
            self.group.new_tree(slot, request.root)
        elif not limits.explores:
            self.group.trees.tree["breadth"][slot] = limits.breadth
        plan = self._plan[slot]
        plan["deadline"] = -np.inf if request.hurried else request.asked + limits.seconds
        plan["halfway"] = request.asked + limits.seconds / 2.0
        plan["started"] = now
        plan["extension"], plan["early"] = limits.extension, -2.0
        plan["goal"] = 1 if limits.only else limits.visits
        plan["visits"] = self.group.trees.child["visits"][slot, 0]
        plan["work"], plan["may_stop"] = RUNS, limits.may_stop

    def _restrict(self, request: Request) -> None:
        """Restrict the root of a new tree to the requested actions, before any is visited."""
        plan, root = self._plan[request.slot], self.group.trees.child[request.slot, 0]
        if request.limits.only and int(plan["goal"]) == 1 and int(root["kind"]) == EXPANDED:
            actions = np.array(request.limits.only, np.int16)
            restrict(self.group.t, request.slot, actions, len(actions))
            plan["goal"] = request.limits.visits
            self.group.trees.tree["breadth"][request.slot] = request.limits.breadth

    def _follow(self, seat: Seat, move: Move) -> None:
        if move.keeps:
            self.group.play(seat.slot, move.action, move.root)
        else:
            self.group.new_tree(seat.slot, move.root)
        if seat.ponders:
            self._plan["work"][seat.slot] = PONDERS

    def _take_place(self, seat: Seat, root: Root, *, explores: bool, asks: int | None) -> int:
        """Return the slot of a seat; a seat without one evicts the tree that was idle longest.

        The seat gets a new tree if the old root has noise and the search does not explore, or if the search uses
        foresight elsewhere than the last one: `asks` is ASKED, UNASKED or LEAVES; None: as before.
        """
        tree = self.group.trees.tree
        is_new = seat.slots is not self
        if is_new:
            slot = self._free_slot()
            if former := self._holder(slot):
                former.slots = None
            self._holders[slot] = weakref.ref(seat)
            seat.slots, seat.slot = self, slot
        before = min(ASKED, int(tree["foreseen"][seat.slot]))
        if is_new or asks not in (None, before) or (tree["has_noise"][seat.slot] and not explores):
            if is_new or asks is not None:
                tree["foreseen"][seat.slot] = asks or ASKED
            self.group.new_tree(seat.slot, root)
        tree["explores"][seat.slot], tree["breadth"][seat.slot] = explores, 0
        self._used[seat.slot] = self._turn
        return seat.slot

    def _free_slot(self) -> int:
        work: list[int] = self._plan["work"].tolist()  # idle trees are evicted before pondering ones
        ranks = [(self._holder(slot) is not None, work[slot], self._used[slot], slot) for slot in range(len(work))]
        return min(rank for rank in ranks if rank[1] != RUNS)[-1]

    def _holder(self, slot: int) -> Seat | None:
        reference = self._holders[slot]
        return None if reference is None else reference()
