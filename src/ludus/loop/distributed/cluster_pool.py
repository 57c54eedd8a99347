"""The members of a cluster as one self-play pool: deals games on demand and counts each game once.

A member holds the games that it plays concurrently, and those that it will probably start before its next answer.  If
a generation has too few games for that, they are divided by the members' measured speeds.  Only games, and weights once
per generation, cross the network: evaluations would need hundreds of megabytes a second.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import msgspec

from ludus.loop.distributed.cluster import Cluster, MemberState
from ludus.loop.distributed.dealer import Dealer, wanted
from ludus.loop.distributed.messages import Turn
from ludus.loop.stages.stage import Order
from ludus.seeding import stream
from ludus.selfplay.reading import Reading, WorkerReport, together
from ludus.store import Samples

TURN_S = 0.5  # seconds between two answers of a member
JOINING_S = 60.0  # seconds for which games are reserved for a member that is joining


class ClusterPool:
    """A self-play pool that plays an order with the members of a cluster; a context manager."""

    def __init__(self, cluster: Cluster, order: Order, on_game: Callable[[Samples], object]) -> None:
        """Prepare to play the games of an order.

        Args:
            cluster: the members that play.
            order: the games to play.
            on_game: called once with each finished game.
        """
        self.finished: list[Samples] = []
        self._reports: dict[MemberState, list[WorkerReport]] = {}  # latest reports of each member
        self._cluster, self._order, self._on_game = cluster, order, on_game
        self._dealer = Dealer(sorted(set(range(order.games)) - set(order.done)))
        self._begun = 0

    def __enter__(self) -> ClusterPool:
        """Register for lost members; `wait` starts the games."""
        self._cluster.on_loss = self._dealer.lose
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop listening for lost members; keep the members for the next generation."""
        self._cluster.on_loss = lambda _member: 0
        self._cluster.is_tried = self._cluster.is_tried or error is None

    def wait(self, seconds: float) -> bool:
        """Deal games and collect finished ones for up to `seconds`; return whether the generation continues.

        Raises:
            LudusError: a member raised it, or was refused.
            Unavailable: the cluster's head is gone, no machine can play, or the disk cannot be written.
        """
        for member in self._cluster.members:
            if member.asked is None and member.has_joined:
                self._ask(member)
        if self._dealer.is_over and not self._enders():
            return False
        for member, answer in self._cluster.hear(seconds):
            if member.question == "play" and member.order is self._order:
                self._take(member, answer)
            elif member.question == "end" and member.order is self._order:
                self._reports[member] = answer
        return True

    @property
    def reports(self) -> list[WorkerReport]:
        """Return the latest reports of all members' workers, including lost members."""
        return [report for each in self._reports.values() for report in each]

    def reading(self) -> Reading | None:
        """Return the members' combined speeds; None: no member has reported yet."""
        playing = [member for member in self._cluster.members if member.order is self._order and member.reading]
        if not playing:
            return None
        machines = len({member.place.node for member in playing}) if self._cluster.is_remote else 0
        whole = together([member.reading for member in playing if member.reading])
        return msgspec.structs.replace(whole, machines=machines)

    def _ask(self, member: MemberState) -> None:
        """Send a member its next question: `begin`, `play` or `end`."""
        cluster, order = self._cluster, self._order
        network, weights = cluster.weights
        if member.order is not order:
            if self._dealer.is_over:
                return
            seed = int(stream(order.seed, "member", self._begun).integers(1 << 62))  # different games for each member
            self._begun += 1
            member.order, member.network, member.reading, member.finished = order, network, None, 0
            cluster.ask(member, "begin", msgspec.structs.replace(order, done=[], seed=seed), weights)
        elif self._dealer.is_over:
            if member.question in ("begin", "play"):
                cluster.ask(member, "end")
        else:
            newer = weights if member.network != network else None
            member.network = network
            dealt = self._dealer.deal(member, self._due(member))
            cluster.ask(member, "play", dealt, TURN_S, newer)

    def _due(self, member: MemberState) -> int:
        """Return how many games to deal to a member."""
        preset = self._cluster.stage.preset
        settings, workers = preset.selfplay, max(1, member.place.cores)
        more = wanted(
            held=self._dealer.held(member),
            in_flight=workers * settings.groups * settings.parallel,
            workers=workers,
            lately=member.finished,
        )
        others = [each for each in self._cluster.members if each is not member and self._has_none_yet(each)]
        if not others:
            return more
        speeds, held = self._speeds([member, *others]), self._dealer.held(member)
        share = math.ceil((self._dealer.left + held) * speeds[0] / sum(speeds)) - held
        if member.question == "play":
            share = max(share, member.finished)  # enough to continue; the rest is reserved for members without games
        return min(more, share)

    def _has_none_yet(self, member: MemberState) -> bool:
        if not member.has_joined:
            return time.monotonic() - member.since < JOINING_S
        return member.order is not self._order or member.question == "begin"

    def _speeds(self, members: list[MemberState]) -> list[float]:
        """Return the members' speeds in positions a second; new members get the mean speed per core."""
        known = [each for each in self._cluster.members if each.seconds > 0.0 and each.positions > 0.0]
        cores = sum(max(1, each.place.cores) for each in known)
        usual = sum(each.positions / each.seconds for each in known) / cores if known else 1.0
        return [
            each.positions / each.seconds if each in known else usual * max(1, each.place.cores) for each in members
        ]

    def _take(self, member: MemberState, turn: Turn) -> None:
        member.finished = len(turn.games)
        for each in turn.games:
            if self._dealer.take(member, int(each.game_id[0])):
                game = Samples.concatenate([each])  # copy it out of Ray's shared memory, which would fill up
                self._on_game(game)
                self.finished.append(game)
                self._cluster.forget_losses(member)
        member.reading = turn.reading
        self._reports[member] = turn.reports
        if self._dealer.held(member):  # otherwise it was idle, and its speed is unknown
            member.positions += turn.reading.positions_per_s * turn.reading.seconds
            member.seconds += turn.reading.seconds

    def _enders(self) -> list[Any]:
        """Return the members that still play or end this generation, without those that have only begun."""
        return [
            each
            for each in self._cluster.members
            if each.order is self._order and each.asked is not None and each.question in ("play", "end")
        ]
