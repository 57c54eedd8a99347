"""A self-play worker: one thread with its own trees, evaluator and games, which hands in finished games as samples."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.network.evaluator import Evaluator
from ludus.players.group import Group, StateEvaluator
from ludus.search.settings import SearchSettings
from ludus.seeding import stream
from ludus.selfplay.games import Games, advance, begin, make_games
from ludus.selfplay.settings import SelfplaySettings
from ludus.store.samples import Samples


class Quota:
    """How many games are still to be begun, shared by the workers of a generation."""

    def __init__(self, games: int) -> None:
        """Allow `games` games."""
        self._next, self._games = 0, games
        self._lock = threading.Lock()
        self.cancelled = threading.Event()

    def take(self) -> int | None:
        """Return the number of the next game, or None if no more are wanted."""
        with self._lock:
            if self._next >= self._games or self.cancelled.is_set():
                return None
            self._next += 1
            return self._next - 1


class WorkerReport(msgspec.Struct, frozen=True):
    """What a worker did and where its time went."""

    counters: dict[str, int]
    search_s: float
    evaluator_s: float
    batches: int
    rows: int
    """Leaves in all batches."""
    capacity: int
    """Leaves that the batches could have held."""


def run_worker(
    games: Sequence[Game],
    evaluator: Evaluator | StateEvaluator,
    search: SearchSettings,
    settings: SelfplaySettings,
    quota: Quota,
    on_game: Callable[[Samples], None],
    *,
    seed: int,
    worker: int,
) -> WorkerReport:
    """Play games until the quota is used up.

    Args:
        games: the games of the run; game number i of the quota plays `games[i % len(games)]`.
        evaluator: judges the leaves.
        search: the search.
        settings: how games are played.
        quota: shared with the other workers.
        on_game: is given every finished game.
        seed: of the generation.
        worker: this worker's number, which names its random streams.

    Returns:
        Counts and times.
    """
    game = games[0]
    num_games = settings.parallel
    group = Group(game, evaluator, search, num_trees=num_games, max_visits=settings.visits, seed=seed * 1000 + worker)
    record = make_games(
        num_games,
        max_actions=max(each.max_actions for each in games),
        state_words=game.state_words,
        max_legal=game.max_legal,
        visits=settings.visits + 2 * search.leaves,
    )
    states = record.words.view(game.dtype)  # [G, P, S]
    schedule = settings.schedule
    rng = stream(seed, "selfplay", worker)
    playing = np.full(num_games, -1, np.int64)  # [G] number of the game that each tree plays

    def start(slot: int) -> None:
        number = quota.take()
        playing[slot] = -1 if number is None else number
        if number is None:
            group.wake(slot, 0)
            record.finished[slot] = 0
            return
        mine = games[number % len(games)]
        record.cap[slot] = mine.max_actions
        record.words[slot, 0] = mine.start_state().view(np.uint64)
        begin(game.rules, group.trees, states, record, schedule, slot, int(rng.integers(settings.random_actions + 1)))

    for slot in range(num_games):
        start(slot)
    batches = rows = 0
    while (playing >= 0).any() and not quota.cancelled.is_set():
        count = group.step()
        batches, rows = batches + (count > 0), rows + count
        if advance(group.trees, record, schedule):
            for slot in np.flatnonzero(record.finished):
                on_game(_samples(record, int(slot), int(playing[slot]), len(games)))
                start(int(slot))
    return WorkerReport(
        counters=group.counters(),
        search_s=group.search_s,
        evaluator_s=group.evaluator_s,
        batches=batches,
        rows=rows,
        capacity=batches * len(group.planes),
    )


def _samples(record: Games, slot: int, number: int, num_specs: int) -> Samples:
    length = int(record.length[slot])
    starts = record.policy_start[slot, : length + 1].copy()  # [P + 1]
    visits: NDArray[np.float32] = record.policy_visits[slot, : starts[-1]].astype(np.float32)
    sums = np.add.reduceat(np.append(visits, 0.0), np.minimum(starts[:-1], len(visits)))
    counts = np.diff(starts)
    weight = visits / np.repeat(np.maximum(sums, 1e-9), counts)
    return Samples(
        states=record.words[slot, :length].copy(),
        game=np.full(length, number % num_specs, np.uint8),
        ply=(int(record.played[slot]) + np.arange(length)).astype(np.int16),
        mover=record.mover[slot, :length].copy(),
        policy_start=starts,
        policy_action=record.policy_action[slot, : starts[-1]].copy(),
        policy_weight=weight.astype(np.float32),
        outcome=np.full(length, record.finished[slot], np.uint8),
        root_value=record.value[slot, :length].copy(),
        root_draw=record.draw[slot, :length].copy(),
        game_id=np.full(length, number, np.int64),
    )
