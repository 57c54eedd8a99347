"""The searching player of matches: it searches many positions at once, each in a new tree, with a common cache."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.network.evaluator import Evaluator
from ludus.players.judging.heuristic import PlayoutEvaluator, StateEvaluator
from ludus.players.judging.recall import Recall
from ludus.players.thinking.group import Group, kind_of
from ludus.players.thinking.memory import visits_within
from ludus.players.thinking.plan import FILL, SEAT_LEAVES, leaves_of
from ludus.players.thinking.thought import read_thought
from ludus.search.settings import SearchSettings
from ludus.seeding import stream

MOST_AT_ONCE = 1024  # positions searched simultaneously; limits the memory of large matches
MOST_AT_ONCE_BY_CLOCK = 16  # the same with a time limit, since trees may then be large
MOST_VISITS_BY_CLOCK = 400_000  # limit of visits with a time limit, rarely reached
MEGABYTES_BY_CLOCK = 4096  # memory of all simultaneous trees; a visit takes up to 13 KiB, usually under 1


class SearchPlayer:
    """A player for matches that searches each position in a new tree and plays the best action."""

    def __init__(
        self,
        name: str,
        evaluator: Evaluator | StateEvaluator | Recall,
        search: SearchSettings | None = None,
        *,
        visits: int,
        seconds: float | None = None,
        temperature: float = 0.0,
        seed: int = 0,
        seen_as: Mapping[str, Game] | None = None,
        identity: str = "",
    ) -> None:
        """Create a player.

        Args:
            name: the name in results.
            evaluator: a network, a heuristic, or playouts.
            search: settings of the search.
            visits: visits of each search; 1 plays the evaluator's best prior without a search.
            seconds: time limit of each position; positions searched simultaneously share the sum of their times and
                `MEGABYTES_BY_CLOCK` of memory.
            temperature: 0 plays the best action; else the action is drawn by visits^(1/temperature), as at tables, and
                the search does not use the rules' foresight.
            seed: seed of the random streams.
            seen_as: games with the same rules and the evaluator's planes, by the name of the match's game.
            identity: distinguishes players of one name in records.
        """
        assert visits >= 1, "a search needs at least one visit"
        self.name, self.identity, self.visits, self._seconds = name, identity, visits, seconds
        self._at_once = MOST_AT_ONCE if seconds is None else MOST_AT_ONCE_BY_CLOCK
        self._evaluator, self._search, self._seed = evaluator, search or SearchSettings(), seed
        if visits == 1 or temperature > 0.0:  # no search, or a deliberately weak player, which gets no proofs
            self._search = msgspec.structs.replace(self._search, foresight=False)
        if seconds is not None and not hasattr(
            evaluator, "evaluate_states"
        ):  # a network evaluates several leaves faster together
            self._search = msgspec.structs.replace(self._search, leaves=SEAT_LEAVES)
        self._temperature, self._rng = temperature, stream(seed, "temperature")
        self._seen_as = seen_as or {}
        self._groups: dict[tuple[object, ...], Group] = {}

    def go_on(self, games: int) -> None:
        """Switch to the random stream for continuing a match after `games` games."""
        self._rng = stream(self._seed, "temperature", games)
        if isinstance(self._evaluator, PlayoutEvaluator):
            self._evaluator.restart(games)

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action for each state.

        Args:
            game: the game of all states.
            states: states as words.  # [K, W]

        Returns:
            actions.  # [K]
        """
        parts = [states[first : first + self._at_once] for first in range(0, len(states), self._at_once)]
        return np.array([action for part in parts for action in self._choose(game, part)], np.int16)

    def value(self, game: Game, words: NDArray[np.uint64]) -> float:
        """Return the value of a state [W] in [-1, 1], seen by player 0, independently of earlier calls."""
        if isinstance(self._evaluator, PlayoutEvaluator):
            self._evaluator.restart()
        group = self._searched(game, words[None])
        return read_thought(group.trees, 0).value

    def _choose(self, game: Game, states: NDArray[np.uint64]) -> list[int]:
        group = self._searched(game, states)
        return [self._action(group, index) for index in range(len(states))]

    def _searched(self, game: Game, states: NDArray[np.uint64]) -> Group:
        """Search the states in the first trees [K] of a group, and return the group."""
        group = self._group_for(self._seen_as.get(game.name, game), len(states))
        group.trees.tree["target"] = 0  # trees of the previous search may still have targets
        for index, words in enumerate(states):
            group.new_tree(index, game.for_search(words.view(game.dtype)).view(np.uint64))
            group.set_target(index, self.visits)
        group.load()
        deadline = float("inf") if self._seconds is None else time.perf_counter() + self._seconds * len(states)
        self._share_batches(group, len(states))
        while group.step() and time.perf_counter() < deadline:
            self._share_batches(group, len(states))
        return group

    def _search_start(self, game: Game, group: Group) -> None:
        """Search a game's first position with two visits, to compile and load code."""
        group.new_tree(0, game.for_search(game.start_state()).view(np.uint64))
        group.set_target(0, 2)
        while group.step():
            pass

    def _share_batches(self, group: Group, count: int) -> None:
        """Set the leaves of each tree in a batch: more for trees with many visits, fewer if many trees share it."""
        if self._search.leaves > 1:
            roots = group.trees.child[:count, 0]["visits"].tolist()
            leaves = [leaves_of(visits, count, FILL, self._search.leaves) for visits in roots]
            group.trees.tree["leaves"][:count] = leaves

    def _action(self, group: Group, index: int) -> int:
        best = group.best(index)
        if not self._temperature:
            return best
        return read_thought(group.trees, index, best=best, temperature=self._temperature, rng=self._rng).best[0]

    def _group_for(self, game: Game, count: int) -> Group:
        shape = kind_of(game)  # several boards may have the same rules
        if hasattr(self._evaluator, "evaluate_states"):  # playouts end at the length cap of the group's game
            shape = (*shape, game.max_actions)
        group = self._groups.get(shape)
        if group is None or len(group.trees.tree) < count:
            most = self.visits
            if self._seconds is not None:  # a full tree ends its search
                most = min(most, visits_within(game, MEGABYTES_BY_CLOCK // count))
            group = Group(game, self._evaluator, self._search, num_trees=count, max_visits=most, seed=self._seed)
            if self._seconds is not None:  # compile and load before the clock runs
                self._search_start(game, group)
            self._groups[shape] = group
        return group
