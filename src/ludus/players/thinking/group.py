"""A group of search trees with the same rules and evaluator: collects leaves in batches and evaluates them."""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ludus.games.blame import Blaming
from ludus.games.game import Game
from ludus.kernel import bind, entry, reference
from ludus.lazy import lazy_property
from ludus.network.evaluator import Evaluator, Lane
from ludus.players.judging.heuristic import StateEvaluator, StateLane
from ludus.players.judging.recall import Recall, RecallLane
from ludus.search.absorb import absorb
from ludus.search.cache import Cache, make_cache
from ludus.search.collect import collect
from ludus.search.edges import edge_action
from ludus.search.reuse import can_go_on, find_child, is_at, new_tree, prune, reroot
from ludus.search.settings import SearchParameters, SearchSettings
from ludus.search.target import best_child
from ludus.search.tree import COUNTERS, KEPT, Trees, make_trees

SPARE_NODES = 8  # extra nodes beyond the requested visits and the batch in flight


class Group:
    """Search trees that share batches.

    Attributes:
        trees: the arrays of the trees.
        cache: cache of evaluations.
        t: reference to the trees for compiled code; `c` is that of the cache, `parameters` that of the settings.
        lane: the lane of the evaluator.
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
            game: any game with the rules, planes and actions of all positions in the trees.
            evaluator: evaluates the leaves.
            settings: settings of the search.
            num_trees: G, the number of trees.
            max_visits: largest number of visits of a root, which determines the memory.
            batch: B, the largest batch (default: `settings.leaves` for each tree).
            cache: cache shared with other groups of the same evaluator (default: a new one).
            symmetries: number of symmetries of all games in the trees (default: that of `game`).
            seed: seed of the random streams.
        """
        self.game, self.settings = game, settings
        by_state = hasattr(evaluator, "evaluate_states")  # it reads states, so symmetric planes make no difference
        parameters = settings.parameters(max_visits, 1 if by_state else symmetries or game.num_symmetries)
        batch = max(batch or num_trees * settings.leaves, parameters.root_symmetries)
        self.lane: Lane
        if isinstance(evaluator, Recall):
            self.lane = RecallLane(game, evaluator, batch, lambda: self.t)
        else:
            state_lane = StateLane(game, evaluator, batch, lambda: self.trees) if by_state else None  # pyright: ignore
            self.lane = state_lane or evaluator.lane(batch)  # pyright: ignore
        # Compiled code writes a game's planes without bounds checks.
        assert self.lane.planes.shape[1:] in (game.planes, (0, 0, 0)), "the evaluator's planes do not fit the game"
        self.trees: Trees = make_trees(
            num_trees,
            self.lane.planes,
            state_words=game.state_words,
            dtype=game.dtype,
            max_legal=game.max_legal,
            max_nodes=nodes_for(max_visits, settings),
            seed=seed,
        )
        self.trees.tree["leaves"] = settings.leaves
        self.trees.tree["plays"] = 1
        self.cache = cache or cache_for(game, settings)
        self.t, self.c, self.parameters = reference(self.trees), reference(self.cache), reference(parameters)
        # The policy temperature applies only to networks, so that heuristic players stay fixed opponents.
        self._flat = np.float32(1.0 if by_state else 1.0 / settings.policy_temperature)
        self.search_s = 0.0
        self.evaluator_s = 0.0
        self._first = 0

    def load(self) -> None:
        """Compile or load the code of a step now, since that takes a while the first time."""
        _ = self._steps

    @lazy_property
    def _steps(self) -> tuple[Callable[..., int], Callable[..., None]]:
        """The compiled code of a step; self-play has its own."""
        answers = np.zeros((1, self.game.num_actions), np.float32), np.zeros((1, 3), np.float32)
        return (
            bind(collect, self.game.rules, self.t, self.c, self.parameters, 0),
            bind(absorb, self.t, self.c, 0, *answers),
        )

    def begin(self) -> int:
        """Collect a batch and submit it to the evaluator; return its size (0: every tree is done)."""
        t0 = time.perf_counter()
        with Blaming(self.game.name):
            count = self._steps[0](self.game.rules, self.t, self.c, self.parameters, self._first)
        self.search_s += time.perf_counter() - t0
        if count:
            self._first = (self._first + count) % len(self.trees.tree)
            self.lane.submit(count)
        return count

    def finish(self, count: int) -> None:
        """Wait for the evaluations of the batch of `begin`, and back them up."""
        t0 = time.perf_counter()
        logits, outcomes = self.lane.answer()
        t1 = time.perf_counter()
        self._steps[1](self.t, self.c, count, logits if self._flat == 1.0 else logits * self._flat, outcomes)
        self.evaluator_s += t1 - t0
        self.search_s += time.perf_counter() - t1

    def step(self) -> int:
        """Collect, evaluate and back up one batch; return its size (0: every tree is done)."""
        if count := self.begin():
            self.finish(count)
        return count

    def new_tree(self, tree: int, state: NDArray[np.uint64], *, actions_left: int = 0) -> None:
        """Start a new tree number `tree` at a state [W] that is `actions_left` actions before the length cap."""
        start_at(self.t, tree, state, actions_left)

    def play(self, tree: int, action: int, state_after: NDArray[np.uint64]) -> None:
        """Move the root of a tree to the position after `action`, and keep its subtree if there is one."""
        follow(self.t, tree, action, state_after)

    def prune(self, tree: int) -> None:
        """Free memory of a full tree: its nodes with few visits lose their children."""
        make_room(self.t, tree)

    def best(self, tree: int) -> int:
        """Return the best action at the root of tree number `tree`, chosen by `settings.choice`."""
        return int(best_action(self.t, self.parameters, tree))

    def set_target(self, tree: int, visits: int, *, explores: bool = False, leaves: int | None = None) -> None:
        """Let tree number `tree` search until its root has `visits` visits (0: no search).

        Args:
            tree: number of the tree.
            visits: visits of the root, including those that it already has.
            explores: whether to add exploration noise at the root, as in self-play.
            leaves: largest number of leaves of this tree in a batch (default: `settings.leaves`).
        """
        record = self.trees.tree
        record["target"][tree] = visits
        record["explores"][tree] = explores
        record["leaves"][tree] = self.settings.leaves if leaves is None else leaves

    def counters(self) -> dict[str, int]:
        """Return the event counters since the group was created, by the names of `COUNTERS`."""
        return dict(zip(COUNTERS, map(int, self.trees.counter), strict=True))


def nodes_for(max_visits: int, settings: SearchSettings) -> int:
    """Return the nodes of a tree whose root has at most `max_visits` visits."""
    return max_visits + 2 * settings.leaves + SPARE_NODES


def shape_of(game: Game) -> tuple[object, ...]:
    """Return the key of boards that can share a pool: rules, planes, actions, and size of a state."""
    return game.rules.key, game.planes, game.num_actions, game.max_legal, game.state_words


def kind_of(game: Game) -> tuple[object, ...]:
    """Return the key of boards that can share a group of trees: shape and number of symmetries."""
    return *shape_of(game), game.num_symmetries


def cache_for(game: Game, settings: SearchSettings) -> Cache:
    """Create an empty cache for evaluations of `game`."""
    return make_cache(settings.cache_entries, min(KEPT, game.max_legal))


@entry
def best_action(t: Trees, parameters: SearchParameters, g: int) -> int:
    """Return the best action at the root of tree `g`."""
    root = t.child[g, 0]
    first = int(t.node[g, int(root.node)].first_edge)
    return edge_action(t.edge[g, first + (best_child(t, g, parameters) if int(root.num_children) > 0 else 0)])


@entry
def start_at(t: Trees, g: int, words: np.ndarray, actions_left: int) -> None:
    """Start a new tree number `g` at a state [W]."""
    new_tree(t, g, words, actions_left)


@entry
def make_room(t: Trees, g: int) -> None:
    """Free memory of the full tree `g`."""
    prune(t, g)


@entry
def follow(t: Trees, g: int, action: int, words: np.ndarray) -> None:
    """Move the root of tree `g` to the state [W] after `action`; keep the subtree if it is as good as a new tree."""
    child = find_child(t, g, action)
    if child >= 0 and can_go_on(t, g, child) and is_at(t, g, child, words):
        reroot(t, g, child)
    else:
        new_tree(t, g, words, max(0, int(t.tree[g].actions_left) - 1))
