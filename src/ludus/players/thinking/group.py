"""A group: trees of one rule set and one evaluator, turned batch by batch; the bridge between search and network."""

import time
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludus.games.blame import Blaming
from ludus.games.game import Game
from ludus.kernel import bind, entry, reference
from ludus.network.evaluator import Evaluator, Lane
from ludus.players.judging.heuristic import StateEvaluator, StateLane
from ludus.players.judging.recall import Recall, RecallLane
from ludus.search.absorb import absorb
from ludus.search.cache import Cache, make_cache
from ludus.search.collect import collect
from ludus.search.edges import edge_action
from ludus.search.reuse import can_go_on, find_child, new_tree, reroot
from ludus.search.settings import SearchParameters, SearchSettings
from ludus.search.target import best_child
from ludus.search.tree import COUNTERS, KEPT, Trees, make_trees

SPARE_NODES = 8  # beyond the visits that were asked for: those of the batch in flight, and a few


class Group:
    """Trees that share batches.

    Attributes:
        trees: the arrays.
        cache: what the evaluator has said before.
        t: the same, as compiled code takes them; likewise `c` the cache and `parameters` the settings.
        lane: the batch's way to the evaluator and back.
        search_s: seconds spent in the search so far.
        evaluator_s: seconds spent waiting for the evaluator so far.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator | StateEvaluator | Recall,
        settings: SearchSettings,
        *,
        num_trees: int,
        max_visits: int,
        batch: int = 0,
        cache: Cache | None = None,
        symmetries: int | None = None,
        seed: int = 0,
    ) -> None:
        """Allocate the trees.

        Args:
            game: any game whose rules, planes and actions the trees will hold.
            evaluator: judges the leaves.
            settings: the search.
            num_trees: G.
            max_visits: most visits that a root will have; the cap of memory follows from it.
            batch: B, most leaves in a batch (default: each tree's `settings.leaves`).
            cache: shared with other groups that ask the same evaluator (default: one of its own).
            symmetries: that all games in the trees have (default: those of `game`).
            seed: names the random streams.
        """
        self.game, self.settings = game, settings
        by_state = hasattr(evaluator, "evaluate_states")  # such an evaluator sees no rows, and no symmetries in them
        parameters = settings.parameters(max_visits, 1 if by_state else symmetries or game.num_symmetries)
        batch = max(batch or num_trees * settings.leaves, parameters.root_symmetries)
        self.lane: Lane
        if isinstance(evaluator, Recall):
            self.lane = RecallLane(game, evaluator, batch, lambda: self.t)
        else:
            state_lane = StateLane(game, evaluator, batch, lambda: self.trees) if by_state else None  # pyright: ignore
            self.lane = state_lane or evaluator.lane(batch)  # pyright: ignore
        # Machine code writes a game's planes without a look at the room that there is.
        assert self.lane.planes.shape[1:] in (game.planes, (0, 0, 0)), "the evaluator reads other planes"
        self.trees: Trees = make_trees(
            num_trees,
            self.lane.planes,
            state_words=game.state_words,
            dtype=game.dtype,
            max_legal=game.max_legal,
            max_nodes=max_visits + 2 * settings.leaves + SPARE_NODES,
            seed=seed,
        )
        self.trees.tree["leaves"] = settings.leaves
        self.cache = cache or cache_for(game, settings)
        self.t, self.c, self.parameters = reference(self.trees), reference(self.cache), reference(parameters)
        # Heuristics and playouts know what their priors are worth; they stay the fixed opponents that they are.
        self._flat = np.float32(1.0 if by_state else 1.0 / settings.policy_temperature)
        self.search_s = 0.0
        self.evaluator_s = 0.0
        self._first = 0

    def load(self) -> None:
        """Have the machine code of a step at hand, which takes a while the first time, before a clock runs."""
        _ = self._steps

    @cached_property
    def _steps(self) -> tuple[Callable[..., int], Callable[..., None]]:
        """The machine code of a step; not needed in self-play, which has a step of its own."""
        answers = np.zeros((1, self.game.num_actions), np.float32), np.zeros((1, 3), np.float32)
        return (
            bind(collect, self.game.rules, self.t, self.c, self.parameters, 0),
            bind(absorb, self.t, self.c, 0, *answers),
        )

    def begin(self) -> int:
        """Collect a batch and hand it to the evaluator; return its size (0: every tree is done)."""
        t0 = time.perf_counter()
        with Blaming(self.game.name):
            count = self._steps[0](self.game.rules, self.t, self.c, self.parameters, self._first)
        self.search_s += time.perf_counter() - t0
        if count:
            self._first = (self._first + count) % len(self.trees.tree)
            self.lane.submit(count)
        return count

    def finish(self, count: int) -> None:
        """Wait for the evaluator's answer to the batch of `begin`, and take it in."""
        t0 = time.perf_counter()
        logits, outcomes = self.lane.answer()
        t1 = time.perf_counter()
        self._steps[1](self.t, self.c, count, logits if self._flat == 1.0 else logits * self._flat, outcomes)
        self.evaluator_s += t1 - t0
        self.search_s += time.perf_counter() - t1

    def step(self) -> int:
        """Collect one batch, have it judged, absorb it; return its size (0: every tree is done)."""
        if count := self.begin():
            self.finish(count)
        return count

    def new_tree(self, tree: int, state: NDArray[np.uint64], *, actions_left: int = 0) -> None:
        """Start tree number `tree` afresh at the state given as words [W], `actions_left` before the length cap."""
        _new_tree(self.t, tree, state, actions_left)

    def play(self, tree: int, action: int, state_after: NDArray[np.uint64]) -> None:
        """Move the root of a tree to where `action` leads, keeping the subtree if there is one."""
        _play(self.t, tree, action, state_after)

    def best(self, tree: int) -> int:
        """Return the best action at the root of tree number `tree`, by visits or as `settings.choice` says."""
        return int(_best(self.t, self.parameters, tree))

    def set_target(self, tree: int, visits: int, *, explores: bool = False, leaves: int | None = None) -> None:
        """Let tree number `tree` search until its root has `visits` visits (0: it stays as it is).

        Args:
            tree: which.
            visits: of the root, those that it has included.
            explores: with the noise of self-play at the root.
            leaves: most leaves of this tree in a batch (default: `settings.leaves`).
        """
        record = self.trees.tree
        record["target"][tree] = visits
        record["explores"][tree] = explores
        record["leaves"][tree] = self.settings.leaves if leaves is None else leaves

    def counters(self) -> dict[str, int]:
        """Return how often what happened since the group was made (`COUNTERS`)."""
        return dict(zip(COUNTERS, map(int, self.trees.counter), strict=True))


def shape_of(game: Game) -> tuple[object, ...]:
    """Return what boards have in common that can share a pool: rules, planes, actions, and the size of a state."""
    return game.rules.key, game.planes, game.num_actions, game.max_legal, game.state_words


def kind_of(game: Game) -> tuple[object, ...]:
    """Return what boards have in common that share a group of trees: their shape, and the symmetries of their roots."""
    return *shape_of(game), game.num_symmetries


def cache_for(game: Game, settings: SearchSettings) -> Cache:
    """Return an empty cache for evaluations of `game`."""
    return make_cache(settings.cache_entries, min(KEPT, game.max_legal))


@entry
def _best(t: Trees, parameters: SearchParameters, g: int) -> int:
    root = t.child[g, 0]
    first = int(t.node[g, int(root.node)].first_edge)
    return edge_action(t.edge[g, first + (best_child(t, g, parameters) if int(root.num_children) > 0 else 0)])


@entry
def _new_tree(t: Trees, g: int, words: np.ndarray, actions_left: int) -> None:
    new_tree(t, g, words, actions_left)


@entry
def _play(t: Trees, g: int, action: int, words: np.ndarray) -> None:
    child = find_child(t, g, action)
    if child >= 0 and can_go_on(t, g, child):
        reroot(t, g, child)
    else:
        new_tree(t, g, words, max(0, int(t.tree[g].actions_left) - 1))
