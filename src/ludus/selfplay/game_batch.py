"""A batch of self-play games that share one group of search trees and one evaluation batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.games.blame import Blaming
from ludus.games.game import Game
from ludus.kernel import bind, reference, working_s
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings
from ludus.selfplay.games import NOBODY, GameHistories, advance, begin, fork, make_games
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.spent import Doing, Spent
from ludus.store.samples import Samples


class GameBatch:
    """One group of search trees and the games that a worker plays in it."""

    def __init__(
        self,
        games: Sequence[Game],
        source: Source,
        search: SearchSettings,
        settings: SelfplaySettings,
        quota: Quota,
        on_game: Callable[[Samples], None],
        rng: np.random.Generator,
        progress: float,
    ) -> None:
        """Allocate trees and histories, and start the first games."""
        settings = settings.at(progress)
        game = max(games, key=lambda each: each.max_actions)  # the length cap limits playouts
        num_games = settings.parallel
        self.group = Group(
            game,
            source.evaluator,
            search,
            num_trees=num_games,
            max_visits=max(settings.visits, settings.fast_visits, settings.accelerated_visits),
            cache=source.cache,
            symmetries=min(each.num_symmetries for each in games),
            seed=int(rng.integers(1 << 62)),
        )
        self.group.trees.tree["plays"] = 0
        visited = min(game.max_legal, settings.visits + 2 * search.leaves)
        self._record = make_games(
            num_games,
            max_actions=max(each.max_actions for each in games),
            state_words=game.state_words,
            max_policy=game.max_legal if search.gumbel_actions else visited,
        )
        self._r, self._s = reference(self._record), reference(settings)
        self._states = self._record.words.view(game.dtype)  # [G, P, S]
        self._games, self._source, self._settings = games, source, settings
        self._quota, self._on_game, self._rng = quota, on_game, rng
        self._playing = np.full(num_games, -1, np.int64)  # [G] number of the game in each tree, -1 if idle
        self._is_whole = np.ones(num_games, np.bool_)  # [G] whether each tree's game began at a regular start
        self._last: dict[int, Samples] = {}  # board -> last regular game; no forks of forks, which drift to the end
        self._count = 0
        self.batches = self.rows = self.played_out = self.wrongly_resigned = 0
        self.positions = 0  # positions of finished games
        self.spent = Spent()
        self._no_answers = (np.zeros((1, game.num_actions), np.float32), np.zeros((1, 3), np.float32))
        self._parts = (game.rules, self.group.t, self.group.c, self.group.parameters, self._r, self._s)
        self._advance = bind(advance, *self._parts, 0, 0, 0, *self._no_answers)
        self._blaming = Blaming(game.name)
        for slot in range(num_games):
            self._start(slot)

    def turn(self) -> bool:
        """Process the last batch, play moves, and send the next batch; return whether there is a next batch."""
        self._turn_to("evaluator")
        answered, self._count = self._count, 0
        answers = self.group.lane.answer() if answered else self._no_answers
        self._turn_to("search")
        if not answered:
            self._start_dealt()
        count = self._go_on(answered, *answers)
        while count < 0:
            for slot in np.flatnonzero(self._record.finished):
                self._take(int(slot))
                self._start(int(slot))
            self._start_dealt()
            count = self._go_on(0, *self._no_answers)
        self._turn_to("evaluator")
        self._count = count
        if count:
            self.group.lane.submit(count)
            self.batches += 1
            self.rows += count
        self._turn_to("")
        return count > 0

    @property
    def in_flight(self) -> int:
        """Return the number of games being played."""
        return int((self._playing >= 0).sum())

    @property
    def positions_so_far(self) -> int:
        """Return the number of positions searched so far, including those of unfinished games."""
        return self.positions + int(self._record.length[self._playing >= 0].sum())

    def leave(self) -> None:
        """Wait for the batch in flight, so that its memory can be freed."""
        if self._count:
            self._count = 0
            self.group.lane.answer()

    def _turn_to(self, doing: Doing) -> None:
        self.spent = self.spent.then(doing, working_s())

    def _go_on(self, count: int, logits: NDArray[np.float32], outcomes: NDArray[np.float32]) -> int:
        with self._blaming:
            first = self.batches % len(self._playing)
            return self._advance(*self._parts, self._source.network, first, count, logits, outcomes)

    def _start(self, slot: int) -> None:
        """Start the next game of the quota in the tree `slot`; if there is none, leave the tree idle."""
        record, number = self._record, self._quota.take()
        record.finished[slot] = 0
        self._playing[slot] = -1 if number is None else number
        if number is None:
            self.group.set_target(slot, 0)
            return
        which = self._quota.game_of(number, len(self._games))
        game = self._games[which]
        record.cap[slot] = game.max_actions
        random_actions = int(self._rng.integers(self._settings.random_actions + 1))
        forks, opens = self._settings.fork_share, self._settings.opening_share
        with Blaming(game.name):
            drawn = self._rng.random()
            self._is_whole[slot] = not (
                (drawn < forks and self._fork(slot, which))
                or (forks <= drawn < forks + opens and self._open(slot, which))
            )
            if self._is_whole[slot]:
                start = game.start_state(game.draw_setup(self._rng))
                record.words[slot, 0], record.played[slot] = start.view(np.uint64), 0
            else:
                random_actions = 0
            begin(game.rules, self.group.t, self._states, self._r, self._s, slot, random_actions)

    def _start_dealt(self) -> None:
        """Start newly dealt games in idle trees; no batch may be in flight, because its rows would be overwritten."""
        idle = np.flatnonzero(self._playing < 0) if self._quota.is_open else ()
        for slot in idle:
            self._start(int(slot))
            if self._playing[slot] < 0:
                return

    def _open(self, slot: int, which: int) -> bool:
        """Start the game in tree `slot` at a position of a recorded game; return False if there is none."""
        drawn = self._quota.openings.draw(which, self._rng) if self._quota.openings else None
        if drawn is None:
            return False
        self._record.words[slot, 0], self._record.played[slot] = drawn
        return True

    def _fork(self, slot: int, which: int) -> bool:
        """Start a game from a position of its board's last game with another action; return False if there is none."""
        last, record = self._last.get(which), self._record
        if last is None:
            return False
        at = int(self._rng.integers(len(last)))
        record.words[slot, 0], record.played[slot] = last.states[at], last.ply[at]
        rules = self._games[which].rules
        return bool(fork(rules, self.group.t, self._states, self._r, slot, int(last.action[at])))

    def _take(self, slot: int) -> None:
        """Pass a finished game to `on_game`, and count whether resigning would have changed its result."""
        record = self._record
        number = int(self._playing[slot])
        samples = _samples(record, slot, number, self._quota.game_of(number, len(self._games)))
        if self._is_whole[slot]:
            self._last[int(samples.game[0])] = samples
        self.positions += len(samples)
        self._on_game(samples)
        resigner = int(record.resigner[slot])
        if resigner != NOBODY and record.plays_out[slot]:
            self.played_out += 1
            self.wrongly_resigned += int(record.finished[slot]) != 2 - resigner


def _samples(record: GameHistories, slot: int, number: int, game: int) -> Samples:
    length = int(record.length[slot])
    starts = record.policy_start[slot, : length + 1].copy()  # [P + 1]
    weights: NDArray[np.float32] = record.policy_weight[slot, : starts[-1]]
    sums = np.add.reduceat(np.append(weights, 0.0), np.minimum(starts[:-1], len(weights)))
    shares = weights / np.repeat(np.maximum(sums, 1e-9), np.diff(starts))
    return Samples(
        states=record.words[slot, :length].copy(),
        game=np.full(length, game, np.uint8),
        ply=(int(record.played[slot]) + np.arange(length)).astype(np.int16),
        mover=record.mover[slot, :length].copy(),
        action=record.action[slot, :length].copy(),
        policy_start=starts,
        policy_action=record.policy_action[slot, : starts[-1]].copy(),
        policy_weight=shares.astype(np.float32),
        outcome=np.full(length, record.finished[slot], np.uint8),
        root_value=_coarse(record.value[slot, :length]),
        root_draw=_coarse(record.draw[slot, :length]),
        surprise=_coarse(record.surprise[slot, :length]),
        weight=record.weight[slot, :length].copy(),
        network=record.network[slot, :length].copy(),
        game_id=np.full(length, number, np.int64),
    )


def _coarse(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round to half precision (three digits), which compresses better and exceeds the accuracy of 100 visits."""
    return array.astype(np.float16).astype(np.float32)
