"""The functions that a browser calls: the entries of the search, as a pool uses them, and the rules.

`web/engine/src/module.ts` calls them by the names given here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.calls import RULES
from ludus.games.game import Game
from ludus.kernel import entry
from ludus.kernel.rules import compiled
from ludus.kernel.webassembly.module import Export
from ludus.network.config import Shapes
from ludus.network.evaluator import UniformEvaluator
from ludus.players.thinking.group import Group, best_action, follow, make_room, start_at
from ludus.players.thinking.plan import FILL, RUNS, SEAT_LEAVES, make_plan, review, rouse
from ludus.search.absorb import absorb
from ludus.search.collect import collect
from ludus.search.root import restrict
from ludus.search.settings import SearchSettings

ZERO = np.float32(0.0)


class BrowserDesk(NamedTuple):
    """Arrays that a browser and the entries write for each other, besides the trees."""

    plan: NDArray[Any]  # [1] PLAN
    over: NDArray[np.int32]  # [1]
    logits: NDArray[np.float32]  # [B, A]
    outcomes: NDArray[np.float32]  # [B, 3]
    state: NDArray[Any]  # [S] a state
    words: NDArray[np.uint64]  # [W] the same memory
    actions: NDArray[np.int16]  # [most legal actions]


def make_desk(game: Game, rows: int) -> BrowserDesk:
    """Return the arrays for batches of at most `rows` rows."""
    state = game.empty_state()
    return BrowserDesk(
        plan=make_plan(1),
        over=np.zeros(1, np.int32),
        logits=np.zeros((rows, game.num_actions), np.float32),
        outcomes=np.zeros((rows, 3), np.float32),
        state=state,
        words=state.view(np.uint64),
        actions=np.zeros(game.max_legal, np.int16),
    )


@entry
def prepare(logits: np.ndarray, outcomes: np.ndarray, count: int, flat: float) -> int:
    """Apply the policy temperature to logits; return how many of the network's numbers are not finite.

    Args:
        logits: logits of all actions, multiplied by `flat`.  # [B, A] float32
        outcomes: probabilities of win, draw and loss.  # [B, 3] float32
        count: rows of the batch.
        flat: 1 / policy temperature, rounded to single precision.
    """
    factor, broken = np.float32(flat), 0
    for row in range(count):
        for action in range(logits.shape[1]):
            number = logits[row, action]
            broken += 0 if number - number == ZERO else 1
            logits[row, action] = number * factor
        for result in range(3):
            number = outcomes[row, result]
            broken += 0 if number - number == ZERO else 1
    return broken


def exports_of(game: Game) -> list[Export]:
    """Return what the module of a game exports; the types of the arguments are those of every search."""
    group = Group(game, UniformEvaluator(Shapes.of(game)), SearchSettings(), num_trees=1, max_visits=1, batch=1)
    desk = make_desk(game, 1)
    rules, t, cache, parameters = game.rules, group.t, group.c, group.parameters
    named = {
        "collect": (collect, (rules, t, cache, parameters, 0)),
        "prepare": (prepare, (desk.logits, desk.outcomes, 0, 0.0)),
        "absorb": (absorb, (t, cache, 0, desk.logits, desk.outcomes)),
        "new_tree": (start_at, (t, 0, desk.words, 0)),
        "play": (follow, (t, 0, 0, desk.words)),
        "prune": (make_room, (t, 0)),
        "best": (best_action, (t, parameters, 0)),
        "restrict": (restrict, (t, 0, desk.actions, 0)),
        "rouse": (rouse, (t, desk.plan, RUNS, FILL, SEAT_LEAVES)),
        "review": (review, (t, desk.plan, desk.over, 0.0, 0.0)),
        "to_play": (RULES["to_play"].entry, (rules, desk.state)),
        "legal": (RULES["legal"].entry, (rules, desk.state, desk.actions)),
        "apply": (RULES["play"].entry, (rules, desk.state, 0)),
        "outcome": (RULES["outcome"].entry, (rules, desk.state)),
        "for_search": (_searched(game), (desk.state,)),
    }
    return [Export(name, function, arguments) for name, (function, arguments) in named.items()]


def _searched(game: Game) -> Any:  # noqa: ANN401 - an entry
    """Return an entry that replaces a state by the one that an engine searches."""
    own = compiled(game.for_search.__wrapped__)  # pyright: ignore[reportFunctionMemberAccess]

    def for_search(state: np.ndarray) -> None:
        state[:] = own(state)

    return entry(for_search)
