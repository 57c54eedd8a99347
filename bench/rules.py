"""Measures what a leaf costs: nanoseconds of processor time for each rule, beside the network.

    python bench/rules.py                       # all shipped models, on leaves of their games with themselves
    python bench/rules.py models/chess
    python bench/rules.py gomoku:9x9            # a game without a model, on leaves of searches by heuristic or playouts

A leaf costs a *step* (copy of the state, `play`, `outcome`); then foresight, which makes the rest unnecessary in the
share of leaves that is *foreseen*; then `legal`, the planes and the network.  The heuristic is what players without a
network use instead of the last two.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.games.game import Game
from ludus.kernel import Rules, entry
from ludus.network.checkpoint import load_checkpoint
from ludus.network.evaluator import Evaluator
from ludus.network.openvino import evaluator_of
from ludus.players.judging.heuristic import FallbackEvaluator, StateEvaluator
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings
from ludus.shipped import folder, model

NUM_LEAVES, NUM_TREES, VISITS, FROM_EACH = 1024, 8, 100, 8  # leaves of searches without foresight
BATCH = 64
REPEATS_S = 0.5  # each measurement is repeated for so long; the fastest counts, others may include other work


@entry
def legal(rules: Rules, states: np.ndarray, actions: np.ndarray) -> int:
    total = 0
    for i in range(states.shape[0]):
        total += rules.legal(states[i], actions)
    return total


@entry
def encode(rules: Rules, states: np.ndarray, planes: np.ndarray) -> int:
    for i in range(states.shape[0]):
        planes[:] = 0
        rules.encode(states[i], planes)
    return 0


@entry
def foresee(rules: Rules, states: np.ndarray) -> int:
    known = 0
    for i in range(states.shape[0]):
        known += 1 if rules.foresee(states[i]) != 0 else 0
    return known


@entry
def step(rules: Rules, states: np.ndarray, played: np.ndarray, scratch: np.ndarray) -> int:
    total = 0
    for i in range(states.shape[0]):
        at = i + (total >> 40)  # always i; steps that depend on each other are not made side by side
        for k in range(scratch.shape[0]):
            scratch[k] = states[at, k]
        rules.play(scratch, int(played[at]))
        total += rules.outcome(scratch)
    return total


@entry
def heuristic(rules: Rules, states: np.ndarray, actions: np.ndarray, weights: np.ndarray) -> float:
    total = 0.0
    for i in range(states.shape[0]):
        count = int(rules.legal(states[i], actions))
        total += rules.heuristic(states[i], actions, count, weights)
    return total


def leaves_of(game: Game, evaluator: Evaluator | StateEvaluator, seed: int) -> NDArray[np.void]:
    """Return states of leaves [N, S] from searches of games that the evaluator plays with itself.

    It plays each action with a probability equal to its share of the visits.
    """
    rng, settings = np.random.default_rng(seed), SearchSettings(cache_entries=0, foresight=False)
    group = Group(game, evaluator, settings, num_trees=NUM_TREES, max_visits=VISITS)
    boards, found = [game.start_state() for _ in range(NUM_TREES)], []
    while len(found) < NUM_LEAVES:
        for tree, board in enumerate(boards):
            group.new_tree(tree, game.for_search(board).view(np.uint64))
            group.set_target(tree, VISITS)
        while group.step():
            pass
        t = group.trees
        for tree, board in enumerate(boards):
            states = t.states[tree, : int(t.tree["num_nodes"][tree])]
            found += [state for state in rng.permutation(states)[:FROM_EACH] if game.calls.outcome(state) == 0]
            boards[tree] = played(game, board, group, tree, rng)
    return np.array(found[:NUM_LEAVES])


def played(game: Game, board: NDArray[np.void], group: Group, tree: int, rng: np.random.Generator) -> NDArray[np.void]:
    """Return the board after an action drawn by visits; the start, if the game is over."""
    t = group.trees
    root = t.child[tree, 0]
    first, count = int(root["first_child"]), int(root["num_children"])
    visits = t.child["visits"][tree, first : first + count].astype(float)
    edge = int(t.node["first_edge"][tree, int(root["node"])]) + int(rng.choice(count, p=visits / visits.sum()))
    after = game.calls.play(board, int(t.edge[tree, edge]) & 0xFFFF)
    return game.start_state() if game.calls.outcome(after) else after


def nanoseconds(run: Callable[[], object], number: int) -> float:
    """Return the nanoseconds of processor time for each of `number` things that `run` does, at its fastest."""
    run()  # compiles
    best, begun = float("inf"), time.process_time()
    while time.process_time() - begun < REPEATS_S:
        before = time.process_time()
        run()
        best = min(best, time.process_time() - before)
    return best / number * 1e9


def network_ns(evaluator: Evaluator, planes: NDArray[np.uint8]) -> float:
    """Return the nanoseconds of processor time for a position in a batch."""
    lane = evaluator.lane(BATCH)
    lane.planes[:] = planes

    def run() -> None:
        lane.submit(BATCH)
        lane.answer()

    return nanoseconds(run, BATCH)


def measure(game: Game, network: Evaluator | None) -> None:
    """Print one line for a game."""
    states = leaves_of(game, network or FallbackEvaluator(), seed=1)
    actions, weights = np.zeros(game.max_legal, np.int16), np.zeros(game.max_legal, np.float32)
    rng = np.random.default_rng(2)
    plays = np.array([rng.choice(game.calls.legal(state)) for state in states], np.int16)
    planes, scratch, number = np.zeros(game.planes, np.uint8), game.empty_state(), len(states)
    line = {
        "step": nanoseconds(lambda: step(game.rules, states, plays, scratch), number),
        "legal": nanoseconds(lambda: legal(game.rules, states, actions), number),
        "planes": nanoseconds(lambda: encode(game.rules, states, planes), number),
    }
    if game.has_rule("heuristic"):
        both = nanoseconds(lambda: heuristic(game.rules, states, actions, weights), number)
        line["heuristic"] = both - line["legal"]
    if game.has_rule("foresee"):
        line["foresight"] = nanoseconds(lambda: foresee(game.rules, states), number)
    if network:
        line["network"] = network_ns(network, planes)
    shown = "  ".join(f"{name} {each:,.0f}" for name, each in line.items())
    known = f"  foreseen {foresee(game.rules, states) / number:.1%}" if "foresight" in line else ""
    print(f"{game.name:32} {shown} ns{known}", flush=True)


def main(names: list[str]) -> None:
    """Measure the games of models, and games by name."""
    for name in names or sorted(map(str, folder("models").iterdir())):
        path = model(Path(name))
        if not path.is_dir():
            measure(ludus.game(name), None)
            continue
        checkpoint = load_checkpoint(path)
        for spec in checkpoint.info.games:
            measure(ludus.game(spec), evaluator_of(checkpoint))


if __name__ == "__main__":
    main(sys.argv[1:])
