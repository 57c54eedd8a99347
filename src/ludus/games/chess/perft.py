"""Counts lines of play of a given length (perft), the usual test of chess rules and their speed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.games.rules import State
from ludus.kernel import Rules, entry, reference


class PlayedLine(NamedTuple):
    """The line being played, without its last action."""

    states: NDArray[np.uint64]  # [depth, S]
    actions: NDArray[np.int16]  # the legal actions of each state  # [depth, legal]
    legal: NDArray[np.int64]  # their number  # [depth]
    done: NDArray[np.int64]  # how many of them were played  # [depth]


def perft(game: Game, state: State, depth: int) -> int:
    """Count the lines of `depth` actions from a state; draws by rule do not end a line."""
    if depth == 0:
        return 1
    states, actions = np.zeros((depth, game.state_size), np.uint64), np.zeros((depth, game.max_legal), np.int16)
    states[0] = state[: game.state_size]
    return int(count_lines(game.rules, reference(PlayedLine(states, actions, *np.zeros((2, depth), np.int64)))))


@entry
def count_lines(rules: Rules, line: PlayedLine) -> int:
    """Count the lines from the first state; the last action of a line is counted, not played."""
    found, level, last = 0, 0, line.states.shape[0] - 1
    while level >= 0:
        state, done = line.states[level], line.done[level]
        if level == last:
            found += rules.legal(state, None)
            level -= 1
            continue
        if done == 0:
            line.legal[level] = rules.legal(state, line.actions[level])
        if done == line.legal[level]:
            line.done[level] = 0
            level -= 1
            continue
        line.done[level] += 1
        level += 1
        after = line.states[level]
        for word in range(state.shape[0]):
            after[word] = state[word]
        rules.play(after, int(line.actions[level - 1, done]))
    return found
