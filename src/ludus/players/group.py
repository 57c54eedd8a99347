"""A group: trees of one rule set and one evaluator, turned batch by batch; the bridge between search and network."""

import time
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.kernel import entry
from ludus.network.evaluator import Evaluator, Logits, Outcomes
from ludus.search.reuse import find_child, plant, reroot
from ludus.search.settings import SearchSettings
from ludus.search.step import absorb, collect
from ludus.search.tree import COUNTERS, EXPANDED, TERMINAL, Trees, make_trees


class StateEvaluator(Protocol):
    """Judges batches of positions from their states: an evaluator that knows the rules instead of planes."""

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Judge states [B, W] of `game`, none of them finished."""
        ...


class Group:
    """Trees that share batches.

    Attributes:
        trees: the arrays.
        search_s: seconds spent in the search so far.
        evaluator_s: seconds spent in the evaluator so far.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator | StateEvaluator,
        settings: SearchSettings,
        *,
        num_trees: int,
        max_visits: int,
        seed: int = 0,
    ) -> None:
        """Allocate the trees.

        Args:
            game: any game whose rules, planes and actions the trees will hold.
            evaluator: judges the leaves.
            settings: the search.
            num_trees: G.
            max_visits: most visits that a root will have; the cap of memory follows from it.
            seed: names the random streams.
        """
        self.game, self.settings = game, settings
        self.evaluator = evaluator
        self.trees: Trees = make_trees(
            num_trees,
            state_words=game.state_words,
            max_legal=game.max_legal,
            max_nodes=max_visits + 2 * settings.leaves + 8,
            batch=num_trees * settings.leaves,
            cache_entries=settings.cache_entries,
            seed=seed,
        )
        self.states = self.trees.words.view(game.dtype)  # [G, N, S]
        batch = num_trees * settings.leaves
        self._lane = None if hasattr(evaluator, "evaluate_states") else evaluator.lane(batch)  # pyright: ignore
        self.planes = self._lane.planes if self._lane else np.zeros((batch, *game.planes), np.uint8)  # [B, C, H, W]
        self.knobs = settings.knobs
        self.search_s = 0.0
        self.evaluator_s = 0.0

    def step(self) -> int:
        """Collect one batch, judge it, absorb it; return its size (0: every tree is done)."""
        t0 = time.perf_counter()
        count = collect(self.game.rules, self.trees, self.states, self.knobs, self.planes)
        t1 = time.perf_counter()
        if count:
            logits, outcomes = self._judge(count)
            t2 = time.perf_counter()
            absorb(self.trees, count, logits, outcomes)
            self.evaluator_s += t2 - t1
            self.search_s += time.perf_counter() - t2
        self.search_s += t1 - t0
        return count

    def _judge(self, count: int) -> tuple[Logits, Outcomes]:
        if self._lane is None:
            rows = self.trees.row[:count]
            words = self.trees.words[rows["tree"], rows["node"]]  # [B, W]
            return self.evaluator.evaluate_states(self.game, words)  # pyright: ignore
        self._lane.submit(count)
        return self._lane.answer()

    def plant(self, tree: int, state: NDArray[np.uint64]) -> None:
        """Start tree number `tree` afresh at the state given as words [W]."""
        _plant(self.trees, tree, state)

    def play(self, tree: int, action: int, state_after: NDArray[np.uint64]) -> None:
        """Move the root of a tree to where `action` leads, keeping the subtree if there is one."""
        _play(self.trees, tree, action, state_after)

    def wake(self, tree: int, visits: int, *, noise: bool = False) -> None:
        """Let tree number `tree` search until its root has `visits` visits (0: let it sleep)."""
        self.trees.tree["target"][tree] = visits
        self.trees.tree["wants_noise"][tree] = noise

    def counters(self) -> dict[str, int]:
        """Return how often what happened since the group was made (`COUNTERS`)."""
        return dict(zip(COUNTERS, map(int, self.trees.counter), strict=True))


@entry
def _plant(t: Trees, g: int, words: np.ndarray) -> None:
    plant(t, g, words)


@entry
def _play(t: Trees, g: int, action: int, words: np.ndarray) -> None:
    child = find_child(t, g, action)
    kind = int(t.node[g, child].kind) if child >= 0 else 0
    if kind in (EXPANDED, TERMINAL):
        reroot(t, g, child)
    else:
        plant(t, g, words)
