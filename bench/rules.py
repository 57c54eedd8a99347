"""Measures a game's rules: nanoseconds per call of each rule, on positions of plausible games.

python bench/rules.py SPEC ...
"""

import sys
import time

import numpy as np

import ludus
from ludus.games.game import Game
from ludus.kernel import Rules, entry

NUM_POSITIONS = 4096
REPEATS = 100  # per measurement; the fastest one counts, others may include other work


@entry
def legal(rules: Rules, states: np.ndarray, actions: np.ndarray) -> int:
    total = 0
    for i in range(states.shape[0]):
        total += rules.legal(states[i], actions)
    return total


@entry
def outcome(rules: Rules, states: np.ndarray) -> int:
    total = 0
    for i in range(states.shape[0]):
        total += rules.outcome(states[i])
    return total


@entry
def encode(rules: Rules, states: np.ndarray, planes: np.ndarray) -> int:
    for i in range(states.shape[0]):
        rules.encode(states[i], planes)
    return 0


@entry
def foresee(rules: Rules, states: np.ndarray) -> int:
    total = 0
    for i in range(states.shape[0]):
        total += rules.foresee(states[i])
    return total


@entry
def play(rules: Rules, states: np.ndarray, played: np.ndarray, scratch: np.ndarray) -> int:
    for i in range(states.shape[0]):
        for k in range(scratch.shape[0]):
            scratch[k] = states[i, k]
        rules.play(scratch, int(played[i]))
    return 0


@entry
def heuristic(rules: Rules, states: np.ndarray, actions: np.ndarray, weights: np.ndarray) -> float:
    total = 0.0
    for i in range(states.shape[0]):
        count = int(rules.legal(states[i], actions))
        total += rules.heuristic(states[i], actions, count, weights)
    return total


@entry
def wander(
    rules: Rules,
    start: np.ndarray,
    states: np.ndarray,
    played: np.ndarray,
    actions: np.ndarray,
    weights: np.ndarray,
    luck: np.ndarray,
) -> int:
    """Fill `states` with positions of games whose actions are drawn by the heuristic's weights."""
    state = start.copy()
    for i in range(states.shape[0]):
        count = int(rules.legal(state, actions))
        rules.heuristic(state, actions, count, weights)
        rest, chosen = luck[i, 0] * weights[:count].sum(), 0
        while chosen < count - 1 and rest >= weights[chosen]:
            rest -= weights[chosen]
            chosen += 1
        states[i] = state
        played[i] = actions[chosen]
        rules.play(state, int(played[i]))
        if rules.outcome(state) != 0 or luck[i, 1] < 0.02:
            state[:] = start
    return 0


def nanoseconds(run, *arguments) -> float:
    run(*arguments)
    best = float("inf")
    for _ in range(REPEATS):
        begin = time.perf_counter()
        run(*arguments)
        best = min(best, time.perf_counter() - begin)
    return best / NUM_POSITIONS * 1e9


def measure(game: Game) -> None:
    states = np.zeros((NUM_POSITIONS, game.state_size), game.dtype)
    played = np.zeros(NUM_POSITIONS, np.int16)
    actions = np.zeros(game.max_legal, np.int16)
    weights = np.zeros(game.max_legal, np.float32)
    luck = np.random.default_rng(1).random((NUM_POSITIONS, 2))
    wander(game.rules, game.start_state(), states, played, actions, weights, luck)
    planes = np.zeros(game.planes, np.uint8)
    scratch = game.empty_state()
    times = {
        "legal": nanoseconds(legal, game.rules, states, actions),
        "outcome": nanoseconds(outcome, game.rules, states),
        "encode": nanoseconds(encode, game.rules, states, planes),
        "copy+play": nanoseconds(play, game.rules, states, played, scratch),
    }
    total = sum(times.values())
    times["legal+heuristic"] = nanoseconds(heuristic, game.rules, states, actions, weights)
    if game.has_rule("foresee"):
        times["foresee"] = nanoseconds(foresee, game.rules, states)
    shown = "  ".join(f"{name} {time:.0f}" for name, time in times.items())
    print(f"{game.name:28} {shown}  | legal+outcome+encode+play {total:.0f} ns")


for spec in sys.argv[1:] or sys.exit(__doc__):
    measure(ludus.game(spec))
